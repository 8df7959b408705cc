/** The commands about agents as they live on this machine. */
import type { Command, Flag } from '../command.ts';

const json: Flag = { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' };
const root: Flag = { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' };

export const agentCommands: readonly Command[] = [
  {
    name: 'list',
    group: 'agents',
    summary: 'List the agents that live here, and those that visit',
    positionals: [],
    flags: [json, root],
    examples: [{ run: 'toolang list', doc: 'residents by name, and guests' }],
    load: () => import('./list.ts'),
  },
  {
    name: 'info',
    group: 'agents',
    summary: 'Show an agent: where it lies, what it offers, which caps it has',
    positionals: [{ name: 'AGENT', complete: 'file', doc: 'Its name, or its .too file' }],
    flags: [
      json,
      root,
      { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from where the file lies' },
    ],
    examples: [{ run: 'toolang info reviewer', doc: 'a resident agent' }],
    load: () => import('./info.ts'),
  },
  {
    name: 'clone',
    group: 'agents',
    summary: 'Bring an agent from elsewhere to live here',
    about: 'Shows what the agent brings and asks; then it is a resident like those that you make yourself.',
    positionals: [
      { name: 'REF', doc: 'owner/name, github://owner/repo/path.too@rev, or an https:// address' },
      { name: 'NAME', optional: true, doc: 'What it is called here; its own name if left out' },
    ],
    flags: [{ name: 'yes', type: 'switch', doc: 'Accept what it brings, unasked' }, root],
    examples: [{ run: 'toolang clone acme/reviewer', doc: 'from agents/reviewer.too or reviewer.too of acme/agents' }],
    load: () => import('./clone.ts'),
  },
  {
    name: 'remove',
    group: 'agents',
    summary: 'Remove an agent that lives here, with its home',
    about: 'Its source, its caps, its runs and what it remembers are deleted, after asking.',
    positionals: [{ name: 'AGENT', doc: 'Its name' }],
    flags: [{ name: 'yes', type: 'switch', doc: 'Do not ask' }, root],
    examples: [{ run: 'toolang remove reviewer', doc: 'after asking' }],
    load: () => import('./remove.ts'),
  },
];
