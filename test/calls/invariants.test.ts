/** What the scanner promises, each promise by its number, over generated texts, options and chunks. */
import { describe, expect, test } from 'vitest';
import type { CallEvent, ScanOptions } from '../../src/calls/event.ts';
import { createScanner } from '../../src/calls/index.ts';
import { collect, scanChunks } from './collect.ts';
import { cut, generateCase, type ScanCase } from './generate.ts';
import { hugeShapes } from './huge.ts';

const deep = process.env.TOOLANG_DEEP === '1';
const rounds = deep ? 3_000 : 250;
const batch = 500;

/** The events that tell units of the text, as opposed to diagnostics, which may point back. */
type Told = Exclude<CallEvent, { type: 'diagnostic' }>;

/** A case with its text, its chunks, and what came of each of them. */
interface Run extends ScanCase {
  readonly text: string;
  readonly chunks: readonly string[];
  /** One more than chunks: the last are of `finish`. */
  readonly events: readonly (readonly CallEvent[])[];
}

const marker = /\ud83d\udee0[\ufe0e\ufe0f]?\[/;
const strictMarker = /\ud83d\udee0\ufe0f\[/;

describe('the scanner', () => {
  test('1 gives the same result for any chunks as for the whole', async () => {
    await forEachCase(({ text, options, info, sizes }) => {
      // Put together, and the diagnostics in their order and with their words.
      const resultOf = (chunks: readonly string[], repair: boolean) => {
        const events = scanChunks(chunks, { ...options, repair }, info).flat();
        return JSON.stringify([collect(events), events.filter(({ type }) => type === 'diagnostic')]);
      };
      const repaired = resultOf([text], true);
      const whole = resultOf([text], false);
      for (const some of [sizes, [1], [2], [3], [5], [8], [13]]) {
        const mended = resultOf(cut(text, some), true);
        if (mended !== repaired) fail(`with repair chunks of ${some} give ${mended}, the whole ${repaired}`);
        const found = resultOf(cut(text, some), false);
        if (found !== whole) fail(`chunks of ${some} give ${found}, the whole ${whole}`);
      }
      const withEmpty = cut(text, sizes).flatMap((chunk) => ['', chunk]);
      const found = resultOf(withEmpty, false);
      if (found !== whole) fail(`with empty chunks ${found}, without ${whole}`);
    });
  });

  test('2 loses nothing: what it tells and the dropped line breaks are the text', async () => {
    await forEachCase(({ text, events, options }) => {
      let at = 0;
      let afterHeader = false;
      for (const event of told(events.flat())) {
        if (afterHeader) at += /^(?:\r?\n)?/.exec(text.slice(at))?.[0].length ?? 0;
        afterHeader = event.type === 'call-start';
        if (event.start !== at) fail(`${event.type} begins at ${event.start}, not at ${at}`);
        const piece = text.slice(event.start, event.end);
        at = event.end;
        if (event.type === 'text' || event.type === 'body') {
          if (event.text !== piece) fail(`${event.type} is not what stands from ${event.start} to ${event.end}`);
        } else if (event.type === 'call-start') {
          const content = withoutMarker(piece, options);
          if (content === undefined || !content.endsWith(']')) fail(`${JSON.stringify(piece)} is no header`);
          else {
            const [, name = '', rest = ''] = /^\s*(\S+)(.*)$/s.exec(content.slice(0, -1)) ?? [];
            if (name !== event.toolName || rest.trim() !== event.rawArgs) fail(`the header of call ${event.index}`);
          }
        } else if (piece !== '' && withoutMarker(piece, options) !== '/end]') {
          fail(`${JSON.stringify(piece)} is no end marker`);
        }
      }
      if (at !== text.length) fail(`${at} of ${text.length} units are told`);
    });
  });

  test('3 takes nothing back: events only go forward, and depend on nothing that comes later', async () => {
    await forEachCase(({ text, chunks, events, options, info }, { below }) => {
      let at = 0;
      let pushed = 0;
      events.forEach((ofPush, turn) => {
        pushed += chunks[turn]?.length ?? 0;
        for (const event of ofPush) {
          if (event.end > pushed) fail(`${event.type} ends at ${event.end}, and ${pushed} units were pushed`);
          if (event.end < event.start) fail(`${event.type} ends before it starts`);
          if (event.type === 'diagnostic') continue;
          if (event.start < at) fail(`${event.type} goes back from ${at} to ${event.start}`);
          at = event.end;
        }
      });
      // The same beginning with another rest: all that was told before must be told again.
      const kept = below(chunks.length + 1);
      const other = [...chunks.slice(0, kept), text.slice(below(text.length + 1)), ']\u{1f6e0}\ufe0f[/end]'];
      const again = scanChunks(other, options, info).slice(0, kept);
      if (JSON.stringify(again) !== JSON.stringify(events.slice(0, kept)))
        fail(`with another rest after ${kept} chunks`);
      // And if the text ends there, what is told is a beginning of what would have been told.
      const ended = scanChunks(chunks.slice(0, kept), options, info).slice(0, kept);
      if (JSON.stringify(ended) !== JSON.stringify(events.slice(0, kept))) fail(`with the end after ${kept} chunks`);
    });
  });

  test('4 holds back 3 units in text, 8 in a body or the rest of one, 1 after a header, or an open header', async () => {
    let most = 0;
    await forEachCase(({ text, chunks, events, options }) => {
      let at = 0;
      let pushed = 0;
      let state: 'text' | 'after header' | 'body' = 'text';
      /** Up to there goes the rest of a body that was too long. */
      let restEnd = 0;
      chunks.forEach((chunk, turn) => {
        pushed += chunk.length;
        for (const event of told(events[turn] ?? [])) {
          at = event.end;
          state = event.type === 'call-start' ? 'after header' : event.type === 'body' ? 'body' : 'text';
          if (event.type === 'call-end' && event.reason === 'too-long') restEnd = behindEnd(text, at, options);
        }
        const held = text.slice(at, pushed);
        const problem = heldTooMuch(held, at < restEnd ? 'body' : state, options);
        if (problem !== '') fail(`after ${pushed} units ${problem}: ${JSON.stringify(held)}`);
        if (state === 'body') most = Math.max(most, held.length);
      });
    });
    // Otherwise nothing was tried.
    expect(most).toBe(8);
  });

  test('5 splits no code point that is whole', async () => {
    await forEachCase(({ text, events }) => {
      for (const { type, start, end } of told(events.flat())) {
        for (const at of [start, end]) {
          if (/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1)) && at > 0) {
            fail(`${type} ${start}-${end} splits the code point at ${at - 1}`);
          }
        }
      }
    });
  });

  describe('6 takes time in proportion to the text, unit by unit:', () => {
    for (const { name, options, write } of hugeShapes) {
      // A scanner that looks back further with each unit would take hours for this.
      test(name, () => {
        const text = write(deep ? 1 << 20 : 1 << 17);
        expect(scanUnits(text, options)).toBe(text.length);
      });
    }

    const megabytes = deep ? 4 : 1;
    test(`${megabytes} MB of all of them`, () => {
      const size = megabytes << 20;
      const text = hugeShapes.map(({ write }) => write(Math.ceil(size / hugeShapes.length))).join('\n');
      expect(text.length).toBeGreaterThanOrEqual(size);
      expect(scanUnits(text, {})).toBe(text.length);
    });
  });

  test('7 calls a call complete only if its end marker came', async () => {
    const reasons = new Map<string, number>();
    await forEachCase(({ text, events, options, info }) => {
      for (const event of told(events.flat())) {
        if (event.type !== 'call-end') continue;
        const { complete, reason, start, end } = event;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        const closed = withoutMarker(text.slice(start, end), options) === '/end]';
        if (complete !== closed) fail(`complete is ${complete} for ${JSON.stringify(text.slice(start, end))}`);
        if (complete !== (reason === 'end')) fail(`complete is ${complete} with the reason ${reason}`);
        if (!complete && start !== end) fail(`a call that broke off at ${start} ends at ${end}`);
        if ((reason === 'unterminated' || reason === 'length') && end !== text.length) fail(`${reason} at ${end}`);
        if (reason === 'length' && info.reason !== 'length') fail('length without a reason');
        if (reason === 'unterminated' && info.reason === 'length') fail('the reason is lost');
        if (reason === 'too-long' && options.maxBody === undefined) fail('too long without a limit');
      }
    });
    expect([...reasons.keys()].sort()).toEqual(['end', 'length', 'too-long', 'unterminated']);
  });
});

interface Chance {
  below(limit: number): number;
}

async function forEachCase(check: (run: Run, chance: Chance) => void): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    // Long work without a break would look like a hang to the runner.
    if (i % batch === 0) await new Promise(setImmediate);
    const seed = (deep ? 300_000_000 : 50_000_000) + i;
    const given = generateCase(seed);
    const text = given.pieces.join('');
    const chunks = cut(text, given.sizes);
    // Other numbers than those the case was made of, and still the same in every run.
    let turn = 0;
    const below = (limit: number): number => (Math.imul(seed + ++turn, 0x9e3779b1) >>> 8) % limit;
    try {
      check({ ...given, text, chunks, events: scanChunks(chunks, given.options, given.info) }, { below });
    } catch (error) {
      const { options, info } = given;
      const report = error instanceof Error ? error.message : String(error);
      expect.fail(
        `${report}\nseed ${seed}: ${JSON.stringify(chunks)}, options ${JSON.stringify(options)}, ${JSON.stringify(info)}`,
      );
    }
  }
}

function fail(problem: string): void {
  throw new Error(problem);
}

function told(events: readonly CallEvent[]): Told[] {
  return events.filter((event) => event.type !== 'diagnostic');
}

/** What follows the marker at the very start; nothing if there is none. */
function withoutMarker(text: string, options: ScanOptions): string | undefined {
  const match = (options.strict ? strictMarker : marker).exec(text);
  return match?.index === 0 ? text.slice(match[0].length) : undefined;
}

/** Behind the next end marker, or at the end of the text. */
function behindEnd(text: string, from: number, options: ScanOptions): number {
  for (let at = from; at < text.length; at++) {
    const rest = withoutMarker(text.slice(at), options);
    if (rest?.startsWith('/end]')) return text.length - rest.length + '/end]'.length;
  }
  return text.length;
}

/** What is wrong with holding this back, or nothing. */
function heldTooMuch(held: string, state: 'text' | 'after header' | 'body', options: ScanOptions): string {
  if (state === 'body') return held.length > 8 ? 'more than 8 units of a body are held' : '';
  if (state === 'after header') {
    const rest = held.replace(/^\r?\n/, '');
    if (rest === held && held.startsWith('\r')) return held.length > 1 ? 'more than a carriage return is held' : '';
    return rest.length > 8 ? 'more than 8 units of a body are held' : '';
  }
  if (held.length <= 3) return '';
  const header = withoutMarker(held, options);
  if (header === undefined) return 'more than 3 units of text are held';
  // An unknown name waits for the line break that would make it a call.
  if (/^[^\]]*\]\r?$/.test(header)) return options.unknownCalls && options.knownTools ? '' : 'a whole header is held';
  if (header.includes(']')) return 'more than a header is held';
  if (header.includes('\n') && !options.multilineHeader) return 'a header with a line break is held';
  if (!options.literalHeader && (options.strict ? strictMarker : marker).test(header)) return 'two markers are held';
  return header.length > (options.maxHeader ?? 4096) ? 'a header over its limit is held' : '';
}

/** How many units were told, and dropped as line breaks behind headers, when each unit is a chunk. */
function scanUnits(text: string, options: ScanOptions): number {
  const scanner = createScanner(options);
  let at = 0;
  const count = (events: readonly CallEvent[]): void => {
    for (const event of events) if (event.type !== 'diagnostic') at = event.end;
  };
  for (let i = 0; i < text.length; i++) count(scanner.push(text.charAt(i)));
  count(scanner.finish());
  return at;
}
