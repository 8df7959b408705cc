/** The commands about files, about kept results, and about the program itself, as rows of the table. */
import type { Command } from './command.ts';
import { activation, code, json, places, runPlaces, stdinName } from './flags.ts';

const strictToon = { name: 'strict-toon', type: 'switch' } as const;

export const writeCommands: readonly Command[] = [
  {
    name: 'new',
    group: 'write',
    summary: 'Make a folder with an agent or a workflow in it',
    about:
      'Writes NAME/ with an agent (NAME.too), notes for people (README.md) and for coding agents (AGENTS.md),\nand a .gitignore. With --workflow it is a workflow (NAME.toon) and the replies of a model for trying it out\n(NAME.script.toon). A name is lower-case letters, digits, "-" and "_", and starts with a letter.',
    positionals: [{ name: 'NAME', doc: 'The name of the agent or workflow, and of its folder' }],
    flags: [
      { name: 'workflow', type: 'switch', doc: 'Make a workflow' },
      { name: 'agent', type: 'switch', doc: 'Make a resident agent, in the root: it can be named from everywhere' },
      { name: 'dir', type: 'text', value: 'DIR', doc: 'Make the folder in DIR, not in the current directory' },
      { name: 'force', type: 'switch', doc: 'Write into a folder that is not empty, replacing the files named above' },
      { name: 'root', type: 'text', value: 'DIR', doc: 'The root of a resident agent, for TOOLANG_ROOT or ~/.toolang' },
    ],
    examples: [
      { run: 'toolang new reviewer', doc: 'make reviewer/ with reviewer.too in it' },
      { run: 'toolang new reviewer --dir agents', doc: 'make agents/reviewer/' },
      { run: 'toolang new --workflow release', doc: 'make release/ with release.toon in it' },
      { run: 'toolang new --agent reviewer', doc: 'make a resident agent with folders for its caps' },
    ],
    load: () => import('./commands/new.ts'),
  },
  {
    name: 'check',
    group: 'write',
    summary: 'Find what is wrong before anything is spent',
    about:
      'Reports every error of agents (.too), workflows (.toon) and cap files (.md) at its line and column, with the fix where there is one.\nWhat a workflow imports is checked with it, and with an agent the caps of its home and of the root. Exit 2 when there are errors.',
    positionals: [
      {
        name: 'FILE|DIR',
        optional: true,
        many: true,
        complete: 'file',
        doc: 'What to check; "-" is standard input; the current directory if left out',
      },
    ],
    flags: [
      json,
      { name: 'fix', type: 'switch', doc: 'Apply the fixes that can be made mechanically' },
      { name: 'quiet', alias: 'q', type: 'switch', doc: 'Report errors only' },
      { name: 'max-warnings', type: 'count', value: 'N', doc: 'Fail when there are more than N warnings' },
      code,
      { name: 'types', type: 'switch', doc: "Check the types of workflows' code with the project's own tsc" },
      { ...strictToon, doc: 'Refuse what workflows may write beyond plain TOON' },
      stdinName,
      ...places,
    ],
    examples: [
      { run: 'toolang check', doc: 'check every file under the current directory' },
      { run: 'toolang check agent.too --fix', doc: 'mend what can be mended' },
      { run: 'toolang check .toolang/skills', doc: 'the skills of this home' },
      { run: 'toolang check release.toon --no-code', doc: 'a workflow, without running what it imports' },
      { run: 'toolang check --json --max-warnings 0', doc: 'for a build server' },
    ],
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'fmt',
    group: 'write',
    summary: 'Write files in the usual layout',
    about:
      'Never changes a byte inside raw or fenced text, or a value of a workflow; wrong lengths of its arrays are mended.\n"-" reads standard input and prints the result.',
    positionals: [
      {
        name: 'FILE|DIR',
        optional: true,
        many: true,
        complete: 'file',
        doc: 'What to format; "-" is standard input; the current directory if left out',
      },
    ],
    flags: [
      { name: 'check', type: 'switch', doc: 'Change nothing; name the files that would change, and exit 2' },
      { ...strictToon, doc: 'Write workflows as plain TOON' },
      stdinName,
      json,
    ],
    examples: [
      { run: 'toolang fmt', doc: 'format the files of the current directory' },
      { run: 'toolang fmt --check', doc: 'for a build server' },
      { run: 'toolang fmt - --stdin-name agent.too < agent.too', doc: 'for an editor' },
    ],
    load: () => import('./commands/fmt.ts'),
  },
  {
    name: 'explain',
    group: 'write',
    summary: 'Explain what a thunk sends, how a workflow runs, or a code',
    about:
      'For an agent: the call that "toolang invoke" with the same words would make first, without calling a model: the\neffective sets with the reason for each item, the models in their order, and the exact tools, instructions and\nmessages. Without words samples stand for its parameters. Nothing is synced and nothing is written.\nFor a workflow: the order of its steps, what each reads and gives, and what its key is made of. For a code such as\nTOO1601: what it means and how to mend it.',
    usage: ['FILE|AGENT [THUNK] [name=value…] [INPUT…]', 'FILE.toon [STEP]', 'CODE'],
    positionals: [
      { name: 'FILE|AGENT|CODE', complete: 'file', doc: 'A file, the name of an agent, or a code of an error' },
      { name: 'WORD', optional: true, many: true, complete: 'file', doc: 'A thunk and what it is given; or a step' },
    ],
    flags: [
      json,
      { name: 'connect', type: 'switch', doc: 'Start and call the services of an agent, and show their tools' },
      { name: 'thread', type: 'text', value: 'NAME', doc: 'With what this conversation of an agent would recall' },
      { name: 'script', type: 'text', value: 'FILE', doc: 'As if its replies answered for every model of an agent' },
      ...activation,
      {
        name: 'cost',
        type: 'switch',
        doc: 'Show how many model calls and dollars a run of a workflow can take at most',
      },
      code,
      stdinName,
      ...places,
    ],
    examples: [
      { run: 'toolang explain agent.too', doc: 'the call that the default thunk makes' },
      { run: 'toolang explain agent.too review', doc: 'the call of the thunk "review"' },
      { run: 'toolang explain agent.too review focus=names "Look at it"', doc: 'with what it would be given' },
      { run: "toolang explain agent.too --tools 'filesystem/read'", doc: 'with no more than that tool' },
      { run: 'toolang explain release.toon', doc: 'how the workflow runs' },
      { run: 'toolang explain release.toon draft', doc: 'the step "draft" in full' },
      { run: 'toolang explain release.toon --cost', doc: 'what a run of it can cost' },
      { run: 'toolang explain TOO1601', doc: 'what the error means' },
    ],
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'parse',
    group: 'write',
    summary: 'Print the syntax tree of a file',
    positionals: [{ name: 'FILE', complete: 'file', doc: 'What to parse; "-" is standard input' }],
    flags: [
      json,
      { name: 'tokens', type: 'switch', doc: 'Print the tokens of an agent file, which hold every byte, not the tree' },
      stdinName,
    ],
    examples: [{ run: 'toolang parse agent.too --json', doc: 'the tree as JSON' }],
    load: () => import('./commands/parse.ts'),
  },
  {
    name: 'graph',
    group: 'write',
    summary: 'Draw a workflow, or a run of it',
    about:
      'Draws the steps of a workflow, what holds them and what each reads: as text, or as a picture. Parts that it\ncalls are drawn one level deep. Of a run it also shows what became of each step.',
    positionals: [
      { name: 'FILE|RUN', complete: 'file', doc: 'A workflow file, or the id of a run; "-" is standard input' },
    ],
    flags: [
      { name: 'mermaid', type: 'switch', doc: 'Draw a Mermaid flowchart' },
      { name: 'svg', type: 'switch', doc: 'Draw an SVG picture' },
      json,
      { name: 'output', alias: 'o', type: 'text', value: 'FILE', doc: 'Write it to FILE, not to standard output' },
      code,
      stdinName,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang graph release.toon', doc: 'a tree of its steps' },
      { run: 'toolang graph release.toon --svg -o release.svg', doc: 'a picture' },
      { run: 'toolang graph release.toon --mermaid', doc: 'for Markdown' },
      { run: 'toolang graph 7f3a', doc: 'a run, and how far it is' },
    ],
    load: () => import('./commands/graph.ts'),
  },
];

export const cacheCommands: readonly Command[] = [
  {
    name: 'cache',
    group: 'models',
    summary: 'List the results that are kept for other runs; clear them',
    about:
      'A step with "cache" keeps its result, and a later run that reaches it with the same values takes that. Lists what is kept in this home; "toolang cache clear" forgets it.',
    usage: ['[list]'],
    positionals: [
      {
        name: 'COMMAND',
        optional: true,
        choices: ['list', 'clear'],
        doc: 'list, as if left out; clear: forget results',
      },
    ],
    flags: [json, ...runPlaces],
    examples: [{ run: 'toolang cache', doc: 'what is kept, and of which run' }],
    load: () => import('./commands/cache.ts'),
  },
  {
    name: 'cache clear',
    group: 'models',
    summary: 'Forget results that are kept for other runs',
    about:
      'The steps run again when a run reaches them. Runs that have taken a result keep it. What is named must fit together. It asks first.',
    positionals: [{ name: 'STEP', optional: true, doc: 'Those of this step: its id, or its path in the workflow' }],
    flags: [
      { name: 'workflow', type: 'text', value: 'NAME', doc: 'Those of the workflow of this name' },
      { name: 'older', type: 'text', value: 'AGE', doc: 'Those that are so old: 12h, 7d, 2w' },
      { name: 'all', type: 'switch', doc: 'All of this home' },
      { name: 'yes', type: 'switch', doc: 'Do not ask' },
      json,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang cache clear facts', doc: 'what the step facts has kept' },
      { run: 'toolang cache clear --workflow release --older 7d', doc: 'of one workflow, a week old' },
      { run: 'toolang cache clear --all --yes', doc: 'all of it, unasked' },
    ],
    load: () => import('./commands/cache-clear.ts'),
  },
];

export const otherCommands: readonly Command[] = [
  {
    name: 'doctor',
    group: 'write',
    summary: 'Look whether all is there that models, tools and services need',
    about:
      'One line for each thing: ok, warn or fail, and what to do; "–" is what nobody asks for. Of variables only names are shown.\nWith FILE or AGENT also what that agent or workflow needs: of each thunk its models, tools and caps, its hands, what it\nremembers. Nothing is synced. Exit 1 when something fails.',
    positionals: [
      {
        name: 'FILE|AGENT',
        optional: true,
        complete: 'file',
        doc: 'An agent (.too), a workflow (.toon), or the name of an agent that lives here',
      },
    ],
    flags: [
      { name: 'connect', type: 'switch', doc: 'Start and call the services, and count their tools' },
      code,
      json,
      ...places,
    ],
    examples: [
      { run: 'toolang doctor', doc: 'this machine and this folder' },
      { run: 'toolang doctor --connect', doc: 'with services that really answer' },
      { run: 'toolang doctor release.toon', doc: 'and what a workflow needs' },
      { run: 'toolang doctor reviewer', doc: 'and what an agent needs' },
    ],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'tools',
    group: 'models',
    summary: 'List the tools that agents can use, or describe one',
    about:
      'The built-in sets with their tools, which of them a thunk has that names none, the services here, and the permissions\nof the configuration. With a name: what a model is told of that tool, its parameters and their JSON Schema.',
    positionals: [
      { name: 'NAME', optional: true, doc: 'A set or service, as "filesystem", or a tool, as "filesystem/read"' },
    ],
    flags: [
      { name: 'connect', type: 'switch', doc: 'Start and call the services, and list their tools' },
      json,
      ...places.map((flag) =>
        flag.name === 'home' ? { ...flag, doc: 'The home, for the one found from the current directory' } : flag,
      ),
    ],
    examples: [
      { run: 'toolang tools', doc: 'all of them' },
      { run: 'toolang tools filesystem/read', doc: 'one, with its parameters' },
      { run: 'toolang tools github --connect', doc: 'what a service has' },
      { run: 'toolang tools --json', doc: 'for a program, with all schemas' },
    ],
    load: () => import('./commands/tools.ts'),
  },
  {
    name: 'completion',
    group: 'help',
    summary: 'Print a script that completes commands in your shell',
    positionals: [{ name: 'SHELL', choices: ['bash', 'zsh', 'fish'], doc: 'Which shell: bash, zsh or fish' }],
    flags: [],
    examples: [
      { run: 'source <(toolang completion bash)', doc: 'for this bash; put the line in ~/.bashrc to keep it' },
      { run: 'toolang completion zsh > "$' + '{fpath[1]}/_toolang"', doc: 'for zsh' },
      { run: 'toolang completion fish > ~/.config/fish/completions/toolang.fish', doc: 'for fish' },
    ],
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'help',
    group: 'help',
    summary: 'Show help for a command',
    positionals: [
      { name: 'COMMAND', optional: true, complete: 'command', doc: 'The command to show' },
      { name: 'WORD', optional: true, doc: 'Its second word, where it has one' },
    ],
    flags: [],
    examples: [{ run: 'toolang help check', doc: 'the same as toolang check --help' }],
    load: () => import('./commands/help.ts'),
  },
];
