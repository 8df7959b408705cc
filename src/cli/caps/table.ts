/** The commands about caps and agents, as rows of the table: every kind of cap has the same ones. */
import type { CapKind } from '../../too/index.ts';
import type { Args, Command, CommandModule, Family, Flag, Positional } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';

const json: Flag = { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' };
const places: readonly Flag[] = [
  { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
  { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
];
const yes: Flag = { name: 'yes', type: 'switch', doc: 'Accept what references bring, unasked' };
const scope: Flag = {
  name: 'scope',
  type: 'text',
  value: 'SCOPE',
  doc: 'here, home or root (also: agent, shared, global)',
};
const agent: Flag = { name: 'agent', type: 'text', value: 'AGENT', doc: 'The agent: its name, or its .too file' };
const visibility: readonly Flag[] = [
  { name: 'shared', type: 'switch', both: true, doc: 'Show the home, or not; by default as the kind of agent says' },
  { name: 'global', type: 'switch', both: true, doc: 'Show the root, or not; by default as the kind of agent says' },
];
const name: Positional = { name: 'NAME', doc: 'The name of the cap, or a reference such as home://skills/review' };

type KindCommand = (kind: CapKind, args: Args, context: Context) => Promise<ExitCode>;

const kinds: readonly {
  readonly kind: CapKind;
  readonly what: string;
  readonly sample: string;
  readonly ref: string;
}[] = [
  { kind: 'psyche', what: 'how agents behave', sample: 'careful', ref: 'acme/careful' },
  { kind: 'skill', what: 'know-how that is loaded when it is needed', sample: 'review', ref: 'acme/review' },
  { kind: 'service', what: 'MCP servers', sample: 'github', ref: 'acme/github' },
  { kind: 'prompt', what: 'texts that are called as /name', sample: 'rewrite', ref: 'acme/rewrite' },
];

export const capCommands: readonly Command[] = [
  {
    name: 'sync',
    group: 'caps',
    summary: 'Bring the caps of agents into place: fetched, checked, locked',
    about:
      'Reads the .too files, agents.too and config.toml of the home and of the root, and the folders of caps; fetches what they\nrefer to; shows what is new and asks; writes toolang.lock. What is locked is taken as it was, until --update moves it.',
    positionals: [
      {
        name: 'AGENT|FILE|DIR',
        optional: true,
        complete: 'file',
        doc: 'Whose caps; the .too files of the current directory if left out',
      },
    ],
    flags: [
      { name: 'frozen', type: 'switch', doc: 'Fail where a lock would change, as on a build server' },
      { name: 'check', type: 'switch', doc: 'Change nothing and ask no network; say what is stale, and exit 2' },
      {
        name: 'update',
        type: 'text',
        bare: true,
        value: 'NAME',
        doc: 'Move references, all or those of one name, and show what has changed',
      },
      { name: 'offline', type: 'switch', doc: 'Use only what was fetched before' },
      yes,
      json,
      ...places,
    ],
    examples: [
      { run: 'toolang sync', doc: 'the agents of the current directory' },
      { run: 'toolang sync --frozen', doc: 'as it is locked, or not at all' },
      { run: 'toolang sync --update=review', doc: 'the newest review, with what has changed in it' },
    ],
    load: () => import('../commands/sync.ts'),
  },
  {
    name: 'caps list',
    group: 'caps',
    summary: 'List the caps of every scope: what wins, what is shadowed',
    about:
      'A filter is words that must all hold: kind:skill, scope:home, form:wired, status:shadowed, name:rev*, or a name or kind alone.',
    positionals: [
      {
        name: 'AGENT',
        optional: true,
        complete: 'file',
        doc: 'Whose caps; the agent of the current directory if left out',
      },
    ],
    flags: [
      { name: 'filter', type: 'text', value: 'SELECTOR', doc: 'Only those that fit' },
      agent,
      ...visibility,
      json,
      ...places,
    ],
    examples: [
      { run: 'toolang caps list', doc: 'all that an agent here could use' },
      { run: 'toolang caps list --filter "kind:skill status:shadowed"', doc: 'the skills that another one hides' },
    ],
    load: async () => {
      const { listCaps } = await import('./list.ts');
      return { run: (args, context) => listCaps(undefined, args, context) };
    },
  },
  ...kinds.flatMap(({ kind, sample, ref }) => commandsOf(kind, sample, ref)),
];

export const capFamilies: readonly Family[] = [
  {
    name: 'caps',
    group: 'caps',
    summary: 'The caps of every scope',
    about: 'Caps are psyches, skills, services and prompts.',
  },
  ...kinds.map(({ kind, what }) => ({
    name: kind,
    group: 'caps',
    summary: `${kind[0]?.toUpperCase()}${kind.slice(1)}s: ${what}`,
    about: `Adds, lists, shows and makes ${kind}s: ${what}.`,
  })),
];

function commandsOf(kind: CapKind, sample: string, ref: string): Command[] {
  const row = (
    verb: string,
    rest: Omit<Command, 'name' | 'group' | 'load'>,
    load: () => Promise<KindCommand>,
  ): Command => ({
    name: `${kind} ${verb}`,
    group: 'caps',
    ...rest,
    load: async (): Promise<CommandModule> => {
      const command = await load();
      return { run: (args, context) => command(kind, args, context) };
    },
  });
  const one = (verb: string, doc: string) => [{ run: `toolang ${kind} ${verb} ${sample}`, doc }];
  return [
    row(
      'add',
      {
        summary: `Use a ${kind} from elsewhere`,
        about: `Writes the reference where it belongs (a "use" line of the agent, or config.toml of the home or root) and syncs. Where\nanything fails, the file is as it was.`,
        positionals: [
          { name: 'REF', doc: 'owner/name, owner/repo/name, github://owner/repo/path@rev, or an https:// address' },
        ],
        flags: [
          scope,
          agent,
          { name: 'name', type: 'text', value: 'NAME', doc: 'Another name for it, in the home or root' },
          yes,
          ...places,
        ],
        examples: [
          { run: `toolang ${kind} add ${ref}`, doc: 'in the home, or in the root where there is none' },
          { run: `toolang ${kind} add ${ref}@v1 --scope here --agent ./agent.too`, doc: 'for one agent alone' },
        ],
      },
      async () => (await import('./cap-add.ts')).addCap,
    ),
    row(
      'remove',
      {
        summary: `No longer use a ${kind} from elsewhere`,
        positionals: [name],
        flags: [scope, agent, yes, ...places],
        examples: one('remove', 'take its reference out, and sync'),
      },
      async () => (await import('./cap-add.ts')).removeCap,
    ),
    row(
      'update',
      {
        summary: `Move references of ${kind}s to what they lead to now`,
        positionals: [{ ...name, optional: true, doc: 'The name of one; all if left out' }],
        flags: [scope, agent, yes, ...places],
        examples: one('update', 'with what has changed in it'),
      },
      async () => (await import('./cap-add.ts')).updateCaps,
    ),
    row(
      'list',
      {
        summary: `List the ${kind}s of every scope`,
        positionals: [],
        flags: [
          { name: 'filter', type: 'text', value: 'SELECTOR', doc: 'Only those that fit' },
          agent,
          ...visibility,
          json,
          ...places,
        ],
        examples: [{ run: `toolang ${kind} list`, doc: 'with what wins and what is shadowed' }],
      },
      async () => (await import('./list.ts')).listCaps,
    ),
    row(
      'show',
      {
        summary: `Show a ${kind}: where it comes from, and its text`,
        positionals: [name],
        flags: [scope, agent, json, ...places],
        examples: one('show', 'and what it shadows'),
      },
      async () => (await import('./cap-show.ts')).showCap,
    ),
    row(
      'path',
      {
        summary: `Print where a ${kind} lies`,
        positionals: [name],
        flags: [scope, agent, ...places],
        examples: one('path', 'its file, or where a sync has put it'),
      },
      async () => (await import('./cap-show.ts')).showPath,
    ),
    row(
      'new',
      {
        summary: `Make a ${kind} of your own`,
        positionals: [{ name: 'NAME', doc: 'Its name, and that of its file' }],
        flags: [
          scope,
          agent,
          { name: 'from', type: 'text', value: 'REF', doc: 'Begin with a copy of what a reference brings' },
          yes,
          ...places,
        ],
        examples: [
          { run: `toolang ${kind} new ${sample}`, doc: 'a file to be filled in' },
          { run: `toolang ${kind} new ${sample} --from ${ref}`, doc: 'a copy to be changed' },
        ],
      },
      async () => (await import('./cap-new.ts')).newCap,
    ),
    row(
      'edit',
      {
        summary: `Open a ${kind} of your own in your editor`,
        positionals: [name],
        flags: [scope, agent, ...places],
        examples: one('edit', 'in $VISUAL or $EDITOR; it is checked afterwards'),
      },
      async () => (await import('./cap-edit.ts')).editCap,
    ),
    row(
      'delete',
      {
        summary: `Delete the file of a ${kind} of your own`,
        positionals: [name],
        flags: [scope, agent, { name: 'yes', type: 'switch', doc: 'Do not ask' }, ...places],
        examples: one('delete', 'after asking'),
      },
      async () => (await import('./cap-edit.ts')).deleteCap,
    ),
  ];
}
