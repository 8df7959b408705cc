/**
 * Reads one text of an answer: what of it is text for people, what is a call. Stricter than the scanner, which loses nothing:
 * from a made-up result on nothing is told, an end marker that only repeats the one before it is left out, and a header that
 * the end of the text cut off behind the name of a tool is a call that broke off, not text.
 */
import {
  type BodyEvent,
  type CallEndEvent,
  type CallEvent,
  type CallStartEvent,
  createScanner,
  type DiagnosticEvent,
  type ScanOptions,
  START,
  STOP,
} from '../../calls/index.ts';

export interface TextSink {
  readonly text: (text: string) => void;
  readonly callStart: (event: CallStartEvent) => void;
  readonly body: (event: BodyEvent) => void;
  readonly callEnd: (event: CallEndEvent) => void;
  readonly diagnostic: (event: DiagnosticEvent) => void;
}

export interface TextReader {
  readonly push: (chunk: string) => void;
  readonly end: () => void;
  readonly isInCall: () => boolean;
  /** Whether a call, or a header that may be one, is open. */
  readonly isOpen: () => boolean;
  /** Whether a made-up result came: what follows it is worth nothing. */
  readonly isCut: () => boolean;
}

export interface TextReaderOptions {
  readonly names: readonly string[];
  readonly scan: ScanOptions;
  /** Whether calls in code fences are text. */
  readonly fencesAreText: boolean;
}

/** The name in the header of a result. */
const RESULT = STOP.slice(START.length);

/** A marker, and a header without its `]`. */
const openHeader = /^[^[]*\[([^\]]*)$/;

const noName = `The text ends behind ${START}, before the name of a tool, so it is plain text.`;

export function createTextReader(options: TextReaderOptions, sink: TextSink): TextReader {
  const { names, fencesAreText } = options;
  const scanner = createScanner({ ...options.scan, knownTools: names, unknownCalls: true });
  let isCut = false;
  let isInCall = false;
  /** The call at hand is an example in a fence. */
  let isExample = false;
  /** Only blanks stood behind the last call so far. */
  let isBehindCall = false;
  /** The source from `told` on: what the scanner still holds back. */
  let source = '';
  let told = 0;

  return {
    push(chunk) {
      if (isCut) return;
      source += chunk;
      read(scanner.push(chunk));
    },
    end() {
      if (isCut) return;
      const header = headerSoFar();
      const place = { start: told, end: told + source.length };
      // Closed, it is read like any other: as a call that has no end, an example, or a made-up result.
      if (header !== undefined && isNamed(header)) read(scanner.push(']').filter((event) => !isSuspect(event)));
      if (isCut) return;
      read(scanner.finish());
      if (header === '') sink.diagnostic({ type: 'diagnostic', code: 'unterminated', ...place, hint: noName });
    },
    isInCall: () => isInCall,
    isOpen() {
      if (isCut || isInCall) return isInCall;
      const header = headerSoFar();
      // From a result on nothing counts, whatever its header would have become.
      return header !== undefined && nameIn(header) !== RESULT;
    },
    isCut: () => isCut,
  };

  function headerSoFar(): string | undefined {
    return isInCall ? undefined : openHeader.exec(source)?.[1]?.trim();
  }

  /** Whether the header names a tool, or a result: a piece of a name could be anything. */
  function isNamed(header: string): boolean {
    const name = nameIn(header);
    return name === RESULT || names.includes(name);
  }

  function read(events: readonly CallEvent[]): void {
    // A refused header is told in one batch with its diagnostic, which comes behind it.
    const made = events.find((event) => event.type === 'diagnostic' && event.code === 'fabricated-result');
    const cutAt = made?.start ?? Number.POSITIVE_INFINITY;
    const strays = new Set<number>();
    for (const event of events) if (event.type === 'diagnostic' && event.code === 'stray-end') strays.add(event.start);
    for (const event of events) {
      if (event.type === 'diagnostic') {
        if (event.start <= cutAt) sink.diagnostic(event);
      } else if (event.start < cutAt) handle(event, strays);
    }
    if (made !== undefined) isCut = true;
  }

  function handle(event: Exclude<CallEvent, DiagnosticEvent>, strays: ReadonlySet<number>): void {
    const raw = take(event.end);
    switch (event.type) {
      case 'text':
        if (!(isBehindCall && strays.has(event.start))) tellText(event.text);
        return;
      case 'call-start':
        isInCall = true;
        isExample = fencesAreText && event.inFence;
        if (isExample) tellText(raw);
        else sink.callStart(event);
        return;
      case 'body':
        if (isExample) tellText(raw);
        else sink.body(event);
        return;
      case 'call-end':
        isInCall = false;
        if (isExample) tellText(raw);
        else {
          sink.callEnd(event);
          isBehindCall = true;
        }
    }
  }

  function tellText(text: string): void {
    if (text === '') return;
    if (isBehindCall && /\S/.test(text)) isBehindCall = false;
    sink.text(text);
  }

  /** The source up to an offset, with the line break that a header drops. */
  function take(end: number): string {
    const raw = source.slice(0, end - told);
    source = source.slice(end - told);
    told = end;
    return raw;
  }
}

function nameIn(header: string): string {
  const blank = header.search(/\s/);
  return blank === -1 ? header : header.slice(0, blank);
}

/** It is said of a `]` that came too early, and this one is ours. */
function isSuspect(event: CallEvent): boolean {
  return event.type === 'diagnostic' && event.code === 'header-bracket-suspect';
}
