/** Caps of a program: those declared inline, and those that `use` lines bring. */
import { type CheckedCap, checkUseRef, validateInlineCap } from '../caps/written/index.ts';
import type { Code } from '../text/index.ts';
import { type Cap, type CapKind, capKinds, textMap, type Use } from '../too/index.ts';
import { type Checker, hasSyntaxError, report } from './checker.ts';
import { declareAll } from './names.ts';
import type { UsedCap } from './program.ts';
import { checkBraces } from './texts.ts';

/** No value, no instructions, no text. */
const consequences: ReadonlySet<Code> = new Set<Code>(['TOO5225', 'TOO5226', 'TOO5235']);

/** The valid ones. Two of one kind and name are an error; the first counts. */
export function checkCaps(c: Checker, nodes: readonly Cap[]): CheckedCap[] {
  const valid: CheckedCap[] = [];
  for (const kind of capKinds) {
    const ofKind = nodes.filter((node) => node.kind === kind);
    const named = declareAll(c, kind, ofKind, (node) => node.name);
    for (const node of ofKind) {
      const { cap, diagnostics } = validateInlineCap(c.source, node);
      // What a syntax error took away is not missing for a second reason.
      const broken = hasSyntaxError(c, node.span.start, endOfLine(c, node.span.end));
      for (const d of diagnostics) if (!broken || !consequences.has(d.code)) c.diagnostics.push(d);
      if (kind === 'prompt' && node.body) checkBraces(c, node.body.text, textMap(c.source, node.body));
      if (cap && named.get(node.name.text) === node) valid.push(cap);
    }
  }
  return valid;
}

export interface Uses {
  readonly uses: UsedCap[];
  /** Every name that a `use` line gives, right or wrong. */
  readonly names: readonly { readonly kind: CapKind; readonly name: string }[];
}

/** The name of each `use`: the last part of its reference. */
export function checkUses(c: Checker, nodes: readonly Use[]): Uses {
  const found: UsedCap[] = [];
  const names: Uses['names'][number][] = [];
  for (const node of nodes) {
    const { text, span } = node.ref;
    // A wrong reference still says what the cap is called: who names it makes no second mistake.
    const last = text.slice(text.lastIndexOf('/') + 1).replace(/@.*$|\.md$/g, '');
    names.push({ kind: node.capKind, name: last });
    if (hasSyntaxError(c, span.start, span.end)) continue;
    const result = checkUseRef(node.capKind, text);
    if (result.ok) {
      found.push({ kind: node.capKind, name: result.ref.name, ref: text, span });
      names.push({ kind: node.capKind, name: result.ref.name });
      continue;
    }
    const { code, message, help, fix: replacement } = result.problem;
    report(c, code, span, message, {
      help,
      ...(replacement !== undefined && {
        fix: { title: `replace with "${replacement}"`, edits: [{ span, text: replacement }] },
      }),
    });
  }
  const unique: UsedCap[] = [];
  for (const kind of capKinds) for (const use of uniqueOf(c, kind, found)) unique.push(use);
  return { uses: unique.sort((a, b) => a.span.start - b.span.start), names };
}

function uniqueOf(c: Checker, kind: CapKind, found: readonly UsedCap[]): Iterable<UsedCap> {
  const ofKind = found.filter((use) => use.kind === kind);
  return declareAll(c, `the use of ${kind}`, ofKind, (use) => ({ text: use.name, span: use.span })).values();
}

function endOfLine(c: Checker, offset: number): number {
  const feed = c.source.text.indexOf('\n', offset);
  return feed === -1 ? c.source.text.length : feed;
}
