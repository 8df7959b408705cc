/** Pure folds: from plans and journals to what is shown. */
export { bytesText, cacheListText } from './cache-list.ts';
export { durationText } from './duration.ts';
export * from './elapsed.ts';
export * from './explain.ts';
export { explainStepText, explainText, stepName } from './explain-text.ts';
export * from './graph.ts';
export { graphMermaid } from './graph-mermaid.ts';
export { graphSvg } from './graph-svg.ts';
export { graphText } from './graph-text.ts';
export { heldText } from './held-text.ts';
export { linePair } from './line-pair.ts';
export * from './most-calls.ts';
export * from './node-id.ts';
export {
  type ChangeTextOptions,
  changeLine,
  changeText,
  outsideSteps,
  pathOf,
  type RunChange,
  runChange,
} from './run-change.ts';
export { graphOfRun } from './run-graph.ts';
export { failureText, markOf, mostName, nodeLine, questionLines } from './run-line.ts';
export * from './run-list.ts';
export { logText } from './run-log.ts';
export * from './run-node.ts';
export * from './run-nodes.ts';
export * from './run-progress.ts';
export * from './run-questions.ts';
export { type RunRemark, remarkWords } from './run-remark.ts';
export { type RunRequest, requestWords, summaryLines } from './run-request.ts';
export * from './run-status.ts';
export * from './run-talk.ts';
export { type TalkTextOptions, talkText } from './run-talk-text.ts';
export { runTitle, thunkOf } from './run-thunk.ts';
export {
  callsIn,
  createToolBook,
  type RunToolCall,
  type ToolBook,
  takeTool,
  toolMarks,
  toolText,
} from './run-tools.ts';
export * from './run-tree.ts';
export { canResume, type RunTextOptions, runTreeText, timeText } from './run-tree-text.ts';
export * from './run-why.ts';
export { stepWhyText, whyText } from './run-why-text.ts';
export { count, shortValue } from './short-value.ts';
export { oneLine, shorten, shortenName } from './shorten.ts';
export * from './tree-node.ts';
export * from './turn-story.ts';
export type { WhyPart } from './why-part.ts';
