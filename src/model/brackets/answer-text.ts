/**
 * One text of an answer: pieces of text for people, and calls. A piece of blanks alone that stands beside a call only set
 * the call off, and is left out.
 */
import { type OpenCall, openCall } from './open-call.ts';
import type { Part, ProviderData, TextDelta, TextEnd, TextStart } from './sdk.ts';
import type { Session } from './session.ts';
import { createTextReader } from './text-reader.ts';

export interface AnswerText {
  readonly add: (delta: string, data: ProviderData | undefined) => void;
  readonly end: (data: ProviderData | undefined) => void;
  /** Something else stood here, in the middle of a call. */
  readonly resume: (data: ProviderData | undefined) => void;
  /** Whether a call is open, or what may become one. */
  readonly isOpen: () => boolean;
  /** Whether the text was cut off at a made-up result. */
  readonly isCut: () => boolean;
}

/** Where parts go. */
export interface Outlet {
  /** In its order. */
  readonly tell: (part: Part) => void;
  /** A call takes its place in the order, and is told where its arguments go; what it is, is asked at the end. */
  readonly hold: (open: (tell: (part: Part) => void) => OpenCall) => OpenCall;
  readonly newTextId: () => string;
}

/** `data` is what the provider keeps with the text: it goes with the next part that is told of it. */
export function createAnswerText(session: Session, outlet: Outlet, data: ProviderData | undefined): AnswerText {
  /** The blanks that a piece starts with, as long as there is nothing else. */
  let blanks: string[] = [];
  let piece: string | undefined;
  /** The last call; it may have ended. */
  let call: OpenCall | undefined;
  /** It is open, and goes on behind something else. */
  let isResumed = false;

  const reader = createTextReader(session.reading, {
    text(text) {
      if (piece === undefined && !/\S/.test(text)) blanks.push(text);
      else tellText(text);
    },
    callStart(event) {
      endPiece();
      call = outlet.hold((tell) => openCall(session, tell, event));
    },
    body(event) {
      call?.body(event);
    },
    callEnd(event) {
      call?.end(event);
      isResumed = false;
    },
    diagnostic(event) {
      call?.diagnostic(event);
      // Perhaps it never got its end, and this is the next one: then its body is not what was meant.
      if (isResumed && event.code === 'nested-start') call?.doubt();
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
      if (data !== undefined) call?.keep(data);
    },
    resume(given) {
      data = given ?? data;
      isResumed = reader.isInCall();
    },
    isOpen: reader.isOpen,
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
