/** Recordings: what models were asked and what they answered, written and read. */
export * from './exchange.ts';
export { type MissedRequest, missText } from './miss.ts';
export { type Asker, findExchange, type Recording, recordingOf } from './recording.ts';
export { type RequestText, requestHash, requestText } from './request-text.ts';
export { writeRecording } from './write-recording.ts';
