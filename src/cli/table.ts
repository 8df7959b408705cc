/** Every command, once. Parsing, help, completion and `docs/cli.md` are made from this table. */
import { agentCommands } from './agents/table.ts';
import { capCommands, capFamilies } from './caps/table.ts';
import type { Command, Family, Flag, Positional } from './command.ts';
import { memoryCommands, memoryFamilies } from './memory/table.ts';
import { modelCommands } from './models/table.ts';
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

const json: Flag = { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' };

/** Where a command looks for configuration and caps. */
const places: readonly Flag[] = [
  { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
  { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from where the file lies' },
];

const stdinName: Flag = {
  name: 'stdin-name',
  type: 'text',
  value: 'NAME',
  doc: 'The file name that standard input goes by; its ending says which language it is',
};

/** Of workflows. */
const code: Flag = {
  name: 'code',
  type: 'switch',
  both: true,
  doc: 'Look into the modules that workflows import, which runs them, or not; by default it does',
};
const strictToon = { name: 'strict-toon', type: 'switch' } as const;

const answerFile: Positional = {
  name: 'FILE',
  optional: true,
  complete: 'file',
  doc: 'The answer of a model; standard input if left out or "-"',
};
const toolFile: Flag = { name: 'tools', type: 'text', value: 'FILE', doc: 'Tools as JSON' };
const cutOff: Flag = { name: 'length', type: 'switch', doc: 'The model stopped at its length limit' };

/** Where a command looks for runs. */
const store: Flag = { name: 'store', type: 'text', value: 'FILE', doc: 'The store of runs, for the one of the home' };
const runPlaces: readonly Flag[] = [
  store,
  { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
  { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
];
const runId: Positional = { name: 'RUN', doc: 'The id of a run, or the beginning of one; "toolang runs" lists them' };
const questionNode: Positional = { name: 'NODE', optional: true, doc: 'The step that asks, where there are several' };
const wait: Flag = { name: 'wait', type: 'switch', doc: 'Stay while only people are awaited' };
const runJson: Flag = { ...json, doc: 'Print how the run is in the end as JSON' };
const record: Flag = {
  name: 'record',
  type: 'text',
  bare: true,
  value: 'FILE',
  doc: 'Keep what models are asked and what they answer in NAME.record.toon, or in FILE',
};
const replay: Flag = {
  name: 'replay',
  type: 'text',
  bare: true,
  value: 'FILE',
  doc: 'Answer from what was recorded in NAME.record.toon, or in FILE: no key, no network',
};
const yes: Flag = { name: 'yes', type: 'switch', doc: 'Do not ask' };
const dryRun: Flag = { name: 'dry-run', type: 'switch', doc: 'Only show what would be kept and what would run again' };
const note: Flag = { name: 'note', type: 'text', value: 'TEXT', doc: 'A remark; the workflow can read it' };

/** How agents are put to work: the caps that they see, and the most that they may use. */
const activation: readonly Flag[] = [
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
const fetching: readonly Flag[] = [
  { ...yes, doc: 'Accept what an agent from elsewhere brings, unasked' },
  { name: 'offline', type: 'switch', doc: 'Fetch nothing: use what is here' },
];
const thread: Flag = { name: 'thread', type: 'text', value: 'NAME', doc: 'Go on with the conversation of this name' };

/** Flags that stand before or after every command. */
export const globalFlags: readonly Flag[] = [
  { name: 'help', alias: 'h', type: 'switch', doc: 'Show help' },
  { name: 'version', alias: 'V', type: 'switch', doc: 'Print the version' },
  { name: 'color', type: 'switch', both: true, doc: 'Colour the output, or not; by default when it is a terminal' },
];

export const commands: readonly Command[] = [
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
  {
    name: 'run',
    group: 'run',
    summary: 'Run a workflow, or let an agent answer here',
    about:
      'Starts a run and drives it until it ends, or only people are awaited (exit 3). All that is done is kept: after a\ncrash or Ctrl-C "toolang resume" goes on. The result goes to standard output, progress to standard error.\nCtrl-C stops after the running steps; a second one stops at once.\nAn agent answers on the terminal, as with "toolang chat": each line that is typed or piped is an input and a run of its\nown, and all of them are one conversation.',
    usage: ['FILE', 'AGENT'],
    positionals: [
      {
        name: 'FILE|AGENT',
        complete: 'file',
        doc: 'A workflow file, "-" for standard input; or an agent: its name, its .too file, or a reference to one elsewhere',
      },
    ],
    flags: [
      {
        name: 'input',
        alias: 'i',
        type: 'text',
        many: true,
        value: 'INPUT',
        doc: 'What it is given: name=value, a JSON object, @FILE or "-"; may be given several times',
      },
      { name: 'script', type: 'text', value: 'FILE', doc: 'Replies that answer for every model of the run' },
      record,
      replay,
      { name: 'watch', type: 'switch', doc: 'Stay, and when a file is saved do again what that changes' },
      { name: 'detach', type: 'switch', doc: 'Let it go on by itself, and return' },
      wait,
      runJson,
      { ...thread, doc: `${thread.doc}, with an agent` },
      ...activation,
      ...fetching,
      code,
      stdinName,
      ...runPlaces.map((flag) =>
        flag.name === 'home' ? { ...flag, doc: 'The home, for the one found from where the file lies' } : flag,
      ),
    ],
    examples: [
      { run: 'toolang run release.toon --input topic="durable agents"', doc: 'a value by its name' },
      { run: 'toolang run release.toon --input \'{"topic": "agents"}\'', doc: 'an object' },
      { run: 'toolang run release.toon --input @input.json --detach', doc: 'a file; in the background' },
      { run: 'toolang run release.toon -i topic=agents --watch', doc: 'a save runs what it changes' },
      { run: 'toolang run release.toon -i topic=agents --script replies.script.toon', doc: 'without models' },
      { run: 'toolang run release.toon -i topic=agents --record', doc: 'keep what models answer, beside the file' },
      { run: 'toolang run release.toon -i topic=agents --replay', doc: 'the same again, with nobody asked' },
      { run: 'toolang run reviewer', doc: 'an agent that lives here answers what you type' },
      { run: 'toolang run reviewer.too --thread monday', doc: 'go on with a conversation' },
    ],
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'invoke',
    group: 'run',
    summary: 'Ask an agent: run one of its thunks',
    about:
      'The first word is the thunk, if it names one; else it is "default", or the only one there is. Words such as\nname=value are its parameters, where it declares them, and all others are its input. What is piped is the input,\nor follows it. "@FILE" attaches a text, a picture or a PDF; name=@FILE and name=- are a file and standard input as\na value; "@@x" is the word "@x". With AGENT, --help shows what the agent and its thunks take.\n"toolang FILE.too …" is the same. All that is done is kept, as in runs of workflows.',
    usage: ['AGENT|FILE [THUNK] [name=value…] [INPUT…]'],
    positionals: [
      { name: 'AGENT|FILE', complete: 'file', doc: 'A .too file, or the name of an agent that lives here' },
      { name: 'WORD', optional: true, many: true, complete: 'file', doc: 'The thunk, its parameters, its input' },
    ],
    flags: [
      runJson,
      { name: 'script', type: 'text', value: 'FILE', doc: 'Replies that answer for every model of the run' },
      record,
      replay,
      thread,
      ...activation,
      ...fetching,
      { name: 'detach', type: 'switch', doc: 'Let it go on by itself, and return' },
      wait,
      ...runPlaces.map((flag) =>
        flag.name === 'home' ? { ...flag, doc: 'The home, for the one found from where the file lies' } : flag,
      ),
    ],
    examples: [
      { run: 'toolang reviewer.too "Look at the parser" @src/parse.ts', doc: 'a file with the input' },
      { run: 'git diff | toolang reviewer.too review focus=names', doc: 'a thunk, a parameter, piped input' },
      { run: 'toolang reviewer.too review --help', doc: 'what the thunk takes' },
      { run: 'toolang invoke reviewer --thread monday "And the tests?"', doc: 'an agent by its name, going on' },
    ],
    helpsItself: true,
    load: () => import('./commands/invoke.ts'),
  },
  {
    name: 'chat',
    group: 'run',
    summary: 'Talk to an agent on the terminal',
    about:
      'Answers are shown as they come, with the tools that are called on the way. What a tool may do is asked here. Its thunk\nis "chat", else "default", else the only one. Each input is a run of its own, and all of them are one conversation.\nEsc or Ctrl-C stops an answer; what is typed meanwhile is said to the agent. /help lists commands and prompts, Tab\ncompletes them and @FILE, Ctrl-D ends the chat. Over pipes it goes line after line, as "toolang run AGENT" does.',
    usage: ['AGENT|FILE', '--list [AGENT|FILE]'],
    positionals: [
      {
        name: 'AGENT|FILE',
        optional: true,
        complete: 'file',
        doc: 'An agent: its name, its .too file, or a reference to one elsewhere',
      },
    ],
    flags: [
      thread,
      { name: 'resume', type: 'switch', doc: 'Go on with the last conversation with the agent' },
      { name: 'list', type: 'switch', doc: 'List the conversations of this home, or with the agent' },
      { name: 'script', type: 'text', value: 'FILE', doc: 'Replies that answer for every model' },
      record,
      replay,
      { ...json, doc: 'Print how each run is in the end as a line of JSON; the list as one object' },
      ...activation,
      ...fetching,
      ...runPlaces.map((flag) =>
        flag.name === 'home' ? { ...flag, doc: 'The home, for the one found from where the file lies' } : flag,
      ),
    ],
    examples: [
      { run: 'toolang chat reviewer.too', doc: 'begin a conversation' },
      { run: 'toolang chat reviewer --resume', doc: 'go on with the last one' },
      { run: 'toolang chat reviewer.too --thread monday', doc: 'go on with one by its name, or begin it' },
      { run: 'toolang chat --list', doc: 'the conversations of this home' },
    ],
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'resume',
    group: 'run',
    summary: 'Go on with a run that was left, or whose file was edited',
    about:
      'What is done is not done again. A step that was running when the process ended is begun again. Where the file of the\nrun, or anything that it is made of, was edited, it is shown first what is kept and what runs again, and asked; a run\nthat has ended goes on with an edited file, too.',
    positionals: [runId],
    flags: [
      yes,
      dryRun,
      { name: 'keep', type: 'switch', doc: 'Keep every result that still fits its type, whatever was edited' },
      { name: 'as-it-was', type: 'switch', doc: 'Do not look at the file: go on with the stored text' },
      { name: 'again', type: 'switch', doc: 'Begin steps again that were running each time the process died' },
      record,
      wait,
      code,
      runJson,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang resume 7f3a', doc: 'go on with the run 7f3a' },
      { run: 'toolang resume 7f3a --dry-run', doc: 'what an edited file would change' },
      { run: 'toolang resume 7f3a --yes', doc: 'with the edited file, unasked' },
    ],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'retry',
    group: 'run',
    summary: 'Do again what failed or was denied, and go on',
    about:
      'For a run that failed or was cancelled: all that went well is kept, what failed is done again, and a denial that let\nit fail is asked again. The text of the workflow is the stored one. Asks on a terminal.',
    positionals: [runId],
    flags: [yes, dryRun, record, wait, runJson, ...runPlaces],
    examples: [{ run: 'toolang retry 7f3a', doc: 'try again' }],
    load: () => import('./commands/retry.ts'),
  },
  {
    name: 'fork',
    group: 'run',
    summary: 'Start a new run that shares the finished past of another',
    about:
      'The new run keeps what was done before STEP, and what its changed input or models do not touch; the other run stays as\nit is. The text of the workflow is the stored one. Fields of --input take the place of those of the run.',
    positionals: [runId],
    flags: [
      {
        name: 'from',
        type: 'text',
        value: 'STEP',
        doc: 'From this step on all is done again; "polish[2]/review" is in round 2',
      },
      {
        name: 'input',
        alias: 'i',
        type: 'text',
        many: true,
        value: 'INPUT',
        doc: 'What it is given instead: name=value, a JSON object, @FILE or "-"; may be given several times',
      },
      {
        name: 'model',
        type: 'text',
        many: true,
        value: '[AGENT=]REF',
        doc: 'Another model, for all agents or for one; may be given several times',
      },
      record,
      { name: 'detach', type: 'switch', doc: 'Let it go on by itself, and return' },
      wait,
      runJson,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang fork 7f3a --from draft', doc: 'the same research, another draft' },
      { run: 'toolang fork 7f3a --input topic="other agents"', doc: 'with another input' },
    ],
    load: () => import('./commands/fork.ts'),
  },
  {
    name: 'approve',
    group: 'run',
    summary: 'Say yes to what a run asks, and it goes on',
    positionals: [runId, questionNode],
    flags: [note, wait, runJson, ...runPlaces],
    examples: [
      { run: 'toolang approve 7f3a', doc: 'say yes, and see the rest of the run' },
      { run: 'toolang approve 7f3a publish --note fine', doc: 'with a remark' },
    ],
    load: () => import('./commands/approve.ts'),
  },
  {
    name: 'deny',
    group: 'run',
    summary: 'Say no to what a run asks',
    about: 'What a no means is for the workflow to say: by default the run fails.',
    positionals: [runId, questionNode],
    flags: [note, wait, runJson, ...runPlaces],
    examples: [{ run: 'toolang deny 7f3a --note "too long"', doc: 'say no, and why' }],
    load: () => import('./commands/deny.ts'),
  },
  {
    name: 'answer',
    group: 'run',
    summary: 'Answer a run that stands at a limit',
    positionals: [runId, questionNode],
    flags: [
      { name: 'add', type: 'text', value: 'DOLLARS', doc: 'So much more may be spent' },
      { name: 'no', type: 'switch', doc: 'No more may be spent: the steps that wait fail' },
      wait,
      runJson,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang answer 7f3a --add 1.50', doc: 'give it $1.50 more' },
      { run: 'toolang answer 7f3a --no', doc: 'give it no more' },
    ],
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'steer',
    group: 'run',
    summary: 'Say something to a run while it works',
    about:
      'The agents that are asked at the moment hear it with their next call to a model, as a message of the user; hands do not.\nA run that was left hears it when it goes on.',
    positionals: [runId, { name: 'WORD', many: true, doc: 'What is said; "-" alone is standard input' }],
    flags: [runJson, ...runPlaces],
    examples: [{ run: 'toolang steer 7f3a "Look at the tests, too"', doc: 'while it works' }],
    load: () => import('./commands/steer.ts'),
  },
  {
    name: 'cancel',
    group: 'run',
    summary: 'End a run, with all that it has running',
    positionals: [runId],
    flags: [
      { name: 'reason', type: 'text', value: 'TEXT', doc: 'Why; it is kept with the run' },
      runJson,
      ...runPlaces,
    ],
    examples: [{ run: 'toolang cancel 7f3a --reason "wrong input"', doc: 'end the run 7f3a' }],
    load: () => import('./commands/cancel.ts'),
  },
  {
    name: 'runs',
    group: 'run',
    summary: 'List runs, newest first; remove old ones',
    about: 'Lists them. "toolang runs prune" removes old ones.',
    usage: [''],
    positionals: [{ name: 'COMMAND', optional: true, choices: ['prune'], doc: 'prune: remove old runs' }],
    flags: [
      {
        name: 'status',
        type: 'text',
        value: 'WORD',
        doc: 'Only those that are running, waiting, failed, cancelled, done or interrupted',
      },
      { name: 'all', type: 'switch', doc: 'Those of all homes, not only of this one' },
      { name: 'limit', type: 'count', value: 'N', doc: 'At most N of them; 20 if left out' },
      json,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang runs', doc: 'the last runs of this home' },
      { run: 'toolang runs --status waiting --all', doc: 'all that wait for somebody' },
    ],
    load: () => import('./commands/runs.ts'),
  },
  {
    name: 'runs prune',
    group: 'run',
    summary: 'Remove old runs that have ended',
    about:
      'Removes runs of this home that have ended, with their sub-workflows and all that was kept of them; never one that is driven, waits or can be resumed. Results that steps have put into the cache stay. Without --older and --keep the age is keep_days under [runs] in config.toml. It asks first.',
    positionals: [],
    flags: [
      { name: 'older', type: 'text', value: 'AGE', doc: 'Only those that ended so long ago: 12h, 30d, 8w' },
      { name: 'keep', type: 'count', value: 'N', doc: 'The N that ended last stay, however old they are' },
      { name: 'dry-run', type: 'switch', doc: 'Only say what would go' },
      { name: 'yes', type: 'switch', doc: 'Do not ask' },
      json,
      ...runPlaces,
    ],
    examples: [
      { run: 'toolang runs prune --older 30d', doc: 'those that ended a month ago' },
      { run: 'toolang runs prune --keep 100 --yes', doc: 'all but the last hundred, unasked' },
      { run: 'toolang runs prune --older 8w --dry-run', doc: 'what would go' },
    ],
    load: () => import('./commands/runs-prune.ts'),
  },
  {
    name: 'show',
    group: 'run',
    summary: 'Show a run: its steps, what became of them, what it waits for',
    about: 'The run as a tree; of one step, or of a hand that it has called, the conversation.',
    positionals: [
      runId,
      { name: 'STEP', optional: true, doc: 'Its id, or its name in the run: polish[2]/review, review/summarize[2]' },
    ],
    flags: [json, ...runPlaces],
    examples: [
      { run: 'toolang show 7f3a', doc: 'the run 7f3a as a tree' },
      { run: "toolang show 7f3a 'summarize[2]'", doc: 'what its second call of summarize was asked and said' },
    ],
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'why',
    group: 'run',
    summary: 'Say why steps ran again or were kept, and what a run waits for',
    about: 'A line for each step of a run; of one step, what it depends on that was changed, as it was and as it is.',
    positionals: [runId, { name: 'STEP', optional: true, doc: 'Its id, or its name in the run: polish[2]/review' }],
    flags: [json, ...runPlaces],
    examples: [
      { run: 'toolang why 7f3a', doc: 'every step in a line' },
      { run: 'toolang why 7f3a draft', doc: 'what was changed for one of them' },
    ],
    load: () => import('./commands/why.ts'),
  },
  {
    name: 'logs',
    group: 'run',
    summary: 'Print all that happened in a run, in order',
    positionals: [runId],
    flags: [{ ...json, doc: 'Print one JSON object for each event' }, ...runPlaces],
    examples: [{ run: 'toolang logs 7f3a', doc: 'what happened, and when' }],
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'watch',
    group: 'run',
    summary: 'Follow a run that somebody else drives',
    about: 'Shows what happens until the run ends. Ctrl-C ends the watching, not the run.',
    positionals: [runId],
    flags: [runJson, ...runPlaces],
    examples: [{ run: 'toolang watch 7f3a', doc: 'see how it goes on' }],
    load: () => import('./commands/watch.ts'),
  },
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
  {
    name: 'calls parse',
    group: 'serve',
    summary: 'Find the tool calls in the answer of a model',
    about:
      'Prints one JSON line for each text and each call, in order, and one for each thing that was probably meant otherwise. A call that has no end is printed with "complete": false, and must not run.',
    positionals: [answerFile],
    flags: [
      { name: 'stream', type: 'switch', doc: 'Print events as they become certain, while the input comes' },
      { ...toolFile, doc: 'Tools as JSON; a header with another name is then plain text' },
      { name: 'unknown-calls', type: 'switch', doc: 'Still take what is clearly meant as a call of an unknown tool' },
      cutOff,
      { name: 'strict', type: 'switch', doc: 'Take only U+1F6E0 U+FE0F as the marker' },
      { name: 'multiline-header', type: 'switch', doc: 'Let a header go over several lines' },
      { name: 'literal-header', type: 'switch', doc: 'Let a start marker be a part of a header' },
      { name: 'repair', type: 'switch', doc: 'Read damaged markers as if they were whole' },
      { name: 'max-header', type: 'count', value: 'N', doc: 'The most UTF-16 units of a header; 4096' },
      { name: 'max-body', type: 'count', value: 'N', doc: 'The most UTF-16 units of a body; no limit' },
    ],
    examples: [
      { run: 'toolang calls parse answer.txt', doc: 'texts and calls, a line each' },
      { run: 'toolang calls parse --stream < answer.txt', doc: 'events, while the answer comes' },
    ],
    load: () => import('./commands/calls-parse.ts'),
  },
  {
    name: 'calls map',
    group: 'serve',
    summary: 'Read the arguments of calls, and find all that does not fit',
    about:
      'Reads an answer, or the lines that "calls parse" prints, and prints one JSON line a call: its arguments, whether it may run, and all errors at once. Exit 2 when one may not run.',
    positionals: [answerFile],
    flags: [{ ...toolFile, doc: 'Tools as JSON: names, descriptions, JSON Schemas (needed)' }, cutOff],
    examples: [{ run: 'toolang calls map --tools tools.json answer.txt', doc: 'the arguments of each call' }],
    load: () => import('./commands/calls-map.ts'),
  },
  {
    name: 'calls prompt',
    group: 'serve',
    summary: 'Print the instructions that teach a model to call tools',
    about:
      'The text goes into the system message of a model that has no function calling. What the syntax carries badly is said on standard error.',
    positionals: [],
    flags: [
      { ...toolFile, doc: 'Tools as JSON: names, descriptions, JSON Schemas (needed)' },
      { name: 'required', type: 'switch', doc: 'Ask for at least one call' },
      { name: 'gbnf', type: 'switch', doc: 'Print a grammar for llama.cpp that allows only well-formed calls' },
      json,
    ],
    examples: [
      { run: 'toolang calls prompt --tools tools.json', doc: 'the text, and how many tokens it has' },
      { run: 'toolang calls prompt --tools tools.json --gbnf > calls.gbnf', doc: 'a grammar' },
    ],
    load: () => import('./commands/calls-prompt.ts'),
  },
  {
    name: 'calls write',
    group: 'serve',
    summary: 'Write calls and results as text',
    about:
      'Reads JSON lines: {"tool_name", "args"} with --tools, {"tool_name", "raw_args", "body"} as it stands, {"type": "text", "text"}, or {"type": "result", "index", "tool_name", "ok", "content"}.',
    positionals: [{ name: 'FILE', optional: true, complete: 'file', doc: 'JSON lines; standard input if left out' }],
    flags: [{ ...toolFile, doc: 'Tools as JSON, for lines with "args"' }],
    examples: [{ run: 'toolang calls parse answer.txt | toolang calls write', doc: 'the same answer again' }],
    load: () => import('./commands/calls-write.ts'),
  },
  ...modelCommands,
  ...agentCommands,
  ...memoryCommands,
  ...capCommands,
  ...serviceCommands,
  ...testCommands,
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

/** Commands of two words; `toolang --help` shows each family in one line. */
export const families: readonly Family[] = [
  ...memoryFamilies,
  ...capFamilies,
  {
    name: 'calls',
    group: 'serve',
    summary: 'Tool calls in text, for models without function calling',
    about:
      'Reads and writes the emoji-bracket syntax for tool calls. Each command reads a file or standard input, and prints JSON lines or text.',
  },
];

export function commandNamed(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

/** What may stand first on a command line. */
export function firstWords(): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ', 1).join('')))];
}

export function familyNamed(name: string): Family | undefined {
  return families.find((family) => family.name === name);
}

/** The commands of a family, or those that go with a command, by their second words. */
export function membersOf(family: string): ReadonlyMap<string, Command> {
  const prefix = `${family} `;
  const members = commands.filter((command) => command.name.startsWith(prefix));
  return new Map(members.map((command) => [command.name.slice(prefix.length), command]));
}
