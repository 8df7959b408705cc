/** Agents as they live on a machine: made, cloned, listed, shown, removed; and guests. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentText, fillHub, type Kit, makeKit } from '../../../test/caps/kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  fillHub(kit);
});
afterEach(() => kit.remove());

describe('new --agent', () => {
  test('makes a resident in the root, which is right as it is', async () => {
    const { code, out } = await kit.cli('new --agent bob');
    expect(code).toBe(0);
    expect(out).toContain('toolang skill new NAME --agent bob');
    expect(kit.has('.toolang/agents/bob/agent.too')).toBe(true);
    for (const kind of ['psyches', 'skills', 'services', 'prompts']) {
      expect(kit.has(`.toolang/agents/bob/${kind}`)).toBe(true);
    }
    expect((await kit.cli('check .', { in: '.toolang/agents/bob' })).code).toBe(0);
    expect((await kit.cli('sync bob')).code).toBe(0);
    expect((await kit.cli('skill new look --agent bob')).code).toBe(0);
    expect(kit.has('.toolang/agents/bob/skills/look/SKILL.md')).toBe(true);
    expect((await kit.cli('new --agent bob')).code).toBe(2);
    expect((await kit.cli('new --agent ../x')).code).toBe(2);
  });
});

describe('clone', () => {
  test('brings an agent to live here, with its caps', async () => {
    const { code, out, err } = await kit.cli('clone acme/zoe --yes');
    expect(code).toBe(0);
    expect(out).toBe('made ~/.toolang/agents/zoe\n');
    expect(err).toContain('the agent brings\n  1 thunk: go\n  uses skill acme/review\n');
    expect(kit.list('.toolang/agents/zoe/.toolang/agents/zoe/sync')).toContain('ref/skills/review/SKILL.md');
    expect(kit.read('.toolang/agents/zoe/toolang.lock')).toContain('"usedBy": [\n        "agent.too"');
  });

  test('by another name, and not over one that is there', async () => {
    expect((await kit.cli('clone acme/zoe zoe2 --yes')).code).toBe(0);
    expect(kit.has('.toolang/agents/zoe2/agent.too')).toBe(true);
    expect((await kit.cli('clone acme/zoe zoe2 --yes')).err).toContain(
      'an agent "zoe2" lives here already, in ~/.toolang/agents/zoe2.',
    );
  });

  test('that is not accepted, not found or not written as an agent is leaves nothing', async () => {
    kit.hub.commit('acme/agents', { 'agents/bad.too': 'thunk\n', 'agents/zoe.too': agentText });
    expect((await kit.cli('clone acme/zoe')).err).toContain('(TOO5404)');
    expect(await kit.cli('clone acme/zoe', { typed: true, stdin: 'n\n' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('not accepted: nothing was changed'),
    });
    expect((await kit.cli('clone acme/zo --yes')).err).toContain('(TOO5316)');
    expect((await kit.cli('clone acme/bad --yes')).err).toContain('error TOO1');
    expect((await kit.cli('clone zoe --yes')).err).toContain('(TOO5303)');
    expect(kit.list('.toolang/agents')).toEqual([]);
  });

  test('keeps the agent where its caps cannot be had, and says what to do', async () => {
    kit.hub.remove('acme/skills');
    const { code, err } = await kit.cli('clone acme/zoe --yes');
    expect(code).toBe(2);
    expect(err).toContain('its caps are not synced yet: toolang sync zoe\n');
    expect(kit.has('.toolang/agents/zoe/agent.too')).toBe(true);
  });
});

describe('list, info and remove', () => {
  test('list those that live here and those that visit', async () => {
    expect(await kit.cli('list')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('no agents live here'),
    });
    await kit.cli('new --agent bob');
    await kit.cli('sync acme/zoe --yes');
    const [guest = ''] = readdirSync(kit.at('.toolang/guests'));
    expect((await kit.cli('list')).out).toBe(
      `bob  resident  ~/.toolang/agents/bob/agent.too\nzoe  visiting  ~/.toolang/guests/${guest}\n`,
    );
  });

  test('info says what an agent is, and whether it is synced', async () => {
    kit.write('work/agent.too', `##! Goes.\n\npsyche calm:\n  Be calm.\n\n${agentText}`);
    kit.write('work/.toolang/psyches/calm.md', 'Be calm.\n');
    const rows = async () => (await kit.cli('info agent.too')).out;
    expect(await rows()).toBe(
      [
        'agent  roaming',
        '  Goes.',
        '  source   agent.too',
        '  home     .',
        '  thunks   go',
        '  psyches  calm',
        '  others   1 cap shadowed or switched off',
        '  synced   never',
        '  locked   nothing',
        '',
      ].join('\n'),
    );
    await kit.cli('sync');
    expect(await rows()).toContain('synced   yes');
    kit.write('work/.toolang/psyches/calm.md', 'Be very calm.\n');
    expect(await rows()).toContain('synced   stale');
    expect(await kit.cli('info agnet.too')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "agent.too"?'),
    });
  });

  test('info tells what is wrong with the files, and exits 2', async () => {
    kit.write('work/agent.too', 'thunk\n');
    const { code, out, err } = await kit.cli('info agent.too');
    expect(code).toBe(2);
    expect(out).toContain('agent  roaming\n');
    expect(err).toContain('agent.too:1:6  error TOO1106');
  });

  test('remove asks, knows the closest name, and leaves a shared home alone', async () => {
    await kit.cli('new --agent bob');
    expect((await kit.cli('remove bop --yes')).err).toContain('Did you mean "bob"?');
    expect((await kit.cli('remove bob')).err).toContain('To do it unasked: --yes');
    expect(await kit.cli('remove bob', { typed: true, stdin: 'n\n' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Delete ~/.toolang/agents/bob, with its caps, its runs and what it remembers?'),
    });
    kit.write('.toolang/agents/bob/ann.too', agentText);
    expect((await kit.cli('remove bob --yes')).err).toContain('is shared with ann.too');
    expect((await kit.cli('remove ann --yes')).err).toContain('is shared with agent.too');
    await kit.cli('new --agent carl');
    expect((await kit.cli('remove carl --yes')).code).toBe(0);
    expect(kit.has('.toolang/agents/carl')).toBe(false);
  });
});

describe('a guest', () => {
  test('is fetched when it is accepted, kept as it was locked, and moved on by --update', async () => {
    expect((await kit.cli('sync acme/zoe')).err).toContain('(TOO5404)');
    expect((await kit.cli('caps list acme/zoe')).err).toContain('was not fetched yet.\n  Run: toolang sync acme/zoe');
    expect((await kit.cli('sync acme/zoe --check')).code).toBe(2);
    expect((await kit.cli('sync acme/zoe --yes')).code).toBe(0);
    kit.hub.commit('acme/agents', { 'agents/zoe.too': agentText });
    expect((await kit.cli('sync acme/zoe')).err).toBe('up to date: the caps of 1 agent\n');
    expect((await kit.cli('caps list acme/zoe')).out).toContain('review');
    expect((await kit.cli('sync acme/zoe --update --yes')).code).toBe(0);
    expect((await kit.cli('caps list acme/zoe')).err).toBe('no caps here\n');
  });

  test('that nobody has accepted is not taken with --frozen, whatever is said', async () => {
    const { code, err } = await kit.cli('sync acme/zoe --frozen --yes');
    expect(code).toBe(2);
    expect(err).toContain('(TOO5403)');
    expect(kit.list('.toolang/guests')).toEqual([]);
    await kit.cli('sync acme/zoe --yes');
    expect((await kit.cli('sync acme/zoe --frozen')).code).toBe(0);
  });

  test('that has not changed is not asked about again; what has is shown, and --update=NAME moves that alone', async () => {
    await kit.cli('sync acme/zoe --yes');
    expect((await kit.cli('sync acme/zoe --update')).err).toBe('up to date: the caps of 1 agent\n');
    kit.hub.commit('acme/agents', {
      'agents/zoe.too': `use skill acme/review\n\n${agentText.replace('Go.', 'Stop.')}`,
    });
    expect((await kit.cli('sync acme/zoe --update=review')).err).toBe('up to date: the caps of 1 agent\n');
    const { code, err } = await kit.cli('sync acme/zoe --update=zoe --yes');
    expect(code).toBe(0);
    expect(err).toContain('  -  user: Go.\n  +  user: Stop.\n');
  });

  test('has its own caps alone, and nothing of it is changed here', async () => {
    kit.write('.toolang/prompts/hello.md', 'Hello.\n');
    await kit.cli('sync acme/zoe --yes');
    expect((await kit.cli('info acme/zoe')).out).toContain('zoe  visiting\n');
    expect((await kit.cli('caps list acme/zoe')).out).toMatch(/^prompt +hello .* root is off$/m);
    for (const line of ['skill remove review', 'skill new x', 'prompt add acme/rewrite --yes']) {
      expect((await kit.cli(`${line} --agent acme/zoe`)).err).toContain(
        'the agent "zoe" is a guest: nothing of it is changed here.\n  Make it one of your own: toolang clone acme/zoe',
      );
    }
  });

  test('is removed by its name; of several by that name, by its home', async () => {
    await kit.cli('sync acme/zoe --yes');
    await kit.cli('sync acme/zoe@main --yes');
    const homes = readdirSync(kit.at('.toolang/guests')).sort();
    expect((await kit.cli('remove zoe --yes')).err).toBe(
      `toolang: several guests are called "zoe".\n  Name one by its home: ${homes.join(', ')}.\n`,
    );
    expect((await kit.cli(`remove ${homes[0]} --yes`)).code).toBe(0);
    expect((await kit.cli('remove zoe --yes')).code).toBe(0);
    expect(readdirSync(kit.at('.toolang/guests'))).toEqual([]);
  });
});
