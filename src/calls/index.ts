/** Tool calls in text: the emoji-bracket protocol. No dependency, and nothing that a browser does not have. */
export { type Call, type CallJson, createCall } from './call.ts';
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
export { type GrammarOptions, toGbnf } from './grammar/grammar.ts';
export { type MappedCall, mapCall, type RawCall } from './map/map.ts';
export { errorKey, type MapError, type MapErrorCode } from './map/map-error.ts';
export { type PartialArgs, partialArgs } from './map/partial-args.ts';
export { type ParamPlan, planTool, type ToolPlan } from './map/plan.ts';
export { planTools } from './map/plan-tools.ts';
export { type ReadTools, readTools } from './map/read-tools.ts';
export { validate as schemaErrors } from './map/validate.ts';
export { type CallContext, judgeCall, type Permission, type Refusal, type Verdict } from './map/verdict.ts';
export { END, reservedNames, START, STOP } from './marker.ts';
export { lintTools, type ToolLint, type ToolLintCode } from './prompt/lint.ts';
export { type PromptOptions, type ToolPrompt, toolPrompt } from './prompt/prompt.ts';
export { estimateTokens } from './prompt/token-estimate.ts';
export type { ToolChoice } from './prompt/tool-choice.ts';
export { parse } from './scan/parse.ts';
export { createScanner, type Scanner } from './scan/scan.ts';
export { type Collector, createCollector, type ParsedText, type Segment, type TextSegment } from './scan/segments.ts';
export { type Chunk, type ChunkSource, callStream, type StreamOptions, scan } from './scan/stream.ts';
export type { ToolSchema, ToolSpec } from './tool.ts';
export { escapeBody, neutralize, unescapeBody } from './write/escape.ts';
export {
  type ErrorReport,
  type Problem,
  type ToolResult,
  writeCall,
  writeErrors,
  writeRawCall,
  writeResult,
} from './write/write.ts';
