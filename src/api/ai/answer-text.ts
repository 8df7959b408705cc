/**
 * One text of an answer: pieces of text for people, and calls. A piece of blanks alone that stands beside a call only set
 * the call off, and is left out.
 */
import type { ReadCall } from './call-verdict.ts';
import { type OpenCall, openCall } from './open-call.ts';
import type { Part, ProviderData, TextDelta, TextEnd, TextStart } from './sdk.ts';
import type { Session } from './session.ts';
import { createTextReader } from './text-reader.ts';

export interface AnswerText {
  readonly add: (delta: string, data: ProviderData | undefined) => void;
  readonly end: (data: ProviderData | undefined) => void;
  /** Whether the text was cut off at a made-up result. */
  readonly isCut: () => boolean;
}

/** Where parts go. */
export interface Outlet {
  /** In its order. */
  readonly tell: (part: Part) => void;
  readonly tellNow: (part: Part) => void;
  /** A call takes its place in the order; what it is, is asked at the end. */
  readonly hold: (call: () => ReadCall) => void;
  readonly newTextId: () => string;
}

/** `data` is what the provider keeps with the text: it goes with the next part that is told of it. */
export function createAnswerText(session: Session, outlet: Outlet, data: ProviderData | undefined): AnswerText {
  /** The blanks that a piece starts with, as long as there is nothing else. */
  let blanks: string[] = [];
  let piece: string | undefined;
  /** The last call; it may have ended. */
  let call: OpenCall | undefined;

  const reader = createTextReader(session.reading, {
    text(text) {
      if (piece === undefined && !/\S/.test(text)) blanks.push(text);
      else tellText(text);
    },
    callStart(event) {
      endPiece();
      // Where nothing may be called, nobody must see a call begin.
      call = openCall(session, session.mayCall ? outlet.tellNow : () => {}, event);
      outlet.hold(call.call);
    },
    body(event) {
      call?.body(event);
    },
    callEnd(event) {
      call?.end(event);
    },
    diagnostic(event) {
      call?.diagnostic(event);
      session.options.onDiagnostic?.({ code: event.code, message: event.hint });
    },
  });

  return {
    add(delta, given) {
      data = given ?? data;
      reader.push(delta);
    },
    end(given) {
      reader.end();
      data = given ?? data;
      if (blanks.length > 0 && call === undefined) tellText('');
      endPiece();
    },
    isCut: reader.isCut,
  };

  function tellText(text: string): void {
    if (piece === undefined) {
      piece = outlet.newTextId();
      const start: TextStart = { type: 'text-start', id: piece, ...takeData() };
      outlet.tell(start);
    }
    const delta: TextDelta = { type: 'text-delta', id: piece, delta: blanks.join('') + text, ...takeData() };
    blanks = [];
    outlet.tell(delta);
  }

  function endPiece(): void {
    blanks = [];
    if (piece === undefined) return;
    const end: TextEnd = { type: 'text-end', id: piece, ...takeData() };
    piece = undefined;
    outlet.tell(end);
  }

  function takeData(): { providerMetadata?: ProviderData } {
    const taken = data;
    data = undefined;
    return taken === undefined ? {} : { providerMetadata: taken };
  }
}
