/** The frame around the commands: help, version, mistakes, errors. */
import { describe, expect, it } from 'vitest';
import { version } from '../api/index.ts';
import { ToolangError } from '../text/index.ts';
import { UsageError } from './command.ts';
import { describeCommands } from './describe.ts';
import { memoryContext } from './memory-context.ts';
import { reportError, runCli } from './run.ts';
import { allCommands, firstWords, globalFlags, groups, parts } from './table.ts';

async function cli(...argv: string[]) {
  const context = memoryContext();
  const code = await runCli(argv, context);
  return { code, out: context.out(), err: context.err() };
}

describe('help', () => {
  it('is shown for --help, -h, help and no words at all, grouped, with examples', async () => {
    const help = await cli('--help');
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const word of firstWords()) expect(help.out).toContain(`\n  ${word} `);
    expect(help.out).toMatch(/\nWrite\n(.*\n)*\nServe\n(.*\n)*\nHelp\n(.*\n)*\nFlags\n(.*\n)*\nExamples\n/);
    for (const argv of [['-h'], ['help'], []]) expect((await cli(...argv)).out).toBe(help.out);
  });

  it('is the same for CMD --help, --help CMD and help CMD, whatever else is wrong', async () => {
    for (const command of allCommands()) {
      const words = command.name.split(' ');
      const help = await cli('help', ...words);
      expect(help).toMatchObject({ code: 0, err: '' });
      expect(help.out).toContain(`toolang ${command.name}`);
      for (const flag of [...command.flags, ...globalFlags]) expect(help.out).toContain(`--${flag.name}`);
      for (const example of command.examples) expect(help.out).toContain(example.run);
      expect(await cli(...words, '--help')).toEqual(help);
      expect(await cli('--help', ...words)).toEqual(help);
      expect(await cli(...words, '--nonsense', '-h')).toEqual(help);
    }
  });

  it('fits in 80 columns and ends with one line end', async () => {
    for (const argv of [['--help'], ...allCommands().map((c) => ['help', ...c.name.split(' ')]), ['calls', '--help']]) {
      const { out } = await cli(...argv);
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(out).toMatch(/[^\n]\n$/);
    }
  });

  it('is coloured by --color only', async () => {
    expect((await cli('--color', '--help')).out).toContain('\x1b[1m');
    expect((await cli('check', '--help')).out).not.toContain('\x1b');
    expect((await cli('--no-color', '--help')).out).not.toContain('\x1b');
  });
});

it('prints the version and nothing else', async () => {
  for (const argv of [['--version'], ['-V'], ['check', '--version']]) {
    expect(await cli(...argv)).toEqual({ code: 0, out: `${version}\n`, err: '' });
  }
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

describe('mistakes', () => {
  it('end with 2, on standard error, with what to write instead', async () => {
    expect(await cli('chekc')).toEqual({
      code: 2,
      out: '',
      err: 'toolang: unknown command "chekc". Did you mean "check"?\n  all commands: toolang --help\n',
    });
    expect((await cli('help', 'chekc')).err).toContain('Did you mean "check"?');
    expect((await cli('help', 'chekc')).code).toBe(2);
    expect((await cli('my flow.toon', 'x')).err).toContain("to run the workflow: toolang run 'my flow.toon'");
    expect((await cli('flow.script.toon')).err).toContain('to check the file: toolang check flow.script.toon');
    expect((await cli('--jsn')).err).toContain('unknown flag "--jsn".');
    expect((await cli('--json', 'check')).err).toContain('--json stands before the command');
    expect((await cli('completion')).err).toContain('completion needs SHELL');
    expect((await cli('completion', 'fihs')).err).toContain('Did you mean "fish"?');
  });

  it('never echo control characters', async () => {
    const { err } = await cli('\x1b[2J\nfake');
    expect(err.split('\n')).toHaveLength(3);
    expect(err).not.toContain('\x1b');
  });
});

describe('errors', () => {
  const report = (error: unknown, env = {}) => {
    const context = memoryContext({ env });
    return { code: reportError(error, context), err: context.err() };
  };

  it('that are bugs of ours fill one line, and the stack comes with TOOLANG_DEBUG', () => {
    const error = new TypeError('x is not\n a function');
    expect(report(error)).toEqual({
      code: 1,
      err: 'toolang: a bug of ours: x is not␊ a function (TOO9001); TOOLANG_DEBUG=1 shows where\n',
    });
    expect(report(error, { TOOLANG_DEBUG: '1' }).err).toContain('run.test.ts');
    expect(report('thrown text').err).toContain('a bug of ours: thrown text (TOO9001)');
    expect(report(undefined).err).toContain('a bug of ours: undefined (TOO9001)');
  });

  it('that have a code, a system call or a usage are told as what they are', () => {
    expect(report(new ToolangError('TOO1101', 'wrong')).err).toBe('toolang: wrong (TOO1101)\n');
    const system = Object.assign(new Error("EACCES: permission denied, open 'x'"), { errno: -13, syscall: 'open' });
    expect(report(system)).toEqual({ code: 1, err: "toolang: EACCES: permission denied, open 'x'\n" });
    expect(report(new UsageError('no', 'write yes'))).toEqual({ code: 2, err: 'toolang: no\n  write yes\n' });
  });
});

describe('the table', () => {
  it('has the first words of its parts, in their order', () => {
    for (const { words, rows, families } of parts) {
      expect(words).toEqual([...new Set(rows().map(({ name }) => name.split(' ')[0]))]);
      for (const { name } of families?.() ?? []) expect(words).toContain(name);
    }
  });

  it('has no two commands, flags or letters of one name', () => {
    expect(new Set(allCommands().map((c) => c.name)).size).toBe(allCommands().length);
    for (const command of allCommands()) {
      const flags = [...command.flags, ...globalFlags];
      expect(new Set(flags.map((f) => f.name)).size).toBe(flags.length);
      const letters = flags.flatMap((f) => (f.alias === undefined ? [] : [f.alias]));
      expect(new Set(letters).size).toBe(letters.length);
      for (const flag of flags) expect(flag.name).toMatch(/^(?!no-)[a-z][a-z-]*$/);
    }
  });

  it('puts each command in a group, with a module that runs, an example, and only its last argument open', async () => {
    for (const command of allCommands()) {
      expect(Object.keys(groups)).toContain(command.group);
      expect(typeof (await command.load()).run).toBe('function');
      expect(command.examples.length).toBeGreaterThan(0);
      expect(command.positionals.slice(0, -1).filter((p) => p.many)).toEqual([]);
    }
  });

  it('is described whole in Markdown', () => {
    const text = describeCommands();
    for (const command of allCommands()) expect(text).toContain(`### \`toolang ${command.name}\``);
    expect(text).toContain('| 130 | interrupted (Ctrl-C) |');
    expect(text).toContain('| `-q, --quiet` | Report errors only |');
  });
});
