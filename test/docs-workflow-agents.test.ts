/** docs/workflow-agents.md says what the code does: command lines, what is seen and told; its samples run, with stand-ins. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { cliAgents } from '../src/agent/cli/index.ts';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { fakeProgram } from './cli-agents/fake.ts';
import { asShown, commandWords, samplesOf } from './console-samples.ts';

const page = readFileSync(new URL('../docs/workflow-agents.md', import.meta.url), 'utf8');
const agents = [...cliAgents.values()];

/** The cells of the rows below a header. */
function rows(...header: readonly string[]): string[][] {
  const from = page.indexOf(`| ${header.join(' | ')} |\n`);
  expect(from, header.join()).not.toBe(-1);
  const [table = ''] = page.slice(from).split('\n\n', 1);
  const lines = table.split('\n').slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const codes = (text = '') => [...text.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code);

describe('docs/workflow-agents.md', () => {
  it('has the command lines', () => {
    const own: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      'claude-code': { permissionMode: 'acceptEdits' },
      codex: { fullAuto: true, skipGitRepoCheck: true },
      gemini: { sandbox: true, approvalMode: 'auto_edit', skipTrust: true },
    };
    const output = { type: 'object', properties: {}, required: [], additionalProperties: false } as const;
    const lines = agents.map(({ type, program, command }) => {
      const { argv } = command({
        prompt: 'P',
        instructions: 'I',
        model: 'M',
        tools: ['Read', 'Bash(git *)'],
        output: output as never,
        session: 'ID',
        isLater: true,
        folder: 'DIR/',
        fields: own[type] ?? {},
      });
      return [program, ...argv].join(' ').replace(JSON.stringify(output), 'SCHEMA');
    });
    const block = readBlocks(page).find(({ words }) => words[0] === 'text')?.text ?? '';
    expect(block.trim().split('\n')).toEqual(lines);
  });

  it('has how they are installed', () => {
    const listed = rows('Type', 'Install', '`instructions`', '`tools`', 'Schema of the answer');
    expect(listed.map(([type, install]) => [codes(type)[0], codes(install)[0]])).toEqual(
      agents.map(({ type, install }) => [type, install]),
    );
  });

  it('has what they tell', () => {
    const told = (is: boolean) => (is ? 'told' : 'unknown');
    expect(rows('Type', 'Conversation', 'Tokens', 'Cost')).toEqual(
      agents.map(({ type, sessions, tells }) => [
        `\`${type}\``,
        sessions === 'none' ? 'unknown' : sessions,
        told(tells.tokens),
        told(tells.cost),
      ]),
    );
  });

  it('has what they see', () => {
    const listed = rows('Type', 'Variables').map(([type, names = '']) => [codes(type)[0], codes(names.split(';')[0])]);
    expect(listed).toEqual(agents.map(({ type, env }) => [type, env]));
  });

  it('names those that ask nobody', () => {
    const names = agents.filter(({ asksNobody }) => asksNobody).map(({ type }) => `\`${type}\``);
    expect(page).toContain(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} ask nobody`);
  });

  describe('its samples', () => {
    let s: Scratch;
    let id = '';
    let env: Record<string, string>;
    beforeAll(() => {
      s = scratch();
      const sample = readBlocks(page).find(({ words }) => words[0] === 'toon')?.text ?? '';
      const example = readFileSync(new URL('../examples/workflows/second-opinion.toon', import.meta.url), 'utf8');
      expect(example.replace(/^#.*\n/, '')).toBe(sample);
      s.write('second-opinion.toon', sample);
      const change = JSON.stringify({ summary: 'Sorted.', files: ['list.ts'] });
      const programs = [
        fakeProgram('claude-code', s.at('fake/claude'), { text: change }),
        fakeProgram('codex', s.at('fake/codex'), { text: '{"value":["The tests are old."]}' }),
      ];
      env = { USER: 'ana', PATH: [...programs.map(({ bin }) => bin), process.env.PATH].join(':') };
    });
    afterAll(() => s.remove());

    it.each(samplesOf(page))('%s', async (command, shown) => {
      const [, ...words] = commandWords(command.replaceAll('7f3a', id === '' ? '7f3a' : id));
      const ran = await s.cli(words, { env });
      id ||= / · run (\w+)/.exec(ran.err)?.[1] ?? '';
      const told = asShown(ran.err + ran.out, id, shown);
      expect(told.printed).toBe(told.shown);
    });
  });
});
