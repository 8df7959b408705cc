/** What must come of a case: `expect`. */
import { readKeys, type ScriptReader, wrongKind } from '../model/index.ts';
import { stringMap, type ToonEntry } from '../toon/index.ts';
import type { Assertion, Expect, ExpectedCall, ExpectedCalls, ExpectedError, Given, Word } from './case.ts';
import { blocks, headOf, readCount, readGiven, readWord, readWords } from './read-parts.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export function readExpect(r: ScriptReader, entry: ToonEntry): Expect | undefined {
  const { value } = entry;
  if (value.kind !== 'object') {
    return wrongKind(r, entry, 'a block of keys', {
      help: 'Write "expect:" and below it "output: …" or "assert[1]: …".',
    });
  }
  const found: Writable<Expect> = { span: entry.key.span, neverCalls: [], assert: [] };
  const keep = <K extends keyof Expect>(
    key: K,
    read: (inner: ScriptReader, each: ToonEntry) => Expect[K] | undefined,
  ) => {
    return (inner: ScriptReader, each: ToonEntry) => {
      const given = read(inner, each);
      if (given !== undefined) found[key] = given;
    };
  };
  const at = readKeys(r, value, '"expect"', {
    output: keep('output', readGiven),
    outputHas: keep('outputHas', readGiven),
    schema: keep('schema', (inner, each) => readWord(inner, each, 'a file with a JSON Schema')),
    steps: keep('steps', (inner, each) => {
      if (each.value.kind !== 'object') return wrongKind(inner, each, 'results, by the ids of steps');
      return readGiven(inner, each);
    }),
    calls: keep('calls', readExpectedCalls),
    callsHave: keep('callsHave', readExpectedCalls),
    neverCalls: keep('neverCalls', (inner, each) => readWords(inner, each, 'names of tools')),
    error: keep('error', readError),
    waitsFor: keep('waitsFor', (inner, each) => readWord(inner, each, 'the id of what asks')),
    modelCalls: keep('modelCalls', (inner, each) => {
      const count = readCount(inner, each);
      return count === undefined ? undefined : { count, span: each.value.span };
    }),
    assert: keep('assert', readAssertions),
  });
  exclude(r, at, ['output', 'outputHas']);
  for (const key of ['error', 'waitsFor']) exclude(r, at, [key, 'output', 'outputHas', 'schema']);
  exclude(r, at, ['error', 'waitsFor']);
  return found;
}

function exclude(
  r: ScriptReader,
  at: ReadonlyMap<string, ToonEntry>,
  [first = '', ...others]: readonly string[],
): void {
  if (!at.has(first)) return;
  for (const key of others) {
    const other = at.get(key);
    if (other === undefined) continue;
    const why = first === 'output' ? 'it is that, or has at least that' : 'a run that does not end well has no output';
    r.report('TOO6304', other.key.span, `"expect" has either "${first}" or "${key}": ${why}`, {
      help: `Leave out one of them.`,
    });
  }
}

const callHelp =
  'Write "- tool: SET/TOOL", and below it "args:" where they count; "calls[0]:" means that none is called.';

function readExpectedCalls(r: ScriptReader, entry: ToonEntry): ExpectedCalls {
  const calls = blocks(r, entry, 'call', callHelp).flatMap((item): ExpectedCall[] => {
    let tool: Word | undefined;
    let args: Given | undefined;
    let step: Word | undefined;
    const at = readKeys(r, item, 'a call', {
      tool: (inner, each) => {
        tool = readWord(inner, each, 'the name of a tool');
      },
      args: (inner, each) => {
        if (each.value.kind !== 'object') wrongKind(inner, each, 'arguments, by their names');
        else args = readGiven(inner, each);
      },
      step: (inner, each) => {
        step = readWord(inner, each, 'the id of a step');
      },
    });
    if (!at.has('tool') && !item.partial) r.report('TOO6302', headOf(item), 'a call needs "tool"', { help: callHelp });
    return tool === undefined ? [] : [{ tool, ...(args && { args }), ...(step && { step }) }];
  });
  return { span: entry.key.span, calls };
}

function readError(r: ScriptReader, entry: ToonEntry): ExpectedError | undefined {
  const { value, key } = entry;
  if (value.kind === 'boolean' && value.value) return { span: key.span };
  if (value.kind === 'string') {
    const message = readWord(r, entry, 'a part of the message');
    return message && { message, span: key.span };
  }
  const help = 'Write a part of the message, "true" for any error, or below it "code: …" and "message: …".';
  if (value.kind !== 'object' || value.entries.length === 0) return wrongKind(r, entry, 'an error', { help });
  const found: Writable<ExpectedError> = { span: key.span };
  readKeys(r, value, '"error"', {
    code: (inner, each) => {
      const code = readWord(inner, each, 'the code of an error, such as denied or schema');
      if (code) found.code = code;
    },
    message: (inner, each) => {
      const message = readWord(inner, each, 'a part of the message');
      if (message) found.message = message;
    },
  });
  return found;
}

function readAssertions(r: ScriptReader, entry: ToonEntry): readonly Assertion[] {
  const { value } = entry;
  const items = value.kind === 'array' ? value.items : [value];
  return items.flatMap((item) => {
    const word = readWord(r, { ...entry, value: item }, 'conditions, such as "{output.title.length < 60}"');
    if (word === undefined || item.kind !== 'string') return [];
    return [{ ...word, place: stringMap(r.source, item) }];
  });
}
