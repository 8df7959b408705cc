/** Texts and conditions of a node: parsed, typed against what is in scope, and tied to what they read. */
import {
  anyValue,
  type Expression,
  type ExpressionProblem,
  fromType,
  type Interpolated,
  type InterpolatedPart,
  inferExpression,
  literalValue,
  parseCondition,
  parseInterpolated,
  readsOf,
  type ScopeName,
  stringValue,
  textProblems,
  type ValueType,
} from '../expr/index.ts';
import { type Code, type DiagnosticExtra, diagnostic, isSurelyMeant } from '../text/index.ts';
import { quote } from '../toon/index.ts';
import { type StructType, type Type, textType } from '../type/index.ts';
import type { DraftText, Mark } from './draft.ts';
import { contextWords, isReadable, loopType, type Reader, targetOf, tellMeaningless, tellUnreadable } from './names.ts';
import type { Condition, Reference, Text } from './node.ts';
import { relate } from './order.ts';
import type { Reports } from './reports.ts';
import type { Results } from './results.ts';
import { stretchesOf } from './stretches.ts';
import type { Wait } from './waits.ts';

export interface TextLinker {
  /** `type`: of the one expression it consists of, else a string. */
  readonly text: (draft: DraftText, reader: Reader) => { readonly text: Text; readonly type: ValueType };
  readonly condition: (draft: DraftText, reader: Reader) => Condition | undefined;
  /** The type of a name where it is read; undefined where it has none, or may have no value. */
  readonly typeOf: (name: string, reader: Reader) => ValueType | undefined;
  /** Reads of siblings in a `parallel` make their readers wait. */
  readonly waits: Wait[];
}

export interface TextContext {
  readonly reports: Reports;
  readonly results: Results;
  readonly types: ReadonlyMap<string, StructType>;
  readonly input: Type;
  /** The type of `params` where the reader stands. */
  readonly paramsOf: (reader: Reader) => Type | undefined;
}

/** Names are looked for as long as there are not more problems than this. */
const mostHints = 500;

export function createTexts(context: TextContext): TextLinker {
  const { reports, results, types } = context;
  const waits: Wait[] = [];

  function scopeName(name: string, reader: Reader): ScopeName | undefined {
    switch (name) {
      case 'input':
        return { type: fromType(context.input, types), absent: false, what: 'input' };
      case 'params': {
        const type = context.paramsOf(reader);
        return type && { type: fromType(type, types), absent: false, what: 'params' };
      }
      case 'id':
        return reader.space.component && { type: fromType(textType, types), absent: false, what: 'id' };
      case 'loop': {
        // Said by `tellMeaningless`, with better words.
        if (targetOf(name, reader) === undefined) return { type: anyValue, absent: true, what: 'loop' };
        return { type: fromType(loopType, types), absent: false, what: 'loop' };
      }
      default: {
        const site = reader.space.ids.get(name);
        if (site === undefined) return undefined;
        const relation = reader.site && relate(reader.site, site, reader.after ?? false);
        const absent = relation !== undefined && ('inLoop' in relation || relation.absent);
        return { type: results.typeOf(site), absent, what: site.draft.kind === 'step' ? 'step' : site.draft.kind };
      }
    }
  }

  /** Who reads at the moment. One scope serves all: it is asked while an expression is looked at, and not later. */
  let current: Reader | undefined;
  /** The last answer: the same name is mostly asked for more than once. */
  let last: { readonly name: string; readonly reader: Reader; readonly scoped: ScopeName | undefined } | undefined;
  const scope: ReadonlyMap<string, ScopeName> = lazyMap(
    (name) => {
      if (current === undefined) return undefined;
      if (last?.name !== name || last.reader !== current) {
        last = { name, reader: current, scoped: scopeName(name, current) };
      }
      return last.scoped;
    },
    () => (current ? namesFor(current) : []),
  );

  function* namesFor(reader: Reader): Iterable<string> {
    for (const word of contextWords) if (word === 'input' || targetOf(word, reader) !== undefined) yield word;
    yield* reader.space.ids.keys();
  }

  /** Adds what an expression reads, with the order checked and the waits noted. */
  function resolve(expression: Expression, draft: DraftText, reader: Reader, references: Reference[]): void {
    for (const read of readsOf(expression)) {
      const target = targetOf(read.name, reader);
      if (target === undefined) {
        if (isWord(read.name)) tellMeaningless(read.name, markOf(draft, read.start, read.end), reader, reports);
        continue;
      }
      references.push({ name: read.name, target, path: read.path });
      const site = target.kind === 'node' ? reader.space.ids.get(read.name) : undefined;
      if (site === undefined || reader.site === undefined) continue;
      const relation = relate(reader.site, site, reader.after ?? false);
      if (relation.kind === 'before') continue;
      const at = markOf(draft, read.start, read.end);
      if (relation.kind === 'beside') waits.push({ from: reader.site, to: site, at });
      else if (!isReadable(relation)) tellUnreadable(read.name, site, relation, reader.site, at, reports);
    }
  }

  /** How many problems there were: each costs a walk over all names. */
  let wrong = 0;

  function infer(expression: Expression, draft: DraftText, reader: Reader, condition = false): ValueType {
    current = reader;
    const hints = wrong < mostHints;
    const { type, problems } = inferExpression(expression, scope, { text: draft.text, condition, hints });
    if (problems.length === 0) return type;
    wrong += problems.length;
    // Said already, with better words.
    tell(
      problems.filter(({ start, end }) => !isSaid(draft.text.slice(start, end), reader)),
      draft,
    );
    return type;
  }

  function isSaid(name: string, reader: Reader): boolean {
    return isWord(name) && name !== 'input' && targetOf(name, reader) === undefined;
  }

  function tell(problems: readonly ExpressionProblem[], draft: DraftText): void {
    for (const problem of problems) {
      const at = markOf(draft, problem.start, problem.end);
      const extra: DiagnosticExtra = {
        ...(problem.help !== undefined && { help: problem.help }),
        ...fixOf(problem, draft, at),
      };
      reports.addAll([diagnostic(problem.code, at.source, at.span, problem.message, extra)]);
    }
  }

  return {
    waits,
    typeOf: (name, reader) => scopeName(name, reader)?.type,
    text(draft, reader) {
      const { value, problems } = parseInterpolated(draft.text, { names: reader.space.ids });
      tell(problems, draft);
      const reads: Reference[] = [];
      let type: ValueType = stringValue;
      // A text without holes is that very text: one of some literals, perhaps.
      if (value.parts.every(({ kind }) => kind === 'text')) type = literalValue(plainText(value));
      const holes: InterpolatedPart[] = [];
      for (const part of value.parts) {
        if (part.kind !== 'hole') continue;
        holes.push(part);
        resolve(part.expression, draft, reader, reads);
        const found = infer(part.expression, draft, reader);
        tell(textProblems(part.expression, found), draft);
        if (value.parts.length === 1) type = found;
      }
      const { parts } = value;
      const at = holes.length === 0 ? undefined : stretchesOf(draft, holes, reader.site);
      const text: Text = at === undefined ? { text: value.text, parts, reads } : { text: value.text, parts, reads, at };
      return { text, type: problems.length > 0 ? anyValue : type };
    },
    condition(draft, reader) {
      const { expression, problems } = parseCondition(draft.text, { names: reader.space.ids });
      tell(problems, draft);
      if (expression === undefined) return undefined;
      const reads: Reference[] = [];
      resolve(expression, draft, reader, reads);
      infer(expression, draft, reader, true);
      const at = stretchesOf(draft, [expression], reader.site);
      const { text } = draft;
      return at === undefined ? { text, expression, reads } : { text, expression, reads, at };
    },
  };
}

/** A part of a text, where it stands in the file. */
export function markOf(draft: DraftText, start: number, end: number): Mark {
  const from = draft.place(start);
  if (end <= start) return { source: draft.source, span: { start: from, end: from } };
  const last = draft.place(end - 1);
  const next = draft.place(end);
  // The last character may be an escape; where the text goes on in another line it is not.
  const isTogether = next > last && !/[\r\n]/.test(draft.source.text.slice(last, next));
  return { source: draft.source, span: { start: from, end: isTogether ? next : last + 1 } };
}

/** A fix only where the file says the very same: in quotes its escapes are written again, elsewhere there are none. */
export function fixOf(
  { code, start, end, replacement }: Partial<ExpressionProblem> & Pick<ExpressionProblem, 'start' | 'end'>,
  draft: DraftText,
  at: Mark,
): DiagnosticExtra {
  if (replacement === undefined) return {};
  const written = draft.source.text.slice(at.span.start, at.span.end);
  const meant = draft.text.slice(start, end);
  const isQuoted = !draft.isFile && draft.source.text[draft.span.start] === '"';
  if (written !== (isQuoted ? escaped(meant) : meant)) return {};
  if (!isQuoted && !draft.isFile && /["\\\r\n\t]/.test(replacement)) return {};
  const text = isQuoted ? escaped(replacement) : replacement;
  const title = replacement === '' ? 'take it out' : `replace with ${text.includes('"') ? text : `"${text}"`}`;
  const isName = (code === undefined || nameCodes.has(code)) && name.test(meant) && name.test(replacement);
  const isGuess = isName && !isSurelyMeant(meant, replacement);
  return { fix: { title, ...(isGuess && { guess: true }), edits: [{ span: at.span, text }] } };
}

/** Names that nothing has: a fix may read another step, or another field. */
const nameCodes: ReadonlySet<Code> = new Set<Code>(['TOO3251', 'TOO3252', 'TOO3307']);
const name = /^[\w$-]+$/;

/** As it stands between the quotes of a TOON text. */
function escaped(text: string): string {
  return quote(text).slice(1, -1);
}

function plainText({ parts }: Interpolated): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

function isWord(name: string): boolean {
  return (contextWords as readonly string[]).includes(name);
}

/** A map that makes its values when they are asked for: a scope of thousands of steps costs nothing. */
function lazyMap<V>(get: (name: string) => V | undefined, names: () => Iterable<string>): ReadonlyMap<string, V> {
  const entries = () => new Map([...names()].map((name) => [name, get(name)] as [string, V]));
  return {
    get,
    has: (name) => get(name) !== undefined,
    get size() {
      return [...names()].length;
    },
    keys: () => names()[Symbol.iterator]() as MapIterator<string>,
    values: () => entries().values(),
    entries: () => entries().entries(),
    forEach: (each) => {
      for (const [name, value] of entries()) each(value, name, entries());
    },
    [Symbol.iterator]: () => entries()[Symbol.iterator](),
  };
}
