/** The commands about what agents remember, as rows of the table. */
import type { Command, Family, Flag } from '../command.ts';

const json: Flag = { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' };
const places: readonly Flag[] = [
  { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
  { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
];

export const memoryCommands: readonly Command[] = [
  {
    name: 'memory list',
    group: 'agents',
    summary: 'List what agents remember, the newest first',
    about:
      'Each with its number, its agent and how old it is; with --json also the run and the thunk that saved it. What is cut on a\nterminal is whole in a pipe.',
    positionals: [{ name: 'AGENT', optional: true, doc: 'Its name; all agents of the home if left out' }],
    flags: [json, ...places],
    examples: [
      { run: 'toolang memory list', doc: 'all that the agents of this home remember' },
      { run: 'toolang memory list reviewer --json', doc: 'of one agent, for a program' },
    ],
    load: () => import('./list.ts'),
  },
  {
    name: 'memory search',
    group: 'agents',
    summary: 'Find memories by their words, the best first',
    about: 'As agents find them: those that have any of the words, at most 20.',
    positionals: [{ name: 'TEXT', many: true, doc: 'What to look for' }],
    flags: [
      { name: 'agent', type: 'text', value: 'AGENT', doc: 'Only those of this agent: its name' },
      { name: 'limit', type: 'count', value: 'N', doc: 'At most N of them; 20 if left out' },
      json,
      ...places,
    ],
    examples: [
      { run: 'toolang memory search green tea', doc: 'what has one of the words' },
      { run: 'toolang memory search "deploy on Fridays?" --agent reviewer', doc: 'of one agent' },
    ],
    load: () => import('./search.ts'),
  },
  {
    name: 'memory forget',
    group: 'agents',
    summary: 'Forget one memory',
    about: 'It is gone from the file, too. Runs keep what they have read of it, and say in their logs what they saved.',
    positionals: [{ name: 'ID', doc: 'Its number; "toolang memory list" shows it' }],
    flags: places,
    examples: [{ run: 'toolang memory forget 12', doc: 'the memory with the number 12' }],
    load: () => import('./forget.ts'),
  },
];

export const memoryFamilies: readonly Family[] = [
  {
    name: 'memory',
    group: 'agents',
    summary: 'What agents remember',
    about:
      'Thunks whose recall includes "memory" save texts with the tool memory_save, and find them again in later runs. They are kept in memory.db of the home, each agent’s apart.',
  },
];
