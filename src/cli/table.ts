/**
 * Every command, once. Parsing, help, completion and `docs/cli.md` are made from this table. Its parts are read one by one: a start
 * needs the rows of one word.
 */
import { agentCommands } from './agents/table.ts';
import { callCommands, callFamilies } from './calls-table.ts';
import { capCommands, capFamilies } from './caps/table.ts';
import type { Command, Family, Flag } from './command.ts';
import { cacheCommands, otherCommands, writeCommands } from './main-table.ts';
import { memoryCommands, memoryFamilies } from './memory/table.ts';
import { modelCommands } from './models/table.ts';
import { startCommands } from './runs/start-table.ts';
import { runCommands } from './runs/table.ts';
import { serviceCommands } from './services/table.ts';
import { testCommands } from './test/table.ts';

export const groups: Readonly<Record<string, string>> = {
  write: 'Write',
  run: 'Run',
  agents: 'Agents',
  caps: 'Caps',
  models: 'Models and tools',
  serve: 'Serve',
  help: 'Help',
};

/** Flags that stand before or after every command. */
export const globalFlags: readonly Flag[] = [
  { name: 'help', alias: 'h', type: 'switch', doc: 'Show help' },
  { name: 'version', alias: 'V', type: 'switch', doc: 'Print the version' },
  { name: 'color', type: 'switch', both: true, doc: 'Colour the output, or not; by default when it is a terminal' },
];

interface Part {
  /** The first words of its rows; a test holds them to those. */
  readonly words: readonly string[];
  readonly rows: () => readonly Command[];
  /** Those of its words that are no command by themselves. */
  readonly families?: () => readonly Family[];
}

/** In the order in which they are listed. */
export const parts: readonly Part[] = [
  { words: ['new', 'check', 'fmt', 'explain', 'parse', 'graph'], rows: () => writeCommands },
  { words: ['run', 'invoke', 'chat'], rows: () => startCommands },
  {
    words: [
      ...['resume', 'retry', 'fork', 'approve', 'deny', 'answer', 'steer', 'cancel'],
      ...['runs', 'show', 'why', 'logs', 'watch'],
    ],
    rows: () => runCommands,
  },
  { words: ['cache'], rows: () => cacheCommands },
  { words: ['calls'], rows: () => callCommands, families: () => callFamilies },
  { words: ['models'], rows: () => modelCommands },
  { words: ['list', 'info', 'clone', 'remove'], rows: () => agentCommands },
  { words: ['memory'], rows: () => memoryCommands, families: () => memoryFamilies },
  {
    words: ['sync', 'caps', 'psyche', 'skill', 'service', 'prompt'],
    rows: () => capCommands,
    families: () => capFamilies,
  },
  { words: ['service'], rows: () => serviceCommands },
  { words: ['test'], rows: () => testCommands },
  { words: ['doctor', 'tools', 'completion', 'help'], rows: () => otherCommands },
];

export function allCommands(): readonly Command[] {
  return parts.flatMap(({ rows }) => rows());
}

/** Commands of two words; `toolang --help` shows each family in one line. */
export function allFamilies(): readonly Family[] {
  return parts.flatMap(({ families }) => families?.() ?? []);
}

/** What may stand first on a command line. */
export function firstWords(): string[] {
  return [...new Set(parts.flatMap(({ words }) => words))];
}

export function commandNamed(name: string): Command | undefined {
  return rowsOf(name).find((command) => command.name === name);
}

export function familyNamed(name: string): Family | undefined {
  const families = partsOf(name).flatMap((part) => part.families?.() ?? []);
  return families.find((family) => family.name === name);
}

/** The commands of a family, or those that go with a command, by their second words. */
export function membersOf(family: string): ReadonlyMap<string, Command> {
  const prefix = `${family} `;
  const members = rowsOf(family).filter((command) => command.name.startsWith(prefix));
  return new Map(members.map((command) => [command.name.slice(prefix.length), command]));
}

/** Those with the first word of a name. */
function partsOf(name: string): readonly Part[] {
  const [word = ''] = name.split(' ', 1);
  return parts.filter(({ words }) => words.includes(word));
}

function rowsOf(name: string): readonly Command[] {
  return partsOf(name).flatMap(({ rows }) => rows());
}
