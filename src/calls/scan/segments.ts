/** Puts events together: whole texts, whole calls, in their order. */
import { type Call, createCall } from '../call.ts';
import type { CallEvent, CallStartEvent, DiagnosticEvent } from '../event.ts';

export interface TextSegment {
  readonly type: 'text';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type Segment = TextSegment | Call;

export interface ParsedText {
  /** Texts and calls, in order; no two texts follow each other, and none is empty. */
  readonly segments: readonly Segment[];
  readonly calls: readonly Call[];
  /** All text without the calls. */
  readonly text: string;
  readonly diagnostics: readonly DiagnosticEvent[];
}

export interface Collector {
  readonly add: (event: CallEvent) => void;
  /** What was added so far; a call that is still open is not in it. */
  readonly result: () => ParsedText;
}

export function createCollector(): Collector {
  const segments: Segment[] = [];
  const diagnostics: DiagnosticEvent[] = [];
  /** The text or the body so far. */
  let text = '';
  let start = 0;
  let end = 0;
  let call: CallStartEvent | undefined;

  function hasText(): boolean {
    return call === undefined && text !== '';
  }

  return {
    add(event) {
      switch (event.type) {
        case 'text':
          if (text === '') start = event.start;
          text += event.text;
          end = event.end;
          return;
        case 'call-start':
          if (hasText()) segments.push({ type: 'text', text, start, end });
          text = '';
          call = event;
          return;
        case 'body':
          text += event.text;
          return;
        case 'call-end':
          if (call === undefined) throw new Error('a call-end event without its call-start');
          segments.push(createCall(call, text, event));
          text = '';
          call = undefined;
          return;
        default:
          diagnostics.push(event);
      }
    },
    result() {
      const all = [...segments];
      if (hasText()) all.push({ type: 'text', text, start, end });
      return {
        segments: all,
        calls: all.filter((segment) => segment.type === 'call'),
        // Few ask for it, and it is a copy.
        get text() {
          return all.map((segment) => (segment.type === 'text' ? segment.text : '')).join('');
        },
        diagnostics: [...diagnostics],
      };
    },
  };
}
