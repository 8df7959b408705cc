/** `toolang steer`: who hears it, when, and who does not. The program in two processes: `test/agents/steer.test.ts`. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const idIn = (text: string) => /run ([0-9a-z]{4,})/.exec(text)?.[1] ?? '';

/** A thunk that waits for a permission. */
async function waiting(): Promise<string> {
  s.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
  s.write('bob.too', 'thunk:\n  tools = shell\n');
  const call = '    calls[1]:\n      - tool: shell/run\n        args:\n          command: echo hi\n';
  s.write('bob.script.toon', `replies[1]:\n  - for: default\n${call}`);
  const ran = await s.cli(['bob.too', 'look']);
  expect(ran.code).toBe(3);
  return idIn(ran.err);
}

it('is heard with the next call, and says what the run waits for until then', async () => {
  const id = await waiting();
  const said = await s.cli(['steer', id, 'and', 'the tests']);
  expect(said).toMatchObject({ code: 0, out: '' });
  expect(said.err).toContain('said  it is heard when the run goes on, which waits for an answer:');
  expect(said.err).toContain(`toolang approve ${id}`);
  const { err } = await s.cli(['approve', id]);
  // No reply is left: the error shows what was asked.
  expect(err).toMatch(/tool shell\/run: hi\n\s+user: and the tests\n/);
  expect((await s.cli(['show', id])).out).toMatch(/told .*and the tests/);
});

it('takes what is piped for "-", tells the run as JSON, and is refused without a word', async () => {
  const id = await waiting();
  const said = await s.cli(['steer', id, '-', '--json'], { stdin: 'from a file\n' });
  expect(JSON.parse(said.out)).toMatchObject({ status: 'waiting', waiting: [{ kind: 'permission' }] });
  expect(await s.cli(['steer', id, '  '])).toMatchObject({ code: 2, err: expect.stringContaining('nothing is said') });
  expect(await s.cli(['steer', id])).toMatchObject({ code: 2, err: expect.stringContaining('steer needs WORD') });
});

it('is refused for a run that is over, and for one in which no agent is asked', async () => {
  s.write('bob.too', 'thunk:\n  tools -= filesystem\n');
  s.write('bob.script.toon', 'replies[1]:\n  - for: default\n    text: Hello.\n');
  const over = idIn((await s.cli(['bob.too', 'x'])).err);
  expect(await s.cli(['steer', over, 'more'])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`the run ${over} is done already, and cannot be spoken to.`),
  });
  s.write(
    'ask.toon',
    'name: ask\ninput:\nsteps[1]:\n  - kind: approval\n    id: ok\n    request:\n      title: Go on?\n',
  );
  const deaf = idIn((await s.cli(['run', 'ask.toon'])).err);
  const refused = await s.cli(['steer', deaf, 'more']);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(`nobody in the run ${deaf} can hear it: no agent is asked at the moment.`);
  expect((await s.cli(['show', deaf])).out).not.toContain('told');
});
