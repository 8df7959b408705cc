/** Help texts, made from the table. */
import { painter } from '../text/index.ts';
import type { Command, Family, Flag } from './command.ts';
import { columnOf, columns, examples, heading, row, wrap } from './help-layout.ts';
import { allCommands, allFamilies, globalFlags, groups, membersOf } from './table.ts';

/** `toolang --help`: the commands by group, the global flags, how to start. */
export function mainHelp(color: boolean): string {
  const paint = painter(color);
  const listed = [...allCommands().filter(({ name }) => !name.includes(' ')), ...allFamilies()];
  const width = columnOf([...listed.map(({ name }) => name), ...globalFlags.map(flagForm)]);
  const lines = [`${paint.bold('toolang')}: agents as small files, and work that is not lost.`, ''];
  lines.push(heading('Usage', paint), '  toolang COMMAND [ARGUMENTS] [FLAGS]', '');
  for (const [group, title] of Object.entries(groups)) {
    const members = listed.filter((command) => command.group === group);
    if (members.length === 0) continue;
    lines.push(heading(title, paint));
    for (const { name, summary } of members) lines.push(row(name, summary, width, paint));
    lines.push('');
  }
  lines.push(heading('Flags', paint));
  for (const flag of globalFlags) lines.push(row(flagForm(flag), flag.doc, width, paint));
  lines.push('', heading('Examples', paint));
  lines.push(
    ...examples(
      [
        { run: 'toolang new hello', doc: 'make a folder with an agent in it' },
        { run: 'toolang check hello', doc: 'find what is wrong with it' },
        { run: 'toolang help check', doc: 'more about a command' },
      ],
      paint,
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** `toolang FAMILY --help`: the commands that share their first word. */
export function familyHelp(family: Family, color: boolean): string {
  const paint = painter(color);
  const members = [...membersOf(family.name)];
  const width = columnOf([...members.map(([name]) => name), ...globalFlags.map(flagForm)]);
  const lines = [`${paint.bold(`toolang ${family.name}`)}: ${family.summary}.`, '', ...wrap(family.about, columns), ''];
  lines.push(heading('Usage', paint), `  toolang ${family.name} COMMAND [ARGUMENTS] [FLAGS]`, '');
  lines.push(heading('Commands', paint));
  for (const [name, { summary }] of members) lines.push(row(name, summary, width, paint));
  lines.push('', heading('Flags', paint));
  for (const flag of globalFlags) lines.push(row(flagForm(flag), flag.doc, width, paint));
  lines.push('', heading('Examples', paint));
  lines.push(
    ...examples(
      members.flatMap(([, command]) => command.examples.slice(0, 1)),
      paint,
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** `toolang CMD --help`. */
export function commandHelp(command: Command, color: boolean): string {
  const paint = painter(color);
  const flags = [...command.flags, ...globalFlags];
  const width = columnOf([...command.positionals.map((p) => p.name), ...flags.map(flagForm)]);
  const lines = [`${paint.bold(`toolang ${command.name}`)}: ${command.summary}.`, ''];
  if (command.about !== undefined) lines.push(...wrap(command.about, columns), '');
  lines.push(heading('Usage', paint), ...usageLines(command).map((usage) => `  ${usage}`), '');
  if (command.positionals.length > 0) {
    lines.push(heading('Arguments', paint));
    for (const p of command.positionals) lines.push(row(p.name, p.doc, width, paint));
    lines.push('');
  }
  lines.push(heading('Flags', paint));
  for (const flag of flags) lines.push(row(flagForm(flag), flag.doc, width, paint));
  const more = [...membersOf(command.name).values()].flatMap((member) => member.examples.slice(0, 1));
  lines.push('', heading('Examples', paint), ...examples([...command.examples, ...more], paint));
  return `${lines.join('\n')}\n`;
}

export function usageLines(command: Command): string[] {
  const forms = command.usage ?? [command.positionals.map(positionalForm).join(' ')];
  const flags = command.flags.length > 0 ? ' [FLAGS]' : '';
  return forms.map((form) => `toolang ${command.name}${form === '' ? '' : ` ${form}`}${flags}`);
}

/** `-q, --quiet`, `--dir DIR` or `--color, --no-color`. */
export function flagForm(flag: Flag): string {
  const alias = flag.alias === undefined ? '' : `-${flag.alias}, `;
  if (flag.both === true) return `${alias}--${flag.name}, --no-${flag.name}`;
  const value = flag.value ?? 'VALUE';
  if (flag.bare) return `${alias}--${flag.name}[=${value}]`;
  return `${alias}--${flag.name}${flag.type === 'switch' ? '' : ` ${value}`}`;
}

function positionalForm(positional: Command['positionals'][number]): string {
  const name = `${positional.name}${positional.many === true ? '…' : ''}`;
  return positional.optional === true ? `[${name}]` : name;
}
