/** Writes the entry that a script lacks, as TOON that can be pasted. */
import { itemText } from '../toon/index.ts';
import { isRecord } from '../type/index.ts';

/** A reply with this value for `json`, indented as an item of `replies`. */
export function jsonEntry(list: string, value: unknown): string {
  return itemText({ for: list, json: value }, 2).join('\n');
}

export function textEntry(list: string, text: string): string {
  return itemText({ for: list, text }, 2).join('\n');
}

/** A reply that calls a tool. */
export function callEntry(list: string, tool: string, args: unknown): string {
  const call = { tool, ...(isRecord(args) && Object.keys(args).length > 0 && { args }) };
  return itemText({ for: list, calls: [call] }, 2).join('\n');
}
