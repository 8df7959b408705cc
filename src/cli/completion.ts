/** Completion scripts for shells, made from the table. They are plain text: nothing is run while a person types. */
import type { Command, Flag } from './command.ts';
import { allCommands, allFamilies, firstWords, globalFlags, membersOf } from './table.ts';

const commands = allCommands();
const families = allFamilies();

export type Shell = 'bash' | 'zsh' | 'fish';

export function completionScript(shell: Shell): string {
  const make = { bash, zsh, fish }[shell];
  return make();
}

function bash(): string {
  const cases = commands.map(
    (command) =>
      `    ${quote(command.name)}) words=${quote(wordsOf(command).join(' '))}; flags=${quote(longFlags(allFlags(command)).join(' '))} ;;`,
  );
  const ofFamilies = families.map(
    ({ name }) =>
      `    ${name}) words=${quote([...membersOf(name).keys()].join(' '))}; flags=${quote(longFlags(globalFlags).join(' '))} ;;`,
  );
  const valued = [
    ...new Set(commands.flatMap((command) => command.flags.filter(takesValue)).map((f) => `--${f.name}`)),
  ];
  return lines(
    '# Completion of toolang for bash.',
    '_toolang() {',
    '  local cur prev command words flags i',
    '  cur="${COMP_WORDS[COMP_CWORD]}"',
    '  prev="${COMP_WORDS[COMP_CWORD - 1]}"',
    '  COMPREPLY=()',
    '  command=""',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    case "${COMP_WORDS[i]}" in',
    '      --) return ;;',
    '      -?*) ;;',
    '      *)',
    '        case "$command" in',
    '          "") command="${COMP_WORDS[i]}" ;;',
    ...parents().map(({ name }) => {
      const words = [...membersOf(name).keys()].join(' | ');
      return `          ${name}) case "\${COMP_WORDS[i]}" in ${words}) command="$command \${COMP_WORDS[i]}" ;; esac ;;`;
    }),
    ...families.map(({ name }) => `          ${name}) command="$command \${COMP_WORDS[i]}" ;;`),
    `          help) case "\${COMP_WORDS[i]}" in ${families.map(({ name }) => name).join(' | ')}) command="\${COMP_WORDS[i]}" ;; esac ;;`,
    '        esac ;;',
    '    esac',
    '  done',
    ...(valued.length > 0 ? [`  case "$prev" in ${valued.join(' | ')}) return ;; esac`] : []),
    '  case "$command" in',
    `    "") words=${quote(firstWords().join(' '))}; flags=${quote(longFlags(globalFlags).join(' '))} ;;`,
    ...cases,
    ...ofFamilies,
    ...agentFiles().map((command) => `    *.too) words=''; flags=${quote(longFlags(allFlags(command)).join(' '))} ;;`),
    '    *) return ;;',
    '  esac',
    '  case "$cur" in',
    '    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;',
    '    *) if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi ;;',
    '  esac',
    '}',
    'complete -o bashdefault -o default -F _toolang toolang too',
  );
}

function zsh(): string {
  const cases = [
    ...commands.filter(isAlone).flatMap((command) => zshCases(command, '        ')),
    ...agentFiles().flatMap((command) => zshCase('*.too', command, '        ')),
  ];
  const ofFamilies = families.flatMap(({ name }) => [
    `        ${name})`,
    '          if (( CURRENT == 2 )); then',
    '            local -a members',
    '            members=(',
    ...[...membersOf(name)].map(([word, { summary }]) => `              ${quote(`${word}:${zshText(summary)}`)}`),
    '            )',
    "            _describe -t commands 'command' members",
    '          else',
    '            shift words; (( CURRENT-- ))',
    '            case $words[1] in',
    ...[...membersOf(name)].flatMap(([word, command]) => zshCase(word, command, '              ')),
    '            esac',
    '          fi',
    '          ;;',
  ]);
  return lines(
    '#compdef toolang too',
    '# Completion of toolang for zsh.',
    '_toolang() {',
    '  local curcontext="$curcontext" state line',
    '  typeset -A opt_args',
    '  local -a names',
    '  names=(',
    ...[...commands.filter(isAlone), ...families].map(
      ({ name, summary }) => `    ${quote(`${name}:${zshText(summary)}`)}`,
    ),
    '  )',
    '  _arguments -C \\',
    ...globalFlags.flatMap(zshFlag).map((spec) => `    ${spec} \\`),
    "    '1:command:->command' \\",
    "    '*::argument:->argument'",
    '  case $state in',
    '    command)',
    "      _describe -t commands 'command' names",
    "      _files -g '*.too'",
    '      ;;',
    '    argument)',
    '      case $words[1] in',
    ...cases,
    ...ofFamilies,
    '      esac',
    '      ;;',
    '  esac',
    '}',
    // Loaded from $fpath, the file is the function; read by `source`, it has to be registered.
    'if [ "$funcstack[1]" = "_toolang" ]; then',
    '  _toolang "$@"',
    'else',
    '  compdef _toolang toolang too',
    'fi',
  );
}

function fish(): string {
  const seen = (words: string) => words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  // A family may have a command of the same name.
  const others = ({ name }: Command) => [
    ...families.filter((family) => name === 'help' || membersOf(family.name).has(name)).map((family) => family.name),
    ...membersOf(name).keys(),
  ];
  const of = (command: Command) =>
    `-n ${quoteFish([...seen(command.name), ...others(command).map((name) => `not ${seen(name)}`)].join('; and '))}`;
  const body = [
    'complete -c $program -f',
    ...globalFlags.flatMap((flag) => fishFlag(flag, '')),
    ...[...commands.filter(isAlone), ...families].map(
      ({ name, summary }) => `complete -c $program -n __fish_use_subcommand -a ${name} -d ${quoteFish(summary)}`,
    ),
    ...families.flatMap(({ name }) => {
      const members = [...membersOf(name)];
      const condition = `${seen(name)}; and not __fish_seen_subcommand_from ${members.map(([word]) => word).join(' ')}`;
      return members.map(
        ([word, { summary }]) => `complete -c $program -n ${quoteFish(condition)} -a ${word} -d ${quoteFish(summary)}`,
      );
    }),
    ...commands.flatMap((command) => [
      ...command.flags.flatMap((flag) => fishFlag(flag, `${of(command)} `)),
      ...(wordsOf(command).length > 0
        ? [`complete -c $program ${of(command)} -a ${quoteFish(wordsOf(command).join(' '))}`]
        : []),
      ...(wantsFiles(command) ? [`complete -c $program ${of(command)} -F`] : []),
    ]),
  ];
  return lines(
    '# Completion of toolang for fish.',
    'for program in toolang too',
    ...body.map((line) => `  ${line}`),
    'end',
  );
}

/** With the commands that go with it. */
function zshCases(command: Command, margin: string): string[] {
  const [head = '', ...body] = zshCase(command.name, command, margin);
  const members = [...membersOf(command.name)];
  if (members.length === 0) return [head, ...body];
  return [
    head,
    `${margin}  case $words[2] in`,
    ...members.flatMap(([word, member]) => {
      const [first = '', ...rest] = zshCase(word, member, `${margin}    `);
      return [first, `${margin}      shift words; (( CURRENT-- ))`, ...rest];
    }),
    `${margin}    *)`,
    ...body.slice(0, -1).map((line) => `    ${line}`),
    `${margin}      ;;`,
    `${margin}  esac`,
    `${margin}  ;;`,
  ];
}

function zshCase(word: string, command: Command, margin: string): string[] {
  const specs = zshSpecs(command).map((spec, i, all) => `${margin}    ${spec}${i < all.length - 1 ? ' \\' : ''}`);
  return [`${margin}${word})`, `${margin}  _arguments \\`, ...specs, `${margin}  ;;`];
}

function zshSpecs(command: Command): string[] {
  const specs = allFlags(command).flatMap(zshFlag);
  command.positionals.forEach((positional, i) => {
    const place = positional.many === true ? '*' : String(i + 1);
    const choices = i === 0 ? wordsOf(command) : [];
    const action = choices.length > 0 ? `(${choices.join(' ')})` : positional.complete === 'file' ? '_files' : ' ';
    specs.push(quote(`${place}:${zshText(positional.name)}:${action}`));
  });
  return specs;
}

function zshFlag(flag: Flag): string[] {
  const value = takesValue(flag) ? `:${zshText(flag.value ?? 'VALUE')}:_files` : '';
  const long = `--${flag.name}${takesValue(flag) ? '=' : ''}`;
  const specs = [quote(`${long}[${zshText(flag.doc)}]${value}`)];
  if (flag.alias !== undefined) specs.push(quote(`-${flag.alias}[${zshText(flag.doc)}]${value}`));
  if (flag.both === true) specs.push(quote(`--no-${flag.name}[${zshText(flag.doc)}]`));
  return specs;
}

function fishFlag(flag: Flag, condition: string): string[] {
  const short = flag.alias === undefined ? '' : ` -s ${flag.alias}`;
  const value = takesValue(flag) ? ' -r -F' : '';
  const out = [`complete -c $program ${condition}-l ${flag.name}${short}${value} -d ${quoteFish(flag.doc)}`];
  if (flag.both === true) out.push(`complete -c $program ${condition}-l no-${flag.name} -d ${quoteFish(flag.doc)}`);
  return out;
}

/** Commands that others go with: `runs` and `runs prune`. */
function parents(): Command[] {
  return commands.filter(({ name }) => membersOf(name).size > 0);
}

/** What goes behind the file of an agent that stands first: all that goes behind the file of `invoke`. */
function agentFiles(): Command[] {
  return commands
    .filter(({ name }) => name === 'invoke')
    .map((command) => ({ ...command, positionals: command.positionals.slice(1) }));
}

function isAlone(command: Command): boolean {
  return !command.name.includes(' ');
}

/** The words that may stand in the command's first place, where they are known. */
function wordsOf(command: Command): readonly string[] {
  const first = command.positionals[0];
  return first?.choices ?? (first?.complete === 'command' ? firstWords() : []);
}

function wantsFiles(command: Command): boolean {
  return command.positionals.some((positional) => positional.complete === 'file');
}

function allFlags(command: Command): Flag[] {
  return [...command.flags, ...globalFlags];
}

function longFlags(flags: readonly Flag[]): string[] {
  return flags.flatMap((flag) => (flag.both === true ? [`--${flag.name}`, `--no-${flag.name}`] : [`--${flag.name}`]));
}

function takesValue(flag: Flag): boolean {
  return flag.type !== 'switch' && flag.bare !== true;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Colons and brackets have a meaning in zsh's own notation; in a description nothing is lost without them. */
function zshText(text: string): string {
  return text.replaceAll(':', ',').replaceAll('[', '(').replaceAll(']', ')');
}

function lines(...all: string[]): string {
  return `${all.join('\n')}\n`;
}
