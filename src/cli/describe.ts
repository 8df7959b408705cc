/** The Markdown of `docs/cli.md`, made from the table. */
import type { Command, Flag } from './command.ts';
import { exit } from './exit.ts';
import { flagForm, usageLines } from './help.ts';
import { allCommands, globalFlags, groups } from './table.ts';

export function describeCommands(): string {
  const parts = [
    '# Command line',
    'One program, `toolang`, and `too` for short. Results go to standard output, progress and errors to standard error.',
    '## Flags of every command',
    flagTable(globalFlags),
    'A switch `--name` is turned off by `--no-name`. Values are written `--name VALUE` or `--name=VALUE`. What follows `--` is never a flag, and `-` is standard input.',
    'What `--json` prints is one object, never coloured, and the only thing on standard output. It has a `version`; within a version fields are only added. `spec/json/` in the repository has a JSON Schema of each.',
    '## Exit codes',
    exitTable(),
    '## Environment',
    '`NO_COLOR` turns colours off, `FORCE_COLOR` turns them on; `TERM=dumb` has none. `TOOLANG_DEBUG=1` adds the stack to an error that is a bug of ours.',
  ];
  for (const [group, title] of Object.entries(groups)) {
    const members = allCommands().filter((command) => command.group === group);
    if (members.length > 0) parts.push(`## ${title}`, ...members.flatMap(describe));
  }
  return `${parts.join('\n\n')}\n`;
}

function describe(command: Command): string[] {
  const parts = [`### \`toolang ${command.name}\``, `${command.summary}.`];
  parts.push(fence(usageLines(command)));
  if (command.about !== undefined) parts.push(command.about);
  if (command.positionals.length > 0) {
    parts.push(
      table(
        ['argument', 'what'],
        command.positionals.map((p) => [code(p.name), p.doc]),
      ),
    );
  }
  if (command.flags.length > 0) parts.push(flagTable(command.flags));
  parts.push(fence(command.examples.flatMap(({ run, doc }) => [`# ${doc}`, run])));
  return parts;
}

function flagTable(flags: readonly Flag[]): string {
  return table(
    ['flag', 'what'],
    flags.map((flag) => [code(flagForm(flag)), flag.doc]),
  );
}

function exitTable(): string {
  const meanings: Readonly<Record<keyof typeof exit, string>> = {
    done: 'done',
    failed: 'failed',
    usage: 'wrong usage, or errors found by a check',
    waiting: 'a run waits for a person',
    limit: 'a limit was reached',
    hungUp: 'its terminal was closed',
    interrupted: 'interrupted (Ctrl-C)',
    terminated: 'terminated',
  };
  const rows = Object.entries(meanings).map(([name, what]) => [String(exit[name as keyof typeof exit]), what]);
  return table(['exit', 'meaning'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function fence(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}
