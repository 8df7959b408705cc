/** What holds for every text, however wrong: each function throws with the reason when it does not. */
import { checkProgram, type Host } from '../../src/program/index.ts';
import {
  applyEdits,
  createSource,
  type Diagnostic,
  hasErrors,
  renderDiagnostic,
  type Source,
  type Span,
  toJson,
} from '../../src/text/index.ts';
import { format, type Parsed, parse } from '../../src/too/index.ts';
import { builtinTools } from '../../src/tool/index.ts';

const known: Host = { tools: builtinTools, caps: [], hands: [], hasFile: () => false };
const hosts: readonly Host[] = [known, { ...known, models: ['model-1'] }, {}];

/** Reads, checks, shows and formats a text. */
export function checkText(text: string): void {
  const source = createSource('program.too', text);
  const parsed = parse(source);
  checkTokens(text, parsed);
  checkNodes(text, parsed);
  for (const host of hosts) {
    const { diagnostics } = checkProgram(parsed, host);
    checkDiagnostics(source, diagnostics);
    for (const d of diagnostics) checkFix(text, d);
  }
  if (!hasErrors(parsed.diagnostics)) checkFormat(source, parsed);
}

/** What is declared after a broken text is read, whatever the text is. */
export function checkRecovery(text: string): void {
  const good = '\nstruct Zz:\n  zz: Text\nthunk zz:\n  user: zz\n';
  const { items } = parse(createSource('program.too', text + good)).program;
  const [thunk, struct] = [items.at(-1), items.at(-2)];
  if (struct?.kind !== 'struct' || struct.name.text !== 'Zz' || struct.fields.length !== 1) {
    throw new Error('the struct after the text is lost');
  }
  if (thunk?.kind !== 'thunk' || thunk.name?.text !== 'zz' || thunk.blocks.length !== 1) {
    throw new Error('the thunk after the text is lost');
  }
}

function checkTokens(text: string, parsed: Parsed): void {
  let at = 0;
  for (const { kind, start, end } of parsed.tokens) {
    if (start !== at || end <= start) throw new Error(`the token "${kind}" ${start}-${end} does not follow ${at}`);
    at = end;
  }
  if (at !== text.length) throw new Error(`the tokens end at ${at}, the text at ${text.length}`);
}

/** Every span of the tree lies in the text, and items do so one after the other. */
function checkNodes(text: string, parsed: Parsed): void {
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || value === parsed.program.source) return;
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) walk(item, `${path}[${i}]`);
      return;
    }
    if (isSpan(value)) checkSpan(text, value, path);
    for (const [key, item] of Object.entries(value)) walk(item, `${path}.${key}`);
  };
  walk(parsed.program, 'program');
  let last = 0;
  for (const { kind, span } of parsed.program.items) {
    if (span.start < last) throw new Error(`the ${kind} at ${span.start} stands before the one above it`);
    last = span.start;
  }
}

function isSpan(value: object): value is Span {
  return 'start' in value && 'end' in value && typeof value.start === 'number' && typeof value.end === 'number';
}

function checkSpan(text: string, { start, end }: Span, what: string): void {
  const isIn = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= text.length;
  if (!isIn) throw new Error(`${what} is at ${start}-${end} in a text of ${text.length}`);
}

function checkDiagnostics(source: Source, diagnostics: readonly Diagnostic[]): void {
  const seen = new Set<string>();
  let last = 0;
  for (const d of diagnostics) {
    checkSpan(source.text, d.span, d.code);
    for (const related of d.related) checkSpan(related.source.text, related.span, `a related place of ${d.code}`);
    if (d.span.start < last) throw new Error(`${d.code} at ${d.span.start} is reported after one at ${last}`);
    last = d.span.start;
    const key = `${d.code} ${d.span.start}-${d.span.end} ${d.message}`;
    if (seen.has(key)) throw new Error(`reported twice: ${key}`);
    seen.add(key);
    JSON.stringify(toJson(d));
    const shown = renderDiagnostic(d, { color: false, columns: 80 });
    const control = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.exec(shown);
    if (control) throw new Error(`${d.code} shows the character ${JSON.stringify(control[0])} as it is`);
  }
}

/** The edits of a fix do not overlap, and what they leave can be read. */
function checkFix(text: string, d: Diagnostic): void {
  if (!d.fix) return;
  for (const edit of d.fix.edits) checkSpan(text, edit.span, `an edit of ${d.code}`);
  const { text: mended, skipped } = applyEdits(text, d.fix.edits);
  if (skipped.length > 0) throw new Error(`the fix of ${d.code} has edits that overlap`);
  if (mended === text) throw new Error(`the fix of ${d.code} changes nothing`);
  const source = createSource('program.too', mended);
  const parsed = parse(source);
  checkTokens(mended, parsed);
  checkDiagnostics(source, checkProgram(parsed, known).diagnostics);
}

function checkFormat(source: Source, parsed: Parsed): void {
  const once = format(source, parsed.tokens);
  const again = createSource(source.name, once);
  const { tokens, diagnostics } = parse(again);
  if (hasErrors(diagnostics))
    throw new Error(`formatting adds ${diagnostics.find((d) => d.severity === 'error')?.code}`);
  if (format(again, tokens) !== once) throw new Error('formatting twice is not formatting once');
}
