/** `toolang sync` with its flags, with real git. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentText, fillHub, type Kit, makeKit, skillText } from '../../../test/caps/kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  fillHub(kit);
  kit.write('work/agent.too', `use skill acme/review\n\n${agentText}`);
});
afterEach(() => kit.remove());

const synced = 'work/.toolang/agents/agent/sync/ref/skills/review/SKILL.md';

test('brings into place what is named, says what has changed, and does nothing the second time', async () => {
  const { code, out, err } = await kit.cli('sync --yes');
  expect(code).toBe(0);
  expect(out).toMatch(/^\+ added {4}skill review +here ref {2}acme\/review\n$/);
  expect(err).toContain('synced the caps of 1 agent: 1 change\n');
  kit.hub.commands();
  expect(await kit.cli('sync')).toMatchObject({ code: 0, out: '', err: 'up to date: the caps of 1 agent\n' });
  expect(kit.hub.commands()).toEqual([]);
});

test('takes an agent, a file or a directory, and all agents of the current one', async () => {
  kit.write('work/other.too', agentText);
  expect((await kit.cli('sync --yes')).err).toContain('2 agents');
  expect(kit.has('work/.toolang/sync/other.state.json')).toBe(true);
  expect((await kit.cli('sync other.too')).err).toContain('1 agent');
  await kit.cli('new --agent bob');
  expect((await kit.cli('sync bob')).code).toBe(0);
  expect((await kit.cli('sync work', { in: '.' })).err).toContain('2 agents');
  expect(await kit.cli('sync othr.too')).toMatchObject({ code: 2, err: expect.stringContaining('"other.too"') });
  expect(await kit.cli('sync bop')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "bob"?') });
});

test('without an agent here, syncs the root alone', async () => {
  kit.write('plain/notes.txt', '');
  kit.write('.toolang/config.toml', '[prompts]\nrewrite = { ref = "acme/rewrite" }\n');
  expect(await kit.cli('sync --yes', { in: 'plain' })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\+ added {4}prompt rewrite +root wired/),
  });
});

test('one wrong reference changes nothing', async () => {
  kit.write('work/agent.too', `use skill acme/review\nuse prompt acme/nothing\n\n${agentText}`);
  const { code, out, err } = await kit.cli('sync --yes');
  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err).toContain('agent.too:2:12  error TOO5316');
  expect(err).toContain('1 error: nothing was changed\n');
  expect(kit.list('work')).toEqual(['.toolang/.gitignore', 'agent.too']);
});

describe('--check', () => {
  test('says what is stale, exits 2, and neither asks git nor writes', async () => {
    kit.hub.commands();
    expect(await kit.cli('sync --check')).toMatchObject({
      code: 2,
      out: '? not locked skill review  acme/review\n',
      err: 'not up to date: run "toolang sync"\n',
    });
    expect(kit.hub.commands()).toEqual([]);
    expect(kit.list('work')).toEqual(['agent.too']);
    await kit.cli('sync --yes');
    expect((await kit.cli('sync --check')).code).toBe(0);
    kit.write(synced, 'Other.\n');
    const { code, out } = await kit.cli('sync --check');
    expect(code).toBe(2);
    expect(out).toMatch(
      /^! stale {4}skill review +here ref {2}acme\/review: it does not lie there as it was locked\n$/,
    );
    expect(kit.read(synced)).toBe('Other.\n');
  });
});

describe('--frozen', () => {
  test('takes what is locked, or fails', async () => {
    expect((await kit.cli('sync --frozen')).err).toContain('error TOO5403');
    await kit.cli('sync --yes');
    const lock = kit.read('work/toolang.lock');
    rmSync(kit.at('work/.toolang'), { recursive: true });
    kit.hub.commit('acme/skills', { 'skills/review/SKILL.md': skillText('Look twice.') });
    expect((await kit.cli('sync --frozen')).code).toBe(0);
    expect(kit.read(synced)).toBe(skillText('Look closely.'));
    expect(kit.read('work/toolang.lock')).toBe(lock);
    kit.write('work/agent.too', agentText);
    expect((await kit.cli('sync --frozen')).err).toContain('nobody names "acme/review"');
    expect(kit.read('work/toolang.lock')).toBe(lock);
  });
});

describe('--update', () => {
  beforeEach(async () => {
    kit.write('work/agent.too', `use skill acme/review\nuse prompt acme/rewrite\n\n${agentText}`);
    await kit.cli('sync --yes');
    kit.hub.commit('acme/skills', { 'skills/review/SKILL.md': skillText('Look twice.') });
    kit.hub.commit('acme/prompts', { 'prompts/rewrite.md': 'Rewrite it.\n' });
  });

  test('moves all references, or those of one name, and shows what has changed', async () => {
    const one = await kit.cli('sync --update=review --yes');
    expect(one.out).toMatch(/^~ updated {2}skill review +here ref {2}acme\/review\n$/);
    expect(one.err).toContain('  -Look closely.\n  +Look twice.\n');
    expect((await kit.cli('sync --update --yes')).out).toMatch(/^~ updated {2}prompt rewrite/);
    expect((await kit.cli('sync --update')).err).toBe('up to date: the caps of 1 agent\n');
  });

  test('says of a name that nobody has which is meant', async () => {
    const { code, err } = await kit.cli('sync --update=revew');
    expect(code).toBe(2);
    expect(err).toContain('toolang: no reference here has the name "revew". Did you mean "review"?\n');
  });

  test.each(['--frozen', '--check', '--offline'])('does not go with %s', async (flag) => {
    expect(await kit.cli(`sync --update ${flag}`)).toMatchObject({ code: 2, out: '' });
  });
});

test('--offline uses what was fetched before, and names what was not', async () => {
  expect((await kit.cli('sync --offline --yes')).err).toContain('error TOO5319');
  await kit.cli('sync --yes');
  rmSync(kit.at('work/.toolang'), { recursive: true });
  kit.hub.remove('acme/skills');
  expect((await kit.cli('sync --offline')).code).toBe(0);
  expect(kit.read(synced)).toBe(skillText('Look closely.'));
});

test('a file that somebody has changed is put back', async () => {
  await kit.cli('sync --yes');
  kit.write(synced, 'Other.\n');
  expect((await kit.cli('sync')).out).toMatch(/^! repaired skill review/);
  expect(kit.read(synced)).toBe(skillText('Look closely.'));
});

test('agents of one name in several directories of a home have what is synced for each', async () => {
  const of = (mood: string) => `psyche mood:\n  Be ${mood}.\n\nthunk go(input: Message) -> Text:\n  user: Go.\n`;
  kit.write('work/.toolang/config.toml', '');
  kit.write('work/one/agent.too', of('glad'));
  kit.write('work/two/agent.too', of('sad'));
  for (const each of ['one', 'two', 'one', 'two']) expect((await kit.cli(`sync ./${each}/agent.too`)).code).toBe(0);
  for (const [each, mood] of [
    ['one', 'glad'],
    ['two', 'sad'],
  ] as const) {
    expect(kit.read(`work/.toolang/agents/${each}+agent/sync/inline/psyches/mood.md`)).toBe(`Be ${mood}.\n`);
    expect((await kit.cli(`sync ./${each}/agent.too`)).err).toContain('up to date');
    expect((await kit.cli(`psyche path mood --agent ./${each}/agent.too`)).out).toContain(`${each}+agent`);
    expect((await kit.cli(`info ./${each}/agent.too`)).out).toMatch(/synced +yes/);
  }
});
