/** The commands about tool calls in text. */
import type { Command, Family, Flag, Positional } from './command.ts';
import { json } from './flags.ts';

const answerFile: Positional = {
  name: 'FILE',
  optional: true,
  complete: 'file',
  doc: 'The answer of a model; standard input if left out or "-"',
};
const toolFile: Flag = { name: 'tools', type: 'text', value: 'FILE', doc: 'Tools as JSON' };
const cutOff: Flag = { name: 'length', type: 'switch', doc: 'The model stopped at its length limit' };

export const callCommands: readonly Command[] = [
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
];

export const callFamilies: readonly Family[] = [
  {
    name: 'calls',
    group: 'serve',
    summary: 'Tool calls in text, for models without function calling',
    about:
      'Reads and writes the emoji-bracket syntax for tool calls. Each command reads a file or standard input, and prints JSON lines or text.',
  },
];
