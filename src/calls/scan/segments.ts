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
  let pieces: string[] = [];
  let start = 0;
  let end = 0;
  let call: CallStartEvent | undefined;

  function openText(): TextSegment[] {
    return call === undefined && pieces.length > 0 ? [{ type: 'text', text: joined(pieces), start, end }] : [];
  }

  return {
    add(event) {
      switch (event.type) {
        case 'text':
          if (pieces.length === 0) start = event.start;
          pieces.push(event.text);
          end = event.end;
          return;
        case 'call-start':
          for (const text of openText()) segments.push(text);
          pieces = [];
          call = event;
          return;
        case 'body':
          pieces.push(event.text);
          return;
        case 'call-end': {
          if (call === undefined) throw new Error('a call-end event without its call-start');
          const { index, toolName, rawArgs, inFence, lineStart } = call;
          const { complete, reason } = event;
          const body = joined(pieces);
          pieces = [];
          const { start: from } = call;
          const { end: to } = event;
          segments.push(
            createCall({ index, toolName, rawArgs, body, complete, reason, start: from, end: to, inFence, lineStart }),
          );
          call = undefined;
          return;
        }
        default:
          diagnostics.push(event);
      }
    },
    result() {
      return {
        segments: [...segments, ...openText()],
        calls: segments.filter((segment) => segment.type === 'call'),
        // Few ask for it, and it is a copy.
        get text() {
          return joined(this.segments.filter((segment) => segment.type === 'text').map((segment) => segment.text));
        },
        diagnostics: [...diagnostics],
      };
    },
  };
}

/** One piece is not copied. */
function joined(pieces: readonly string[]): string {
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
}
