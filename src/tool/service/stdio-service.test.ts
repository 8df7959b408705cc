/** Services that are commands: real servers, their lists, calls, deaths and ends. In small: `exit.test.ts`, and those of `doctor`. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  baseEnv,
  command,
  type Harness,
  harness,
  isAlive,
  rudeFile,
  stdioFile,
} from '../../../test/fake-services/kit.ts';

const open: Harness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.services.close()));
});

/** For what leaves them as they were. */
let shared: Harness;
beforeAll(() => {
  shared = harness([fake, old]);
});
afterAll(() => shared.services.close());

function start(...args: Parameters<typeof harness>): Harness {
  const made = harness(...args);
  open.push(made);
  return made;
}

const fake = command('fake', [stdioFile]);
const old = command('old', [stdioFile, 'old']);
const rude = (kind: string, env: string[] = []) => command(kind, [rudeFile, kind], env);

describe('a service that is a command', () => {
  test.each([fake, old])('lists its tools and answers calls, in both eras: $name', async (definition) => {
    const { services, tool, call } = start([definition]);
    const { name } = definition;
    expect(services.status(name)).toEqual({ state: 'idle' });
    const echo = await tool(`${name}/echo`);
    expect(echo).toMatchObject({ description: 'Says it again.', readOnly: true });
    expect(echo.parameters).toMatchObject({ type: 'object', properties: { text: { type: 'string' } } });
    expect((await tool(`${name}/add`)).readOnly).toBe(false);
    expect(await call(`${name}/echo`, { text: 'hä? 😀' })).toEqual({ ok: true, text: 'hä? 😀' });
    // Structured content that is said as text too is told once.
    expect(await call(`${name}/add`, { a: 2, b: 3 })).toEqual({ ok: true, text: '{"sum":5}' });
    expect(services.status(name)).toEqual({ state: 'ready', server: 'fake' });
  });

  test('what is no text is named with its size', async () => {
    const { call } = shared;
    const result = await call('fake/media');
    expect(result.ok && result.text.split('\n')).toEqual([
      'look:',
      '[image image/png, 12 kB]',
      '[audio audio/wav, 10 B]',
      '[resource memo://1 text/plain]',
      'a memo',
      '[resource memo://2, 5 B]',
      '[resource memo://3: third]',
    ]);
  });

  test('a tool that fails, throws or gets wrong arguments gives a result', async () => {
    const { call } = shared;
    expect(await call('fake/fail')).toEqual({
      ok: false,
      error: { code: 'failed', message: 'the cat is on the keyboard' },
    });
    expect(await call('fake/throw')).toMatchObject({ ok: false, error: { code: 'failed', message: /thrown inside/ } });
    const wrong = await call('fake/add', { a: 'x' });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'failed' } });
    expect(!wrong.ok && wrong.error.message).toContain('a');
  });

  test.each([fake, old])('is told who calls it, with the version: $name', async (definition) => {
    const { call } = start([definition], { version: '1.2.3' });
    const told = await call(`${definition.name}/caller`);
    expect(told.ok && JSON.parse(told.text)).toMatchObject({ name: 'toolang', version: '1.2.3' });
  });

  test('several that ask at once share one process', async () => {
    const { spawned, call, services } = start([fake]);
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.all(texts.map((text) => call('fake/echo', { text })));
    expect(results.map((result) => result.ok && result.text)).toEqual(texts);
    expect(spawned).toHaveLength(1);
    await services.close();
  });

  test('it runs in the workspace, and its arguments are what stands there', async () => {
    const workspace = realpathSync(tmpdir());
    const { call, spawned } = start([command('fake', [stdioFile, 'both', '$HOME', 'a b', '*'])], { workspace });
    const result = await call('fake/where');
    expect(result.ok && JSON.parse(result.text)).toEqual({
      cwd: workspace,
      pid: spawned[0],
      argv: ['both', '$HOME', 'a b', '*'],
    });
  });

  test('it sees what it is named, and no secret of ours', async () => {
    const env = baseEnv({ OPENAI_API_KEY: 'sk-planted-1', OTHER_SECRET: 'planted-2', TEAM: 'doc-team', LANG: 'C' });
    const { call } = start([command('fake', [stdioFile], ['TEAM'])], { env });
    const result = await call('fake/env');
    if (!result.ok) throw new Error(result.error.message);
    const seen: unknown = JSON.parse(result.text);
    // Its own variables do not come back either.
    expect(seen).toMatchObject({ LANG: 'C', TEAM: '[redacted TEAM]', PATH: env.PATH });
    expect(Object.keys(seen as object).filter((name) => /KEY|SECRET/.test(name))).toEqual([]);
    expect(result.text).not.toContain('planted');
  });

  test('a variable that is not set makes it unavailable, and starts nothing', async () => {
    const { services, spawned } = start([command('fake', [stdioFile], ['NOT_SET', 'ALSO_NOT'])]);
    const reason = 'the environment variables NOT_SET, ALSO_NOT are not set';
    expect(await services.tools('fake', new AbortController().signal)).toEqual({ ok: false, reason });
    expect(services.status('fake')).toEqual({ state: 'unavailable', reason });
    expect(spawned).toEqual([]);
  });

  test('a program that is not there is named, and others go on', async () => {
    const gone = { ...fake, name: 'gone', argv: ['no-such-program-here'] };
    const path = { ...fake, name: 'path', argv: ['./no/such'] };
    const { services, call } = start([gone, path, fake]);
    const { signal } = new AbortController();
    expect(await services.tools('gone', signal)).toMatchObject({
      reason: 'there is no program "no-such-program-here" on the PATH',
    });
    expect(await services.tools('path', signal)).toMatchObject({
      reason: expect.stringContaining('there is no program "./no/such", looked for from'),
    });
    expect(await call('fake/echo', { text: 'on' })).toEqual({ ok: true, text: 'on' });
  });
});

describe('its end', () => {
  test('closing ends the server with all that it started', async () => {
    const { call, services, spawned, ended } = start([fake]);
    const child = await call('fake/child');
    const pids = [...spawned, Number(child.ok && child.text)];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await services.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(ended).toEqual(spawned);
    const result = await services.tools('fake', new AbortController().signal);
    expect(result).toEqual({ ok: false, reason: 'the run has ended' });
  });

  test.runIf(process.platform === 'linux')('so ends what has left its group', async () => {
    const { call, services } = start([fake]);
    const child = await call('fake/child', { leaves: true });
    const pid = Number(child.ok && child.text);
    expect(isAlive(pid)).toBe(true);
    await services.close();
    expect(isAlive(pid)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('a server that dies takes that with it, too', async () => {
    const { call } = start([fake]);
    const child = await call('fake/child', { leaves: true });
    const pid = Number(child.ok && child.text);
    expect(await call('fake/die')).toMatchObject({ ok: false, error: { code: 'failed' } });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('one that does not listen to signals is killed', async () => {
    const { call, services, spawned } = start([rude('stubborn')]);
    expect((await call('stubborn/echo')).ok).toBe(true);
    await services.close();
    expect(spawned.map(isAlive)).toEqual([false]);
  });

  test('closing while it is being connected leaves nothing', async () => {
    const { services, spawned } = start([rude('silent')]);
    const listed = services.tools('silent', new AbortController().signal);
    while (spawned.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await services.close();
    expect(await listed).toMatchObject({ ok: false, reason: 'the run has ended' });
    expect(spawned.map(isAlive)).toEqual([false]);
  });

  test('one that dies in the middle of a call says so with its last words, and is started again', async () => {
    const { call, spawned, ended } = start([fake]);
    expect(await call('fake/die')).toEqual({
      ok: false,
      error: {
        code: 'failed',
        message:
          'the service "fake": it ended with the exit code 3 in the middle of the call; it wrote:\na stack of plates falls',
      },
    });
    expect(await call('fake/echo', { text: 'again' })).toEqual({ ok: true, text: 'again' });
    expect(spawned).toHaveLength(2);
    expect(ended).toEqual(spawned.slice(0, 1));
  });

  test('one that dies again and again is given up', async () => {
    const { services, tool, spawned } = start([fake], { limits: { restarts: 1 } });
    const { signal } = new AbortController();
    for (let i = 0; i < 2; i++) {
      const die = await tool('fake/die');
      const context = { workspace: '/', signal, clock: {} as never, env: {}, idempotencyKey: 'x' };
      expect(await die.run({}, context)).toMatchObject({ ok: false, error: { code: 'failed' } });
    }
    const reason = 'it ended each time; it was tried 2 times';
    expect(await services.tools('fake', signal)).toEqual({ ok: false, reason });
    expect(spawned).toHaveLength(2);
  });

  test('one that cannot start says why', async () => {
    const { services } = start([rude('broken')]);
    const result = await services.tools('broken', new AbortController().signal);
    expect(result).toEqual({
      ok: false,
      reason: 'it ended with the exit code 7; it wrote:\ncannot find the module "left-pad"',
    });
  });
});

describe('cancelling', () => {
  test('tells the server, and it can be called again', async () => {
    for (const definition of [fake, old]) {
      const { call, ended } = shared;
      const stop = new AbortController();
      const slow = call(`${definition.name}/slow`, { id: 'one' }, stop.signal);
      const slept = async () => {
        const result = await call(`${definition.name}/slept`);
        return result.ok && JSON.parse(result.text);
      };
      await expect.poll(slept).toEqual({ begun: ['one'], cancelled: [] });
      const reason = new Error('enough');
      stop.abort(reason);
      await expect(slow).rejects.toBe(reason);
      expect(await slept()).toEqual({ begun: ['one'], cancelled: ['one'] });
      expect(ended).toEqual([]);
    }
  });

  test('a call that takes too long is given up, and told to the server', async () => {
    const { call } = start([fake], { limits: { callMs: 150 } });
    expect(await call('fake/slow', { id: 'late' })).toEqual({
      ok: false,
      error: { code: 'timeout', message: 'the service "fake": it gave no answer within 150 ms' },
    });
    // To this question, too, it may give no answer in so short a time.
    await expect.poll(() => call('fake/slept')).toEqual({ ok: true, text: '{"begun":["late"],"cancelled":["late"]}' });
  });

  test('progress that is told gives it more time, up to a limit', async () => {
    // The steps are short beside the time that one may take, so that a busy machine does not matter.
    const patient = start([fake], { limits: { callMs: 1500 } });
    const strict = start([fake], { limits: { callMs: 1500, longestCallMs: 500 } });
    const [done, late] = await Promise.all([
      patient.call('fake/steps', { steps: 32, ms: 50 }),
      strict.call('fake/steps', { steps: 10_000, ms: 50 }),
    ]);
    expect(done).toEqual({ ok: true, text: '32 steps' });
    expect(late).toMatchObject({ error: { code: 'timeout' } });
  });
});

describe('what servers do', () => {
  const { signal } = new AbortController();

  test('a list that changes is read again', async () => {
    for (const definition of [fake, old]) {
      const { call, tool } = start([definition]);
      const { name } = definition;
      await expect(tool(`${name}/late`)).rejects.toThrow('no tool');
      await call(`${name}/grow`);
      await expect.poll(async () => (await tool(`${name}/late`)).name).toBe(`${name}/late`);
      expect(await call(`${name}/late`)).toEqual({ ok: true, text: 'here' });
    }
  });

  test('one that tells a change each time it is asked is not asked for ever', async () => {
    const { services } = start([rude('restless')]);
    const listed = await services.tools('restless', signal);
    expect(listed.ok && listed.tools.map((tool) => tool.name)).toEqual(['restless/echo']);
  });

  test('more tools than may be are cut, and so is what they say together', async () => {
    const { services } = start([rude('many')], { limits: { tools: 100 } });
    const listed = await services.tools('many', signal);
    expect(listed.ok && listed.tools.length).toBe(100);
    expect(listed.ok && listed.notes).toEqual(['it has more than 100 tools: the first 100 are used']);
    const other = start([rude('many')], { limits: { listChars: 1000 } });
    const short = await other.services.tools('many', signal);
    expect(short.ok && short.notes).toEqual([
      expect.stringMatching(/^its tools say more than 1000 characters of themselves: the first \d+ are used$/),
    ]);
  });

  test('logs on standard output are passed over', async () => {
    const { call } = start([rude('noisy')]);
    expect((await call('noisy/echo')).ok).toBe(true);
  });

  test('one that ends at a question of the newer protocol is asked in the old way', async () => {
    const { call, spawned } = start([rude('strict')]);
    expect((await call('strict/echo')).ok).toBe(true);
    expect(spawned).toHaveLength(2);
  });

  test('one that does not answer it is asked in the old way, too', async () => {
    const { call, spawned } = start([rude('mute')], { limits: { probeMs: 200 } });
    expect((await call('mute/echo')).ok).toBe(true);
    expect(spawned).toHaveLength(1);
  });

  test('one that answers nothing is unavailable after a while, and ended', async () => {
    const { services, spawned } = start([rude('silent')], { limits: { probeMs: 100, connectMs: 300 } });
    expect(await services.tools('silent', signal)).toEqual({ ok: false, reason: 'it gave no answer within 300 ms' });
    expect(spawned.map(isAlive)).toEqual([false]);
  });

  test('who waits for the list can leave', async () => {
    const { services } = start([rude('silent')]);
    const stop = new AbortController();
    const listed = services.tools('silent', stop.signal);
    stop.abort(new Error('left'));
    await expect(listed).rejects.toThrow('left');
  });

  test('odd tools are kept where they can be called, and the rest is told', async () => {
    const { services } = start([rude('odd')]);
    const listed = await services.tools('odd', signal);
    if (!listed.ok) throw new Error(listed.reason);
    expect(listed.tools.map((tool) => tool.name)).toEqual([
      'odd/plain',
      'odd/weird name/with "things" ü😀',
      'odd/wordy',
    ]);
    expect(listed.tools[2]?.description.length).toBeLessThanOrEqual(4096);
    expect(listed.notes.map((note) => note.replace(/x{60}/, 'x…'))).toEqual([
      'the tool "plain" is listed twice: the first is used',
      'the tool "" is left out: its name is empty, too long, or not one line',
      'the tool "two\\nlines" is left out: its name is empty, too long, or not one line',
      'the tool "x……" is left out: its name is empty, too long, or not one line',
      'the tool "deep" is left out: its schema is nested too deep',
      'the tool "big" is left out: its schema is longer than 65536 characters',
    ]);
    const odd = listed.tools[1];
    const context = { workspace: '/', signal, clock: {} as never, env: {}, idempotencyKey: 'x' };
    expect(await odd?.run({}, context)).toMatchObject({ ok: true });
  });

  test.each(['endless', 'circle'])('a list without an end ends: %s', async (kind) => {
    const { services } = start([rude(kind)], { limits: { tools: 1000 } });
    const listed = await services.tools(kind, signal);
    expect(listed.ok && listed.notes).toEqual(['its list of tools has no end: what came of it is used']);
    expect(listed.ok && listed.tools.length).toBe(kind === 'endless' ? 64 : 2);
  });

  test('one without tools, and one whose list is none, are told', async () => {
    const { services } = start([rude('toolless'), rude('wrong')]);
    expect(await services.tools('toolless', signal)).toEqual({ ok: true, tools: [], notes: ['it offers no tools'] });
    expect(await services.tools('wrong', signal)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('tools'),
    });
  });

  test('an error of the protocol is a result', async () => {
    const { call } = start([rude('refusing')]);
    expect(await call('refusing/echo')).toMatchObject({
      ok: false,
      error: { code: 'failed', message: expect.stringContaining('no such thing') },
    });
  });

  test('questions in the middle of a call are refused', async () => {
    const message = 'the service "asking": it asks for input in the middle of a call, which is not supported here';
    const { call } = start([rude('asking')]);
    expect(await call('asking/echo')).toEqual({ ok: false, error: { code: 'failed', message } });
    // Servers of the SDK know that it would be refused.
    expect(await shared.call('fake/ask')).toMatchObject({ ok: false, error: { code: 'failed' } });
    expect(await shared.call('old/ask')).toMatchObject({ ok: false, error: { code: 'failed' } });
  });

  test('values of its variables are in no error and in no last words', async () => {
    const env = baseEnv({ TOKEN: 'very-secret-token' });
    const { call } = start([rude('leaky', ['TOKEN'])], { env });
    const first = await call('leaky/echo');
    expect(first).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('bad token [redacted TOKEN]') },
    });
    const second = await call('leaky/echo', { die: true });
    expect(second).toMatchObject({ error: { message: expect.stringContaining('token is [redacted TOKEN]') } });
    expect(JSON.stringify([first, second])).not.toContain('very-secret-token');
  });
});

describe('large answers', () => {
  test('are cut to what a model may be given', async () => {
    const { call } = shared;
    const result = await call('fake/huge', { bytes: 5_000_000 });
    expect(result.ok && result.text.length).toBeLessThanOrEqual(64 * 1024);
    expect(result.ok && result.text).toContain('characters left out here');
  });

  test('that are larger than a message may be are refused, and the service goes on', async () => {
    const { call, spawned } = start([fake, old], { limits: { messageBytes: 1_000_000 } });
    for (const name of ['fake', 'old']) {
      expect(await call(`${name}/huge`, { bytes: 1_100_000 })).toEqual({
        ok: false,
        error: { code: 'too-large', message: `the service "${name}": the answer is larger than 1 MB` },
      });
      expect(await call(`${name}/echo`, { text: 'still here' })).toEqual({ ok: true, text: 'still here' });
    }
    expect(spawned).toHaveLength(2);
  });
});
