/**
 * What an activation sees and may use: caps by the kind of the agent and by --shared and --global, and the most that --models,
 * --tools and --caps let through. Told by the request that a model is sent, which a script without replies prints in its error.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Kit, makeKit, skillText } from '../caps/kit.ts';
import { startFakeModel } from '../fake-models/server.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
});
afterEach(() => kit.remove());

const agent = (lines = '') => `psyche own:\n  Own psyche.\n\nthunk:\n  models = scripted\n${lines}`;

/** A psyche, a skill and a prompt of a scope: `home-psyche`. */
function capsIn(folder: string, scope: string): void {
  kit.write(`${folder}/psyches/${scope}-psyche.md`, `The ${scope} psyche.\n`);
  kit.write(`${folder}/skills/${scope}-skill/SKILL.md`, skillText(`The ${scope} skill.`));
  kit.write(`${folder}/prompts/${scope}-prompt.md`, `Prompt of the ${scope}: {{input}}\n`);
}

const names = ['home', 'root'].flatMap((scope) => [`${scope}-psyche`, `${scope}-skill`, `${scope}-prompt`]);

/** Which of the caps come into the request, and whether it was begun. */
async function seen(
  line: string,
): Promise<{ readonly caps: readonly string[]; readonly code: number; readonly err: string }> {
  const ran = await kit.cli(line);
  const { err } = ran;
  const found = names.filter((name) => {
    const [scope, kind] = name.split('-');
    return err.includes(
      kind === 'psyche' ? `The ${scope} psyche.` : kind === 'skill' ? name : `Prompt of the ${scope}: x`,
    );
  });
  return { caps: found, code: ran.code, err };
}

const home = ['home-psyche', 'home-skill'];
const root = ['root-psyche', 'root-skill'];

function resident(lines = ''): void {
  kit.write('.toolang/agents/bob/agent.too', agent(lines));
  kit.write('.toolang/agents/bob/agent.script.toon', 'replies[1]:\n  - for: nobody\n    text: x\n');
  capsIn('.toolang/agents/bob', 'home');
  capsIn('.toolang', 'root');
}

function roaming(lines = ''): void {
  kit.write('work/ann.too', agent(lines));
  kit.write('work/ann.script.toon', 'replies[1]:\n  - for: nobody\n    text: x\n');
  capsIn('work/.toolang', 'home');
  capsIn('.toolang', 'root');
}

describe('the caps that an agent sees', () => {
  test('of a resident are those of its home and of the root; the switches turn each off', async () => {
    resident();
    expect((await seen('invoke bob x')).caps).toEqual([...home, ...root]);
    expect((await seen('invoke bob --no-shared x')).caps).toEqual(root);
    expect((await seen('invoke bob --no-global x')).caps).toEqual(home);
    expect((await seen('invoke bob --no-shared --no-global x')).caps).toEqual([]);
    expect((await seen('invoke bob --no-shared --no-global x')).err).toContain('Own psyche.');
  });

  test('of a roaming one are those of its home; --global adds those of the root', async () => {
    roaming();
    expect((await seen('invoke ann.too x')).caps).toEqual(home);
    expect((await seen('ann.too --global x')).caps).toEqual([...home, ...root]);
    expect((await seen('ann.too --no-shared x')).caps).toEqual([]);
    expect((await seen('ann.too --no-shared --global x')).caps).toEqual(root);
  });

  test('of a visiting one are its own alone; --global adds those of the root, and the home where it is called is never its own', async () => {
    capsIn('work/.toolang', 'home');
    capsIn('.toolang', 'root');
    kit.hub.commit('acme/agents', { 'agents/zoe.too': agent() });
    kit.write('work/no.script.toon', 'replies[1]:\n  - for: nobody\n    text: x\n');
    const first = await seen('invoke acme/zoe --yes --script no.script.toon x');
    expect(first).toMatchObject({ caps: [], code: 1 });
    expect(first.err).toContain('Own psyche.');
    expect((await seen('invoke acme/zoe --script no.script.toon --global x')).caps).toEqual(root);
    expect((await seen('invoke acme/zoe --script no.script.toon --shared x')).caps).toEqual([]);
    kit.hub.remove('acme/agents');
    expect((await seen('invoke acme/zoe --script no.script.toon --offline x')).code).toBe(1);
  });

  test('of an agent that answers at the terminal are the same', async () => {
    resident();
    const said = async (line: string) => {
      const { err } = await kit.cli(line, { stdin: 'x\n' });
      return names.filter((name) => err.includes(name.endsWith('skill') ? name : `The ${name.replace('-', ' ')}.`));
    };
    expect(await said('run bob')).toEqual([...home, ...root]);
    expect(await said('run bob --no-global')).toEqual(home);
    expect(await said('run bob --caps [kind:skill]')).toEqual(['home-skill', 'root-skill']);
  });

  test('of an agent in a workflow are those of its kind, and the switches of the run are its own', async () => {
    roaming();
    kit.write(
      'work/flow.toon',
      'name: flow\ninput:\nagents:\n  ann:\n    type: too\n    use: ./ann.too\nsteps[1]:\n  - id: ask\n    agent: ann\n    prompt: "x"\n    output: string\n',
    );
    expect((await seen('run flow.toon')).caps).toEqual(home);
    expect((await seen('run flow.toon --global')).caps).toEqual([...home, ...root]);
    expect((await seen('run flow.toon --no-shared')).caps).toEqual([]);
    expect((await seen('run flow.toon --caps home-psyche')).caps).toEqual(['home-psyche']);
    expect((await kit.cli('run flow.toon --thread x')).err).toContain('--thread is for agents');
  });

  test('are prompts too: a word of one that is off stays what it is', async () => {
    resident();
    expect((await seen('invoke bob "/root-prompt x"')).caps).toContain('root-prompt');
    expect((await seen('invoke bob --no-global "/root-prompt x"')).caps).not.toContain('root-prompt');
  });
});

describe('--caps', () => {
  test('takes names, globs and conditions, and leaves the rest out without a word', async () => {
    resident();
    expect((await seen('invoke bob --caps home-skill x')).caps).toEqual(['home-skill']);
    expect((await seen('invoke bob --caps root-*,home-psyche x')).caps).toEqual(['home-psyche', ...root]);
    expect((await seen('invoke bob --caps [scope:home] x')).caps).toEqual(home);
    expect((await seen('invoke bob --caps [kind:skill] --caps root-psyche x')).caps).toEqual([
      'home-skill',
      'root-psyche',
      'root-skill',
    ]);
    expect((await seen('invoke bob --caps "[scope:home,kind:skill]" x')).caps).toEqual(['home-skill']);
    expect((await seen('invoke bob --caps [scope:home]*-skill x')).caps).toEqual(['home-skill']);
  });

  test('and --tools refuse a pattern that fits nothing, as they refuse a name that nothing has', async () => {
    resident();
    for (const [words, message] of [
      ['--caps rout-*', '--caps: there is no cap "rout-*".'],
      ['--caps [scope:home]root-*', '--caps: there is no cap "[scope:home]root-*".'],
      ['--tools filesytem/*', '--tools: there is no tool "filesytem/*".'],
      ['--tools files?*x', '--tools: there is no tool "files?*x".'],
    ]) {
      for (const ran of [await seen(`invoke bob ${words} x`), await kit.cli(`explain bob ${words}`)])
        expect({ code: ran.code, err: ran.err }).toEqual({ code: 2, err: expect.stringContaining(message ?? '') });
    }
    expect((await seen('invoke bob --tools file*/re* x')).code).toBe(1);
  });

  test('stops before anything runs where a directive names what it leaves out, or what a switch turns off', async () => {
    resident('  skills = root-skill\n');
    const ran = await seen('invoke bob --caps [scope:home] x');
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('names the skill "root-skill", which it may not use here: --caps leaves it out');
    expect((await seen('invoke bob --no-global x')).err).toContain('caps of the root are off: --global');
    expect((await kit.cli('run bob --no-global', { stdin: 'x\n' })).code).toBe(2);
    expect((await kit.cli('runs', { in: '.toolang/agents/bob' })).err).toContain('there are no runs here');
  });

  test('with a condition or a name that there is not is refused', async () => {
    resident();
    expect((await seen('invoke bob --caps [scop:home] x')).err).toContain('Did you mean "scope:"?');
    const { code, err } = await seen('invoke bob --caps home-skil x');
    expect(code).toBe(2);
    expect(err).toContain('--caps: there is no cap "home-skil". Did you mean "home-skill"?');
  });
});

describe('--tools', () => {
  test('lets through what it names, and leaves the rest of the default out', async () => {
    resident();
    const offered = async (line: string) => {
      const ran = await kit.cli(`${line} --json`);
      const { run, store } = JSON.parse(ran.out);
      const shown = await kit.cli(`logs ${run} --store ${store} --json`);
      return [...new Set([...shown.out.matchAll(/"name":"([a-z]+\/[a-z]+)"/g)].map(([, name]) => name))].sort();
    };
    expect(await offered('invoke bob x')).toContain('filesystem/write');
    expect(await offered('invoke bob --tools filesystem/read,filesystem/l* x')).toEqual([
      'filesystem/list',
      'filesystem/read',
    ]);
    expect(await offered('invoke bob --tools web x')).toEqual([]);
  });

  test('stops before anything runs where a directive names what it leaves out', async () => {
    resident('  tools = shell, filesystem/read\n');
    const ran = await kit.cli('invoke bob --tools filesystem x');
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toContain('names the tool "shell", which it may not use here: --tools leaves it out');
    expect((await kit.cli('invoke bob --tools flesystem x')).err).toContain(
      '--tools: there is no tool "flesystem". Did you mean "filesystem"?',
    );
    expect((await kit.cli('invoke bob --tools [scope:home] x')).err).toContain(
      '--tools: "[scope:home]" is no name of a tool',
    );
  });

  test('and --models hold for every agent of a workflow, whatever its type', async () => {
    kit.write(
      'work/flow.toon',
      'name: flow\ninput:\nagents:\n  dev:\n    type: anthropic\n    model: claude-sonnet-4-5\n    tools[2]: shell,filesystem/read\nsteps[1]:\n  - id: ask\n    agent: dev\n    prompt: "x"\n    output: string\n',
    );
    const env = { ANTHROPIC_API_KEY: 'planted-key' };
    const tools = await kit.cli('run flow.toon --tools filesystem', { env });
    expect(tools).toMatchObject({ code: 2 });
    expect(tools.err).toContain(
      'the agent "dev" names the tool "shell", which it may not use here: --tools leaves it out',
    );
    const models = await kit.cli('run flow.toon --models [provider:openrouter]', { env });
    expect(models).toMatchObject({ code: 2 });
    expect(models.err).toContain(
      'the agent "dev" names the models anthropic/claude-sonnet-4-5, which it may not use here',
    );
  });
});

describe('--models', () => {
  test('stops before anything runs where a directive names what it leaves out, and takes the rest', async () => {
    kit.write('work/ann.too', 'thunk:\n  models = anthropic/claude-sonnet-4-5, openai/gpt-5\n  tools -= filesystem\n');
    const env = { ANTHROPIC_API_KEY: 'planted-key', OPENAI_API_KEY: 'planted-key-2' };
    const none = await kit.cli('ann.too --models [provider:openrouter] x', { env });
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('which it may not use here: --models leaves them out');
    const openai = await startFakeModel('openai-responses', { answers: [{ text: 'Hello.' }, { text: 'Again.' }] });
    try {
      const both = { ...openai.env, ANTHROPIC_API_KEY: 'planted-key' };
      const some = await kit.cli('ann.too --models openai/* x', { env: both });
      expect(some).toMatchObject({ code: 0, out: 'Hello.\n' });
      expect(some.err).toContain('model: openai/gpt-5');
      expect(some.err).not.toContain('anthropic');
    } finally {
      await openai.close();
    }
  });

  test('chooses among what it lets through for a thunk that names none', async () => {
    kit.write('work/ann.too', 'thunk:\n  tools -= filesystem\n');
    const anthropic = await startFakeModel('anthropic', { answers: [] });
    try {
      // Nobody answers there: it is of no matter what is asked first, but that it is not the other one.
      const env = {
        ...anthropic.env,
        OPENAI_API_KEY: 'planted-key',
        OPENAI_BASE_URL: anthropic.env.ANTHROPIC_BASE_URL,
      };
      const ran = await kit.cli('ann.too --models [provider:anthropic] x', { env });
      expect(ran.err).toMatch(/model: anthropic\/\S+ \(the first within --models\)/);
      expect(ran.err).not.toContain('openai');
      const none = await kit.cli('ann.too --models [provider:google] x', { env });
      expect(none).toMatchObject({ code: 2 });
      expect(none.err).toContain('--models');
    } finally {
      await anthropic.close();
    }
  });
});
