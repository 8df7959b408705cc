/**
 * What `value.name` and `value[name]` read: own data of records and arrays, and the tables of methods, nothing else.
 * What leads from data to code fails by its name, however the name was made.
 */
import { closest, didYouMean } from '../../text/index.ts';
import { hiddenMembers, leftOutMethods, leftOutStatics } from '../left-out.ts';
import { clip, fail } from './failure.ts';
import { methodNames, methodOf, type Receiver } from './methods.ts';
import { dataOf, hasOwn, indexOfKey } from './own.ts';
import { regExpFields } from './regexps.ts';
import { type FunctionValue, isFunction, type Kind, kindOf, kindWord, type RegExpValue } from './value.ts';

/** The value must not be null or undefined. */
export function readProperty(value: unknown, key: string): unknown {
  const kind = kindOf(value);
  if (kind === 'function') return readStatic(value as FunctionValue, key);
  if (kind === 'string') {
    if (key === 'length') return (value as string).length;
    const index = indexOfKey(key, (value as string).length);
    if (index !== undefined) return (value as string)[index];
  } else if (kind === 'array' || kind === 'record') {
    const found = Object.getOwnPropertyDescriptor(value, key);
    if (found) return known(dataOf(found, key));
  } else if (kind === 'regexp' && Object.hasOwn(regExpFields, key)) {
    return regExpFields[key]?.(value as RegExpValue);
  }
  const method = methodOf(kind, key);
  if (method) return method;
  const reason = leftOut(kind, key);
  if (reason === undefined) return undefined;
  return fail('TOO6104', `"${key}" of ${kindWord(kind)} cannot be used in an expression: ${reason}`);
}

/** The operator `in`. */
export function hasProperty(value: unknown, key: string): boolean {
  const kind = kindOf(value);
  if (kind === 'function') return (value as FunctionValue).statics?.has(key) ?? false;
  return (
    hasOwn(value, key) || methodOf(kind, key) !== undefined || (kind === 'regexp' && Object.hasOwn(regExpFields, key))
  );
}

/** The words for a call of a property that is no function. */
export function notCallable(receiver: unknown, name: string): string {
  const kind = kindOf(receiver);
  const quoted = `"${clip(name)}"`;
  if (isFunction(receiver)) {
    return `${receiver.name}.${clip(name)} is not a function.${didYouMean(closest(name, receiver.statics?.keys() ?? []))}`;
  }
  if (kind === 'record') return `${quoted} of an object is not a function.${hintForRecord(name)}`;
  const names = methodNames[kind as Receiver] ?? [];
  const meant = closest(name, names);
  const other = meant === undefined ? owner(name, kind) : undefined;
  if (other !== undefined) return `${quoted} is a method of ${kindWord(other)}, and this is ${kindWord(kind)}`;
  return `${quoted} is not a function of ${kindWord(kind)}${meant === undefined ? '' : `.${didYouMean(meant)}`}`;
}

function readStatic(value: FunctionValue, key: string): unknown {
  if (value.statics?.has(key)) return value.statics.get(key);
  const reasons = Object.hasOwn(leftOutStatics, value.name) ? leftOutStatics[value.name] : undefined;
  const why = reasons && Object.hasOwn(reasons, key) ? reasons[key] : undefined;
  if (why !== undefined) return fail('TOO6104', `${value.name}.${key} cannot be used in an expression: ${why}`);
  const meant = closest(key, value.statics?.keys() ?? []);
  return fail(
    'TOO6104',
    value.statics === undefined || value.statics.size === 0
      ? `a function has no properties, so "${clip(key)}" cannot be read`
      : `${value.name} has no "${clip(key)}".${didYouMean(meant)}`,
  );
}

function leftOut(kind: Kind, key: string): string | undefined {
  if (Object.hasOwn(hiddenMembers, key)) return hiddenMembers[key];
  const methods = kind === 'string' || kind === 'regexp' ? leftOutMethods[kind] : {};
  return Object.hasOwn(methods, key) ? methods[key as keyof typeof methods] : undefined;
}

/** A value out of the data of the host must be data too. */
function known(value: unknown): unknown {
  kindOf(value);
  return value;
}

function hintForRecord(name: string): string {
  const kind = owner(name, 'record');
  return kind === undefined ? '' : ` It is a method of ${kindWord(kind)}.`;
}

function owner(name: string, not: Kind): Receiver | undefined {
  return (Object.keys(methodNames) as Receiver[]).find((kind) => kind !== not && methodNames[kind].includes(name));
}
