/**
 * Selectors of caps: words with blanks or commas between them, all of which must hold. `kind:skill scope:home`,
 * `form:wired`, `status:shadowed`, `name:rev*`; a word without a key is a name, with `*` or not, or a kind.
 */
import { type Code, closest, didYouMean, fitsPattern } from '../../text/index.ts';
import { type CapKind, capKinds } from '../../too/index.ts';
import { type Scoped, type Status, statuses } from './effective.ts';
import { forms, readForm, readScope, scopes } from './scope.ts';

export interface Selected extends Scoped {
  /** Missing where nothing was chosen yet: then no `status:` holds. */
  readonly status?: Status;
}

/** Whether a cap is selected. */
export type Selector = (cap: Selected) => boolean;

export interface SelectorProblem {
  readonly code: Code;
  readonly message: string;
  readonly help: string;
}

export type SelectorResult =
  | { readonly ok: true; readonly selector: Selector }
  | { readonly ok: false; readonly problem: SelectorProblem };

export const selectorKeys = ['kind', 'scope', 'form', 'status', 'name'] as const;

/** A text without words selects everything. */
export function readSelector(text: string): SelectorResult {
  const tests: Selector[] = [];
  for (const word of text.split(/[\s,]+/).filter((each) => each !== '')) {
    const colon = word.indexOf(':');
    const read = colon === -1 ? readWord(word) : readPair(word.slice(0, colon), word.slice(colon + 1));
    if (!read.ok) return read;
    tests.push(read.selector);
  }
  return { ok: true, selector: (cap) => tests.every((test) => test(cap)) };
}

function readWord(word: string): SelectorResult {
  const kind = readKind(word);
  const fits = nameTest(word);
  return holds((cap) => cap.kind === kind || fits(cap));
}

function readPair(key: string, value: string): SelectorResult {
  switch (key) {
    case 'kind': {
      const kind = readKind(value);
      return kind === undefined ? unknown(key, value, capKinds) : holds((cap) => cap.kind === kind);
    }
    case 'scope': {
      const read = readScope(value);
      if (read.ok) return holds((cap) => cap.scope === read.scope);
      return unknown(key, value, [...scopes, 'agent', 'shared', 'global']);
    }
    case 'form': {
      const form = readForm(value);
      return form === undefined ? unknown(key, value, [...forms, 'local']) : holds((cap) => cap.form === form);
    }
    case 'status': {
      const status = statuses.find((each) => each === value);
      return status === undefined ? unknown(key, value, statuses) : holds((cap) => cap.status === status);
    }
    case 'name':
      return value === ''
        ? fail('"name:" is followed by no name.', 'Write name:review, or name:rev*.')
        : holds(nameTest(value));
    default: {
      const near = closest(key, selectorKeys);
      const list = selectorKeys.map((each) => `${each}:`).join(', ');
      return fail(
        `"${key}:" is not known.${didYouMean(near && `${near}:`)}`,
        `A selector has ${list} and plain words.`,
      );
    }
  }
}

function nameTest(pattern: string): Selector {
  return pattern.includes('*') ? (cap) => fitsPattern(pattern, cap.name) : (cap) => cap.name === pattern;
}

/** In the singular or in the plural. */
function readKind(text: string): CapKind | undefined {
  return capKinds.find((kind) => kind === text || `${kind}s` === text);
}

function holds(selector: Selector): SelectorResult {
  return { ok: true, selector };
}

function unknown(key: string, value: string, known: readonly string[]): SelectorResult {
  const help = `Write one of ${known.map((each) => `${key}:${each}`).join(', ')}.`;
  if (value === '') return fail(`"${key}:" is followed by nothing.`, help);
  return fail(`"${value}" is not a ${key} of caps.${didYouMean(closest(value, known))}`, help);
}

function fail(message: string, help: string): SelectorResult {
  return { ok: false, problem: { code: 'TOO5246', message, help } };
}
