/**
 * Reads a test file: TOON, with its cases and what they have in common. It never throws; cases come only out of a file without
 * errors, because a case that is left out would pass by being overlooked.
 */
import { overlapping, readKeys, readReplyList, type ScriptFile, type ScriptReader, wrongKind } from '../model/index.ts';
import { byPosition, type Diagnostic, diagnostic, hasErrors, type Source } from '../text/index.ts';
import { parseToon, type ToonEntry, type ToonValue } from '../toon/index.ts';
import type { Case, CaseAnswers, Suite, Target, Word } from './case.ts';
import { readExpect } from './read-expect.ts';
import { duration, lineOf, readDecisions, readEnv, readGiven, readTools, readWord, readWords } from './read-parts.ts';
import { scriptOf } from './replies-text.ts';

export interface SuiteRead {
  /** Missing when something is wrong. */
  readonly suite?: Suite;
  readonly diagnostics: readonly Diagnostic[];
  /** The files of `textFrom` in replies that stand in cases. */
  readonly files: readonly ScriptFile[];
}

export function readCases(source: Source, { strictToon = false }: { readonly strictToon?: boolean } = {}): SuiteRead {
  const { document, diagnostics, spoiled } = parseToon(source, { profile: !strictToon });
  const found = new Map<string, Diagnostic>();
  const isSpoiled = overlapping(spoiled);
  const report: ScriptReader['report'] = (code, span, message, extra) => {
    // A column of a table is read once for each of its rows.
    if (!isSpoiled(span)) found.set(`${span.start} ${code} ${message}`, diagnostic(code, source, span, message, extra));
  };
  const r: Reader = {
    source,
    report,
    codes: { unknown: 'TOO6301', kind: 'TOO6303' },
    replies: { source, report },
    files: [],
  };
  const cases = readRoot(r, document.root);
  const all = byPosition([...diagnostics, ...found.values()]);
  if (hasErrors(all)) return { diagnostics: all, files: r.files };
  return { suite: { source, cases }, diagnostics: all, files: r.files };
}

/** Of a test file; what stands in `replies` is told as it would be of a script. */
interface Reader extends ScriptReader {
  readonly replies: ScriptReader;
  readonly files: ScriptFile[];
}

const sample = 'Write "cases[1]:" and below it "- name: …", "target: ./FILE.toon" and "expect:".';

/** What a file says for all of its cases, and each case may say otherwise. */
interface Common {
  target?: Target;
  workspace?: Word;
  answers?: CaseAnswers;
  env: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

function readRoot(r: Reader, root: ToonValue): Case[] {
  if (root.kind !== 'object') {
    r.report('TOO6303', lineOf(r, root.span), 'a test file is a block with the key "cases"', { help: sample });
    return [];
  }
  const common: Common = { env: {} };
  const at = readKeys(r, root, 'a test file', { ...commonKeys(common), cases: () => undefined });
  excludeAnswers(r, at, 'a test file');
  const entry = at.get('cases');
  if (entry === undefined) {
    if (!root.partial) r.report('TOO6302', lineOf(r, root.span), 'a test file needs "cases"', { help: sample });
    return [];
  }
  if (entry.value.kind !== 'array') {
    wrongKind(r, entry, 'a list of cases', { help: sample });
    return [];
  }
  const names = new Map<string, Word>();
  return entry.value.items.flatMap((item) => {
    const one = readCase(r, item, common);
    if (one === undefined) return [];
    const { name } = one;
    const before = names.get(name.text);
    if (before) {
      r.report('TOO6306', name.span, `there is a case "${shown(name.text)}" already`, {
        related: [{ source: r.source, span: before.span, message: 'the first one' }],
        help: 'Give each case a name of its own: reports and --filter go by it.',
      });
    }
    names.set(name.text, before ?? name);
    return [one];
  });
}

function commonKeys(into: Common) {
  return {
    target: (r: ScriptReader, entry: ToonEntry) => {
      const target = readTarget(r, entry);
      if (target) into.target = target;
    },
    workspace: (r: ScriptReader, entry: ToonEntry) => {
      const workspace = readWord(r, entry, 'a folder');
      if (workspace) into.workspace = workspace;
    },
    script: (r: ScriptReader, entry: ToonEntry) => keepFile(r, entry, 'script', into),
    recording: (r: ScriptReader, entry: ToonEntry) => keepFile(r, entry, 'recording', into),
    env: (r: ScriptReader, entry: ToonEntry) => {
      into.env = { ...into.env, ...readEnv(r, entry) };
    },
    timeout: (r: ScriptReader, entry: ToonEntry) => {
      const ms = duration(r, entry);
      if (ms !== undefined) into.timeoutMs = ms;
    },
  };
}

function keepFile(r: ScriptReader, entry: ToonEntry, kind: 'script' | 'recording', into: Common): void {
  const file = readWord(r, entry, 'the path of a file');
  if (file) into.answers = { kind, ...file };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function readCase(r: Reader, value: ToonValue, common: Common): Case | undefined {
  if (value.kind !== 'object' || value.entries.length === 0) {
    const what = value.kind === 'object' ? 'this case is empty' : 'a case is a block of keys';
    r.report('TOO6303', lineOf(r, value.span), what, { help: sample });
    return undefined;
  }
  const own: Common = { ...common };
  const found: Partial<Writable<Omit<Case, 'target' | 'workspace' | 'answers' | 'env' | 'timeoutMs'>>> = {};
  const keep = <K extends keyof typeof found>(key: K, read: (r: ScriptReader, e: ToonEntry) => (typeof found)[K]) => {
    return (inner: ScriptReader, entry: ToonEntry) => {
      const given = read(inner, entry);
      if (given !== undefined) found[key] = given;
    };
  };
  const at = readKeys(r, value, 'a case', {
    name: keep('name', (inner, entry) => readWord(inner, entry, 'a name')),
    ...commonKeys(own),
    input: keep('input', readGiven),
    with: keep('with', readGiven),
    replies: (_, entry) => {
      const replies = readReplyList(r.replies, entry, r.files);
      // What is wrong with them is told.
      if (replies.length > 0)
        own.answers = { kind: 'replies', script: scriptOf(r.source, entry), span: entry.key.span };
    },
    tools: keep('tools', readTools),
    real: keep('real', (inner, entry) => readWords(inner, entry, 'names of tools')),
    decisions: keep('decisions', readDecisions),
    skip: keep('skip', (inner, entry) => readWord(inner, entry, 'the reason in words')?.text),
    expect: keep('expect', readExpect),
  });
  excludeAnswers(r, at, 'a case');
  const head = value.entries[0]?.key.span ?? value.span;
  if (!at.has('name') && !value.partial) {
    r.report('TOO6302', head, 'a case needs "name"', { help: 'Add "name: …": what it shows, in a few words.' });
  }
  const { target } = own;
  if (target === undefined && !at.has('target') && !value.partial) {
    r.report('TOO6302', head, 'a case needs "target"', {
      help: 'Add "target: ./FILE.toon", or "target: ./FILE.too#THUNK": here, or at the top of the file for all cases.',
    });
  }
  checkWith(r, at, target);
  const { name, expect = { span: name?.span ?? head, neverCalls: [], assert: [] } } = found;
  if (name === undefined || target === undefined) return undefined;
  return { tools: [], real: [], decisions: [], ...found, ...own, name, target, expect };
}

function checkWith(r: ScriptReader, at: ReadonlyMap<string, ToonEntry>, target: Target | undefined): void {
  const entry = at.get('with');
  if (entry === undefined || target === undefined || isAgent(target.file)) return;
  r.report('TOO6304', entry.key.span, '"with" is for thunks: a workflow has all that it takes in "input"', {
    help: 'Write what stands here below "input:".',
  });
}

/** One of them answers. */
function excludeAnswers(r: ScriptReader, at: ReadonlyMap<string, ToonEntry>, what: string): void {
  const given = [...at.keys()].filter((key) => key === 'script' || key === 'recording' || key === 'replies');
  const [first, ...others] = given;
  for (const key of others) {
    const entry = at.get(key);
    if (entry === undefined) continue;
    r.report('TOO6304', entry.key.span, `${what} has either "${first}" or "${key}"`, {
      help: 'One of them answers for all models of the run.',
    });
  }
}

export function isAgent(file: string): boolean {
  return /\.too$/i.test(file);
}

function readTarget(r: ScriptReader, entry: ToonEntry): Target | undefined {
  const word = readWord(r, entry, 'the path of a file');
  if (word === undefined) return undefined;
  const { text, span } = word;
  const hash = text.indexOf('#');
  const file = hash === -1 ? text : text.slice(0, hash);
  const thunk = hash === -1 ? undefined : text.slice(hash + 1);
  const help = 'Write "./FILE.toon" for a workflow, "./FILE.too#THUNK" for a thunk.';
  if (!/\.toon?$/i.test(file) || /\.(?:script|record|test)\.toon$/i.test(file)) {
    r.report('TOO6303', span, `"${shown(text)}" is neither a workflow (.toon) nor an agent (.too)`, { help });
    return undefined;
  }
  if (thunk !== undefined && !isAgent(file)) {
    r.report('TOO6303', span, 'a workflow has no thunks: only of an agent (.too) one is named behind "#"', { help });
    return undefined;
  }
  return { text, span, file, ...(thunk !== undefined && thunk !== '' && { thunk }) };
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
