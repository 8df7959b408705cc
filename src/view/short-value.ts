/** A value in a few words, for the line of a step: `4 key points`, `"Agents that survive"`, `approved: yes`. */
import type { Json } from '../machine/index.ts';
import { shorten } from './shorten.ts';

/** At most so many fields are named. */
const mostFields = 4;

export function shortValue(value: Json, cells: number): string {
  return shorten(words(value, cells), cells);
}

function words(value: Json, cells: number): string {
  if (Array.isArray(value)) return count(value.length, 'item');
  if (typeof value !== 'object' || value === null) return scalar(value as string | number | boolean | null, cells);
  const fields = Object.entries(value as { readonly [name: string]: Json });
  const [first, ...more] = fields;
  if (first === undefined) return 'an empty object';
  // One text says enough without its name.
  if (more.length === 0 && typeof first[1] === 'string') return scalar(first[1], cells);
  const shown = fields.slice(0, mostFields).map(([name, inner]) => field(name, inner, cells));
  return [...shown, ...(fields.length > mostFields ? ['…'] : [])].join(', ');
}

function field(name: string, value: Json, cells: number): string {
  const said = spoken(name);
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? singular(said) : said}`;
  if (typeof value === 'object' && value !== null) return `${said}: {…}`;
  if (typeof value === 'boolean') return `${said}: ${value ? 'yes' : 'no'}`;
  return `${said}: ${scalar(value as string | number | null, cells)}`;
}

function scalar(value: string | number | boolean | null, cells: number): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // What lies far behind the cut is not even quoted.
  return typeof value === 'string' ? JSON.stringify(value.slice(0, cells * 8)).replaceAll('\\n', ' ') : String(value);
}

function singular(words: string): string {
  return /[^s]s$/.test(words) ? words.slice(0, -1) : words;
}

/** `keyPoints` → `key points`. */
function spoken(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
