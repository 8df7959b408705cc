/**
 * From the words of a command line to the arguments of a thunk: `[THUNK] [name=value…] [input…]`.
 * 1. The first word is a thunk only if it names one. `name=value` is an argument only if the thunk declares the name; behind
 *    a `/prompt` that has the name it is the prompt's.
 * 2. All other words are the input, joined by a blank; `@file` attaches a file to it, and `@@x` is the word `@x`.
 * 3. What is piped is the input, or follows its words; `-` as its only word asks for it. `name=-` and `name=@file` are the
 *    values of parameters. `input=value` is the whole input: then nothing else is looked at.
 * 4. Values are read as strictly as those of workflows; an input that is no text as leniently as an answer of a model.
 * All that is wrong is told at once.
 */
import type { AgentProgram, ParamType, ThunkProgram } from '../../program/index.ts';
import { closest, didYouMean, printable } from '../../text/index.ts';
import {
  field,
  type MessagePart,
  printTypeShort,
  type ReadError,
  readJson,
  readText,
  resolve,
  structOf,
  type Type,
  type TypeTable,
  validate,
} from '../../type/index.ts';
import { inputError, writeInstead } from '../runs/input-error.ts';
import { brokenAt, readTyped, withoutStop } from '../runs/typed-value.ts';
import { type Attachment, mostAttached, namedText, readAttachment, wholeText } from './attachment.ts';
import { sampleWord } from './sample-word.ts';
import type { WordSource } from './word-source.ts';

export type ThunkChoice =
  | { readonly ok: true; readonly thunk: ThunkProgram; readonly words: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly help: string };

export interface ThunkSignature {
  readonly name: string;
  readonly params: readonly ParamType[];
  readonly types: TypeTable;
}

export type ThunkWords =
  /** `repairs`: how an input that is no text had to be read. */
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>>; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The thunk that the first word names, else `default`, else the only one; and the words behind it. */
export function chooseThunk(
  { thunks, source }: Pick<AgentProgram, 'thunks' | 'source'>,
  words: readonly string[],
): ThunkChoice {
  const [first, ...rest] = words;
  const named = first === undefined ? undefined : thunks.get(first);
  if (named) return { ok: true, thunk: named, words: rest };
  const [only, ...more] = thunks.values();
  const thunk = thunks.get('default') ?? (more.length === 0 ? only : undefined);
  if (thunk) return { ok: true, thunk, words };
  if (only === undefined)
    return { ok: false, message: `"${source.name}" has no thunk.`, help: 'Declare one: "thunk:".' };
  const names = [...thunks.keys()];
  const near = first === undefined ? undefined : closest(first, names);
  const message = `"${source.name}" has several thunks and none is the default; name one.${didYouMean(near)}`;
  return { ok: false, message, help: `Its thunks: ${names.join(', ')}.` };
}

/** A word that was read as the input, and is almost the name of a thunk. */
export function nearThunk(
  thunks: ReadonlyMap<string, unknown>,
  [first = '']: readonly string[],
  { name }: ThunkProgram,
): string[] {
  if (first === '' || thunks.has(first) || /[\s=]/.test(first)) return [];
  const near = closest(first, thunks.keys());
  if (near === undefined) return [];
  return [`"${printable(first)}" names no thunk, and is an input of "${name}". Did you mean "${near}"?`];
}

export async function readThunkWords(
  { name: thunk, params, types }: ThunkSignature,
  words: readonly string[],
  source: WordSource,
  commandNames: (word: string) => ReadonlySet<string> = () => new Set(),
): Promise<ThunkWords> {
  const byName = new Map(params.map((param) => [param.name, param]));
  const problems: string[] = [];
  const repairs: string[] = [];
  const values = new Map<string, unknown>();
  const given = new Set<string>();
  /** Those that were wrong are not told again. */
  const wrong = new Set<string>();
  let stdinOf: string | undefined;
  let attached = 0;
  const { pairs, free, files } = sortWords(words, byName, commandNames);
  for (const [name, raw] of pairs) await addPair(name, raw);
  const input = byName.get('input');
  if (input === undefined) problems.push(...withoutInput());
  else if (!given.has('input')) await addInput(input.type);
  else if (free.length + files.length > 0) {
    problems.push(`"input" is given twice, by its name and as "${[...free, ...files].join(' ')}": write it once`);
    wrong.add('input');
  }
  const whole = structOf(params.map(({ name, type, optional }) => field(name, type, { optional })));
  const checked = validate(Object.fromEntries(values), whole, types);
  if (checked.ok && problems.length === 0) return { ok: true, args: checked.value as Record<string, unknown>, repairs };
  for (const error of checked.ok ? [] : checked.errors) {
    const [, top = ''] = error.pointer.split('/');
    const param = byName.get(top);
    if (wrong.has(top) || param === undefined) continue;
    const isWhole = error.pointer === `/${top}`;
    if (isWhole && error.got === 'nothing') problems.push(missing(param));
    else
      problems.push(inputError(error, whole, types, printTypeShort) + (isWhole ? writeInstead(param.type, types) : ''));
  }
  return { ok: false, problems };

  async function addPair(name: string, raw: string): Promise<void> {
    const param = byName.get(name);
    if (param === undefined) return;
    if (given.has(name)) {
      problems.push(`"${name}" is given twice: write it once`);
      return;
    }
    given.add(name);
    const text = await textOf(param, raw);
    if (text === undefined) {
      wrong.add(name);
      return;
    }
    if (typeof text !== 'string') {
      values.set(name, { role: 'user', content: [text.part] });
      return;
    }
    const read = readTyped(name, text, param, types, printTypeShort);
    problems.push(...read.problems);
    if (read.kind === 'value') values.set(name, read.value);
    else if (read.kind === 'wrong') wrong.add(name);
  }

  /** What stands behind `=`: itself, a file, standard input. Undefined, and told, where there is none. */
  async function textOf({ name, type }: ParamType, raw: string): Promise<string | OtherFile | undefined> {
    if (raw === '-') return readStdin(`"${name}"`);
    if (!isFileWord(raw)) return unescaped(raw);
    const file = await attach(raw.slice(1), `${name}=${raw}`);
    if (file === undefined || file.kind === 'text') return file?.text;
    if (resolve(type, types).kind === 'message') return file;
    problems.push(`"${name}" must be ${printTypeShort(type)}, and "${file.name}" is no text`);
    return undefined;
  }

  async function readStdin(of: string, how: 'stdin' | 'more' = 'stdin'): Promise<string | undefined> {
    if (stdinOf !== undefined) {
      problems.push(`standard input is ${stdinOf} already, and cannot be ${of} too: write it to a file, and name that`);
      return undefined;
    }
    stdinOf = of;
    const read = await source[how]();
    if (read.ok) return wholeText(read.text);
    problems.push(withoutStop(read.message));
    return undefined;
  }

  async function attach(name: string, word: string): Promise<Attachment | undefined> {
    const read = await readAttachment(name, word, source);
    if (!read.ok) {
      problems.push(read.message);
      return undefined;
    }
    const before = attached;
    attached += read.attachment.bytes;
    if (attached <= mostAttached) return read.attachment;
    if (before <= mostAttached)
      problems.push(
        `the files have more than ${mostAttached / 1024 / 1024} MB together: attach fewer, or parts of them`,
      );
    return undefined;
  }

  async function addInput(type: Type): Promise<void> {
    const isStdin = free.length === 1 && free[0] === '-';
    const isMore = source.isPiped && stdinOf === undefined;
    const said = isStdin ? '' : free.map(unescaped).join(' ');
    const isAlone = said.trim() === '' && files.length === 0;
    const piped = isStdin || isMore ? await readStdin('the input', isAlone ? 'stdin' : 'more') : '';
    const parts: Attachment[] = [];
    for (const word of files) {
      const file = await attach(word.slice(1), word);
      if (file) parts.push(file);
      else wrong.add('input');
    }
    if (piped === undefined) wrong.add('input');
    const text = [said, piped ?? ''].filter((each) => each.trim() !== '').join('\n\n');
    if (wrong.has('input') || (text === '' && parts.length === 0)) return;
    if (resolve(type, types).kind === 'message') {
      values.set('input', parts.length === 0 ? text : { role: 'user', content: messageParts(text, parts) });
      return;
    }
    const others = parts.filter((each) => each.kind === 'file');
    for (const { name } of others)
      problems.push(`the input must be ${printTypeShort(type)}, and "${name}" is no text: it cannot be attached to it`);
    const texts = parts.flatMap((each) => (each.kind === 'text' ? [each.text] : []));
    if (others.length > 0) wrong.add('input');
    else readWhole([...(text === '' ? [] : [text]), ...texts].join('\n\n'), type);
  }

  /** Text and Json are what is said; of other types a value is looked for in it. */
  function readWhole(text: string, type: Type): void {
    const { kind } = resolve(type, types);
    const read = kind === 'text' || kind === 'json' ? readText(text, type, types) : readJson(text, type, types);
    if (read.ok) {
      values.set('input', read.value);
      repairs.push(...read.repairs);
      return;
    }
    wrong.add('input');
    problems.push(...read.errors.map((error) => inputProblem(error, type)));
  }

  function inputProblem(error: ReadError, type: Type): string {
    const { pointer, message } = error;
    if (pointer !== '')
      return inputError(
        { ...error, pointer: `/input${pointer}` },
        structOf([field('input', type)]),
        types,
        printTypeShort,
      );
    const broken = brokenAt(message);
    if (broken !== undefined) return `the JSON of the input ${broken}`;
    const { kind } = resolve(type, types);
    const instead = kind === 'number' || kind === 'boolean' ? scalars[kind] : writeInstead(type, types);
    return `${withoutStop(message.replace(/^the answer must be/, 'the input must be'))}${instead}`;
  }

  /** Words for an input that the thunk does not take. */
  function withoutInput(): readonly string[] {
    const names = [...byName.keys()];
    const takes =
      names.length === 0
        ? `"${thunk}" takes no words`
        : `"${thunk}" takes ${names.map((name) => `${name}=…`).join(', ')}`;
    const told: string[] = [];
    const others: string[] = [];
    for (const word of [...free, ...files]) {
      const left = pairName.exec(word)?.[1];
      if (left === undefined) others.push(word);
      else told.push(`"${left}" is not a parameter: ${takes}.${didYouMean(closest(left, names))}`);
    }
    if (others.length > 0) told.unshift(`"${others.join(' ')}" is an input, and there is none: ${takes}`);
    return told;
  }

  function missing(param: ParamType): string {
    const { name, type } = param;
    if (name === 'input')
      return `the input is missing; it must be ${printTypeShort(type)}: write it behind the other words, pipe it in, or attach a file with @FILE`;
    const meant = free.find((word) => closest(pairName.exec(word)?.[1] ?? '', [name]) !== undefined);
    const instead = meant === undefined ? '' : `; "${meant}" is no parameter, and was read as input`;
    return `"${name}" is missing; it must be ${printTypeShort(type)}: write ${sampleWord(param, types)}${instead}`;
  }
}

const scalars = { number: ': write a number such as 42 or -0.5', boolean: ': write true or false' } as const;

type OtherFile = Extract<Attachment, { kind: 'file' }>;

interface Sorted {
  readonly pairs: readonly (readonly [name: string, raw: string])[];
  readonly free: readonly string[];
  /** With their `@`. */
  readonly files: readonly string[];
}

function sortWords(
  words: readonly string[],
  params: ReadonlyMap<string, unknown>,
  commandNames: (word: string) => ReadonlySet<string>,
): Sorted {
  const pairs: [string, string][] = [];
  const free: string[] = [];
  const files: string[] = [];
  let own: ReadonlySet<string> | undefined;
  for (const word of words) {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(0, equals));
    if (params.has(name) && !own?.has(name)) pairs.push([name, word.slice(equals + 1)]);
    else if (isFileWord(word)) files.push(word);
    else {
      own ??= commandNames(word);
      free.push(word);
    }
  }
  return { pairs, free, files };
}

/** A word that was meant as an argument. */
const pairName = /^([A-Za-z][\w-]*)=/;

/** `@` alone names nothing: it is a word. */
function isFileWord(word: string): boolean {
  return word.length > 1 && word.startsWith('@') && !word.startsWith('@@');
}

function unescaped(word: string): string {
  return word.startsWith('@@') ? word.slice(1) : word;
}

export function messageParts(text: string, files: readonly Attachment[]): readonly MessagePart[] {
  const said: MessagePart[] = text === '' ? [] : [{ type: 'text', text }];
  return [
    ...said,
    ...files.map(
      (file): MessagePart =>
        file.kind === 'file' ? file.part : { type: 'text', text: namedText(file.name, file.text) },
    ),
  ];
}
