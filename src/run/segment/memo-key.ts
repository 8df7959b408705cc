/** Who a command is, across the segments of a run, and what its result depends on. */
import type { ChildCommand, Json, SignalCommand, StepCommand } from '../../machine/index.ts';
import { hashOf } from '../../plan/index.ts';

export type Keepable = StepCommand | SignalCommand | ChildCommand;

/** Under what a result is known. */
export interface ResultKey {
  readonly key: string;
  /** What it read while it was done: hashes by names. */
  readonly reads?: Readonly<Record<string, string>>;
  /** Of one from the cache: under what it was kept there. */
  readonly slot?: string;
  /** The hashes of modules with which the segment was opened that it was made in. */
  readonly modules?: Readonly<Record<string, string>>;
}

/** Who a command is, across edits: its place among components and loops, without attempts. */
export function identityOf(id: string): string {
  return id.replace(/#\d+/g, '');
}

/**
 * The number of a call inside of a thunk: `draft#1/tool#2` is the second. Whatever its key says, a result of one is none of
 * another: an answer in the wrong place of a conversation, or a permission for another call. Undefined of what is no such call.
 */
export function numberOf(command: Keepable): number | undefined {
  const isCall =
    command.op === 'signal'
      ? command.kind === 'permission'
      : command.op === 'step' && ['model', 'tools', 'tool', 'recall', 'turn'].includes(command.spec.kind);
  return isCall ? numberIn(command.id) : undefined;
}

export function numberIn(id: string): number {
  return Number.parseInt(id.slice(id.lastIndexOf('#') + 1), 10);
}

/** The path of its node in a plan. */
export function pathOf(identity: string): string {
  return identity.replace(/\[\d+\]/g, '');
}

/** What the answer to a question depends on: what people read. */
export function requestKey(kind: SignalCommand['kind'], request: Json): string {
  if (kind !== 'approval' || typeof request !== 'object' || request === null) return hashOf([kind, request]);
  const { title, summary } = request as { readonly title?: Json; readonly summary?: Json };
  return hashOf([kind, title ?? null, summary ?? null]);
}

export function commandKey(command: Keepable): string {
  return command.op === 'signal' ? requestKey(command.kind, command.request) : command.key;
}

/** Whether a result that is known under this is one of the command, whose key is `key`: that is made each time it is asked. */
export function isKeyOf({ key: own, reads, slot }: ResultKey, command: Keepable, key: string): boolean {
  if (slot !== undefined && command.op !== 'signal' && command.cache?.key === slot) return true;
  if (own !== key) return false;
  if (reads === undefined) return true;
  return command.op === 'step' && Object.entries(reads).every(([name, hash]) => readHash(command, name) === hash);
}

/** The same, with the modules as they were then: what is done stays done whoever has edited them since. */
export function wasKeyOf(known: ResultKey, command: Keepable): boolean {
  if (command.op === 'signal' || command.keyWith === undefined || known.modules === undefined) return false;
  return isKeyOf(known, command, command.keyWith(known.modules));
}

type Readable = Pick<StepCommand, 'args'> & { readonly values?: StepCommand['values'] | undefined };

/** The hash of a value that a step can see, by the name under which it was read; `*`: the names of all steps. */
export function readHash(command: Readable, name: string): string {
  const { args, values } = command;
  return shortHash(name === '*' ? values?.names() : valueNamed(args, name, (step) => values?.get(step)));
}

/** The hashes of what it reads now, by these names. */
export function readsNow(command: Readable, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, readHash(command, name)]));
}

/** The names of all that it can see, of who may read anything: for a result of which nobody knows what it read. */
export function visibleNames({ args, values }: Readable): readonly string[] | undefined {
  if (values === undefined) return undefined;
  const around = typeof args === 'object' && args !== null ? Object.keys(args).filter((name) => name !== 'steps') : [];
  return ['*', ...around, ...values.names()];
}

export function shortHash(value: Json | undefined): string {
  return value === undefined ? '-' : hashOf(value).slice(0, 12);
}

function valueNamed(args: Json, name: string, step: (name: string) => Json | undefined): Json | undefined {
  const [first = '', field] = name.split('.', 2);
  const own = memberOf(args, first);
  if (field !== undefined) return memberOf(own, field);
  return own ?? memberOf(memberOf(args, 'steps'), name) ?? step(name);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as { readonly [key: string]: Json })[name];
}
