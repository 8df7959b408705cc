/** Tool calls in text: the emoji-bracket protocol. No dependency, and nothing that a browser does not have. */
export { type Call, type CallJson, createCall } from './call.ts';
export { escapeBody, neutralize, unescapeBody } from './escape.ts';
export type {
  BodyEvent,
  CallDiagnosticCode,
  CallEndEvent,
  CallEvent,
  CallStartEvent,
  DiagnosticEvent,
  EndReason,
  FinishInfo,
  ScanOptions,
  TextEvent,
} from './event.ts';
export { type GrammarOptions, toGbnf } from './grammar.ts';
export { lintTools, type ToolLint, type ToolLintCode } from './lint.ts';
export { type MappedCall, mapCall, type RawCall } from './map.ts';
export { errorKey, type MapError, type MapErrorCode } from './map-error.ts';
export { END, reservedNames, START, STOP } from './marker.ts';
export { parse } from './parse.ts';
export { type PartialArgs, partialArgs } from './partial-args.ts';
export { type ParamPlan, planTool, type ToolPlan } from './plan.ts';
export { planTools } from './plan-tools.ts';
export { type PromptOptions, type ToolPrompt, toolPrompt } from './prompt.ts';
export { type ReadTools, readTools } from './read-tools.ts';
export { createScanner, type Scanner } from './scan.ts';
export { type Collector, createCollector, type ParsedText, type Segment, type TextSegment } from './segments.ts';
export { type Chunk, type ChunkSource, callStream, type StreamOptions, scan } from './stream.ts';
export { estimateTokens } from './token-estimate.ts';
export type { ToolSchema, ToolSpec } from './tool.ts';
export type { ToolChoice } from './tool-choice.ts';
export { type CallContext, judgeCall, type Permission, type Refusal, type Verdict } from './verdict.ts';
export {
  type ErrorReport,
  type Problem,
  type ToolResult,
  writeCall,
  writeErrors,
  writeRawCall,
  writeResult,
} from './write.ts';
