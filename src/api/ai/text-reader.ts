/**
 * Reads one text of an answer: what of it is text for people, what is a call. Stricter than the scanner, which loses nothing:
 * from a made-up result on nothing is told, an end marker that only repeats the one before it is left out, and a header that
 * the end of the text cut off is a call that broke off, not text.
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

export function createTextReader(options: TextReaderOptions, sink: TextSink): TextReader {
  const { names, fencesAreText } = options;
  const scanner = createScanner({ ...options.scan, knownTools: names, unknownCalls: true });
  let isCut = false;
  let calls = 0;
  /** The call at hand is an example in a fence. */
  let isExample = false;
  /** Only blanks stood behind the last call so far. */
  let isBehindCall = false;
  /** The source from `told` on; kept only where examples must be given back as they stand. */
  let source = '';
  let told = 0;

  return {
    push(chunk) {
      if (isCut) return;
      if (fencesAreText) source += chunk;
      read(scanner.push(chunk));
    },
    end() {
      if (isCut) return;
      const events = scanner.finish();
      const last = events.findLast((event) => event.type === 'text');
      const header = last?.type === 'text' ? openHeader.exec(last.text)?.[1] : undefined;
      if (last === undefined || header === undefined) read(events);
      else {
        read(events.filter((event) => event !== last));
        endInHeader(last, header);
      }
    },
    isCut: () => isCut,
  };

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
        calls++;
        isExample = fencesAreText && event.inFence;
        if (isExample) tellText(raw);
        else sink.callStart(event);
        return;
      case 'body':
        if (isExample) tellText(raw);
        else sink.body(event);
        return;
      case 'call-end':
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
    if (!fencesAreText) return '';
    const raw = source.slice(0, end - told);
    source = source.slice(end - told);
    told = end;
    return raw;
  }

  /** The text ends inside a header: one that a tool or a result would have is no text for people. */
  function endInHeader({ text, start, end }: { text: string; start: number; end: number }, header: string): void {
    const words = header.trim();
    const blank = words.search(/\s/);
    const toolName = blank === -1 ? words : words.slice(0, blank);
    if (names.includes(toolName)) {
      const rawArgs = words.slice(toolName.length).trim();
      const place = { start, end, inFence: false, lineStart: false };
      sink.callStart({ type: 'call-start', index: calls, toolName, rawArgs, ...place });
      sink.callEnd({ type: 'call-end', index: calls, complete: false, reason: 'unterminated', start: end, end });
    } else if (toolName !== RESULT && !(blank === -1 && [...names, RESULT].some((name) => name.startsWith(words)))) {
      tellText(text);
    }
  }
}
