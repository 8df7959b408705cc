/**
 * What `--input` says: a JSON object, `name=value`, `@file.json`, or `-` for standard input; several are put together, and
 * what comes later wins over an object before it. All that is wrong is told at once, before anything runs.
 */
import { typeText, type WorkflowPlan } from '../../plan/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import {
  type FieldType,
  isRecord,
  jsonType,
  type ReadError,
  readText,
  resolve,
  type TypeTable,
  validate,
} from '../../type/index.ts';

export type RunInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] };

export type TextSource = (name: string) => Promise<{ ok: true; text: string } | { ok: false; message: string }>;

/** `read` gives the text of a file, and of standard input for `-`. */
export async function readRunInput(
  words: readonly string[],
  { input, types }: Pick<WorkflowPlan, 'input' | 'types'>,
  read: TextSource,
): Promise<RunInput> {
  const table: TypeTable = new Map(Object.entries(types));
  const type = resolve(input, table);
  const problems: string[] = [];
  if (type.kind !== 'struct') return readWhole(words, input, table, read);
  const fields = new Map(type.fields.map((field) => [field.name, field]));
  const value = new Map<string, unknown>();
  /** By `name=value`; those that were wrong are not told again. */
  const typed = new Set<string>();
  const wrong = new Set<string>();
  for (const word of words) {
    const pair = /^([^={["@]+)=([\s\S]*)$/.exec(word);
    if (pair?.[1] !== undefined) addPair(pair[1].trim(), pair[2] ?? '');
    else await addObject(word);
  }
  const checked = validate(Object.fromEntries(value), input, table);
  if (!checked.ok) {
    const meant = misspelled(checked.errors);
    for (const error of checked.errors) {
      const name = fieldOf(error);
      if (!wrong.has(name) && !(meant.has(name) && error.got === 'nothing')) problems.push(problemText(error, fields));
    }
  }
  return checked.ok && problems.length === 0 ? { ok: true, value: checked.value } : { ok: false, problems };

  function addPair(name: string, raw: string): void {
    if (typed.has(name)) {
      problems.push(`"${name}" is given twice`);
      return;
    }
    typed.add(name);
    const field = fields.get(name);
    if (field === undefined) {
      problems.push(unknownField(name, fields));
      wrong.add(name);
      return;
    }
    const given = readText(raw, field.type, table);
    if (given.ok) {
      value.set(name, given.value);
      return;
    }
    wrong.add(name);
    for (const { message, pointer } of given.errors) {
      // Types in the words of workflow files.
      const own = message.replace(/^the value must be .*?, but/, `must be ${typeText(field.type)}, but`);
      problems.push(pointer === '' ? `"${name}" ${stop(own)}` : `"${name}": ${stop(message)}`);
    }
    // What is wrong is not missing too.
    value.delete(name);
  }

  /** Fields that are there under another name: to be told of that is enough. */
  function misspelled(errors: readonly ReadError[]): ReadonlySet<string> {
    const names = [...fields.keys()];
    const given = new Set([...wrong, ...errors.map(fieldOf)]);
    return new Set([...given].flatMap((name) => (fields.has(name) ? [] : (closest(name, names) ?? []))));
  }

  async function addObject(word: string): Promise<void> {
    const given = await readJsonWord(word, table, read);
    if (!given.ok) {
      problems.push(given.message);
      return;
    }
    if (!isRecord(given.value)) {
      problems.push(`${shown(word)} is not a JSON object`);
      return;
    }
    for (const [name, each] of Object.entries(given.value)) value.set(name, each);
  }
}

/** A workflow whose input is no object takes one value. */
async function readWhole(
  words: readonly string[],
  input: WorkflowPlan['input'],
  table: TypeTable,
  read: TextSource,
): Promise<RunInput> {
  const [word, ...more] = words;
  if (word === undefined) return refused(`the input is missing; it must be ${typeText(input)}`);
  if (more.length > 0)
    return refused(`the input is one value, ${typeText(input)}; --input is given ${words.length} times`);
  let text = word;
  if (word === '-' || word.startsWith('@')) {
    const given = await read(word === '-' ? word : word.slice(1));
    if (!given.ok) return refused(given.message);
    text = given.text.trim();
  }
  const value = readText(text, input, table);
  if (value.ok) return value;
  return { ok: false, problems: value.errors.map(({ message }) => stop(message)) };
}

async function readJsonWord(
  word: string,
  table: TypeTable,
  read: TextSource,
): Promise<{ ok: true; value: unknown } | { ok: false; message: string }> {
  let text = word;
  if (word === '-' || word.startsWith('@')) {
    const given = await read(word === '-' ? word : word.slice(1));
    if (!given.ok) return given;
    ({ text } = given);
  } else if (!/^\s*[{[]/.test(word)) {
    return { ok: false, message: `"${word}" is no input: write name=value, a JSON object, @FILE or -` };
  }
  const value = readText(text, jsonType, table);
  if (value.ok) return value;
  return { ok: false, message: `${shown(word)}: ${stop(value.errors[0]?.message ?? 'it is no JSON')}` };
}

function problemText(error: ReadError, fields: ReadonlyMap<string, FieldType>): string {
  const name = fieldOf(error);
  const field = fields.get(name);
  const isField = error.pointer.indexOf('/', 1) === -1;
  if (field !== undefined && isField && error.got === 'nothing') {
    return `"${name}" is missing; it must be ${typeText(field.type)}`;
  }
  if (field === undefined && isField && name !== '') return unknownField(name, fields);
  if (field !== undefined && isField) return `"${name}" must be ${typeText(field.type)}, but it is ${error.got}`;
  return stop(error.message);
}

function unknownField(name: string, fields: ReadonlyMap<string, FieldType>): string {
  const names = [...fields.keys()];
  const near = didYouMean(closest(name, names));
  if (near !== '') return `"${name}" is not a field of the input.${near}`;
  const all = names.length === 0 ? 'it takes none' : `its fields are ${names.slice(0, 12).join(', ')}`;
  return `"${name}" is not a field of the input; ${all}`;
}

/** The first part of the pointer. */
function fieldOf({ pointer }: ReadError): string {
  return (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(word: string): string {
  if (word === '-') return 'standard input';
  return word.startsWith('@') ? `"${word.slice(1)}"` : 'the JSON of --input';
}

/** Problems stand in lines of their own, without a full stop. */
function stop(message: string): string {
  return message.replace(/\.$/, '');
}

function refused(problem: string): RunInput {
  return { ok: false, problems: [problem] };
}
