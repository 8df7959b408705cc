/** Answers of 100 MB take no such memory. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { afterEach, describe, expect, test } from 'vitest';
import { fakeHttp } from '../../../test/fake-services/http.ts';
import { address, command, type Harness, harness, stdioFile } from '../../../test/fake-services/kit.ts';

const open: Harness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.services.close()));
});

/** How much memory a call takes at most, beyond what was there. */
async function measured<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly bytes: number }> {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const before = process.memoryUsage().rss;
  try {
    return { result: await work(), bytes: most - before };
  } finally {
    clearInterval(timer);
  }
}

const refused = { ok: false, error: { code: 'too-large', message: expect.stringContaining('larger than 16 MB') } };

describe('an answer of 100 MB', () => {
  test.each(['both', 'old'])('of a command is refused without being held: %s', async (era) => {
    const made = harness([command('fake', [stdioFile, era])]);
    open.push(made);
    await made.call('fake/echo', { text: 'warm' });
    const { result, bytes } = await measured(() => made.call('fake/huge', { bytes: 100_000_000 }));
    expect(result).toEqual(refused);
    expect(bytes).toBeLessThan(80_000_000);
    expect(await made.call('fake/echo', { text: 'still here' })).toEqual({ ok: true, text: 'still here' });
  });

  test.each(['json', 'sse'] as const)('of an address is refused: %s', async (mode) => {
    const server = await fakeHttp({ mode });
    const made = harness([address('fake', server.url)]);
    open.push(made);
    // The server lives in this process, so its own memory counts here and cannot be told apart.
    expect(await made.call('fake/huge', { bytes: 100_000_000 })).toEqual(refused);
    expect(await made.call('fake/echo', { text: 'still here' })).toEqual({ ok: true, text: 'still here' });
    await server.close();
  });
});
