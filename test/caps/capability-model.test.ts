/** What is said of the capability model, statement by statement, through the command line: see `spec/caps/statements.json`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentText, fillHub, type Kit, makeKit, skillText } from './kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
});
afterEach(() => kit.remove());

const statuses = async (line: string): Promise<string[]> => {
  const { caps } = await kit.json(line);
  return (caps as { scope: string; form: string; status: string }[]).map(
    ({ scope, form, status }) => `${scope} ${form} ${status}`,
  );
};

const bob = '.toolang/agents/bob/agent.too';
const inline = `prompt hello:\n  Here.\n\n${agentText}`;

/** One name in all three scopes, of a resident and of a roaming agent. */
function everywhere(): void {
  kit.write(bob, inline);
  kit.write('.toolang/agents/bob/prompts/hello.md', 'Home.\n');
  kit.write('work/agent.too', inline);
  kit.write('work/.toolang/prompts/hello.md', 'Home.\n');
  kit.write('.toolang/prompts/hello.md', 'Root.\n');
}

describe('forms', () => {
  test('ref, inline and local may coexist for the same kind; local is another name of file', async () => {
    fillHub(kit);
    kit.write('work/agent.too', `use prompt acme/rewrite\n\n${inline}`);
    kit.write('work/.toolang/prompts/bye.md', 'Bye.\n');
    expect((await kit.cli('sync --yes')).code).toBe(0);
    expect((await statuses('prompt list')).sort()).toEqual([
      'here inline active',
      'here ref active',
      'home file active',
    ]);
    expect(await statuses('caps list --filter form:local')).toEqual(['home file active']);
  });

  test('inline is agent-scoped only', async () => {
    kit.write('work/agent.too', agentText);
    kit.write('work/.toolang/agents.too', 'prompt hello:\n  Hello.\n');
    expect((await kit.cli('sync')).err).toContain('error TOO5310');
    expect((await kit.cli('prompt new hello --scope agent')).err).toContain('is written in its .too file');
  });

  test('local does not appear in .too', async () => {
    kit.write('work/agent.too', `use prompt home://prompts/hello\n\n${agentText}`);
    kit.write('work/.toolang/prompts/hello.md', 'Hello.\n');
    expect((await kit.cli('check agent.too')).err + (await kit.cli('check agent.too')).out).toContain('TOO5302');
    expect((await kit.cli('sync')).code).toBe(2);
  });
});

describe('scopes', () => {
  test('agent, shared and global are the other names of here, home and root', async () => {
    everywhere();
    for (const [other, ours] of [
      ['agent', 'here'],
      ['shared', 'home'],
      ['global', 'root'],
    ]) {
      const [row] = await statuses(`caps list bob --filter scope:${other}`);
      expect(row?.split(' ')[0]).toBe(ours);
      expect((await kit.cli('sync bob')).code).toBe(0);
      expect((await kit.cli(`prompt show hello --agent bob --scope ${other}`)).out).toContain(`scope    ${ours}`);
    }
  });

  test('same-name capabilities in different scopes stay separate through sync', async () => {
    everywhere();
    await kit.cli('sync bob');
    const home = '.toolang/agents/bob/.toolang';
    expect(kit.read(`${home}/agents/bob/sync/inline/prompts/hello.md`)).toBe('Here.\n');
    expect(kit.read(`${home}/sync/file/prompts/hello.md`)).toBe('Home.\n');
    expect(kit.read('.toolang/sync/file/prompts/hello.md')).toBe('Root.\n');
    const { caps } = JSON.parse(kit.read(`${home}/sync/bob.state.json`));
    expect([caps.here, caps.home, caps.root].map((list) => list.map(({ name }: { name: string }) => name))).toEqual([
      ['hello'],
      ['hello'],
      ['hello'],
    ]);
  });

  test('the effective override is chosen at runtime, not flattened during sync', async () => {
    everywhere();
    await kit.cli('sync bob');
    expect(await statuses('caps list bob')).toEqual(['here inline active', 'home file shadowed', 'root file shadowed']);
    kit.write(bob, agentText);
    expect(await statuses('caps list bob')).toEqual(['home file active', 'root file shadowed']);
    expect(await statuses('caps list bob --no-shared')).toEqual(['home file hidden', 'root file active']);
  });
});

describe('visibility', () => {
  test('agent-scoped capabilities are always there; --shared and --global switch the wider ones', async () => {
    everywhere();
    const of = (agent: string, flags: string) => statuses(`caps list ${agent} ${flags}`);
    expect(await of('bob', '--no-shared --no-global')).toEqual([
      'here inline active',
      'home file hidden',
      'root file hidden',
    ]);
    expect(await of('bob', '--no-global')).toEqual(['here inline active', 'home file shadowed', 'root file hidden']);
    expect(await of('agent.too', '--global')).toEqual([
      'here inline active',
      'home file shadowed',
      'root file shadowed',
    ]);
    expect(await of('agent.too', '--no-shared --global')).toEqual([
      'here inline active',
      'home file hidden',
      'root file shadowed',
    ]);
  });

  test('by default a resident sees shared and global, a roaming agent shared, a visiting one neither', async () => {
    everywhere();
    kit.hub.commit('acme/agents', { 'agents/zoe.too': inline });
    await kit.cli('sync acme/zoe --yes');
    expect(await statuses('caps list bob')).toEqual(['here inline active', 'home file shadowed', 'root file shadowed']);
    expect(await statuses('caps list agent.too')).toEqual([
      'here inline active',
      'home file shadowed',
      'root file hidden',
    ]);
    expect(await statuses('caps list acme/zoe')).toEqual(['here inline active', 'root file hidden']);
    expect(await statuses('caps list acme/zoe --global')).toEqual(['here inline active', 'root file shadowed']);
  });

  test('the switches affect visibility only: sync materializes each scope in its own root', async () => {
    everywhere();
    await kit.cli('sync agent.too');
    expect((await statuses('caps list agent.too'))[2]).toBe('root file hidden');
    expect(kit.has('.toolang/sync/file/prompts/hello.md')).toBe(true);
    expect(kit.has('work/.toolang/sync/file/prompts/hello.md')).toBe(true);
    expect((await kit.cli('sync --no-shared')).code).toBe(2);
  });
});

describe('references', () => {
  test('cap_ref is kind-neutral: one owner and name, resolved by the kind', async () => {
    kit.hub.commit('by3gus/agent-skills', { 'skills/github/SKILL.md': skillText('A skill.') });
    kit.hub.commit('by3gus/services', {
      'github.md': '---\ndescription: x\ntransport: stdio\ntarget: serve\n---\nA service.\n',
    });
    kit.hub.commit('by3gus/agent-prompts', { 'prompts/github.md': 'A prompt.\n' });
    kit.hub.commit('by3gus/psyches', { 'psyches/github.md': 'A psyche.\n' });
    kit.write('work/agent.too', agentText);
    for (const kind of ['skill', 'service', 'prompt', 'psyche']) {
      expect((await kit.cli(`${kind} add by3gus/github --yes`)).code).toBe(0);
      expect((await kit.cli(`${kind} show github`)).out).toContain(`A ${kind}.`);
    }
  });

  test('the same ref syntax is used in .too declarations, shared source files and commands', async () => {
    fillHub(kit);
    kit.write('work/agent.too', `use skill acme/review@main\n\n${agentText}`);
    kit.write('work/.toolang/agents.too', 'use skill acme/review@main\n');
    kit.write('.toolang/agents.too', 'use skill acme/review@main\n');
    expect((await kit.cli('sync --yes')).code).toBe(0);
    expect((await kit.cli('skill add acme/review@main --scope root')).err).toContain('is there already');
    expect(await statuses('caps list --global')).toEqual(['here ref active', 'home ref shadowed', 'root ref shadowed']);
  });
});

describe('sync', () => {
  test('materializes three scope roots, and one state file for each agent', async () => {
    everywhere();
    kit.write('work/other.too', agentText);
    await kit.cli('sync');
    expect(kit.list('.toolang/sync')).toEqual(['file/prompts/hello.md']);
    expect(kit.list('work/.toolang/sync')).toEqual(['agent.state.json', 'file/prompts/hello.md', 'other.state.json']);
    expect(kit.list('work/.toolang/agents/agent/sync')).toEqual(['inline/prompts/hello.md']);
  });

  test('the state file stores freshness metadata, the compiled program, and the exact refs by scope', async () => {
    fillHub(kit);
    kit.write('work/agent.too', `use skill acme/review\n\n${agentText}`);
    kit.write('.toolang/config.toml', '[prompts]\nrewrite = { ref = "acme/rewrite" }\n');
    await kit.cli('sync --yes');
    const state = JSON.parse(kit.read('work/.toolang/sync/agent.state.json'));
    expect(Object.keys(state.stamps)).toEqual(
      expect.arrayContaining([kit.at('work/agent.too'), kit.at('work/toolang.lock')]),
    );
    expect(JSON.stringify(state.program)).toContain('"go"');
    const commit = (name: string) => kit.hub.git(name, ['rev-parse', 'main']);
    expect(state.caps.here[0].target).toMatchObject({ commit: commit('acme/skills') });
    expect(state.caps.root[0].target).toMatchObject({ commit: commit('acme/prompts') });
  });

  test('analyzes declarations, refs and inline capabilities, and stops at what is wrong', async () => {
    kit.write('work/agent.too', `prompt hello:\n  Hello.\n\nprompt hello:\n  Again.\n\n${agentText}`);
    const { code, err } = await kit.cli('sync');
    expect(code).toBe(2);
    expect(err).toContain('agent.too:4:');
    expect(kit.list('work/.toolang/sync')).toEqual([]);
  });

  test('parses shared and global agents.too, and reads local cap roots', async () => {
    fillHub(kit);
    kit.write('work/agent.too', agentText);
    kit.write('work/.toolang/agents.too', 'use prompt acme/rewrite\n');
    kit.write('.toolang/agents.too', 'use psyche acme/careful\n');
    kit.write('work/.toolang/skills/look/SKILL.md', skillText('x'));
    expect((await kit.cli('sync --yes')).code).toBe(0);
    expect(kit.list('work/.toolang/sync')).toEqual([
      'agent.state.json',
      'file/skills/look/SKILL.md',
      'ref/prompts/rewrite.md',
    ]);
    expect(kit.list('.toolang/sync')).toEqual(['ref/psyches/careful.md']);
  });

  test('resolves refs to exact immutable targets: what moves later is not followed', async () => {
    fillHub(kit);
    kit.write('work/agent.too', `use skill acme/review\n\n${agentText}`);
    await kit.cli('sync --yes');
    kit.hub.commit('acme/skills', { 'skills/review/SKILL.md': skillText('Other.') });
    kit.write('work/agent.too', `# Edited.\nuse skill acme/review\n\n${agentText}`);
    expect((await kit.cli('sync')).code).toBe(0);
    expect(kit.read('work/.toolang/agents/agent/sync/ref/skills/review/SKILL.md')).toBe(skillText('Look closely.'));
  });
});
