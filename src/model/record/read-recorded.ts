/** What a reply of a recording has beside that of a script: `request`, what was asked, and `answer`, what else came of it. */
import type { ToonEntry } from '../../toon/index.ts';
import { isRecord } from '../../type/index.ts';
import type { Finish, JsonRecord, Reasoning } from '../model.ts';
import { flag, path, text, textLines, tokens } from '../read-reply.ts';
import type { ReplyAbout, ReplyRequest } from '../script.ts';
import { readKeys, type ScriptReader, wrongKind } from '../script-keys.ts';

const again = 'Such blocks are written by "--record": record it again.';

type Writable<T> = { -readonly [Key in keyof T]?: T[Key] };

export function readRequest(r: ScriptReader, entry: ToonEntry): ReplyRequest | undefined {
  const { value, key } = entry;
  if (value.kind !== 'object' || value.entries.length === 0)
    return wrongKind(r, entry, 'a block of keys', { help: again });
  const found: Writable<ReplyRequest> = {};
  const keep = <K extends keyof ReplyRequest>(
    name: K,
    read: (inner: ScriptReader, each: ToonEntry) => ReplyRequest[K] | undefined,
  ) => {
    return (inner: ScriptReader, each: ToonEntry) => {
      const given = read(inner, each);
      if (given !== undefined) found[name] = given;
    };
  };
  const word = (inner: ScriptReader, each: ToonEntry) => path(inner, each, 'a name');
  const at = readKeys(r, value, '"request"', {
    call: keep('call', word),
    case: keep('case', word),
    agent: keep('agent', word),
    model: keep('model', word),
    hash: keep('hash', word),
    after: keep('after', word),
    same: keep('same', (inner, each) => tokens(inner, each, 'a number of lines')),
    lines: keep('lines', textLines),
  });
  for (const name of ['call', 'hash']) {
    if (!at.has(name) && !value.partial) r.report('TOO7002', key.span, `"request" needs "${name}"`, { help: again });
  }
  const { call, hash, lines = [] } = found;
  return call === undefined || hash === undefined ? undefined : { ...found, call, hash, lines, span: key.span };
}

const finishes: readonly Finish[] = ['stop', 'calls', 'length', 'filter', 'cut'];

export function readAbout(r: ScriptReader, entry: ToonEntry): ReplyAbout | undefined {
  const { value } = entry;
  if (value.kind !== 'object' || value.entries.length === 0)
    return wrongKind(r, entry, 'a block of keys', { help: again });
  const found: Writable<ReplyAbout> = {};
  const keep = <K extends keyof ReplyAbout>(
    name: K,
    read: (inner: ScriptReader, each: ToonEntry) => ReplyAbout[K] | undefined,
  ) => {
    return (inner: ScriptReader, each: ToonEntry) => {
      const given = read(inner, each);
      if (given !== undefined) found[name] = given;
    };
  };
  readKeys(r, value, '"answer"', {
    finish: keep('finish', finish),
    code: keep('code', (inner, each) => path(inner, each, 'the code of an error')),
    retryable: keep('retryable', flag),
    message: keep('message', text),
    meta: keep('meta', jsonRecord),
    more: keep('more', jsonRecord),
    reasoning: keep('reasoning', reasoning),
    notes: keep('notes', notes),
  });
  return found;
}

/** That what cannot be in a recording is not in a reply with a request. */
export function checkRecorded(r: ScriptReader, at: ReadonlyMap<string, ToonEntry>): void {
  const about = at.get('answer');
  if (!at.has('request')) {
    if (about === undefined) return;
    const help = 'It is a part of recordings, which say what was asked in "request".';
    r.report('TOO7004', about.key.span, 'a reply without "request" has no "answer"', { help });
    return;
  }
  for (const key of ['textFrom', 'bracket', 'pace']) {
    const entry = at.get(key);
    const message = `a recorded reply, with "request", has no "${key}"`;
    if (entry) r.report('TOO7004', entry.key.span, message, { help: `Leave out "${key}", or "request" and "answer".` });
  }
}

function finish(r: ScriptReader, entry: ToonEntry): Finish | undefined {
  const { value } = entry;
  const found = value.kind === 'string' ? finishes.find((each) => each === value.text) : undefined;
  return found ?? wrongKind(r, entry, `one of ${finishes.join(', ')}`);
}

/** An object, as the JSON of it in a text. */
export function jsonRecord(r: ScriptReader, entry: ToonEntry): JsonRecord | undefined {
  return parsed(r, entry, 'the JSON of an object', isRecord) as JsonRecord | undefined;
}

function reasoning(r: ScriptReader, entry: ToonEntry): readonly Reasoning[] | undefined {
  const isReasoning = (value: unknown) => isRecord(value) && typeof value.text === 'string';
  const isAll = (value: unknown) => Array.isArray(value) && value.every(isReasoning);
  return parsed(r, entry, 'the JSON of a list of thoughts', isAll) as readonly Reasoning[] | undefined;
}

function notes(r: ScriptReader, entry: ToonEntry): readonly JsonRecord[] | undefined {
  const isNote = (value: unknown) => isRecord(value) && typeof value.kind === 'string';
  const isAll = (value: unknown) => Array.isArray(value) && value.every(isNote);
  return parsed(r, entry, 'the JSON of a list of notes', isAll) as readonly JsonRecord[] | undefined;
}

function parsed(r: ScriptReader, entry: ToonEntry, expected: string, fits: (value: unknown) => boolean): unknown {
  const given = text(r, entry);
  if (given === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(given);
    if (fits(value)) return value;
  } catch {
    // Told below.
  }
  r.report('TOO7003', entry.value.span, `"${entry.key.text}" takes ${expected}, as a text`, { help: again });
  return undefined;
}
