/** Reading a command line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Parsed, parseCommand, splitCommand } from './args.ts';
import type { Command } from './command.ts';

const command: Command = {
  name: 'cook',
  group: 'write',
  summary: 'Cook',
  positionals: [
    { name: 'DISH', doc: 'What to cook' },
    { name: 'HEAT', doc: 'How hot', optional: true, choices: ['low', 'high'] },
  ],
  flags: [
    { name: 'json', alias: 'j', type: 'switch', doc: 'as JSON' },
    { name: 'quiet', alias: 'q', type: 'switch', doc: 'quiet' },
    { name: 'pan', alias: 'p', type: 'text', value: 'PAN', doc: 'which pan' },
    { name: 'minutes', type: 'count', value: 'N', doc: 'how long' },
  ],
  examples: [],
  load: async () => ({ run: () => 0 }),
};

const read = (...argv: string[]) => parseCommand(command, argv);
const good = (...argv: string[]) => {
  const parsed = read(...argv);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.args;
};
const bad = (...argv: string[]) => problemOf(read(...argv));
const problemOf = (parsed: Parsed) => (parsed.ok ? 'no problem' : parsed.problem.message);

describe('a good command line', () => {
  it('takes flags anywhere, with "=" or as the next word', () => {
    const args = good('--pan=iron', 'soup', '--minutes', '10', 'low', '-q');
    expect(args).toEqual({
      positionals: ['soup', 'low'],
      switches: { quiet: true },
      texts: { pan: 'iron' },
      counts: { minutes: 10 },
      lists: {},
    });
  });

  it('takes letters together, the last with a value', () => {
    expect(good('soup', '-jq').switches).toEqual({ json: true, quiet: true });
    expect(good('soup', '-jpiron').texts).toEqual({ pan: 'iron' });
    expect(good('soup', '-p', 'iron').texts).toEqual({ pan: 'iron' });
    expect(good('soup', '-p=iron').texts).toEqual({ pan: 'iron' });
  });

  it('turns switches off with --no-, and the last word counts', () => {
    expect(good('soup', '--json', '--no-json').switches).toEqual({ json: false });
    expect(good('soup', '--no-color').switches).toEqual({ color: false });
  });

  it('reads "-" as a word, and everything after "--" too', () => {
    expect(good('-').positionals).toEqual(['-']);
    expect(good('--', '--json').positionals).toEqual(['--json']);
    expect(good('--pan', '-', 'soup').texts).toEqual({ pan: '-' });
    expect(good('--pan=-x=y', 'soup').texts).toEqual({ pan: '-x=y' });
  });
});

describe('a wrong command line', () => {
  it('names the closest flag', () => {
    expect(bad('soup', '--jsno')).toBe('unknown flag "--jsno" for cook. Did you mean "--json"?');
    expect(bad('soup', '--no-jsn')).toContain('Did you mean "--no-json"?');
    expect(bad('soup', '-json')).toContain('Did you mean "--json"?');
    expect(bad('soup', '-Q')).toContain('Did you mean "-q"?');
    expect(bad('soup', '-x')).toBe('unknown flag "-x" for cook.');
    expect(bad('soup', '-💥')).toBe('unknown flag "-💥" for cook.');
  });

  it('says which argument is missing, empty, unknown or too many', () => {
    expect(bad()).toBe('cook needs DISH: what to cook');
    expect(bad('')).toBe('argument 1 of cook is empty');
    expect(bad('soup', 'hihg')).toBe('unknown HEAT "hihg". Did you mean "high"?');
    expect(bad('soup', 'low', 'x')).toBe('cook takes at most 2 arguments; "x" is one too many');
  });

  it('says what is wrong with a value', () => {
    expect(bad('soup', '--pan')).toBe('--pan needs a value');
    expect(bad('soup', '--pan', '--json')).toBe('--pan needs a value');
    expect(bad('soup', '--pan=')).toBe('--pan has an empty value');
    expect(bad('soup', '--pan=a', '--pan=b')).toBe('--pan is given twice');
    expect(bad('soup', '--minutes', 'ten')).toBe('--minutes must be a whole number of 0 or more, not "ten"');
    expect(bad('soup', '--minutes=-1')).toContain('not "-1"');
    expect(bad('soup', '--json=yes')).toBe('--json takes no value');
    expect(bad('soup', '--no-pan')).toContain('unknown flag "--no-pan"');
    expect(bad('soup', '--no-help')).toContain('unknown flag "--no-help"');
  });

  it('has an answer for any words', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('-', '--', '-jq', '--pan', '--minutes=3', '--no-', '-=', '--=x'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
        const parsed = read(...argv);
        if (!parsed.ok) expect(parsed.problem.message).not.toMatch(/[\x00-\x1f]/);
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 50_000 : 100 },
    );
  });
});

it('finds the command behind global flags', () => {
  expect(splitCommand(['--no-color', 'check', '-q'])).toEqual({ before: ['--no-color'], name: 'check', after: ['-q'] });
  expect(splitCommand(['--help'])).toEqual({ before: ['--help'], name: undefined, after: [] });
  expect(splitCommand(['--', 'check'])).toEqual({ before: [], name: 'check', after: [] });
});
