/** Seed rules about services: how thunks reach MCP servers, with which headers and variables, and what is said where they cannot. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeHttp, fakeHttp } from '../fake-services/http.ts';
import { stdioFile } from '../fake-services/kit.ts';
import { useKit } from './kit.ts';

const kit = useKit();
let mcp: FakeHttp;

beforeEach(async () => {
  mcp = kit.keep(await fakeHttp());
});

const stdio = JSON.stringify(`'${process.execPath}' '${stdioFile}'`);
const cap = (...lines: string[]) =>
  `---\ndescription: Used in tests.\n${lines.join('\n')}\n---\nThe body of the service.\n`;
const call = (tool: string, args: Record<string, unknown>) => [{ calls: [{ tool, args }] }, { text: 'Done.' }];

describe('services', () => {
  it('http: the tools of the server are offered as service__tool, called, and told', async () => {
    kit.s.write('.toolang/services/far.md', cap('transport: http', `target: ${mcp.url}`));
    const { sent, requests, code } = await kit.ask('thunk:\n  user: Hi.\n', ['x'], {
      answers: call('far__echo', { text: 'Bees.' }),
    });
    expect(code).toBe(0);
    expect(sent.tools).toContain('far__echo');
    expect(sent.system).toContain('- far: Used in tests.');
    expect(sent.system).not.toContain('The body of the service.');
    expect(requests[1]?.messages.at(-1)).toMatchObject({ results: [{ text: 'Bees.' }] });
  });

  it('stdio: the program is started with the variables that env lists, and no others', async () => {
    kit.s.write('.toolang/services/near.md', cap('transport: stdio', `target: ${stdio}`, 'env: MY_TOKEN, OTHER'));
    const { requests, code, err } = await kit.ask('thunk:\n  user: Hi.\n', ['x'], {
      env: { MY_TOKEN: 'token-123456', OTHER: 'two', SECRET_KEY: 'never-shown-9' },
      answers: [
        {
          calls: ['MY_TOKEN', 'OTHER', 'SECRET_KEY', 'OPENAI_API_KEY'].map((name) => ({
            tool: 'near__env',
            args: { name },
          })),
        },
        { text: 'Done.' },
      ],
    });
    expect([code, err]).toEqual([0, expect.any(String)]);
    const told = requests[1]?.messages.at(-1);
    const texts = told && 'results' in told ? told.results.map(({ text }) => text) : [];
    expect(texts).toHaveLength(4);
    expect(texts[1]).toContain('two');
    expect(texts.join()).not.toMatch(/never-shown-9|planted-key/);
  });

  it('header values such as $API_TOKEN are expanded when the service is called, and kept nowhere', async () => {
    kit.s.write(
      '.toolang/services/far.md',
      cap(
        'transport: http',
        `target: ${mcp.url}`,
        'headers:',
        '  Authorization: Bearer $API_TOKEN',
        '  X-Plain: as it is',
      ),
    );
    const { code, id } = await kit.ask('thunk:\n  user: Hi.\n', ['x'], { env: { API_TOKEN: 'token-of-a-header-42' } });
    expect(code).toBe(0);
    expect(mcp.requests[0]?.headers.get('authorization')).toBe('Bearer token-of-a-header-42');
    expect(mcp.requests[0]?.headers.get('x-plain')).toBe('as it is');
    const shown = await kit.s.cli(['show', '--json', id]);
    expect(shown.out).not.toContain('token-of-a-header-42');
  });

  describe.each([
    ['a header', () => cap('transport: http', `target: ${mcp.url}`, 'headers:', '  Authorization: Bearer $API_TOKEN')],
    ['env', () => cap('transport: stdio', `target: ${stdio}`, 'env: API_TOKEN')],
  ])('a variable of %s that is missing', (_, text) => {
    it('makes a default service unavailable: it is left out, and the reason is told to the model and to people', async () => {
      kit.s.write('.toolang/services/far.md', text());
      const { sent, code, err } = await kit.ask('thunk:\n  user: Hi.\n', ['x']);
      expect(code).toBe(0);
      expect(sent.tools.filter((name) => name.startsWith('far'))).toEqual([]);
      expect(sent.system).toMatch(/- far: Used in tests\. \(cannot be used now: .*API_TOKEN.*\)/);
      expect(err).toContain('the service "far" is left out: the environment variable API_TOKEN is not set');
      expect(err).not.toContain('goes on');
    });

    it.each([
      ['services', '  services = far\n'],
      ['services, added', '  services += far\n'],
      ['tools', '  tools += far/echo\n'],
      ['a hand that names it', '  hands += other\n'],
      ['a handoff that names it', '  handoffs += other\n'],
    ])('stops the run before the first model call where a directive names it: %s', async (what, line) => {
      kit.s.write('.toolang/services/far.md', text());
      const other = `\nthunk other:\n${/hand/.test(what) ? '  services = far\n' : ''}  user: Hi.\n`;
      const { code, err, requests } = await kit.ask(`thunk:\n${line}  user: Hi.\n${other}`, ['x']);
      expect([code, requests]).toEqual([2, []]);
      expect(err).toContain(
        'names the service "far", which cannot be used: the environment variable API_TOKEN is not set',
      );
    });
  });

  it('a server that cannot be reached: left out by default, a stop where it is named', async () => {
    kit.s.write('.toolang/services/far.md', cap('transport: stdio', 'target: no-such-program'));
    const left = await kit.ask('thunk:\n  user: Hi.\n', ['x']);
    expect(left.code).toBe(0);
    expect(left.sent.system).toMatch(/- far: .*cannot be used now: .*no-such-program/);
    expect(left.err).toMatch(/→ default goes on, though the service "far" cannot be used: /);
    expect((await kit.s.cli(['logs', left.id])).out).toMatch(
      /goes on, though the service "far" cannot be used: .*no-such/,
    );
    const named = await kit.ask('thunk:\n  services = far\n  user: Hi.\n', ['x']);
    expect([named.code, named.requests]).toEqual([1, []]);
    expect(named.err).toContain('the service "far" cannot be used');
  });

  it('one that is not used is not connected', async () => {
    kit.s.write('.toolang/services/far.md', cap('transport: http', `target: ${mcp.url}`));
    await kit.ask('thunk:\n  services -= far\n  user: Hi.\n', ['x']);
    expect(mcp.requests).toHaveLength(0);
  });

  it('a service may not have the name of tools that are there already', async () => {
    for (const name of ['shell', 'skill', 'memory_save']) {
      const source = `service ${name}:\n  description = Bad.\n  transport = http\n  target = ${mcp.url}\n\nthunk:\n  user: Hi.\n`;
      const { code, requests, err } = await kit.ask(source, ['x']);
      expect([code, requests]).toEqual([2, []]);
      expect(err).toContain(name);
    }
  });
});

describe('precedence: one activation builds an effective cap set by (kind, name); here, then home, then root', () => {
  const described = (where: string) =>
    `---\ndescription: Of the ${where}.\ntransport: http\ntarget: ${mcp.url}\n---\nText.\n`;
  const inline = () => `service far:\n  description = Of the file.\n  transport = http\n  target = ${mcp.url}\n\n`;
  const thunk = 'thunk:\n  user: Hi.\n';

  it.each([
    ['here', 'Of the file.'],
    ['home', 'Of the home.'],
    ['root', 'Of the root.'],
  ])('%s', async (nearest, expected) => {
    kit.s.write('../home/.toolang/services/far.md', described('root'));
    if (nearest !== 'root') kit.s.write('.toolang/services/far.md', described('home'));
    const { sent } = await kit.ask(nearest === 'here' ? `${inline()}${thunk}` : thunk, ['--global', 'x']);
    expect(sent.system).toContain(`- far: ${expected}`);
    expect(sent.system.match(/- far: /g)).toHaveLength(1);
  });

  it('caps of another kind with the same name stand beside each other', async () => {
    kit.s.write('.toolang/services/far.md', described('home'));
    const { sent } = await kit.ask(`psyche far:\n  Be far.\n\nskill far:\n  description = Go far.\n  Go.\n\n${thunk}`, [
      'x',
    ]);
    for (const text of ['- far: Of the home.', '- far: Go far.', 'Be far.']) expect(sent.system).toContain(text);
  });

  it('psyches, skills and prompts too', async () => {
    for (const [root, at] of [
      ['../home/.toolang', 'root'],
      ['.toolang', 'home'],
    ]) {
      kit.s.write(`${root}/psyches/tone.md`, `Tone of the ${at}.\n`);
      kit.s.write(`${root}/skills/deep/SKILL.md`, `---\ndescription: Skill of the ${at}.\n---\nBody of the ${at}.\n`);
      kit.s.write(`${root}/prompts/say.md`, `Prompt of the ${at}: {{input}}\n`);
    }
    const { sent, requests } = await kit.ask(
      `prompt say:\n  Prompt of the file: {{input}}\n\n${thunk}`,
      ['/say hello'],
      {
        answers: [{ calls: [{ tool: 'skill', args: { name: 'deep' } }] }, { text: 'Done.' }],
      },
    );
    expect(sent.system).toContain('Tone of the home.');
    expect(sent.system).toContain('- deep: Skill of the home.');
    expect(sent.system).not.toContain('of the root');
    expect(JSON.stringify(requests[1]?.messages)).toContain('Body of the home.');
    expect(JSON.stringify(sent.messages)).toContain('Prompt of the file: hello');
  });
});
