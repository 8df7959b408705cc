/**
 * What `--input` says: a JSON object, `name=value`, `@file.json`, or `-` for standard input; several are put together, and
 * what comes later wins over an object before it. All that is wrong is told at once, before anything runs, in the words
 * of workflow files.
 */
import { typeText, type WorkflowPlan } from '../../plan/index.ts';
import { closest } from '../../text/index.ts';
import { isRecord, jsonType, type ReadError, readText, resolve, type TypeTable, validate } from '../../type/index.ts';
import { inputError, unknownField, writeInstead } from './input-error.ts';
import { brokenAt, doubledKeys, readTyped, withoutStop } from './typed-value.ts';

export type RunInput =
  | { readonly ok: true; readonly value: unknown }
  /** `isUnread`: what could not be read may hold what else is missing. */
  | { readonly ok: false; readonly problems: readonly string[]; readonly isUnread: boolean };

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
  let isUnread = false;
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
      const isField = error.pointer.indexOf('/', 1) === -1;
      const isMissing = isField && error.got === 'nothing';
      if (wrong.has(name) || (isMissing && (isUnread || meant.has(name)))) continue;
      const field = isField && typed.has(name) ? fields.get(name) : undefined;
      problems.push(inputError(error, input, table) + (field ? writeInstead(field.type, table) : ''));
    }
  }
  return checked.ok && problems.length === 0 ? { ok: true, value: checked.value } : { ok: false, problems, isUnread };

  function addPair(name: string, raw: string): void {
    if (typed.has(name)) {
      problems.push(`"${name}" is given twice`);
      return;
    }
    typed.add(name);
    const field = fields.get(name);
    if (field === undefined) {
      problems.push(unknownField(name, fields.keys()));
      wrong.add(name);
      return;
    }
    const given = readTyped(name, raw, field, table, typeText);
    problems.push(...given.problems);
    if (given.kind === 'value') value.set(name, given.value);
    if (given.kind !== 'wrong') return;
    wrong.add(name);
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
    if (!given.ok || !isRecord(given.value)) {
      isUnread = true;
      problems.push(given.ok ? `${shown(word)} is not a JSON object` : given.message);
      return;
    }
    problems.push(...doubledKeys(given.repairs, shown(word)));
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
    const given = await readNamed(word, read);
    if (!given.ok) return refused(given.message);
    text = given.text.trim();
  }
  const { kind } = resolve(input, table);
  const isJson = kind === 'array' || kind === 'struct';
  const given = readText(text, isJson ? jsonType : input, table);
  const value = given.ok && isJson ? validate(given.value, input, table) : given;
  if (value.ok) return value;
  const problems = value.errors.map((error) => {
    const broken = brokenAt(error.message);
    if (broken !== undefined) return `the JSON of --input ${broken}`;
    return inputError(error, input, table) + (isJson && error.pointer === '' ? writeInstead(input, table) : '');
  });
  return { ok: false, problems, isUnread: false };
}

async function readNamed(word: string, read: TextSource): ReturnType<TextSource> {
  if (word === '@') return { ok: false, message: '"@" names no file: write @FILE' };
  return read(word === '-' ? word : word.slice(1));
}

async function readJsonWord(
  word: string,
  table: TypeTable,
  read: TextSource,
): Promise<{ ok: true; value: unknown; repairs: readonly string[] } | { ok: false; message: string }> {
  let text = word;
  if (word === '-' || word.startsWith('@')) {
    const given = await readNamed(word, read);
    if (!given.ok) return given;
    ({ text } = given);
  } else if (!/^\s*[{[]/.test(word)) {
    return { ok: false, message: `"${word}" is no input: write name=value, a JSON object, @FILE or -` };
  }
  const value = readText(text, jsonType, table);
  if (value.ok) return value;
  const message = value.errors[0]?.message ?? 'it is no JSON';
  return { ok: false, message: `${shown(word)} ${brokenAt(message) ?? withoutStop(message)}` };
}

/** The first part of the pointer. */
function fieldOf({ pointer }: ReadError): string {
  return (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(word: string): string {
  if (word === '-') return 'standard input';
  return word.startsWith('@') ? `"${word.slice(1)}"` : 'the JSON of --input';
}

function refused(problem: string): RunInput {
  return { ok: false, problems: [problem], isUnread: false };
}
