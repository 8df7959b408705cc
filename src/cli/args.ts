/** Reads a command line by the table: strictly, with an answer for each way to get it wrong. */
import { closest, didYouMean, printable } from '../text/index.ts';
import type { Args, Command, Flag, Positional } from './command.ts';
import { globalFlags } from './table.ts';

export type Parsed = { readonly ok: true; readonly args: Args } | { readonly ok: false; readonly problem: Problem };

export interface Problem {
  readonly message: string;
  readonly help?: string;
}

/** The command line cut at the command's name: global flags may stand before it. */
export interface Split {
  readonly before: readonly string[];
  readonly name: string | undefined;
  readonly after: readonly string[];
}

export function splitCommand(argv: readonly string[]): Split {
  const at = argv.findIndex((word) => !word.startsWith('-') || word === '-' || word === '--');
  if (at === -1) return { before: argv, name: undefined, after: [] };
  if (argv[at] === '--') return { before: argv.slice(0, at), name: argv[at + 1], after: argv.slice(at + 2) };
  return { before: argv.slice(0, at), name: argv[at], after: argv.slice(at + 1) };
}

/** Whether help or the version is asked for, wherever it stands before `--`; then nothing else matters. */
export function asksFor(argv: readonly string[], name: 'help' | 'version'): boolean {
  const letter = globalFlags.find((flag) => flag.name === name)?.alias;
  for (const word of argv) {
    if (word === '--') return false;
    if (word === `--${name}` || word === `-${letter}`) return true;
  }
  return false;
}

export function parseFlags(argv: readonly string[], flags: readonly Flag[], ofCommand?: Command): Parsed {
  const state: State = { flags, command: ofCommand, positionals: [], switches: {}, texts: {}, counts: {}, lists: {} };
  for (let at = 0; at < argv.length; ) {
    const word = argv[at] ?? '';
    if (word === '--') {
      for (const rest of argv.slice(at + 1)) state.positionals.push(rest);
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      state.positionals.push(word);
      at++;
      continue;
    }
    const step = word.startsWith('--') ? longFlag(state, argv, at) : shortFlags(state, argv, at);
    if (typeof step !== 'number') return { ok: false, problem: step };
    at += step;
  }
  const { positionals, switches, texts, counts, lists } = state;
  return { ok: true, args: { positionals, switches, texts, counts, lists } };
}

/** The command's own flags, the global ones, and its positionals. */
export function parseCommand(command: Command, argv: readonly string[]): Parsed {
  const parsed = parseFlags(argv, [...command.flags, ...globalFlags], command);
  if (!parsed.ok) return parsed;
  const problem = checkPositionals(command, parsed.args.positionals);
  return problem === undefined ? parsed : { ok: false, problem };
}

interface State {
  readonly flags: readonly Flag[];
  readonly command: Command | undefined;
  readonly positionals: string[];
  readonly switches: Record<string, boolean>;
  readonly texts: Record<string, string>;
  readonly counts: Record<string, number>;
  readonly lists: Record<string, string[]>;
}

/** How many words were taken, or what is wrong with them. */
type Step = number | Problem;

function longFlag(state: State, argv: readonly string[], at: number): Step {
  const word = argv[at] ?? '';
  const equals = word.indexOf('=');
  const written = equals === -1 ? word : word.slice(0, equals);
  const inline = equals === -1 ? undefined : word.slice(equals + 1);
  const name = written.slice(2);
  const flag = state.flags.find((f) => f.name === name);
  if (flag !== undefined) {
    if (flag.bare && inline === undefined) return turn(state, flag, true);
    if (flag.type !== 'switch') return valueFlag(state, flag, written, inline, argv[at + 1]);
    return inline === undefined ? turn(state, flag, true) : noValue(written);
  }
  const negated = state.flags.find((f) => f.type === 'switch' && `no-${f.name}` === name && canBeOff(f));
  if (negated !== undefined) return inline === undefined ? turn(state, negated, false) : noValue(written);
  return unknownFlag(state, written);
}

/** `-q`, `-qj`, and for a flag with a value `-nVALUE` or `-n VALUE`. */
function shortFlags(state: State, argv: readonly string[], at: number): Step {
  const letters = (argv[at] ?? '').slice(1);
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? '';
    const flag = state.flags.find((f) => f.alias === letter);
    if (flag === undefined) return unknownFlag(state, `-${[...letters.slice(i)][0] ?? letter}`, argv[at]);
    if (flag.type === 'switch') {
      turn(state, flag, true);
      continue;
    }
    const rest = letters.slice(i + 1).replace(/^=/, '');
    return valueFlag(state, flag, `-${letter}`, rest === '' ? undefined : rest, argv[at + 1]);
  }
  return 1;
}

function valueFlag(
  state: State,
  flag: Flag,
  written: string,
  inline: string | undefined,
  next: string | undefined,
): Step {
  const placeholder = flag.value ?? 'VALUE';
  if (inline === undefined && (next === undefined || (next.startsWith('-') && next !== '-'))) {
    return { message: `${written} needs a value`, help: `write --${flag.name}=${placeholder}` };
  }
  const value = inline ?? next ?? '';
  if (flag.name in state.texts || flag.name in state.counts) {
    return { message: `--${flag.name} is given twice`, help: 'write it once' };
  }
  if (value === '') return { message: `${written} has an empty value`, help: `write --${flag.name}=${placeholder}` };
  if (flag.many) {
    state.lists[flag.name] ??= [];
    state.lists[flag.name]?.push(value);
  } else if (flag.type === 'count') {
    if (!/^\d{1,9}$/.test(value)) {
      return {
        message: `${written} must be a whole number of 0 or more, not "${printable(value)}"`,
        help: `write --${flag.name}=10`,
      };
    }
    state.counts[flag.name] = Number(value);
  } else {
    state.texts[flag.name] = value;
  }
  return inline === undefined ? 2 : 1;
}

function turn(state: State, flag: Flag, on: boolean): Step {
  state.switches[flag.name] = on;
  return 1;
}

/** `--no-help` would mean nothing. */
function canBeOff(flag: Flag): boolean {
  return flag.name !== 'help' && flag.name !== 'version';
}

function noValue(written: string): Problem {
  return { message: `${printable(written)} takes no value`, help: `write ${printable(written)} alone` };
}

function unknownFlag(state: State, written: string, whole = written): Problem {
  const names = state.flags.map((flag) => `--${flag.name}`);
  const negations = state.flags
    .filter((flag) => flag.type === 'switch' && canBeOff(flag))
    .map((flag) => `--no-${flag.name}`);
  const near = written.startsWith('--')
    ? closest(written, [...names, ...negations])
    : nearLetter(state, written, whole);
  const where = state.command === undefined ? '' : ` for ${state.command.name}`;
  const what = state.command?.positionals.at(-1)?.name === 'WORD' ? 'a word that' : 'a file whose name';
  return {
    message: `unknown flag "${printable(written)}"${where}.${didYouMean(near)}`,
    help: `${what} starts with "-" goes after "--"; all flags: ${helpCommand(state.command)}`,
  };
}

/** `-json` for `--json`, `-Q` for `-q`. */
function nearLetter(state: State, written: string, whole: string): string | undefined {
  const long = state.flags.find((flag) => `-${flag.name}` === whole.split('=')[0]);
  if (long !== undefined) return `--${long.name}`;
  const letter = state.flags.find((flag) => flag.alias?.toLowerCase() === written.slice(1).toLowerCase());
  return letter?.alias === undefined ? undefined : `-${letter.alias}`;
}

function checkPositionals(command: Command, given: readonly string[]): Problem | undefined {
  const wanted = command.positionals;
  const missing = wanted.find((positional, i) => positional.optional !== true && i >= given.length);
  if (missing !== undefined) {
    return { message: `${command.name} needs ${missing.name}: ${lowerFirst(missing.doc)}`, help: helpCommand(command) };
  }
  const empty = given.indexOf('');
  if (empty !== -1) return { message: `argument ${empty + 1} of ${command.name} is empty`, help: helpCommand(command) };
  if (wanted.at(-1)?.many !== true && given.length > wanted.length) {
    const first = printable(given[wanted.length] ?? '');
    const most = wanted.length === 1 ? 'one argument' : `${wanted.length} arguments`;
    return { message: `${command.name} takes at most ${most}; "${first}" is one too many`, help: helpCommand(command) };
  }
  for (const [i, word] of given.entries()) {
    const problem = checkChoice(wanted[Math.min(i, wanted.length - 1)], word);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkChoice(positional: Positional | undefined, word: string): Problem | undefined {
  const choices = positional?.choices;
  if (choices === undefined || choices.includes(word)) return undefined;
  return {
    message: `unknown ${positional?.name ?? 'argument'} "${printable(word)}".${didYouMean(closest(word, choices))}`,
    help: `write one of ${choices.join(', ')}`,
  };
}

function helpCommand(command: Command | undefined): string {
  return command === undefined ? 'toolang --help' : `toolang ${command.name} --help`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
