import { expect, it } from 'vitest';
import { createSource, positionAt } from '../text/index.ts';
import { planWorkflow } from './plan.ts';

const builtIn = new Map([
  ['filesystem', ['read', 'write']],
  ['shell', ['run']],
]);

async function check(agents: string) {
  const text = `name: flow\ninput:\nagents:\n${agents}steps[1]:\n  - id: a\n    agent: w\n    prompt: x\n    output: string\n`;
  const asked: string[] = [];
  const services = async (file: string) => {
    asked.push(file);
    return ['github', 'shel'];
  };
  const { diagnostics } = await planWorkflow(createSource('flow.toon', text), {
    file: '/flows/flow.toon',
    read: async () => ({ ok: false, message: 'nothing' }),
    tools: async () => ({ builtIn, services }),
  });
  const found = diagnostics.map(({ code, source, span, message, help }) => {
    const { line, column } = positionAt(source, span.start);
    const where = `${code} ${line}:${column}`;
    return { where, word: source.text.slice(span.start, span.end), message, help };
  });
  return { found, asked };
}

const agent = (tools: string, type = 'scripted') => `  w:\n    type: ${type}\n    model: m\n    ${tools}\n`;

it('names of sets, of their tools and of services are known; services are asked for only where they may be meant', async () => {
  expect(await check(agent('tools[3]: filesystem,shell/run,filesystem/read'))).toEqual({ found: [], asked: [] });
  const { found, asked } = await check(agent('tools[3]: github,github/create_issue,shell'));
  expect([found, asked]).toEqual([[], ['/flows/flow.toon']]);
});

it('others are told at their own place, with the closest', async () => {
  const { found } = await check(agent('tools[4]: filesystem/read,filesystem/rea,file,nope/read'));
  expect(found.map(({ where, word, message }) => [where, word, message])).toEqual([
    ['TOO4206 7:31', 'filesystem/rea', 'unknown tool "filesystem/rea". Did you mean "filesystem/read"?'],
    ['TOO4206 7:46', 'file', 'unknown tool "file".'],
    ['TOO4206 7:51', 'nope/read', 'unknown tool "nope/read".'],
  ]);
  expect(found[0]?.help).toContain('filesystem, shell, github, shel');
  const listed = await check(agent('tools[2]:\n      - shell\n      - "shell/rnu"'));
  expect(listed.found.map(({ where, word }) => [where, word])).toEqual([['TOO4206 9:10', 'shell/rnu']]);
});

it('an agent that runs by itself has tools of its own', async () => {
  expect((await check(agent('tools[1]: Bash', 'claude-code'))).found).toEqual([]);
});
