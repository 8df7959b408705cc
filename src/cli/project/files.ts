/** The files that `toolang new` writes. `NAME` stands for the agent's name. */

export interface ProjectFile {
  readonly name: string;
  readonly text: string;
  /** What it is, for the list that `new` prints. */
  readonly what: string;
}

/** Makes files for the project of that name. */
export function projectFile(name: string): (file: string, lines: readonly string[], what: string) => ProjectFile {
  return (file, lines, what) => ({
    name: file,
    // A function, so that nothing in the name is read as a replacement pattern.
    text: `${lines.join('\n')}\n`.replaceAll('NAME', () => name),
    what,
  });
}

export function projectFiles(name: string): ProjectFile[] {
  const file = projectFile(name);
  return [
    file(`${name}.too`, agent, 'the agent'),
    file(`${name}.script.toon`, script, 'what answers as long as there is no key of a model'),
    file('AGENTS.md', notes, 'how .too files are written, for coding agents'),
    file('README.md', readme, 'the same for people, shorter'),
    file('.gitignore', gitignore, 'what stays out of git'),
  ];
}

/** A resident agent: its home has the folders of its caps too. */
export function residentFiles(name: string): ProjectFile[] {
  const file = projectFile('agent');
  const title = (line: string) => line.replace('##! NAME:', `##! ${name}:`);
  return [
    file('agent.too', agent.map(title), 'the agent'),
    file('agent.script.toon', script, 'what answers as long as there is no key of a model'),
    file('AGENTS.md', notes, 'how .too files are written, for coding agents'),
  ];
}

const agent = [
  '##! NAME: turns a text into notes. `toolang check NAME.too` finds mistakes in this file.',
  '',
  '## What the agent answers with. A thunk that returns it is held to this shape.',
  'struct Note:',
  '  title: Text',
  '  points: Text[]',
  '  ## Where the text came from, if it says so.',
  '  source?: Text',
  '',
  '# A psyche is a character: its text goes into the instructions of the thunks below.',
  'psyche editor:',
  '  You are a careful editor. Say what is true, in short sentences.',
  '  When something is missing, say what it is; do not invent it.',
  '',
  '# A reusable text for instructions. A thunk picks it with `instruct: notes`.',
  'instruct notes:',
  '  Keep names, numbers and dates exactly as they are written.',
  '  Write at most seven points.',
  '',
  '# The default thunk: what runs when nobody names another. `input` is what the caller says.',
  '## Turn a text into notes.',
  'thunk(input: Message, audience?: Text) -> Note:',
  '  hands = summarize',
  '  instruct: notes',
  '  user:',
  '    Make notes of the text below{{#audience}} for {{audience}}{{/audience}}.',
  '    If it is longer than a page, call summarize on each part first.',
  '',
  '    {{input}}',
  '',
  '## Shorten one part of a long text without losing its facts.',
  'thunk summarize(text: Text, sentences?: Number) -> Text:',
  '  recall = none',
  '  instruct: notes',
  '  user:',
  '    Summarize in {{#sentences}}{{sentences}} sentences{{/sentences}}{{^sentences}}three sentences{{/sentences}}:',
  '',
  '    {{text}}',
];

const script = [
  '# What answers in place of a model, one reply for each call of a thunk, as long as there is no key of one.',
  'replies[2]:',
  '  - for: default',
  '    json:',
  '      title: A script answered',
  '      points[2]: "This is no model, but NAME.script.toon: it says the same whatever it is asked.",With a key of a model in the environment that model answers.',
  '  - for: summarize',
  '    text: "A script answers for the model, and says the same whatever it is asked."',
];

/** The long form of the notes comes with the package. */
export const skill =
  'More of both languages, with the mistakes made most often, is in `SKILL.md` of the package: `node_modules/toolang/SKILL.md` where it is installed.';

const notes = [
  '# Working on this agent',
  '',
  '`NAME.too` is an agent in the Toolang language. After every change run `toolang check NAME.too`: it reports every mistake at its line and column and often knows the fix (`toolang check --fix` applies it). Then run `toolang fmt NAME.too`. `toolang explain NAME.too` shows what would be sent to the model; `toolang NAME.too hello` asks it; `toolang explain TOO1601` tells what a code means.',
  '',
  skill,
  '',
  '## The file',
  '',
  'Declarations start in the first column, their bodies are indented by two blanks. `#` starts a comment; `##` lines directly above a declaration or a field document it, and become the description that a model sees. Values are not quoted.',
  '',
  '| declaration | what it is |',
  '|---|---|',
  '| `struct Name:` | a type: one `field: Type` a line, `field?: Type` if it may be missing |',
  '| `psyche name:` | a character; its text goes into the instructions |',
  '| `skill name:` | know-how that is loaded when needed; begins with `description = ...` |',
  '| `service name:` | an MCP server: `description`, `transport` (`http` or `stdio`), `target` |',
  '| `prompt name:` | a reusable message, called as `/name` |',
  '| `use skill owner/name@rev` | a psyche, skill, service or prompt from elsewhere |',
  '| `instruct name:`, `context name:` | reusable texts for instructions, and for facts put before the last user message |',
  '| `thunk name(params) -> Type:` | something that runs |',
  '',
  'Types are `Text`, `Number`, `Boolean`, `Json`, `Message`, structs, and `T[]`. Names of structs start with a capital; all other names are lower-case letters, digits, `-` and `_`.',
  '',
  '## A thunk',
  '',
  '```too',
  'struct Review:',
  '  verdict: Text',
  '  problems: Text[]',
  '',
  'instruct strict:',
  '  Report only what you can point at.',
  '',
  '## Review one file.',
  'thunk review(input: Message, path: Text, focus?: Text) -> Review:',
  '  models = gpt-5',
  '  tools = filesystem',
  '  hands += explain',
  '  recall = none',
  '  instruct: strict',
  '  user:',
  '    Review {{path}}.',
  '    {{#focus}}Look at {{focus}} first.{{/focus}}',
  '',
  '## Explain a piece of code.',
  'thunk explain(code: Text) -> Text:',
  '  user: Explain this code: {{code}}',
  '```',
  '',
  '- Directives come first: `models tools skills services psyches hands handoffs recall`, each with `=` (set), `+=` (add) or `-=` (remove) and names separated by commas; `models` and `recall` take `=` only.',
  "- Then at most one `context:` and one `instruct:` (a template's name, `none`, or text), then the messages `user:`, `assistant:`, `tool:` in order. Bare text in a thunk is an error.",
  '- A message is written after the colon, indented below it, or between ``` fences; never both after the colon and below.',
  '- Without a name a thunk is `default`. Without parentheses it takes `(input: Message)`; `()` takes nothing. `input`, if there, comes first and cannot be optional. Without `-> Type` it returns a `Message`.',
  '- `hands` are thunks that this one may call like tools; `handoffs` are thunks that may take over.',
  '- Templates know `{{name}}`, `{{name.field}}`, `{{#name}}if given{{/name}}` and `{{^name}}if missing{{/name}}`; `\\{{` is literal. There are no expressions.',
  '- Tools, services and models work only where a thunk names them or the configuration allows them. Never put keys into the file: services name environment variables, as in `$GITHUB_TOKEN`.',
];

const readme = [
  '# NAME',
  '',
  'An agent in one file, `NAME.too`. It turns a text into notes, and has a second thunk, `summarize`, that it may call for long texts.',
  '',
  '```sh',
  'toolang check NAME.too      # find what is wrong, before anything is spent',
  'toolang explain NAME.too    # see exactly what would be sent to the model',
  'toolang fmt NAME.too        # write it in the usual layout',
  'toolang NAME.too hello      # ask it',
  'toolang NAME.too --help     # what it and its thunks take',
  '```',
  '',
  'Without a key `NAME.script.toon` answers. With one in the environment, such as `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, a model does, and the first line of a run says which, with the most that it may cost.',
  '',
  '`AGENTS.md` tells coding agents (and people) how `.too` files are written.',
];

export const gitignore = [
  '# What runs leave behind; the configuration and the caps stay in git.',
  '.toolang/*',
  '!.toolang/config.toml',
  '!.toolang/agents.too',
  '!.toolang/psyches/',
  '!.toolang/skills/',
  '!.toolang/services/',
  '!.toolang/prompts/',
  '.env',
];
