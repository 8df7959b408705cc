/**
 * A recording that was read: its exchanges whole, and which of them answers a request.
 * 1. What answers has the hash of the request. Of several, it is that of the same command, of the same case, of the same place in a
 *    step, in this order; else the first. That depends on nothing that happened before, so calls that run side by side, and
 *    a run that is resumed, get the same.
 * 2. The same request gets the same answer, however often it is asked.
 */
import { isRecord } from '../../type/index.ts';
import type { JsonRecord, ToolCall } from '../model.ts';
import type { Reply, Script } from '../script.ts';
import type { ScriptReader } from '../script-keys.ts';
import type { Exchange, ExchangeResult, ExchangeUsage } from './exchange.ts';
import { requestHash } from './request-text.ts';
import { createBases } from './write-recording.ts';

export interface Recording {
  /** How messages name the file. */
  readonly name: string;
  readonly exchanges: readonly Exchange[];
  readonly byHash: ReadonlyMap<string, readonly Exchange[]>;
}

/** Who asks. */
export interface Asker {
  readonly call: string;
  readonly case?: string | undefined;
}

/** Of a script without errors; replies without a request are no part of it. */
export function recordingOf({ name, replies }: Script): Recording {
  const exchanges = [...wholeOf(replies)].map(({ exchange }) => exchange);
  const byHash = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const list = byHash.get(exchange.hash);
    if (list) list.push(exchange);
    else byHash.set(exchange.hash, [exchange]);
  }
  return { name, exchanges, byHash };
}

export function findExchange({ byHash }: Recording, hash: string, asker: Asker): Exchange | undefined {
  const all = byHash.get(hash) ?? [];
  const place = placeIn(asker.call);
  let best: Exchange | undefined;
  let most = -1;
  for (const each of all) {
    const score =
      (each.call === asker.call ? 4 : 0) + (each.case === asker.case ? 2 : 0) + (placeIn(each.call) === place ? 1 : 0);
    if (score > most) [best, most] = [each, score];
  }
  return best;
}

/** `draft#2/model#1` → `#2/model#1`: which attempt, which call of it. */
function placeIn(call: string): string {
  return /#\d+\/model#\d+$/.exec(call)?.[0] ?? call;
}

/** That each request can be put together, and is what its hash says. */
export function checkRequests(r: ScriptReader, replies: readonly Reply[]): void {
  const again = 'What was recorded is not to be changed: record it again. Without "request" it is a reply of a script.';
  for (const { exchange, reply, problem } of wholeOf(replies)) {
    const { span, hash } = reply.request ?? { span: { start: 0, end: 0 }, hash: '' };
    const call = (reply.calls ?? []).find(({ args }) => argsOf(args) === undefined);
    if (call !== undefined) {
      const message = `the arguments of the recorded call of "${call.tool}" are no JSON object`;
      r.report('TOO7010', span, message, { help: again });
    }
    if (problem !== undefined) r.report('TOO7010', span, problem, { help: again });
    else if (requestHash(exchange.lines) !== hash) {
      r.report('TOO7010', span, `the lines of this request do not have its hash ${hash}`, { help: again });
    }
  }
}

interface Whole {
  readonly exchange: Exchange;
  readonly reply: Reply;
  readonly problem?: string;
}

function* wholeOf(replies: readonly Reply[]): Generator<Whole> {
  const bases = createBases();
  for (const reply of replies) {
    const { request } = reply;
    if (request === undefined) continue;
    const { after, same = 0 } = request;
    const before = after === undefined ? [] : bases.linesOf(after);
    const problem =
      before === undefined
        ? `no request before this one is that of "${after}"`
        : before.length < same
          ? `"${after}" has ${before.length} lines, and this request begins with ${same} of them`
          : undefined;
    const lines = [...(before ?? []).slice(0, same), ...request.lines];
    const exchange = exchangeOf(reply, request, lines);
    bases.add(exchange);
    yield { exchange, reply, ...(problem !== undefined && { problem }) };
  }
}

function exchangeOf(reply: Reply, request: NonNullable<Reply['request']>, lines: readonly string[]): Exchange {
  const { call, hash, case: input, agent, model } = request;
  const made: { -readonly [K in keyof Exchange]: Exchange[K] } = {
    call,
    for: reply.for,
    hash,
    lines,
    result: resultOf(reply),
    at: reply.at,
  };
  if (input !== undefined) made.case = input;
  if (agent !== undefined) made.agent = agent;
  if (model !== undefined) made.model = model;
  if (reply.about?.notes !== undefined) made.notes = reply.about.notes;
  return made;
}

function resultOf(reply: Reply): ExchangeResult {
  const { answer, about = {}, calls, reasoning } = reply;
  const { more, meta } = about;
  const spent = usageOf(reply);
  if (answer.kind === 'error' || answer.kind === 'failure') {
    const said = answer.kind === 'error' ? `the model's service answered ${answer.status}` : answer.message;
    const { code = 'model', retryable = false, message = said } = about;
    return { error: { code, message, retryable, ...(more && { more }) }, ...spent };
  }
  const thoughts = about.reasoning ?? (reasoning === undefined ? undefined : [{ text: reasoning }]);
  return {
    answer: {
      text: answer.kind === 'text' ? answer.text : '',
      finish: reply.cut ? 'cut' : (about.finish ?? (calls === undefined ? 'stop' : 'calls')),
      ...(calls && { calls: calls.map(callOf) }),
      ...(thoughts && { reasoning: thoughts }),
      ...(meta && { meta }),
      ...(more && { more }),
    },
    ...spent,
  };
}

function usageOf({ usage, price }: Reply): { readonly usage?: ExchangeUsage } {
  if (usage === undefined && price === undefined) return {};
  return { usage: { ...usage, ...(price !== undefined && { cost: price }) } };
}

function callOf({ tool, id = '', args, problem, meta }: NonNullable<Reply['calls']>[number]): ToolCall {
  return {
    id,
    tool,
    args: argsOf(args) ?? {},
    ...(problem !== undefined && { problem }),
    ...(meta && { meta }),
  };
}

/** Undefined where they are no object. */
function argsOf(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonRecord) : undefined;
  } catch {
    return undefined; // Told by the check.
  }
}
