/** Pure folds: from plans to what is shown. */
export { durationText } from './duration.ts';
export * from './explain.ts';
export { explainStepText, explainText, stepName } from './explain-text.ts';
export * from './graph.ts';
export { graphMermaid } from './graph-mermaid.ts';
export { graphSvg } from './graph-svg.ts';
export { graphText } from './graph-text.ts';
