/** Trees and caps → a checked program, with every error at once. */
import { caseDiagnostics } from '../caps/written/index.ts';
import { byPosition, type Diagnostic, type Source } from '../text/index.ts';
import {
  type Cap,
  type CapKind,
  capKinds,
  isOneOf,
  type Parsed,
  parse,
  type Template,
  type Thunk,
} from '../too/index.ts';
import { checkCaps, checkUses } from './caps.ts';
import { type Checker, report } from './checker.ts';
import type { Known } from './directives.ts';
import type { Host } from './host.ts';
import type { AgentProgram } from './program.ts';
import { checkStructs } from './structs.ts';
import { checkTexts, declareTemplates } from './texts.ts';
import { checkThunk, declareThunks } from './thunks.ts';

export interface Checked {
  readonly program: AgentProgram;
  /** Of the syntax and of the program, by place. */
  readonly diagnostics: readonly Diagnostic[];
}

export function checkSource(source: Source, host: Host = {}): Checked {
  return checkProgram(parse(source), host);
}

export function checkProgram(parsed: Parsed, host: Host = {}): Checked {
  const { source, items, doc } = parsed.program;
  const c: Checker = {
    source,
    host,
    diagnostics: [],
    syntaxErrors: parsed.diagnostics.filter((d) => d.severity === 'error').map((d) => d.span.start),
    withoutFix: new Set(),
    renames: new Map(),
    unchecked: new Map(),
    suggestions: 0,
  };
  const structs = checkStructs(
    c,
    items.filter((item) => item.kind === 'struct'),
  );
  const templates = declareTemplates(
    c,
    items.filter((item): item is Template => item.kind === 'context' || item.kind === 'instruct'),
  );
  const inline = items.filter((item): item is Cap => isOneOf(item.kind, capKinds));
  const caps = checkCaps(c, inline);
  const { uses, names: used } = checkUses(
    c,
    items.filter((item) => item.kind === 'use'),
  );
  // Names of inline caps have no capital letters.
  c.diagnostics.push(...caseDiagnostics(source, uses));
  const nodes = items.filter((item) => item.kind === 'thunk');
  const named = declareThunks(c, nodes);
  const known: Known = {
    thunks: new Set(named.keys()),
    mended: mendedNames(c, named),
    caps: knownCaps([...inline.map((cap) => ({ kind: cap.kind, name: cap.name.text })), ...used, ...(host.caps ?? [])]),
  };
  const thunks = nodes.map((node) => checkThunk(c, node, known, structs.table, templates));
  checkTexts(c, templates, thunks, structs.whole);
  noteUnchecked(c);
  const program: AgentProgram = {
    source,
    ...(doc !== undefined && { doc }),
    structs: structs.all,
    types: structs.table,
    templates,
    caps,
    uses,
    thunks: new Map(thunks.filter((thunk) => named.get(thunk.name) === thunk.node).map((thunk) => [thunk.name, thunk])),
  };
  const syntax = parsed.diagnostics.map((d) => withUses(c, d));
  return { program, diagnostics: byPosition([...syntax, ...c.diagnostics]) };
}

/** The fix of a malformed name, as the rest of the program wants it. */
function withUses(c: Checker, d: Diagnostic): Diagnostic {
  if (d.code !== 'TOO1105' || !d.fix) return d;
  const { fix, ...rest } = d;
  if (c.withoutFix.has(d.span.start)) return rest;
  const edits = c.renames.get(d.span.start);
  return edits ? { ...d, fix: { ...fix, edits: [...fix.edits, ...edits] } } : d;
}

/** Thunks whose names were mended, by what is written: who calls one so makes no second mistake. */
function mendedNames(c: Checker, named: ReadonlyMap<string, Thunk>): Known['mended'] {
  const mended = new Map<string, { name: string; at: number }>();
  for (const [name, node] of named) {
    const written = node.name && c.source.text.slice(node.name.span.start, node.name.span.end);
    if (node.name && written !== undefined && written !== name) mended.set(written, { name, at: node.name.span.start });
  }
  return mended;
}

function knownCaps(caps: readonly { kind: CapKind; name: string }[]): Known['caps'] {
  const of = (kind: CapKind) => new Set(caps.filter((cap) => cap.kind === kind).map((cap) => cap.name));
  return { psyche: of('psyche'), skill: of('skill'), service: of('service'), prompt: of('prompt') };
}

function noteUnchecked(c: Checker): void {
  const [first] = [...c.unchecked.values()].flat().sort((a, b) => a.start - b.start);
  if (!first) return;
  const kinds = [...c.unchecked].map(([what, spans]) => {
    const names = [...new Set(spans.map((span) => c.source.text.slice(span.start, span.end)))];
    return `${what} (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''})`;
  });
  report(c, 'TOO2901', first, `not checked here: ${kinds.join('; ')}.`);
}
