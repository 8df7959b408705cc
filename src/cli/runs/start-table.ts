/** The commands that begin runs: of workflows, of thunks, of conversations. */
import type { Command } from '../command.ts';
import {
  activation,
  code,
  fetching,
  json,
  record,
  replay,
  runJson,
  runPlaces,
  stdinName,
  thread,
  wait,
} from '../flags.ts';

export const startCommands: readonly Command[] = [
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
    load: () => import('../commands/run.ts'),
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
    load: () => import('../commands/invoke.ts'),
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
    load: () => import('../commands/chat.ts'),
  },
];
