/** Flags that several commands have, said once. */
import type { Flag } from './command.ts';

export const json: Flag = { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' };
/** Where a command looks for configuration and caps. */
export const places: readonly Flag[] = [
  { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
  { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from where the file lies' },
];
/** Where a command looks for runs. */
export const store: Flag = {
  name: 'store',
  type: 'text',
  value: 'FILE',
  doc: 'The store of runs, for the one of the home',
};
export const runPlaces: readonly Flag[] = [
  store,
  { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
  { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
];
export const runJson: Flag = { ...json, doc: 'Print how the run is in the end as JSON' };
export const record: Flag = {
  name: 'record',
  type: 'text',
  bare: true,
  value: 'FILE',
  doc: 'Keep what models are asked and what they answer in NAME.record.toon, or in FILE',
};
export const replay: Flag = {
  name: 'replay',
  type: 'text',
  bare: true,
  value: 'FILE',
  doc: 'Answer from what was recorded in NAME.record.toon, or in FILE: no key, no network',
};
export const yes: Flag = { name: 'yes', type: 'switch', doc: 'Do not ask' };
export const dryRun: Flag = {
  name: 'dry-run',
  type: 'switch',
  doc: 'Only show what would be kept and what would run again',
};
/** How agents are put to work: the caps that they see, and the most that they may use. */
export const activation: readonly Flag[] = [
  { name: 'shared', type: 'switch', both: true, doc: 'Use the caps of its home, or not; a visiting agent does not' },
  { name: 'global', type: 'switch', both: true, doc: 'Use the caps of the root, or not; only a resident agent does' },
  {
    name: 'models',
    type: 'text',
    many: true,
    value: 'LIST',
    doc: 'The most models that it may use: names, globs, [provider:…]',
  },
  { name: 'tools', type: 'text', many: true, value: 'LIST', doc: 'The most tools that it may use: names, globs' },
  {
    name: 'caps',
    type: 'text',
    many: true,
    value: 'LIST',
    doc: 'The most caps that it may use: names, globs, [scope:home], [kind:skill]',
  },
];
/** Of agents and caps that come from elsewhere. */
export const fetching: readonly Flag[] = [
  { ...yes, doc: 'Accept what an agent from elsewhere brings, unasked' },
  { name: 'offline', type: 'switch', doc: 'Fetch nothing: use what is here' },
];
export const thread: Flag = {
  name: 'thread',
  type: 'text',
  value: 'NAME',
  doc: 'Go on with the conversation of this name',
};

export const stdinName: Flag = {
  name: 'stdin-name',
  type: 'text',
  value: 'NAME',
  doc: 'The file name that standard input goes by; its ending says which language it is',
};

/** Of workflows. */
export const code: Flag = {
  name: 'code',
  type: 'switch',
  both: true,
  doc: 'Look into the modules that workflows import, which runs them, or not; by default it does',
};

export const wait: Flag = { name: 'wait', type: 'switch', doc: 'Stay while only people are awaited' };
