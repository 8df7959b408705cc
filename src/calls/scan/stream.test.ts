/** Streams of every kind give what the whole text gives. */
import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../event.ts';
import { END, START } from '../marker.ts';
import { parse } from './parse.ts';
import { createCollector, type ParsedText } from './segments.ts';
import { type Chunk, type ChunkSource, callStream, scan } from './stream.ts';

const text = `Grüße 😀 ${START}write résumé.md]\n日本語 🛠 ${START}x\n${END}\nbye`;
const bytes = new TextEncoder().encode(text);

const webStream = (chunks: Iterable<Chunk>) =>
  new ReadableStream<Chunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

async function collected(events: AsyncIterable<CallEvent>): Promise<ParsedText> {
  const collector = createCollector();
  for await (const event of events) collector.add(event);
  return collector.result();
}

function pieces(size: number): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.subarray(at, at + size));
  return list;
}

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield item;
}

describe('scan', () => {
  const kinds: readonly (readonly [name: string, source: () => ChunkSource])[] = [
    ['an array of texts', () => [...text]],
    ['an async iterable of texts', () => later(text.split(' ').map((word, i) => (i === 0 ? word : ` ${word}`)))],
    ['a Web Stream of texts', () => webStream([...text])],
    ['bytes, one at a time', () => later(pieces(1))],
    ['bytes, three at a time', () => webStream(pieces(3))],
    ['bytes, all at once', () => [bytes]],
    ['bytes and texts in turn', () => [bytes.subarray(0, 20), new TextDecoder().decode(bytes.subarray(20))]],
  ];
  it.each(kinds)('reads %s', async (_, source) => {
    expect(await collected(scan(source()))).toEqual(parse(text));
  });

  it('keeps a byte order mark', async () => {
    const { segments } = await collected(scan([Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)]));
    expect(segments).toEqual([{ type: 'text', text: '\ufeffa', start: 0, end: 2 }]);
  });

  it('shows bytes that are no text as U+FFFD, those at the very end too', async () => {
    const { text: read } = await collected(scan([Uint8Array.of(0x61, 0xff, 0x62, 0xf0, 0x9f)]));
    expect(read).toBe('a\ufffdb\ufffd');
  });

  it('asks at the end how the text ended', async () => {
    let reason: 'stop' | 'length' = 'stop';
    async function* source() {
      yield `${START}t]\nx`;
      reason = 'length';
    }
    const { calls, diagnostics } = await collected(scan(source(), { finish: () => ({ reason }) }));
    expect(calls[0]).toMatchObject({ complete: false, reason: 'length' });
    expect(diagnostics[0]?.hint).toContain('length limit');
  });

  it('fails when its source fails, and an open call has no end', async () => {
    async function* source() {
      yield `${START}t]\nx`;
      throw new Error('cut');
    }
    const events: CallEvent[] = [];
    const loop = async () => {
      for await (const event of scan(source())) events.push(event);
    };
    await expect(loop()).rejects.toThrow('cut');
    expect(events.map(({ type }) => type)).toEqual(['call-start', 'body']);
  });

  it.each(['iterable', 'stream'])('closes an endless %s when the loop is left', async (kind) => {
    let closed = '';
    async function* endless() {
      try {
        for (;;) yield 'text ';
      } finally {
        closed = 'iterable';
      }
    }
    const stream = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('text '),
      cancel: () => {
        closed = 'stream';
      },
    });
    for await (const event of scan(kind === 'stream' ? stream : endless())) if (event.end > 20) break;
    expect(closed).toBe(kind);
  });

  it('takes a whole text, or all bytes at once', async () => {
    expect(await collected(scan(text))).toEqual(parse(text));
    expect(await collected(scan(bytes))).toEqual(parse(text));
  });

  it('takes no notice of empty pieces, in the middle of a character too', async () => {
    expect(await collected(scan([bytes.subarray(0, 3), '', bytes.subarray(3)]))).toEqual(parse(text));
  });

  it('waits for the answer how the text ended', async () => {
    const finish = async () => ({ reason: 'length' }) as const;
    expect((await collected(scan(`${START}t]`, { finish }))).calls[0]?.reason).toBe('length');
    const piped = webStream([`${START}t]`]).pipeThrough(callStream({ finish }));
    expect((await collected(piped)).calls[0]?.reason).toBe('length');
  });

  it('refuses what is neither text nor bytes nor a stream of them', async () => {
    const wrong = [42] as unknown as Chunk[];
    await expect(collected(scan(wrong))).rejects.toThrow('a chunk is a string or a Uint8Array, not number.');
    for (const none of [null, undefined, 5, {}, Promise.resolve([])]) {
      await expect(collected(scan(none as unknown as string))).rejects.toThrow('scan takes a text, bytes, or a stream');
    }
  });
});

it('callStream is a stream to pipe through', async () => {
  expect(await collected(webStream(pieces(5)).pipeThrough(callStream()))).toEqual(parse(text));
});
