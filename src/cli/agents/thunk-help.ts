/** `--help` of an agent and of its thunks, made from their signatures and their `##` comments. */
import type { AgentProgram, ThunkProgram } from '../../program/index.ts';
import { displayWidth, type Painter, painter, printable, wrap } from '../../text/index.ts';
import { printType, type StructType, type Type, type TypeTable, tryResolve } from '../../type/index.ts';
import { columns, heading } from '../help-layout.ts';
import { quoteForShell } from '../shell.ts';
import { sampleInput, sampleWord } from './sample-word.ts';

/** `toolang FILE THUNK --help`; `file` is how people call the agent. */
export function thunkHelp(program: AgentProgram, thunk: ThunkProgram, file: string, color: boolean): string {
  const paint = painter(color);
  const others = [...program.thunks.values()].filter((each) => each !== thunk);
  const lines = [...title(callOf(program, thunk, file), thunk.doc ?? program.doc, paint)];
  lines.push(...ofThunk(program, thunk, file, paint));
  if (others.length > 0) lines.push(heading('Other thunks', paint), ...thunkRows(others, paint), '');
  return finish([...lines, ...closing(program, [thunk], file, paint)]);
}

/** `toolang FILE --help`: what the agent is for, and its thunks; of the only one, all that there is to say. */
export function programHelp(program: AgentProgram, file: string, color: boolean): string {
  const paint = painter(color);
  const thunks = [...program.thunks.values()];
  const [only, ...more] = thunks;
  const agent = agentCall(file);
  const lines = [...title(agent, program.doc ?? (more.length === 0 ? only?.doc : undefined), paint)];
  if (only && more.length === 0) {
    if (program.doc !== undefined && only.doc !== undefined) lines.push(...docLines(only.doc), '');
    return finish([...lines, ...ofThunk(program, only, file, paint), ...closing(program, [only], file, paint)]);
  }
  if (only === undefined) return finish([...lines, 'It has no thunk, so nothing of it can be run.']);
  lines.push(heading('Usage', paint), ...broken([agent, '[THUNK]', '[name=value…]', '[INPUT…]', '[FLAGS]'], ''), '');
  lines.push(heading('Thunks', paint), ...thunkRows(thunks, paint), '');
  return finish([...lines, ...closing(program, thunks.slice(0, mostExamples), file, paint)]);
}

const mostExamples = 3;

function title(call: string, doc: string | undefined, paint: Painter): string[] {
  const [first = '', ...rest] = docLines(doc ?? '', displayWidth(call) + 2);
  const name = first === '' ? paint.bold(call) : `${paint.bold(call)}: ${first}`;
  return [name, ...rest, ''];
}

/** How it is called, what it takes and what it gives. */
function ofThunk(program: AgentProgram, thunk: ThunkProgram, file: string, paint: Painter): string[] {
  const { types } = program;
  const shown = new Set<StructType>();
  const lines = [heading('Usage', paint), ...usage(program, thunk, file), ''];
  const params = thunk.params.flatMap(({ name, type, optional }) => [
    { name: `${name}${optional ? '?' : ''}`, type: printType(type), doc: name === 'input' ? aboutInput : '' },
    ...fieldRows(type, types, '  ', shown),
  ]);
  if (params.length > 0) lines.push(heading('Parameters', paint), ...rows(params, paint), '');
  const output = [{ name: printType(thunk.output), type: '', doc: '' }, ...fieldRows(thunk.output, types, '  ', shown)];
  lines.push(heading('Output', paint), ...rows(output, paint), '');
  return lines;
}

/** What can be pasted, and where the rest is said. */
function closing(program: AgentProgram, thunks: readonly ThunkProgram[], file: string, paint: Painter): string[] {
  const lines = [heading('Examples', paint), ...thunks.flatMap((thunk) => example(program, thunk, file))];
  const [, second] = thunks;
  if (second) lines.push(...broken([callOf(program, second, file), '--help'], ' \\'));
  return [...lines, '', 'All flags: toolang invoke --help'];
}

const aboutInput = 'the words behind, or what is piped in; @FILE attaches a file';

/** The thunk is named unless it is the one that is meant anyway. */
function callOf({ thunks }: AgentProgram, { name }: ThunkProgram, file: string): string {
  const isMeant = name === 'default' || thunks.size === 1;
  return `${agentCall(file)}${isMeant ? '' : ` ${name}`}`;
}

/** A file may stand first; an agent that is called by its name may not. */
export function agentCall(file: string, program = 'toolang'): string {
  return `${program} ${/\.too$/i.test(file) ? '' : 'invoke '}${quoteForShell(printable(file))}`;
}

function usage(program: AgentProgram, thunk: ThunkProgram, file: string): string[] {
  const words = thunk.params
    .filter(({ name }) => name !== 'input')
    .map(({ name, type, optional }) => {
      const word = `${name}=${printType(type).toUpperCase()}`;
      return optional ? `[${word}]` : word;
    });
  const input = thunk.params.some(({ name }) => name === 'input') ? ['INPUT…'] : [];
  return broken([callOf(program, thunk, file), ...words, ...input, '[FLAGS]'], '');
}

function example(program: AgentProgram, thunk: ThunkProgram, file: string): string[] {
  const given = thunk.params.filter(({ name, optional }) => name !== 'input' && !optional);
  const words = given.map((param) => sampleWord(param, program.types, `some ${param.name}`));
  const input = thunk.params.find(({ name }) => name === 'input');
  if (input) words.push(sampleInput(input.type, program.types));
  return broken([callOf(program, thunk, file), ...words], ' \\');
}

/**
 * Words in lines that fit, none of them cut: what is pasted must be whole. `mark` ends all lines but the last, so that a
 * shell takes them for one.
 */
function broken(words: readonly string[], mark: string): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const isRoom = last !== undefined && displayWidth(`${last} ${word}${mark}`) <= columns;
    if (isRoom) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? '  ' : '    '}${word}`);
  }
  return lines.map((line, i) => (i < lines.length - 1 ? `${line}${mark}` : line));
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** The fields of a struct, and of those in it; each struct once. */
function fieldRows(type: Type, types: TypeTable, margin: string, shown: Set<StructType>): Row[] {
  const inner = type.kind === 'array' ? type.item : type;
  if (inner.kind === 'array') return fieldRows(inner, types, margin, shown);
  const struct = tryResolve(inner, types);
  if (struct?.kind !== 'struct' || shown.has(struct)) return [];
  shown.add(struct);
  return struct.fields.flatMap(({ name, type: of, optional, doc = '' }) => [
    { name: `${margin}${name}${optional ? '?' : ''}`, type: printType(of), doc },
    ...fieldRows(of, types, deeper(margin), shown),
  ]);
}

/** Structs in structs without end would leave no room. */
function deeper(margin: string): string {
  return margin.length < 10 ? `${margin}  ` : margin;
}

function thunkRows(thunks: readonly ThunkProgram[], paint: Painter): string[] {
  return rows(
    thunks.map(({ name, doc = '' }) => ({ name, type: '', doc: doc.split('\n', 1).join('') })),
    paint,
  );
}

/** Names, types and what they are for, one beside the other; below each other where there is no room. */
function rows(all: readonly Row[], paint: Painter): string[] {
  const names = Math.min(30, Math.max(...all.map(({ name }) => name.length)));
  const types = Math.min(24, Math.max(...all.map(({ type }) => type.length)));
  const margin = 2 + names + 2 + (types === 0 ? 0 : types + 2);
  return all.flatMap(({ name, type, doc }) => {
    const label = `  ${paint.cyan(name)}${type === '' ? '' : `${' '.repeat(Math.max(0, names - name.length))}  ${type}`}`;
    const used = 2 + (type === '' ? name.length : Math.max(names, name.length) + 2 + type.length);
    const text = wrap(printable(doc.replaceAll(/\s+/g, ' ').trim()), columns - margin);
    if (text.length === 0) return [label];
    const beside = used + 2 <= margin;
    const below = text.slice(beside ? 1 : 0).map((line) => `${' '.repeat(margin)}${line}`);
    return [beside ? `${label}${' '.repeat(margin - used)}${text[0]}` : label, ...below];
  });
}

/** Each line of a doc is broken by itself: there may be lists in it. `used`: what stands before the first. */
function docLines(doc: string, used = 0): string[] {
  const [first = '', ...rest] = doc
    .trim()
    .split('\n')
    .map((line) => printable(line.trimEnd()));
  const room = columns - used;
  const head = room < 20 && first !== '' ? ['', ...wrap(first, columns)] : wrap(first, room, columns);
  return [...head, ...rest.flatMap((line) => (line === '' ? [''] : wrap(line, columns)))];
}

function finish(lines: readonly string[]): string {
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
