/** Files that people write are changed together with what follows from it, or not at all. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentText, fillHub, type Kit, makeKit } from '../../../test/caps/kit.ts';
import { withWritten } from './written.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  fillHub(kit);
  kit.write('work/agent.too', agentText);
});
afterEach(() => kit.remove());

const config = 'work/.toolang/config.toml';

test('what somebody else writes meanwhile is left, and told', async () => {
  const file = kit.write('file', 'before');
  const told: string[] = [];
  const text = { before: 'before', after: 'after', left: () => told.push('left') };
  const work = async () => {
    kit.write('file', 'theirs');
    return false;
  };
  expect(await withWritten(file, text, work)).toBe(false);
  expect({ text: kit.read('file'), told }).toEqual({ text: 'theirs', told: ['left'] });
  const broken = withWritten(file, { ...text, before: 'theirs' }, async () => Promise.reject(new Error('stopped')));
  await expect(broken).rejects.toThrow('stopped');
  expect({ text: kit.read('file'), told }).toEqual({ text: 'theirs', told: ['left'] });
});

test('Ctrl-C at the question ends it, and the file is as it was', async () => {
  kit.write(config, '# Ours.\n');
  const handlers: ((signal: 'SIGINT') => void)[] = [];
  const { code, err } = await kit.cli('prompt add acme/rewrite', {
    typed: true,
    silent: () => handlers.at(-1)?.('SIGINT'),
    onSignal: (handler) => {
      handlers.push(handler);
      return () => void handlers.splice(handlers.indexOf(handler), 1);
    },
  });
  expect(code).toBe(130);
  expect(err).toContain('Use it? [y/N] toolang: stopped: nothing was changed.');
  expect(kit.read(config)).toBe('# Ours.\n');
});

test('several changes at once all come in', async () => {
  const lines = [
    'psyche add acme/careful',
    'skill add acme/review',
    'service add acme/github',
    'prompt add acme/rewrite',
  ];
  const ran = await Promise.all(lines.map((line) => kit.cli(`${line} --yes`)));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  for (const name of ['careful', 'review', 'github', 'rewrite']) expect(kit.read(config)).toContain(`${name} = {`);
  expect((await kit.cli('sync --check')).code).toBe(0);
});

test('a reference that can no longer be fetched does not keep another from being taken out', async () => {
  kit.write(config, '[skills]\ngone = { ref = "acme/gone" }\nlost = { ref = "acme/lost" }\n');
  const { code, err } = await kit.cli('skill remove gone');
  expect(code).toBe(2);
  expect(err).toContain('"acme/lost" was found in none of the places');
  expect(err).toContain('.toolang/config.toml names "acme/gone" no more; the rest is not synced');
  expect(kit.read(config)).toBe('[skills]\nlost = { ref = "acme/lost" }\n');
  expect(await kit.cli('skill remove lost')).toMatchObject({ code: 0 });
  expect(kit.read(config)).toBe('[skills]\n');
});

test('what an agent still names is not taken out', async () => {
  await kit.cli('skill add acme/review --yes');
  kit.write('work/agent.too', 'thunk go(input: Message) -> Text:\n  skills = review\n  user: Go.\n');
  const { code, err } = await kit.cli('skill remove review');
  expect(code).toBe(2);
  expect(err).toContain('.toolang/config.toml is as it was');
  expect(kit.read(config)).toContain('acme/review');
});

test('a config that is not TOML is told with its place', async () => {
  kit.write(config, '[skills\n');
  const { code, err } = await kit.cli('skill add acme/review --yes');
  expect(code).toBe(2);
  expect(err).toContain('.toolang/config.toml:1:8  error TOO5101');
  expect(kit.read(config)).toBe('[skills\n');
});
