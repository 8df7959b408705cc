/** A call of a tool as a model wrote it: what it is, or why it cannot be done. */
import { closest, didYouMean } from '../../text/index.ts';
import { isRecord, maxNesting } from '../../type/index.ts';
import type { JsonRecord, ModelCall } from '../model.ts';
import type { WireNames } from '../wire-name.ts';

export interface Offered {
  /** The tool of this name on the wire, if it may be called. */
  readonly find: (wire: string) => string | undefined;
  /** Why there is none, for the model. */
  readonly missing: (wire: string) => string;
}

export function offeredOf({ tools = [], toolChoice }: ModelCall, names: WireNames): Offered {
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  return {
    find(wire) {
      const name = names.fromWire(wire);
      return name !== undefined && offered.has(name) ? name : undefined;
    },
    missing(wire) {
      const shown = JSON.stringify(wire.length > 80 ? `${wire.slice(0, 80)}…` : wire);
      if (offered.size === 0)
        return `no tool can be called now, so the call of ${shown} was not done; answer without it`;
      const wires = [...offered].map(names.toWire);
      const near = didYouMean(closest(wire.replaceAll('/', '__'), wires));
      return `there is no tool ${shown}, so nothing was done.${near === '' ? ` The tools are ${listed(wires)}.` : near}`;
    },
  };
}

function listed(names: readonly string[]): string {
  const most = 20;
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

export type Arguments =
  | { readonly ok: true; readonly args: JsonRecord }
  | { readonly ok: false; readonly problem: string };

/** `isWhole`: the answer did not end in the middle. */
export function readArguments(text: string, isWhole: boolean): Arguments {
  // A tool without parameters is called with nothing at all by some models.
  if (text.trim() === '') return isWhole ? { ok: true, args: {} } : { ok: false, problem: unfinished };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem: isWhole ? `the arguments are no JSON (${why}), so nothing was done. ${again}` : unfinished,
    };
  }
  if (isTooDeep(text)) {
    return {
      ok: false,
      problem: `the arguments are nested more than ${maxNesting} levels deep, so nothing was done. Write them flatter.`,
    };
  }
  if (isRecord(value)) return { ok: true, args: value as JsonRecord };
  const what = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { ok: false, problem: `the arguments are ${what}, so nothing was done. ${again}` };
}

/** Of JSON. What is deeper than this cannot be written down again. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isText) {
      if (char === '\\') i++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '[' || char === '{') {
      if (++depth > maxNesting) return true;
    } else if (char === ']' || char === '}') depth--;
  }
  return false;
}

const again = 'Write them as one JSON object.';
const unfinished =
  'the answer ended before the call did, because it may not be longer, so nothing was done. Write the call again, shorter, or do it in several calls.';
