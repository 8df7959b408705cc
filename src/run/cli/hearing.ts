/**
 * What the program of an agent says, put together while it comes: the answer, what was used, the conversation, what went wrong.
 * 1. No more is held than `mostLine` of a line, `mostAnswer` of the answer and a few thousand characters of the rest,
 *    whatever is printed. A line that is longer is passed over; only where the answer was in it, that is an error.
 * 2. The answer is the last whole one that the program tells; where it tells none, all text behind the last tool.
 * 3. What goes wrong before an answer did not matter; what goes wrong behind it does.
 */
import type { CliAgent, CliEvent, CliUsage } from '../../agent/cli/index.ts';
import { createJsonLines, createTerminalText, noIdScan } from '../../tool/index.ts';

export interface Hearing {
  readonly output: (bytes: Uint8Array) => void;
  /** What it writes to its error output. */
  readonly errors: (bytes: Uint8Array) => void;
  /** Nothing more comes. */
  readonly end: () => void;
  readonly heard: () => Heard;
}

export interface Heard {
  /** Undefined where there is none. */
  readonly answer: string | undefined;
  /** What it said about what went wrong, or where it told nothing, what it wrote last. */
  readonly said: string;
  /** That it has failed is known from what it said. */
  readonly isFailed: boolean;
  readonly usage: readonly CliUsage[];
  /** Why it must be ended: it prints too much, or can come to nothing. */
  readonly stop: 'long' | 'error' | undefined;
  /** The bytes of the longest line that was passed over. */
  readonly passed: number;
}

export interface HearingOptions {
  readonly onText?: ((text: string) => void) | undefined;
  readonly onTool?: ((name: string, args: unknown) => void) | undefined;
  readonly onSession?: ((id: string) => void) | undefined;
  /** There is a reason to end it. */
  readonly onStop: () => void;
}

export const mostLine = 16 * 1024 * 1024;
export const mostAnswer = 8 * 1024 * 1024;
const wordsKept = 8192;

export function createHearing(agent: Pick<CliAgent, 'prints' | 'read'>, options: HearingOptions): Hearing {
  let final: string | undefined;
  /** Behind the last tool. */
  let text: string[] = [];
  let textLength = 0;
  let error: string | undefined;
  /** What is none of its own lines, and what it wrote to its error output. */
  let stray = '';
  let complaints = '';
  let isWell = false;
  let stop: Heard['stop'];
  let passed = 0;
  const usage: CliUsage[] = [];

  const end = (why: NonNullable<Heard['stop']>): void => {
    if (stop !== undefined) return;
    stop = why;
    options.onStop();
  };
  const say = (part: string): void => {
    if (part === '') return;
    textLength += part.length;
    if (textLength > mostAnswer) {
      end('long');
      return;
    }
    text.push(part);
    options.onText?.(part);
  };
  const take = (event: CliEvent): void => {
    switch (event.kind) {
      case 'text':
        say(event.text);
        return;
      case 'tool':
        text = [];
        textLength = 0;
        options.onTool?.(event.name, event.args);
        return;
      case 'usage':
        usage.push(event);
        return;
      case 'session':
        options.onSession?.(event.id);
        return;
      case 'final':
        error = undefined;
        isWell = true;
        if (event.text === undefined) return;
        if (event.text.length > mostAnswer) end('long');
        else final = event.text;
        return;
      case 'error':
        error = event.message;
        isWell = false;
        if (event.isEnd) end('error');
    }
  };
  const lines = createJsonLines(
    mostLine,
    {
      line(line) {
        if (stop !== undefined) return;
        const events = agent.read(line);
        if (events === undefined) stray = lastOf(`${stray}${line}\n`);
        else for (const event of events) take(event);
      },
      tooLong(_id, bytes) {
        passed = Math.max(passed, bytes);
      },
    },
    noIdScan,
  );
  const plain = createTerminalText();
  const complaining = createTerminalText();
  const isText = agent.prints === 'text';

  return {
    output(bytes) {
      if (stop !== undefined) return;
      if (isText) say(plain.push(bytes));
      else lines.push(bytes);
    },
    errors(bytes) {
      complaints = lastOf(complaints + complaining.push(bytes));
    },
    end() {
      if (stop !== undefined) return;
      if (isText) say(plain.end());
      else lines.end();
      complaints = lastOf(complaints + complaining.end());
    },
    heard() {
      const whole = text.join('').trim();
      const answer = final ?? (whole === '' || (!isText && !isWell) ? undefined : whole);
      const said = error ?? [stray.trim(), complaints.trim()].filter((each) => each !== '').join('\n');
      // What prints plain text has nothing else to say why.
      const why = said === '' && isText ? lastOf(whole) : said;
      return { answer, said: why, isFailed: error !== undefined, usage, stop, passed };
    },
  };
}

function lastOf(text: string): string {
  return text.length <= wordsKept ? text : text.slice(text.length - wordsKept);
}
