/** What the benches measure, for `bundle.mjs`: Node runs no TypeScript, and unbundled files would be measured too. */

export { checkProgram } from '../src/program/index.ts';
export { createSource, hasErrors, renderDiagnostic, toJson } from '../src/text/index.ts';
export { format, parse } from '../src/too/index.ts';
export { builtinTools } from '../src/tool/index.ts';
export { hugeShapes } from '../test/generate/huge.ts';
export { realisticProgram } from '../test/generate/realistic.ts';
