/**
 * Checks a value against a type and gives back a plain copy of it, with every error at once.
 * 1. It iterates, so nothing that comes in can exhaust the stack; values nest at most `maxNesting` deep.
 * 2. A null (or undefined) for an optional field is read as absent, before anything else.
 * 3. Values may be shared or contain themselves (they may come from JavaScript): each is visited once per type.
 * 4. The copy holds own properties only, whatever their names.
 */
import { closest, didYouMean } from '../text/index.ts';
import { isRecord, type MessageObject, messageErrors, unknownKey } from './message.ts';
import type { TypeLanguage } from './print.ts';
import { missing, placeOf, pointTo, quoteShort, type ReadError, wrongType } from './read-error.ts';
import { type FieldType, jsonType, maxNesting, resolve, type StructType, type Type, type TypeTable } from './type.ts';

export type ValidateResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly ReadError[] };

export interface Conformed {
  readonly value: unknown;
  readonly errors: readonly ReadError[];
  readonly repairs: readonly string[];
}

interface Task {
  readonly value: unknown;
  readonly type: Type;
  readonly pointer: string;
  readonly depth: number;
  readonly into: object;
  readonly key: string | number;
}

/** Marks the end of a container: after it, meeting the container again is sharing, not a cycle. */
interface Exit {
  readonly exit: Visit;
}

interface Visit {
  readonly out: object;
  open: boolean;
}

interface State {
  readonly table: TypeTable;
  readonly coerce: boolean;
  readonly language: TypeLanguage;
  readonly todo: (Task | Exit)[];
  readonly visits: Map<Type, Map<object, Visit>>;
  readonly fieldsOf: Map<StructType, ReadonlyMap<string, FieldType>>;
  readonly errors: ReadError[];
  readonly repairs: string[];
}

export function validate(value: unknown, type: Type, table: TypeTable): ValidateResult {
  const result = conform(value, type, table);
  return result.errors.length === 0 ? { ok: true, value: result.value } : { ok: false, errors: result.errors };
}

export interface ConformOptions {
  /** Text is read as a number or a boolean where the type asks for one, and the repairs say so. */
  readonly coerce?: boolean;
  /** In whose words the errors name types; in those of agents if nothing is said. */
  readonly language?: TypeLanguage;
}

export function conform(value: unknown, type: Type, table: TypeTable, options: ConformOptions = {}): Conformed {
  const root: { value?: unknown } = {};
  const state: State = {
    table,
    coerce: options.coerce ?? false,
    language: options.language ?? 'too',
    todo: [{ value, type, pointer: '', depth: 0, into: root, key: 'value' }],
    visits: new Map(),
    fieldsOf: new Map(),
    errors: [],
    repairs: [],
  };
  for (let next = state.todo.pop(); next !== undefined; next = state.todo.pop()) {
    if ('exit' in next) next.exit.open = false;
    else visit(next, state);
  }
  return { value: root.value, errors: state.errors, repairs: state.repairs };
}

/** Like an assignment, but `__proto__` is a name like any other. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key !== '__proto__') (target as Record<string | number, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function visit(task: Task, state: State): void {
  const { value, pointer } = task;
  const type = resolve(task.type, state.table);
  switch (type.kind) {
    case 'text':
      if (typeof value === 'string') put(task, value);
      else state.errors.push(wrongType(pointer, type, value, '', state.language));
      return;
    case 'number':
      visitNumber(task, state);
      return;
    case 'boolean':
      visitBoolean(task, state);
      return;
    case 'literal':
      if (typeof value === 'string' && type.values.includes(value)) put(task, value);
      else {
        const hint = typeof value === 'string' ? didYouMean(closest(value, type.values)) : '';
        state.errors.push(wrongType(pointer, type, value, hint, state.language));
      }
      return;
    case 'message': {
      const errors = messageErrors(value, pointer);
      for (const error of errors) state.errors.push(error);
      if (errors.length === 0) put(task, copyMessage(value as string | MessageObject));
      return;
    }
    case 'json':
      visitJson(task, state);
      return;
    case 'array':
      if (Array.isArray(value)) visitList(task, value, type.item, type, state);
      else state.errors.push(wrongType(pointer, type, value, '', state.language));
      return;
    case 'struct':
      if (isRecord(value)) visitStruct(task, value, type, state);
      else state.errors.push(wrongType(pointer, type, value, '', state.language));
  }
}

function visitNumber(task: Task, state: State): void {
  const { value, pointer } = task;
  if (typeof value === 'number' && Number.isFinite(value)) {
    put(task, value);
    return;
  }
  const read = state.coerce && typeof value === 'string' ? readNumber(value) : undefined;
  if (read === undefined) {
    const hint = typeof value === 'number' ? ' It is no number that JSON can hold.' : '';
    state.errors.push(wrongType(pointer, { kind: 'number' }, value, hint, state.language));
    return;
  }
  state.repairs.push(`read the text ${quoteShort(String(value))} as a number (${placeOf(pointer)})`);
  put(task, read);
}

function visitBoolean(task: Task, state: State): void {
  const { value, pointer } = task;
  if (typeof value === 'boolean') {
    put(task, value);
    return;
  }
  const word = state.coerce && typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word !== 'true' && word !== 'false') {
    state.errors.push(wrongType(pointer, { kind: 'boolean' }, value, '', state.language));
    return;
  }
  state.repairs.push(`read the text ${quoteShort(String(value))} as a boolean (${placeOf(pointer)})`);
  put(task, word === 'true');
}

/** A number as JSON writes it, blanks around it allowed. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}

function visitJson(task: Task, state: State): void {
  const { value, pointer } = task;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') put(task, value);
  else if (typeof value === 'number' && Number.isFinite(value)) put(task, value);
  else if (Array.isArray(value)) visitList(task, value, jsonType, jsonType, state);
  else if (isRecord(value)) {
    const out = enter(task, value, {}, jsonType, state);
    if (out === undefined) return;
    const keys = Object.keys(value);
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i];
      if (key === undefined || value[key] === undefined) continue;
      state.todo.push(child(task, value[key], jsonType, key, out));
    }
    reserve(out, keys, value);
  } else state.errors.push(wrongType(pointer, 'a JSON value', value));
}

function visitList(task: Task, value: readonly unknown[], item: Type, type: Type, state: State): void {
  const out = enter(task, value, [], type, state);
  if (out === undefined) return;
  for (let i = value.length - 1; i >= 0; i--) state.todo.push(child(task, value[i], item, i, out));
  (out as unknown[]).length = value.length;
}

function visitStruct(task: Task, value: Record<string, unknown>, type: StructType, state: State): void {
  const out = enter(task, value, {}, type, state);
  if (out === undefined) return;
  const fields = fieldMap(type, state);
  for (const key of Object.keys(value)) {
    if (fields.has(key) || value[key] === undefined) continue;
    const what = type.name === undefined ? 'this struct' : `"${type.name}"`;
    state.errors.push(unknownKey(pointTo(task.pointer, key), key, fields.keys(), what, value[key]));
  }
  const present: FieldType[] = [];
  for (const field of fields.values()) {
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (member === undefined || (member === null && field.optional)) {
      if (!field.optional) state.errors.push(missing(pointTo(task.pointer, field.name), field.type, state.language));
    } else {
      present.push(field);
      setOwn(out, field.name, undefined);
    }
  }
  for (let i = present.length - 1; i >= 0; i--) {
    const field = present[i];
    if (field) state.todo.push(child(task, value[field.name], field.type, field.name, out));
  }
}

/** Starts a container; undefined when it is finished already, or can never be. */
function enter(task: Task, value: object, out: object, type: Type, state: State): object | undefined {
  let seen = state.visits.get(type);
  if (seen === undefined) {
    seen = new Map();
    state.visits.set(type, seen);
  }
  const before = seen.get(value);
  if (before?.open) {
    state.errors.push(wrongType(task.pointer, 'a value that does not contain itself', value));
    return undefined;
  }
  if (before) {
    put(task, before.out);
    return undefined;
  }
  if (task.depth >= maxNesting) {
    state.errors.push(wrongType(task.pointer, `nested at most ${maxNesting} levels deep`, value));
    return undefined;
  }
  const visit: Visit = { out, open: true };
  seen.set(value, visit);
  put(task, out);
  state.todo.push({ exit: visit });
  return out;
}

/** Children are visited after one another; this fixes their order in the copy first. */
function reserve(out: object, keys: readonly string[], value: Record<string, unknown>): void {
  for (const key of keys) if (value[key] !== undefined) setOwn(out, key, undefined);
}

function child(parent: Task, value: unknown, type: Type, key: string | number, into: object): Task {
  return { value, type, pointer: pointTo(parent.pointer, key), depth: parent.depth + 1, into, key };
}

function put(task: Task, value: unknown): void {
  setOwn(task.into, task.key, value);
}

function fieldMap(type: StructType, state: State): ReadonlyMap<string, FieldType> {
  let map = state.fieldsOf.get(type);
  if (map === undefined) {
    map = new Map(type.fields.map((field) => [field.name, field]));
    state.fieldsOf.set(type, map);
  }
  return map;
}

function copyMessage(message: string | MessageObject): string | MessageObject {
  if (typeof message === 'string') return message;
  const { role, content } = message;
  return { role, content: typeof content === 'string' ? content : content.map((part) => ({ ...part })) };
}
