/**
 * Writes a recording: the file of a scripted model, with what was asked beside each reply.
 * 1. What is read again is what was written, byte for byte: where a value would not come back, its JSON stands as a text.
 * 2. The same exchanges give the same file: no times, no order but that of the list.
 * 3. A text of several lines is a list of its lines, so that a change of one is a change of one.
 * 4. What a request has in common with one before it is not written again: the rest of a conversation, the same instructions.
 */
import { createSource } from '../../text/index.ts';
import { fieldText, parseToon, quote, scalarText, toPlain } from '../../toon/index.ts';
import type { JsonRecord, ToolCall } from '../model.ts';
import { type Exchange, type ExchangeAnswer, type ExchangeError, talkOf } from './exchange.ts';
import { answerLines, wellFormed } from './request-text.ts';

const head = [
  '# What models were asked and what they answered, as "--record" wrote it; "--replay" answers from it.',
  '# To record anew: delete this file, or what of it is not to be kept, and run with "--record".',
];

export function writeRecording(exchanges: readonly Exchange[]): string {
  const bases = createBases();
  const entries = exchanges.map((each) => {
    const text = entryText(each, bases.of(each));
    bases.add(each);
    return text;
  });
  if (entries.length === 0) return `${[...head, 'replies: []'].join('\n')}\n`;
  return `${[...head, `replies[${entries.length}]:`, ...entries].join('\n')}\n`;
}

/** The exchange that a request goes on from, and how many lines they have in common. */
export interface Shared {
  readonly after: string;
  readonly same: number;
}

/** The last exchange of each conversation and of each agent: what may be shared. The lines of both, with the answer. */
export function createBases() {
  const lines = new Map<string, readonly string[]>();
  const last = new Map<string, string>();
  return {
    of({ call, agent, case: input, lines: own }: Exchange): Shared | undefined {
      let best: Shared | undefined;
      for (const key of [`talk ${input} ${talkOf(call)}`, `agent ${agent}`]) {
        const after = last.get(key);
        const same = after === undefined ? 0 : sharedLines(lines.get(after) ?? [], own);
        if (after !== undefined && same > (best?.same ?? leastShared)) best = { after, same };
      }
      return best;
    },
    add(exchange: Exchange): void {
      const { call, agent, case: input, lines: own, result } = exchange;
      const all = 'answer' in result ? [...own, ...answerLines(result.answer)] : own;
      // Each name is of the last that has it, here as where it is read.
      lines.set(call, all);
      last.set(`talk ${input} ${talkOf(call)}`, call);
      last.set(`agent ${agent}`, call);
    },
    /** What an exchange with this name has so far. */
    linesOf: (call: string): readonly string[] | undefined => lines.get(call),
  };
}

/** Fewer are not worth the two lines that say so. */
const leastShared = 2;

function sharedLines(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** As it was written last: a file is written again with each exchange that comes, and most of it stays as it is. */
const written = new WeakMap<Exchange, Partial<Shared> & { readonly text: string }>();

function entryText(exchange: Exchange, shared: Shared | undefined): string {
  const known = written.get(exchange);
  if (known !== undefined && known.after === shared?.after && known.same === shared?.same) return known.text;
  const text = newEntryText(exchange, shared);
  written.set(exchange, { ...shared, text });
  return text;
}

function newEntryText(exchange: Exchange, shared: Shared | undefined): string {
  const { result } = exchange;
  const lines = [`  - for: ${scalarText(exchange.for)}`, ...requestBlock(exchange, shared)];
  const about: Record<string, unknown> = {};
  if ('answer' in result) lines.push(...answerFields(result.answer, about));
  else lines.push(...errorFields(result.error, about));
  const { inputTokens, outputTokens, cost } = result.usage ?? {};
  const tokens = defined({ inputTokens, outputTokens });
  if (Object.keys(tokens).length > 0) lines.push(...fieldText('usage', tokens, 4));
  if (cost !== undefined) lines.push(`    price: ${cost}`);
  if (exchange.notes !== undefined) about.notes = json(exchange.notes);
  if (Object.keys(about).length > 0) lines.push(...fieldText('answer', about, 4));
  return lines.join('\n');
}

function requestBlock(
  { call, case: input, agent, model, hash, lines }: Exchange,
  shared: Shared | undefined,
): string[] {
  const about = defined({ call, case: input, agent, model, hash, after: shared?.after, same: shared?.same });
  const rest = lines.slice(shared?.same ?? 0);
  return [...fieldText('request', about, 4), ...(rest.length === 0 ? [] : textLines('lines', rest, 6))];
}

function answerFields(answer: ExchangeAnswer, about: Record<string, unknown>): string[] {
  const { text, finish, calls = [], reasoning, meta, more } = answer;
  const lines: string[] = [];
  if (reasoning !== undefined) {
    const thought = reasoning.map((each) => each.text).join('\n\n');
    if (thought.trim() !== '') lines.push(...textField('reasoning', thought));
    const [only, ...others] = reasoning;
    const isPlain = only !== undefined && others.length === 0 && only.meta === undefined && thought.trim() !== '';
    if (!isPlain) about.reasoning = json(reasoning);
  }
  if (text !== '' || calls.length === 0) lines.push(...(jsonField(text) ?? textField('text', text)));
  if (calls.length > 0) lines.push(`    calls[${calls.length}]:`, ...calls.flatMap(callItem));
  if (finish === 'cut') lines.push('    cut: true');
  else if (finish !== (calls.length > 0 ? 'calls' : 'stop')) about.finish = finish;
  if (meta !== undefined) about.meta = json(meta);
  if (more !== undefined) about.more = json(more);
  return lines;
}

function errorFields({ code, message, retryable, more }: ExchangeError, about: Record<string, unknown>): string[] {
  const isBlank = message.trim() === '';
  about.code = code;
  about.retryable = retryable;
  if (isBlank) about.message = message;
  if (more !== undefined) about.more = json(more);
  return textField('error', isBlank ? code : message);
}

function callItem({ tool, id, args, problem, meta }: ToolCall): string[] {
  const value = { tool: wellFormed(tool), id: wellFormed(id) };
  const lines = [`      - tool: ${scalarText(value.tool)}`, `        id: ${scalarText(value.id)}`];
  const given = Object.keys(args).length === 0 ? [] : exactField('args', args, 8);
  lines.push(...(given ?? [`        raw: ${quote(json(args))}`]));
  if (problem !== undefined) lines.push(...textField('problem', problem, 8));
  if (meta !== undefined) lines.push(`        meta: ${quote(json(meta))}`);
  return lines;
}

/** Undefined where the text is no JSON as `json` would send it. */
function jsonField(text: string): string[] | undefined {
  if (!/^[[{]/.test(text) || text.length > mostJson) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // It is a text then.
  }
  return JSON.stringify(value) === text ? exactField('json', value, 4) : undefined;
}

const mostJson = 200_000;
const deepest = 40;

/** Undefined where it would not be read as it is. */
function exactField(key: string, value: unknown, indent: number): string[] | undefined {
  if (depthOf(value, deepest) > deepest) return undefined;
  const lines = fieldText(key, value, indent);
  const flat = lines.map((line) => line.slice(indent)).join('\n');
  const { document, diagnostics } = parseToon(createSource('', flat), { profile: true });
  if (diagnostics.length > 0) return undefined;
  const read = toPlain(document.root) as Record<string, unknown>;
  return JSON.stringify(read[key]) === JSON.stringify(value) ? lines : undefined;
}

function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most < 0) return 0;
  let depth = 0;
  for (const inner of Object.values(value)) depth = Math.max(depth, depthOf(inner, most - 1));
  return depth + 1;
}

function textField(key: string, text: string, indent = 4): string[] {
  const whole = wellFormed(text);
  if (whole.includes('\n')) return textLines(key, whole.split('\n'), indent);
  return [`${' '.repeat(indent)}${key}: ${scalarText(whole)}`];
}

function textLines(key: string, lines: readonly string[], indent: number): string[] {
  const blanks = ' '.repeat(indent);
  return [`${blanks}${key}[${lines.length}]:`, ...lines.map((line) => `${blanks}  - ${quote(line)}`)];
}

function json(value: unknown): string {
  return wellFormed(JSON.stringify(value));
}

function defined(values: Readonly<Record<string, unknown>>): JsonRecord {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonRecord;
}
