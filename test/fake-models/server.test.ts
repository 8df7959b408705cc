/** The fake services as servers: keys, what goes wrong on demand, how answers are cut into pieces, what is kept. */
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeAnswer, failures, type Said } from './answer.ts';
import { ask } from './kit.ts';
import { closedAddress, type FakeKind, type FakeModel, type FakeOptions, fakeKinds, startFakeModel } from './server.ts';

const open: FakeModel[] = [];

afterEach(async () => {
  for (const fake of open.splice(0)) await fake.close();
});

async function start(kind: FakeKind, options: FakeOptions = {}): Promise<FakeModel> {
  const fake = await startFakeModel(kind, options);
  open.push(fake);
  return fake;
}

const said: Said = { text: 'Grüße 🎈 and more.', chunk: 4 };
const withKeys = fakeKinds.filter((kind) => kind !== 'ollama' && kind !== 'llamacpp');

describe.each(withKeys)('the key of %s', (kind) => {
  const wrong = kind === 'google' ? 400 : 401;

  it('is asked for', async () => {
    const fake = await start(kind, { answers: () => said });
    const headers = { authorization: undefined, 'x-api-key': undefined, 'x-goog-api-key': undefined };
    expect((await ask(fake, { headers })).status).toBe(kind === 'google' ? 403 : 401);
  });

  it('is the only one that is taken', async () => {
    const fake = await start(kind, { answers: () => said });
    expect((await ask(fake, { key: 'another-key' })).status).toBe(wrong);
    expect((await ask(fake)).status).toBe(200);
    expect(fake.requests.map((request) => request.refusal() === undefined)).toEqual([false, true]);
  });
});

describe.each(fakeKinds)('%s', (kind) => {
  it('refuses what is no JSON', async () => {
    const fake = await start(kind, { answers: () => said });
    const response = await ask(fake, { text: '{"model":' });
    expect([400, 422, 500]).toContain(response.status);
    expect(JSON.stringify(await response.json())).toMatch(/"error"/);
  });

  it('answers the same in pieces of every size', async () => {
    const answer = { ...said, reasoning: 'Hm, ä.', calls: [{ tool: 'a', args: { ü: '🎈' }, id: 'c1' }] };
    const answers: FakeAnswer[] = [answer, { ...answer, bytes: 1 }, { ...answer, bytes: 3 }];
    const texts: string[] = [];
    for (const one of answers) {
      const fake = await start(kind, { answers: [one] });
      texts.push(await (await ask(fake)).text());
    }
    expect(texts[0]).toContain('Grüß');
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
  });

  it('cuts characters apart', async () => {
    const fake = await start(kind, { answers: [{ text: '🎈', bytes: 1 }] });
    const response = await ask(fake);
    const halves: number[] = [];
    for await (const chunk of response.body ?? []) if (chunk[0] && chunk[0] >= 0x80) halves.push(chunk.length);
    // The four bytes of the balloon do not come together.
    expect(halves.length).toBeGreaterThan(1);
  });

  it.each(failures.filter((fails) => fails !== 'drop'))('fails on demand: %s', async (fails) => {
    const fake = await start(kind, { answers: [{ fails, note: 'a note' }] });
    const response = await ask(fake);
    const text = await response.text();
    expect(response.ok).toBe(false);
    if (fails === 'html') expect(text).toMatch(/^<html>/);
    else expect(JSON.stringify(JSON.parse(text).error ?? JSON.parse(text).message)).toContain('a note');
  });

  it('closes the connection without a word', async () => {
    const fake = await start(kind, { answers: [{ fails: 'drop' }] });
    await expect(ask(fake)).rejects.toThrow('fetch failed');
  });

  it('breaks off in the middle', async () => {
    const fake = await start(kind, { answers: [{ ...said, chunk: 1, breaks: { after: 5, by: 'cut' } }] });
    const response = await ask(fake);
    await expect(response.text()).rejects.toThrow();
  });

  it('ends a stream without an end of the answer', async () => {
    const whole = await start(kind, { answers: [{ ...said, chunk: 1 }] });
    const ended = await start(kind, { answers: [{ ...said, chunk: 1, breaks: { after: 5, by: 'end' } }] });
    const all = (await (await ask(whole)).text()).replaceAll(/\d{8}/g, '');
    const part = (await (await ask(ended)).text()).replaceAll(/\d{8}/g, '');
    expect(part.length).toBeGreaterThan(0);
    expect(part.length).toBeLessThan(all.length);
    expect(all.startsWith(part)).toBe(true);
  });

  it.each(['error', 'garbage'] as const)('says something else in the middle: %s', async (by) => {
    const fake = await start(kind, { answers: [{ ...said, chunk: 1, breaks: { after: 3, by } }] });
    const data = (await (await ask(fake)).text())
      .split(/\r?\n/)
      .flatMap((line) => line.match(/^data: (.*)$/)?.[1] ?? []);
    const isJson = (text: string) => {
      try {
        return typeof JSON.parse(text) === 'object';
      } catch {
        return text === '[DONE]';
      }
    };
    if (by === 'garbage') expect(data.filter((text) => !isJson(text))).toHaveLength(1);
    else expect(data.at(-1)).toContain('error');
  });

  it('tells when a client has left a stream that never goes on', async () => {
    const fake = await start(kind, { answers: [{ ...said, breaks: { after: 2, by: 'stall' } }] });
    const controller = new AbortController();
    const response = await ask(fake, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    expect(await fake.requests[0]?.ended).toBe('left');
  });

  it('waits with the headers', async () => {
    let go = () => {};
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    const fake = await start(kind, { answers: [{ ...said, wait }] });
    const response = ask(fake);
    const request = await fake.nextRequest();
    expect(request.status()).toBeUndefined();
    go();
    expect((await response).status).toBe(200);
    expect(await (await response).text()).toContain('data: ');
    expect(await request.ended).toBe('written');
  });

  it('keeps what it was asked', async () => {
    const fake = await start(kind, { answers: [said] });
    await (await ask(fake, { headers: { 'x-test': 'ü'.normalize('NFD').slice(0, 1) } })).text();
    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]).toMatchObject({ method: 'POST', headers: { 'x-test': 'u' } });
    expect(JSON.stringify(fake.requests[0]?.body)).toContain('Hi.');
  });

  it('says so when its script is over', async () => {
    const fake = await start(kind, { answers: [] });
    const response = await ask(fake);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('the script of the fake model is over');
  });

  it('knows no other addresses', async () => {
    const fake = await start(kind);
    const headers = {
      authorization: `Bearer ${fake.key}`,
      'x-api-key': fake.key,
      'x-goog-api-key': fake.key,
      'anthropic-version': '2023-06-01',
    };
    expect((await fetch(`${fake.origin}/nothing/here`, { headers })).status).toBe(404);
  });
});

it('asks for the version of its interface, as Anthropic does', async () => {
  const fake = await start('anthropic', { answers: () => said });
  const response = await ask(fake, { headers: { 'anthropic-version': undefined } });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('anthropic-version: header is required');
});

it('says after how long to ask again: by a header, or as Google does', async () => {
  for (const kind of ['openai-chat', 'anthropic'] as const) {
    const fake = await start(kind, { answers: [{ fails: 'rate', retryAfter: 7 }] });
    expect((await ask(fake)).headers.get('retry-after')).toBe('7');
  }
  const fake = await start('google', { answers: [{ fails: 'rate', retryAfter: 7 }] });
  const response = await ask(fake);
  expect(response.headers.get('retry-after')).toBeNull();
  expect(await response.text()).toContain('"retryDelay":"7s"');
});

it('there are addresses where nobody listens', async () => {
  await expect(fetch(closedAddress)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
