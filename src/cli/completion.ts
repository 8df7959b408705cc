/** Completion scripts for shells, made from the table. They are plain text: nothing is run while a person types. */
import type { Command, Flag } from './command.ts';
import { commands, globalFlags } from './table.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

export function completionScript(shell: Shell): string {
  const make = { bash, zsh, fish }[shell];
  return make();
}

function bash(): string {
  const cases = commands.map(
    (command) =>
      `    ${command.name}) words=${quote(wordsOf(command).join(' '))}; flags=${quote(longFlags(allFlags(command)).join(' '))} ;;`,
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
    '      *) if [ -z "$command" ]; then command="${COMP_WORDS[i]}"; fi ;;',
    '    esac',
    '  done',
    ...(valued.length > 0 ? [`  case "$prev" in ${valued.join(' | ')}) return ;; esac`] : []),
    '  case "$command" in',
    `    "") words=${quote(names().join(' '))}; flags=${quote(longFlags(globalFlags).join(' '))} ;;`,
    ...cases,
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
  const cases = commands.flatMap((command) => [
    `        ${command.name})`,
    '          _arguments \\',
    ...zshSpecs(command).map((spec, i, all) => `            ${spec}${i < all.length - 1 ? ' \\' : ''}`),
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
    ...commands.map((command) => `    ${quote(`${command.name}:${zshText(command.summary)}`)}`),
    '  )',
    '  _arguments -C \\',
    ...globalFlags.flatMap(zshFlag).map((spec) => `    ${spec} \\`),
    "    '1:command:->command' \\",
    "    '*::argument:->argument'",
    '  case $state in',
    '    command)',
    "      _describe -t commands 'command' names",
    '      ;;',
    '    argument)',
    '      case $words[1] in',
    ...cases,
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
  const of = (command: Command) => `-n ${quoteFish(`__fish_seen_subcommand_from ${command.name}`)}`;
  const body = [
    'complete -c $program -f',
    ...globalFlags.flatMap((flag) => fishFlag(flag, '')),
    ...commands.flatMap((command) => [
      `complete -c $program -n __fish_use_subcommand -a ${command.name} -d ${quoteFish(command.summary)}`,
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

function zshSpecs(command: Command): string[] {
  const specs = allFlags(command).flatMap(zshFlag);
  command.positionals.forEach((positional, i) => {
    const place = positional.many === true ? '*' : String(i + 1);
    const choices = wordsOf(command);
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

function names(): string[] {
  return commands.map((command) => command.name);
}

/** The words that may stand in the command's first place, where they are known. */
function wordsOf(command: Command): readonly string[] {
  const first = command.positionals[0];
  return first?.choices ?? (first?.complete === 'command' ? names() : []);
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
  return flag.type !== 'switch';
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
