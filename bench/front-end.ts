/** What the benches measure, for `bundle.mjs`: Node runs no TypeScript, and unbundled files would be measured too. */

export { diffPlans, planWorkflow } from '../src/plan/index.ts';
export { checkProgram } from '../src/program/index.ts';
export { createSource, hasErrors, painter, renderDiagnostic, toJson } from '../src/text/index.ts';
export { format, parse } from '../src/too/index.ts';
export { builtinTools } from '../src/tool/index.ts';
export { formatToon, parseToon } from '../src/toon/index.ts';
export { explainText, explainWorkflow, graphMermaid, graphOf, graphSvg, graphText } from '../src/view/index.ts';
export { hugeShapes } from '../test/generate/huge.ts';
export { hugeWorkflows, readHuge } from '../test/generate/huge-workflow.ts';
export { realisticProgram } from '../test/generate/realistic.ts';
export { realisticWorkflow } from '../test/generate/realistic-workflow.ts';
