/** Whether the value of an expression fits a type of the language: for `with`, `input` and results. */
import { closest, didYouMean } from '../../text/index.ts';
import { printTypeShort, type StructType, type Type, type TypeTable, tryResolve } from '../../type/index.ts';
import { printValueType } from './print-value-type.ts';
import { isNullish, membersOf, type RecordValue, type ValueType } from './value-type.ts';

export type Fit = { readonly ok: true } | { readonly ok: false; readonly why: string };

interface Job {
  readonly from: ValueType;
  readonly to: Type;
  /** The field may be left out, so undefined and null fit. */
  readonly optional: boolean;
  readonly at: string;
}

const fits: Fit = { ok: true };

/**
 * Structs are closed, as in `assignable`: a field too many does not fit. What is not known (`json`) fits everything,
 * and is checked when it runs. Each pair of types is compared once, so structs may hold themselves.
 */
export function assignableValue(from: ValueType, to: Type, table: TypeTable): Fit {
  const seen = new Map<ValueType, Set<Type>>();
  const jobs: Job[] = [{ from, to, optional: false, at: '' }];
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    for (const member of membersOf(job.from)) {
      const why = compare({ ...job, from: member }, table, seen, jobs);
      if (why !== undefined) return { ok: false, why };
    }
  }
  return fits;
}

function compare(job: Job, table: TypeTable, seen: Map<ValueType, Set<Type>>, jobs: Job[]): string | undefined {
  const { from, at } = job;
  if (from.kind === 'any') return undefined;
  const to = tryResolve(job.to, table);
  if (isNullish(from)) {
    if (job.optional || (from.kind === 'null' && to?.kind === 'json')) return undefined;
    return `${place(at)}may be ${from.kind}; give another value with "??"`;
  }
  if (from.kind === 'function') return `${place(at)}is a function, not a value`;
  if (to === undefined) return undefined;
  if (from.kind === 'date' || from.kind === 'regexp') {
    const instead = from.kind === 'date' ? '.toISOString()' : '.source';
    return `${place(at)}is a ${printValueType(from)}, not ${printTypeShort(job.to)}; write "${instead}" for its text`;
  }
  if (from.kind === 'array' && (to.kind === 'array' || to.kind === 'json')) {
    if (remember(seen, from, to)) {
      jobs.push({ from: from.item, to: to.kind === 'json' ? to : to.item, optional: false, at: `${at}[]` });
    }
    return undefined;
  }
  if (from.kind === 'record' && (to.kind === 'struct' || to.kind === 'json')) {
    if (!remember(seen, from, to)) return undefined;
    if (to.kind === 'struct') return fields(from, to, at, jobs);
    for (const [name, field] of from.fields) jobs.push({ from: field.type, to, optional: true, at: inside(at, name) });
    return undefined;
  }
  if (scalarFits(from, to)) return undefined;
  return `${place(at)}is ${printValueType(from)}, not ${printTypeShort(job.to)}`;
}

function scalarFits(from: ValueType, to: Type): boolean {
  switch (to.kind) {
    case 'json':
      return true;
    case 'text':
      return from.kind === 'string' || from.kind === 'literal';
    case 'message':
      return from.kind === 'string' || from.kind === 'literal' || from.kind === 'record';
    case 'literal': {
      if (from.kind !== 'literal') return false;
      const values = new Set(to.values);
      return from.values.every((value) => values.has(value));
    }
    default:
      return from.kind === to.kind;
  }
}

function fields(from: RecordValue, to: StructType, at: string, jobs: Job[]): string | undefined {
  const wanted = new Map(to.fields.map((field) => [field.name, field]));
  for (const [name, field] of from.fields) {
    const match = wanted.get(name);
    if (match === undefined) {
      const meant = closest(name, wanted.keys());
      return `${place(at)}has a field "${name}" that ${printTypeShort(to)} does not have${
        meant === undefined ? '' : `.${didYouMean(meant)}`
      }`;
    }
    if (field.optional && !match.optional) {
      return `${place(inside(at, name))}may be undefined; give another value with "??"`;
    }
    jobs.push({ from: field.type, to: match.type, optional: match.optional, at: inside(at, name) });
  }
  if (from.open) return undefined;
  for (const field of to.fields) {
    if (!field.optional && !from.fields.has(field.name)) return `${place(at)}has no field "${field.name}"`;
  }
  return undefined;
}

function inside(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function place(at: string): string {
  if (at === '') return 'it ';
  return `"${at.length > 80 ? `…${at.slice(-80)}` : at}" `;
}

function remember(seen: Map<ValueType, Set<Type>>, from: ValueType, to: Type): boolean {
  const types = seen.get(from);
  if (types?.has(to)) return false;
  if (types) types.add(to);
  else seen.set(from, new Set([to]));
  return true;
}
