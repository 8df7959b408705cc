/** Tool calls in text: the emoji-bracket protocol. No dependency, and nothing that a browser does not have. */
export type { Call, CallJson } from './call.ts';
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
export { END, reservedNames, START, STOP } from './marker.ts';
export { parse } from './parse.ts';
export { createScanner, type Scanner } from './scan.ts';
export { type Collector, createCollector, type ParsedText, type Segment, type TextSegment } from './segments.ts';
export { type Chunk, type ChunkSource, callStream, type StreamOptions, scan } from './stream.ts';
export type { ToolSchema, ToolSpec } from './tool.ts';
