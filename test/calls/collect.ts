/** Puts the events of a scanner together, in the shape of the reference, and refuses events that do not fit together. */
import type { CallEvent, CallStartEvent, FinishInfo, ScanOptions } from '../../src/calls/event.ts';
import { createScanner, parse } from '../../src/calls/index.ts';
import { type Reference, type ReferenceCall, type ReferenceText, sortDiagnostics } from './reference.ts';

/** The events of each push, and of `finish` at the end. */
export function scanChunks(chunks: readonly string[], options: ScanOptions, info: FinishInfo): CallEvent[][] {
  const scanner = createScanner(options);
  const events = chunks.map((chunk) => scanner.push(chunk));
  events.push(scanner.finish(info));
  return events;
}

export function collect(events: readonly CallEvent[]): Reference {
  const segments: (ReferenceText | ReferenceCall)[] = [];
  const diagnostics: Reference['diagnostics'][number][] = [];
  let open: (CallStartEvent & { body: string }) | undefined;
  let calls = 0;
  for (const event of events) {
    if (event.type === 'diagnostic') {
      const { code, start, end, hint } = event;
      if (hint.trim() === '') throw new Error(`the diagnostic ${code} at ${start} has no hint`);
      diagnostics.push({ code, start, end });
    } else if (event.type === 'text') {
      if (open !== undefined) throw new Error(`text at ${event.start} in call ${open.index}`);
      if (event.text === '') throw new Error(`an empty text event at ${event.start}`);
      addText(segments, event);
    } else if (event.type === 'call-start') {
      if (open !== undefined) throw new Error(`a call at ${event.start} in call ${open.index}`);
      if (event.index !== calls++) throw new Error(`the call at ${event.start} has number ${event.index}`);
      open = { ...event, body: '' };
    } else {
      if (open?.index !== event.index) throw new Error(`${event.type} at ${event.start} is not in call ${event.index}`);
      if (event.type === 'body') {
        if (event.text === '') throw new Error(`an empty body event at ${event.start}`);
        open.body += event.text;
      } else {
        const { index, toolName, rawArgs, body, start, inFence, lineStart } = open;
        const { complete, reason, end } = event;
        segments.push({
          type: 'call',
          ...{ index, toolName, rawArgs, body, complete, reason, start, end, inFence, lineStart },
        });
        open = undefined;
      }
    }
  }
  if (open !== undefined) throw new Error(`call ${open.index} has no call-end`);
  return { segments, diagnostics: sortDiagnostics(diagnostics) };
}

/** The result of `parse`, with the fields of the reference only. */
export function parseWhole(text: string, options: ScanOptions, info: FinishInfo): Reference {
  const { segments, calls, text: outside, diagnostics } = parse(text, options, info);
  const found = segments.map((segment): ReferenceText | ReferenceCall => {
    const { start, end } = segment;
    if (segment.type === 'text') return { type: 'text', text: segment.text, start, end };
    const { index, toolName, rawArgs, body, complete, reason, inFence, lineStart } = segment;
    return { type: 'call', index, toolName, rawArgs, body, complete, reason, start, end, inFence, lineStart };
  });
  const ofCalls = segments.filter((segment) => segment.type === 'call');
  if (calls.length !== ofCalls.length || calls.some((call, i) => call !== ofCalls[i])) {
    throw new Error('calls are not the segments that are calls');
  }
  if (outside !== found.map((segment) => (segment.type === 'text' ? segment.text : '')).join('')) {
    throw new Error('text is not the text of the segments');
  }
  return {
    segments: found,
    diagnostics: sortDiagnostics(diagnostics.map(({ code, start, end }) => ({ code, start, end }))),
  };
}

function addText(segments: (ReferenceText | ReferenceCall)[], { text, start, end }: ReferenceText): void {
  const last = segments.at(-1);
  if (last?.type !== 'text') segments.push({ type: 'text', text, start, end });
  else {
    if (last.end !== start) throw new Error(`text at ${start} follows text that ended at ${last.end}`);
    segments[segments.length - 1] = { type: 'text', text: last.text + text, start: last.start, end };
  }
}
