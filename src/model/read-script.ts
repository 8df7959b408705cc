/**
 * Reads the file of a scripted model: TOON, with one key `replies`. It never throws; a script comes only out of a file
 * without errors, because a reply that is left out would shift those behind it.
 */
import {
  byPosition,
  type Diagnostic,
  diagnostic,
  hasErrors,
  positionAt,
  type Source,
  type Span,
} from '../text/index.ts';
import { parseToon, type ToonEntry, type ToonObject, type ToonValue } from '../toon/index.ts';
import { readCalls } from './read-calls.ts';
import { cut, duration, failure, flag, jsonText, name, path, price, text, usage } from './read-reply.ts';
import { checkRecorded, readAbout, readRequest } from './record/read-recorded.ts';
import { checkRequests } from './record/recording.ts';
import { createScript, type Reply, type ReplyAnswer, type Script } from './script.ts';
import { type Keys, lineOf, readKeys, type ScriptReader, wrongKind } from './script-keys.ts';

export interface ScriptRead {
  /** Missing when something is wrong. */
  readonly script?: Script;
  readonly diagnostics: readonly Diagnostic[];
  /** The files of `textFrom`, and where they are named. */
  readonly files: readonly ScriptFile[];
}

export interface ScriptFile {
  /** From the folder of the script. */
  readonly path: string;
  readonly span: Span;
}

/** What was read last: who checks a script then runs it, and many runs of one workflow have the same. */
let latest: { readonly source: Source; readonly strictToon: boolean; readonly read: ScriptRead } | undefined;

/** `strictToon`: what only workflow files may write is wrong here too. */
export function readScript(source: Source, { strictToon = false }: { readonly strictToon?: boolean } = {}): ScriptRead {
  const { name, text } = latest?.source ?? {};
  if (name !== source.name || text !== source.text || latest?.strictToon !== strictToon)
    latest = { source, strictToon, read: read(source, strictToon) };
  return latest.read;
}

function read(source: Source, strictToon: boolean): ScriptRead {
  const { document, diagnostics, spoiled } = parseToon(source, { profile: !strictToon });
  const found = new Map<string, Diagnostic>();
  const isSpoiled = overlapping(spoiled);
  const r: ScriptReader = {
    source,
    report(code, span, message, extra) {
      // A column of a table is read once for each of its rows.
      if (!isSpoiled(span))
        found.set(`${span.start} ${code} ${message}`, diagnostic(code, source, span, message, extra));
    },
  };
  const files: ScriptFile[] = [];
  const replies = readReplies(r, document.root, files);
  // What is wrong already would be told once more.
  if (found.size === 0 && !hasErrors(diagnostics)) checkRequests(r, replies);
  const all = byPosition([...diagnostics, ...found.values()]);
  if (hasErrors(all)) return { diagnostics: all, files };
  return { script: createScript(source.name, replies), diagnostics: all, files };
}

/** Where something stands, as messages have it. */
export function placeIn(source: Source, span: Span): string {
  const { line, column } = positionAt(source, span.start);
  return `${source.name}:${line}:${column}`;
}

const sample = 'Write "replies[1]:" and below it "- for: …" with "text: …" or "json:".';

function readReplies(r: ScriptReader, root: ToonValue, files: ScriptFile[]): Reply[] {
  if (root.kind !== 'object') {
    r.report('TOO7003', lineOf(r, root.span), 'a script is a block with the key "replies"', { help: sample });
    return [];
  }
  const entry = readKeys(r, root, 'a script', { replies: () => undefined }).get('replies');
  if (entry === undefined) {
    if (!root.partial) r.report('TOO7002', lineOf(r, root.span), 'a script needs "replies"', { help: sample });
    return [];
  }
  return readReplyList(r, entry, files);
}

/** The replies of a script, wherever they stand. */
export function readReplyList(r: ScriptReader, entry: ToonEntry, files: ScriptFile[]): Reply[] {
  if (entry.value.kind !== 'array') {
    wrongKind(r, entry, 'a list of replies', { help: sample });
    return [];
  }
  return entry.value.items.flatMap((item) => readReply(r, item, files) ?? []);
}

/** Each of them is an answer; `calls` may stand beside a text. */
const answers = ['json', 'text', 'textFrom', 'error'];

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function readReply(r: ScriptReader, value: ToonValue, files: ScriptFile[]): Reply | undefined {
  if (value.kind !== 'object' || value.entries.length === 0) {
    const what = value.kind === 'object' ? 'this reply is empty' : 'a reply is a block of keys';
    r.report('TOO7003', lineOf(r, value.span), what, { help: 'Write "- for: …" and below it "text: …" or "json:".' });
    return undefined;
  }
  const values: Partial<Writable<Omit<Reply, 'answer' | 'at'>>> = {};
  let answer: ReplyAnswer | undefined;
  const keep = (read: (inner: ScriptReader, entry: ToonEntry) => ReplyAnswer | undefined) => {
    return (inner: ScriptReader, entry: ToonEntry) => {
      answer ??= read(inner, entry);
    };
  };
  const keepAs = <K extends keyof typeof values>(key: K, given: (typeof values)[K] | undefined) => {
    if (given !== undefined) values[key] = given;
  };
  const keys: Keys = {
    for: (inner, entry) => keepAs('for', name(inner, entry)),
    json: keep(asText(jsonText)),
    text: keep(asText(text)),
    textFrom: keep((inner, entry) => {
      const given = path(inner, entry);
      if (given === undefined) return undefined;
      files.push({ path: given, span: entry.value.span });
      return { kind: 'file', path: given };
    }),
    reasoning: (inner, entry) => keepAs('reasoning', text(inner, entry)),
    calls: (inner, entry) => keepAs('calls', readCalls(inner, entry)),
    bracket: (inner, entry) => keepAs('bracket', flag(inner, entry) || undefined),
    error: keep(failure),
    pace: (inner, entry) => keepAs('paceMs', duration(inner, entry)),
    usage: (inner, entry) => keepAs('usage', usage(inner, entry)),
    price: (inner, entry) => keepAs('price', price(inner, entry)),
    cut: (inner, entry) => {
      const given = cut(inner, entry);
      keepAs('cut', given !== undefined && given !== false);
      if (typeof given === 'object') keepAs('cutBy', given);
    },
    request: (inner, entry) => keepAs('request', readRequest(inner, entry)),
    answer: (inner, entry) => keepAs('about', readAbout(inner, entry)),
  };
  const at = readKeys(r, value, 'a reply', keys);
  checkTogether(r, value, at);
  checkCalls(r, at, values);
  checkRecorded(r, at);
  if (values.calls !== undefined) answer ??= { kind: 'text', text: '' };
  if (values.for === undefined || answer === undefined) return undefined;
  const { for: who, ...others } = values;
  return { cut: false, ...others, for: who, at: placeIn(r.source, value.span), answer };
}

function asText(read: (inner: ScriptReader, entry: ToonEntry) => string | undefined) {
  return (inner: ScriptReader, entry: ToonEntry): ReplyAnswer | undefined => {
    const given = read(inner, entry);
    return given === undefined ? undefined : { kind: 'text', text: given };
  };
}

function checkTogether(r: ScriptReader, value: ToonObject, at: ReadonlyMap<string, ToonEntry>): void {
  const head = value.entries[0]?.key.span ?? value.span;
  // As they are written: the later one is told.
  const given = [...at.keys()].filter((key) => answers.includes(key));
  if (!at.has('for') && !value.partial) {
    r.report('TOO7002', head, 'a reply needs "for"', {
      help: 'Add "for: …": the id of a step, an agent, or the id of a node such as polish[2]/review.',
    });
  }
  if (given.length === 0 && !at.has('calls') && !value.partial) {
    r.report('TOO7002', head, 'a reply needs "text", "json", "textFrom", "calls" or "error"', {
      help: 'Add what the model answers: "text: …", or "json:" with the value below it.',
    });
  }
  const [first, ...others] = given;
  for (const key of others) {
    const span = at.get(key)?.key.span ?? head;
    r.report('TOO7004', span, `a reply has either "${first}" or "${key}"`, {
      help: 'Each reply is one answer: write two replies, which are given one after the other.',
    });
  }
  for (const key of at.has('error') && others.length === 0 ? ['reasoning', 'calls', 'pace', 'cut'] : []) {
    const entry = at.get(key);
    if (!entry) continue;
    r.report('TOO7004', entry.key.span, `a reply with "error" has no words, so "${key}" means nothing`, {
      help: `Leave out "${key}". An error behind some words is written "cut: 500".`,
    });
  }
}

function checkCalls(r: ScriptReader, at: ReadonlyMap<string, ToonEntry>, { calls = [] }: Partial<Reply>): void {
  const bracket = at.get('bracket');
  if (bracket === undefined || at.has('error')) return;
  if (!at.has('calls')) {
    r.report(
      'TOO7004',
      bracket.key.span,
      'a reply without "calls" has none to write as text, so "bracket" means nothing',
      {
        help: 'Add "calls", or leave out "bracket". Text with calls in it is written as "text".',
      },
    );
  } else if (bracket.value.kind === 'boolean' && bracket.value.value && calls.some(({ id }) => id !== undefined)) {
    r.report('TOO7004', bracket.key.span, 'a call that is written as text has no "id"', {
      help: 'Leave out "id", or "bracket".',
    });
  }
}

/** Whether a span overlaps one of these; what was read as it may have been meant is reported already. */
export function overlapping(spans: readonly Span[]): (span: Span) => boolean {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  /** How far the first ones reach. */
  const reach: number[] = [];
  for (const { end } of sorted) reach.push(Math.max(reach.at(-1) ?? 0, end));
  return ({ start, end }) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (reach[low - 1] ?? 0) > start;
  };
}
