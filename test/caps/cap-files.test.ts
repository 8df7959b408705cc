/** What is said of cap files, statement by statement, through the command line: see `spec/caps/statements.json`. */
import { lstatSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { version } from '../../src/api/index.ts';
import { activeCaps, capText, readState, type SyncedCap } from '../../src/caps/index.ts';
import { capKinds } from '../../src/too/index.ts';
import { agentText, fillHub, type Kit, makeKit, skillText } from './kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
});
afterEach(() => kit.remove());

interface CapRow {
  readonly kind: string;
  readonly name: string;
  readonly scope: string;
  readonly form: string;
  readonly status: string;
  readonly path: string;
  readonly line: number;
  readonly ref: string;
  readonly origin?: string;
  readonly by?: { readonly scope: string };
}

async function rows(line = 'caps list', options = {}): Promise<readonly CapRow[]> {
  return (await kit.json(line, options)).caps as CapRow[];
}

const agentHome = '.toolang/agents/bob';
const bob = `${agentHome}/agent.too`;
const service = '---\ndescription: x\ntransport: stdio\ntarget: serve\n---\n';

describe('kinds and locations', () => {
  test('Toolang supports four cap kinds: psyche, skill, service, and prompt', async () => {
    expect([...capKinds].sort()).toEqual(['prompt', 'psyche', 'service', 'skill']);
    for (const kind of capKinds) expect((await kit.cli(`${kind} list`)).code).toBe(0);
  });

  test('shared local caps live under the root, private ones under one agent home', async () => {
    kit.write(bob, agentText);
    kit.write('.toolang/agents/eve/agent.too', agentText);
    for (const at of ['.toolang', agentHome]) {
      kit.write(`${at}/psyches/p.md`, 'x\n');
      kit.write(`${at}/skills/s/SKILL.md`, skillText('x'));
      kit.write(`${at}/services/v.md`, service);
      kit.write(`${at}/prompts/t.md`, 'x\n');
    }
    const of = async (agent: string, scope: string) =>
      (await rows(`caps list ${agent} --filter scope:${scope}`)).map(({ kind, name }) => `${kind} ${name}`);
    const all = ['psyche p', 'skill s', 'service v', 'prompt t'];
    expect((await of('bob', 'home')).sort()).toEqual([...all].sort());
    expect((await of('bob', 'root')).sort()).toEqual([...all].sort());
    expect(await of('eve', 'home')).toEqual([]);
    expect((await of('eve', 'root')).sort()).toEqual([...all].sort());
  });

  test('the cap name comes from the file or directory name, not from frontmatter', async () => {
    kit.write(bob, agentText);
    kit.write(`${agentHome}/prompts/short.md`, '---\nname: long\n---\nBe short.\n');
    kit.write(`${agentHome}/skills/look/SKILL.md`, skillText('x'));
    expect((await rows('caps list bob')).map(({ name }) => name).sort()).toEqual(['look', 'short']);
  });
});

describe('refs', () => {
  test('local refs identify the selected cap: root://, home:// and inline://', async () => {
    kit.write(bob, `prompt rewrite:\n  Inline.\n\n${agentText}`);
    kit.write(`${agentHome}/services/github.md`, service);
    kit.write('.toolang/skills/reviewer/SKILL.md', skillText('Shared.'));
    expect((await kit.cli('sync bob')).code).toBe(0);
    expect((await kit.cli('skill show root://skills/reviewer --agent bob')).out).toContain('Shared.');
    expect((await kit.cli('service show home://services/github --agent bob')).out).toContain('target: serve');
    expect((await kit.cli('prompt show inline://prompts/rewrite --agent bob')).out).toContain('Inline.');
    expect((await rows('caps list bob')).map(({ ref }) => ref).sort()).toEqual([
      'home://services/github',
      'inline://prompts/rewrite',
      'root://skills/reviewer',
    ]);
  });

  test('remote refs are canonical and have @rev after shorthand resolution', async () => {
    fillHub(kit);
    kit.write('work/agent.too', `use skill acme/review\nuse prompt acme/rewrite@main\n\n${agentText}`);
    await kit.cli('sync --yes');
    const { caps } = JSON.parse(kit.read('work/toolang.lock'));
    const commit = (name: string) => kit.hub.git(name, ['rev-parse', 'main']);
    expect(caps.map(({ resolved }: { resolved: string }) => resolved)).toEqual([
      `github://acme/prompts/prompts/rewrite.md@${commit('acme/prompts')}`,
      `github://acme/skills/skills/review@${commit('acme/skills')}`,
    ]);
    expect((await kit.cli('service add github://acme/services/services/github.md')).err).toContain('(TOO5305)');
  });
});

describe('precedence', () => {
  test('here before home before root, by kind and name; files and wired refs of a scope count alike', async () => {
    fillHub(kit);
    kit.write(bob, `use skill acme/review\n\nprompt hello:\n  Here.\n\n${agentText}`);
    kit.write(`${agentHome}/prompts/hello.md`, 'Home.\n');
    kit.write(
      `${agentHome}/config.toml`,
      '[skills]\nreview = { ref = "acme/review@main" }\n[services]\nclock = { ref = "acme/clock" }\n',
    );
    kit.write('.toolang/prompts/hello.md', 'Root.\n');
    kit.write('.toolang/psyches/hello.md', 'A psyche of that name is another cap.\n');
    kit.write('.toolang/config.toml', '[skills]\nreview = { ref = "acme/review" }\n');
    kit.write('.toolang/services/clock.md', service);
    const found = (await rows('caps list bob')).map(
      ({ kind, name, scope, form, status, by }) =>
        `${kind} ${name}: ${scope} ${form} ${status}${by ? ` by ${by.scope}` : ''}`,
    );
    expect(found.sort()).toEqual([
      'prompt hello: here inline active',
      'prompt hello: home file shadowed by here',
      'prompt hello: root file shadowed by here',
      'psyche hello: root file active',
      'service clock: home wired active',
      'service clock: root file shadowed by home',
      'skill review: here ref active',
      'skill review: home wired shadowed by here',
      'skill review: root wired shadowed by here',
    ]);
  });

  test('the winning cap is what runs see', async () => {
    kit.write(bob, agentText);
    kit.write(`${agentHome}/prompts/hello.md`, 'Home.\n');
    kit.write('.toolang/prompts/hello.md', 'Root.\n');
    await kit.cli('sync bob');
    const state = await readState(kit.at(`${agentHome}/.toolang/sync/bob.state.json`), version);
    if (!state) throw new Error('there is no state');
    const text = (shared: boolean, global: boolean) => {
      const cap: SyncedCap | undefined = activeCaps(state, { shared, global }).find('prompt', 'hello');
      return cap && capText(cap);
    };
    expect(text(true, true)).toBe('Home.\n');
    expect(text(false, true)).toBe('Root.\n');
    expect(text(false, false)).toBeUndefined();
  });

  test('lists expose path, line, form, origin and ref, of winners and of losers', async () => {
    fillHub(kit);
    kit.write(bob, `use skill acme/review\n\n${agentText}`);
    kit.write('.toolang/config.toml', '[skills]\n\nreview = { ref = "acme/review@main" }\n');
    await kit.cli('sync bob --yes');
    const commit = kit.hub.git('acme/skills', ['rev-parse', 'main']);
    const origin = `github://acme/skills/skills/review@${commit}`;
    expect(await rows('caps list bob', { in: '.toolang' })).toMatchObject([
      { status: 'active', path: 'agents/bob/agent.too', line: 1, form: 'ref', origin, ref: 'acme/review' },
      { status: 'shadowed', path: 'config.toml', line: 3, form: 'wired', origin, ref: 'acme/review@main' },
    ]);
  });
});

describe('files', () => {
  test('the samples of all four kinds are right as they are written', async () => {
    kit.write(bob, agentText);
    const files = {
      'psyches/steady.md':
        "Describe the agent's stable behavior preferences here. Keep this focused on\ntone, judgment, and defaults that should apply across many runs.\n",
      'skills/code-review/SKILL.md':
        '---\ndescription: Trigger this skill for requests that need code review.\n---\n# Code Review\nWhen to use:\n- ...\nWorkflow:\n1. ...\n2. ...\n',
      'services/github.md':
        '---\ndescription: Trigger this service when the agent needs GitHub operations.\ntransport: http\ntarget: https://mcp.github.com/mcp\nheaders:\n  Authorization: Bearer $GITHUB_TOKEN\n---\nUse this service for GitHub repository, issue, and pull request work.\n',
      'services/example.md':
        '---\ndescription: Trigger this service when the agent should launch the local MCP server.\ntransport: stdio\ntarget: uvx example-mcp-server\nenv: API_TOKEN, ANOTHER_ENV_VAR\n---\nDocument the server capabilities and auth expectations here.\n',
      'prompts/rewrite.md': 'Write the reusable prompt text here.\nUse `{{input}}` for the caller input.\n',
    };
    for (const [name, text] of Object.entries(files)) kit.write(`${agentHome}/${name}`, text);
    const { code, out } = await kit.cli('check . --json', { in: agentHome });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ errors: 0, warnings: 0 });
    expect((await kit.cli('sync bob')).code).toBe(0);
    const { caps } = JSON.parse(kit.read(`${agentHome}/.toolang/sync/bob.state.json`));
    const facts = Object.fromEntries(caps.home.map((cap: SyncedCap) => [cap.name, cap.facts]));
    // What is needed to connect a service is known without reading its file again.
    expect(facts.github).toMatchObject({ transport: 'http', requires: ['GITHUB_TOKEN'] });
    expect(facts.example).toMatchObject({
      transport: 'stdio',
      argv: ['uvx', 'example-mcp-server'],
      requires: ['API_TOKEN', 'ANOTHER_ENV_VAR'],
    });
    expect(facts['code-review']).toMatchObject({
      description: 'Trigger this skill for requests that need code review.',
    });
  });

  test('psyche and prompt frontmatter is not validated by a strict field list', async () => {
    for (const kind of ['psyches', 'prompts']) {
      kit.write(`.toolang/${kind}/free.md`, '---\nauthor: Ann\nmood:\n  - calm\n---\nText.\n');
      expect((await kit.cli(`check ${kit.at(`.toolang/${kind}/free.md`)}`)).code).toBe(0);
    }
  });

  test.each([
    ['no description', '---\n---\nx\n'],
    ['another field', '---\ndescription: x\nlicense: MIT\n---\nx\n'],
    ['no frontmatter', 'x\n'],
    ['no body', '---\ndescription: x\n---\n'],
  ])('SKILL.md must contain frontmatter with exactly one field, and a body: %s is an error', async (_what, text) => {
    const file = kit.write('.toolang/skills/look/SKILL.md', text);
    expect((await kit.cli(`check ${file}`)).code).toBe(2);
  });

  test.each([
    ['no description', 'transport: stdio\ntarget: serve\n'],
    ['no transport', 'description: x\ntarget: serve\n'],
    ['no target', 'description: x\ntransport: stdio\n'],
    ['another transport', 'description: x\ntransport: sse\ntarget: https://x.y\n'],
    ['a command for http', 'description: x\ntransport: http\ntarget: serve\n'],
    ['headers that are no map', 'description: x\ntransport: http\ntarget: https://x.y\nheaders: a\n'],
    ['another field', 'description: x\ntransport: stdio\ntarget: serve\nport: 1\n'],
  ])(
    'services have description, transport and target, may have headers and env, and nothing else: %s is an error',
    async (_what, text) => {
      const file = kit.write('.toolang/services/v.md', `---\n${text}---\nx\n`);
      expect((await kit.cli(`check ${file}`)).code).toBe(2);
    },
  );

  test('env is a comma-separated string or a string array; header values declare variables', async () => {
    kit.write('work/agent.too', agentText);
    const head = '---\ndescription: x\n';
    kit.write('work/.toolang/services/a.md', `${head}transport: stdio\ntarget: serve\nenv: ONE, TWO\n---\nx\n`);
    kit.write('work/.toolang/services/b.md', `${head}transport: stdio\ntarget: serve\nenv: [ONE, TWO]\n---\nx\n`);
    kit.write(
      'work/.toolang/services/c.md',
      `${head}transport: http\ntarget: https://x.y\nheaders:\n  A: $ONE\n  B: x $TWO\n---\nx\n`,
    );
    await kit.cli('sync');
    const { caps } = JSON.parse(kit.read('work/.toolang/sync/agent.state.json'));
    for (const cap of caps.home) expect(cap.facts.requires).toEqual(['ONE', 'TWO']);
    expect(caps.home).toHaveLength(3);
  });

  test('a skill is directory-shaped: what lies beside SKILL.md is materialized with it', async () => {
    kit.write('work/agent.too', agentText);
    kit.write('work/.toolang/skills/code-review/SKILL.md', skillText('x'));
    for (const name of ['references/a.md', 'scripts/b.sh', 'assets/c.txt']) {
      kit.write(`work/.toolang/skills/code-review/${name}`, 'x\n');
    }
    await kit.cli('sync');
    expect(kit.list('work/.toolang/sync/file/skills/code-review')).toEqual([
      'SKILL.md',
      'assets/c.txt',
      'references/a.md',
      'scripts/b.sh',
    ]);
  });
});

describe('wired caps and prepared artifacts', () => {
  test('config.toml wires remote caps by kind: of the root for all, of an agent for it alone', async () => {
    kit.hub.commit('acme/agents', {
      'skills/reviewer/SKILL.md': skillText('x'),
      'services/github.md': service,
    });
    kit.write('.toolang/config.toml', '[skills]\nreviewer = { ref = "github://acme/agents/skills/reviewer@main" }\n');
    kit.write(
      `${agentHome}/config.toml`,
      '[services]\ngithub = { ref = "github://acme/agents/services/github.md@main" }\n',
    );
    kit.write(bob, agentText);
    kit.write('.toolang/agents/eve/agent.too', agentText);
    expect((await kit.cli('sync bob --yes')).code).toBe(0);
    const of = async (agent: string) =>
      (await rows(`caps list ${agent}`))
        .map(({ kind, name, scope, form }) => `${kind} ${name} ${scope} ${form}`)
        .sort();
    expect(await of('bob')).toEqual(['service github home wired', 'skill reviewer root wired']);
    expect(await of('eve')).toEqual(['skill reviewer root wired']);
  });

  test('forms are wired, inline, ref and file', async () => {
    kit.write(bob, `use skill acme/review\n\nprompt hello:\n  Hello.\n\n${agentText}`);
    kit.write(`${agentHome}/psyches/calm.md`, 'Calm.\n');
    kit.write(`${agentHome}/config.toml`, '[services]\nclock = { ref = "acme/clock" }\n');
    expect((await rows('caps list bob')).map(({ name, form }) => `${name} ${form}`).sort()).toEqual([
      'calm file',
      'clock wired',
      'hello inline',
      'review ref',
    ]);
  });

  test('prepared caps lie under .caps of the root and of the agent, by form, and are generated', async () => {
    fillHub(kit);
    kit.write(bob, `use skill acme/review\n\nprompt hello:\n  Hello.\n\n${agentText}`);
    kit.write(`${agentHome}/config.toml`, '[services]\nclock = { ref = "acme/clock" }\n');
    kit.write(`${agentHome}/psyches/calm.md`, 'Calm.\n');
    kit.write('.toolang/config.toml', '[prompts]\nrewrite = { ref = "acme/rewrite" }\n');
    await kit.cli('sync bob --yes');
    expect(kit.list('.toolang/.caps')).toEqual(['wired/prompts/rewrite.md']);
    const view = `${agentHome}/.caps`;
    expect(kit.list(view)).toEqual(['inline/prompts/hello.md', 'ref/skills/review', 'wired/services/clock.md']);
    expect(lstatSync(kit.at(`${view}/ref/skills/review`)).isSymbolicLink()).toBe(true);
    expect(kit.read(`${view}/ref/skills/review/SKILL.md`)).toBe(skillText('Look closely.'));
    // What is done to it does not last: the durable source is what counts.
    kit.write(`${view}/inline/prompts/hello.md`, 'Other.\n');
    expect((await kit.cli('sync bob')).code).toBe(0);
    expect(kit.read(`${view}/inline/prompts/hello.md`)).toBe('Hello.\n');
    rmSync(kit.at(bob));
    kit.write(bob, agentText);
    await kit.cli('sync bob');
    expect(kit.list(view)).toEqual(['wired/services/clock.md']);
  });
});
