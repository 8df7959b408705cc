/** Trees and caps → a checked program, with every error at once. */
import { byPosition, type Diagnostic, type Source } from '../text/index.ts';
import { type Cap, type CapKind, capKinds, isOneOf, type Parsed, parse, type Template } from '../too/index.ts';
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
  const nodes = items.filter((item) => item.kind === 'thunk');
  const named = declareThunks(c, nodes);
  const known: Known = {
    thunks: new Set(named.keys()),
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
  return { program, diagnostics: byPosition([...parsed.diagnostics, ...c.diagnostics]) };
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
