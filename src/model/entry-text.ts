/** Writes the entry that a script lacks, as TOON that can be pasted. */
import { isRecord } from '../type/index.ts';
import { field, scalar } from './toon-text.ts';

/** A reply with this value for `json`, indented as an item of `replies`. */
export function jsonEntry(list: string, value: unknown): string {
  return [`  - for: ${scalar(list)}`, ...field('json', value, 4)].join('\n');
}

export function textEntry(list: string, text: string): string {
  return `  - for: ${scalar(list)}\n    text: ${scalar(text)}`;
}

/** A reply that calls a tool. */
export function callEntry(list: string, tool: string, args: unknown): string {
  const call = { tool, ...(isRecord(args) && Object.keys(args).length > 0 && { args }) };
  return [`  - for: ${scalar(list)}`, ...field('calls', [call], 4)].join('\n');
}
