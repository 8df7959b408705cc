/**
 * What an agent does while it answers, as people who talk to it see it: what it calls, what comes of that, to whom it hands over,
 * what it asks. A fold over the events of one run of a thunk.
 * 1. A call is told once, when it has come to something; until then it is among those that run. What somebody must allow first
 *    waits, and its call is told behind the answer.
 * 2. A hand is a call; what it calls itself stands within it. Of a hand that is a workflow its steps do.
 * 3. Nothing here is what was said: that is told as it comes.
 */
import type { EventBody, EventDraft } from '../journal/index.ts';
import type { Json, Outcome } from '../machine/index.ts';
import { handTitle, readNodeId } from './node-id.ts';
import { type RunRemark, takeRemark } from './run-remark.ts';
import { type RunRequest, requestWords } from './run-request.ts';
import { callsIn, isObject, type RunToolCall, statusOf } from './run-tools.ts';
import { shortValue } from './short-value.ts';

export interface TurnCall {
  /** The command that makes it. */
  readonly id: string;
  /** The tool, the hand, or the step of a workflow. */
  readonly tool: string;
  readonly args: Json;
  /** The hands that it stands in, outer ones first. */
  readonly within: readonly string[];
  readonly startedAt: number;
  status: RunToolCall['status'];
  endedAt?: number;
  /** What came of it, or why nothing did. */
  result?: string;
}

export type TurnNote =
  | { readonly kind: 'call'; readonly call: TurnCall }
  | { readonly kind: 'remark'; readonly remark: RunRemark; readonly within: readonly string[] }
  /** An answer did not fit its type, and was sent back. */
  | { readonly kind: 'repair'; readonly errors: readonly string[]; readonly within: readonly string[] }
  /** A model that could not be asked; the next one is. */
  | { readonly kind: 'passed'; readonly ref: string; readonly why: string }
  /** Somebody has spoken, and it is heard with the next call. */
  | { readonly kind: 'steered'; readonly message: string; readonly by: string }
  /** `args`: what a rule is about, of a tool that wants to be called. */
  | { readonly kind: 'asked'; readonly request: RunRequest; readonly about?: string }
  | { readonly kind: 'answered'; readonly node: string; readonly approved: boolean; readonly by: string }
  /** A call of the thunk's own model has ended: all that it said. */
  | { readonly kind: 'said'; readonly id: string; readonly text: string };

export interface TurnStory {
  readonly add: (events: Iterable<Pick<EventDraft, 'at' | 'node' | 'body'>>) => readonly TurnNote[];
  readonly running: () => readonly TurnCall[];
  /** The model that was asked last by the thunk itself, and whether it is at it. */
  readonly model: () => { readonly ref: string; readonly isAsked: boolean } | undefined;
}

export function createTurnStory(): TurnStory {
  const running = new Map<string, TurnCall>();
  /** Arguments of calls, by the node that makes them and their ids; and of hands by their names, in order. */
  const args = new Map<string, Json>();
  const hands = new Map<string, Json[]>();
  const workflows = new Set<string>();
  let model: { ref: string; isAsked: boolean } | undefined;

  function take(id: string, body: EventBody, at: number): TurnNote | undefined {
    const { name, inner, within = [] } = readNodeId(id, (each) => workflows.has(each));
    const isOwn = within.length === 0;
    // A part of a hand is within that, too.
    const around = titles([...within, ...(inner.startsWith('/') ? [name] : [])]);
    if (inner === '') return isOwn ? undefined : takeNode(id, name, within, body, at);
    switch (body.kind) {
      case 'model.asked':
        if (isOwn) model = { ref: body.ref, isAsked: true };
        return undefined;
      case 'model.skipped':
        return { kind: 'passed', ref: body.ref, why: body.error.message };
      case 'model.failed':
        if (isOwn && model) model.isAsked = false;
        return undefined;
      case 'model.answered': {
        for (const call of callsIn(body.message)) {
          args.set(`${name} ${call.id}`, call.args);
          const key = `${name}/${call.tool}`;
          hands.set(key, [...(hands.get(key) ?? []), call.args]);
        }
        if (!isOwn) return undefined;
        if (model) model.isAsked = false;
        const text = isObject(body.message) && typeof body.message.text === 'string' ? body.message.text : '';
        return { kind: 'said', id, text };
      }
      case 'tool.asked': {
        const given = args.get(`${name} ${body.call}`) ?? {};
        const known = running.get(id);
        if (known) known.status = 'running';
        else running.set(id, { id, tool: body.tool, args: given, within: around, startedAt: at, status: 'running' });
        return undefined;
      }
      case 'tool.answered': {
        const status = statusOf(body.result);
        const call = running.get(id);
        if (call === undefined) return undefined;
        // It is made again, by another command, when it was allowed.
        if (status === 'asked') {
          running.delete(id);
          return undefined;
        }
        const text = isObject(body.result) && typeof body.result.text === 'string' ? body.result.text : '';
        return ended(call, status, text, at);
      }
      case 'node.failed':
      case 'node.cancelled': {
        const call = running.get(id);
        return call && ended(call, 'failed', body.error.message, at);
      }
      case 'output.repaired':
        return { kind: 'repair', errors: body.errors, within: around };
      case 'handoff':
      case 'memory.saved':
      case 'service.left': {
        const [remark] = takeRemark([], body);
        return remark && { kind: 'remark', remark, within: around };
      }
      default:
        return takeQuestion(id, body);
    }
  }

  function takeQuestion(node: string, body: EventBody): TurnNote | undefined {
    switch (body.kind) {
      case 'approval.requested':
      case 'limit.reached': {
        const kind = body.kind === 'limit.reached' ? 'limit' : body.permission ? 'permission' : 'approval';
        const about = kind === 'permission' ? aboutOf(body.request) : undefined;
        const request: RunRequest = { node, kind, ...requestWords(body.request), hash: body.hash };
        return { kind: 'asked', request, ...(about !== undefined && { about }) };
      }
      case 'approval.decided':
      case 'limit.answered':
        return { kind: 'answered', node, approved: body.approved, by: body.by };
      case 'node.cancelled':
        // A question that nobody has to answer any more.
        return { kind: 'answered', node, approved: false, by: '' };
      default:
        return undefined;
    }
  }

  /** A hand, or a step of a workflow that is one. */
  function takeNode(
    id: string,
    name: string,
    within: readonly string[],
    body: EventBody,
    at: number,
  ): TurnNote | undefined {
    switch (body.kind) {
      case 'child.started':
      case 'node.started': {
        if (body.kind === 'child.started' && body.child !== undefined) workflows.add(name);
        const outer = within.at(-1) ?? '';
        const called = name.slice(outer.length + 1);
        const hand = called.replace(/\[\d+\]$/, '');
        const given = hands.get(`${outer}/${hand}`)?.shift() ?? {};
        const call = { id, tool: handTitle(called), args: given, within: titles(within), startedAt: at };
        if (!running.has(id)) running.set(id, { ...call, status: 'running' });
        return undefined;
      }
      case 'child.ended': {
        const call = running.get(id);
        return call && ended(call, 'err' in body.outcome ? 'failed' : 'done', outcomeText(body.outcome), at);
      }
      case 'node.done': {
        const call = running.get(id);
        return call && ended(call, 'done', body.output === undefined ? '' : shortValue(body.output, mostResult), at);
      }
      case 'node.failed':
      case 'node.cancelled': {
        const call = running.get(id);
        return call ? ended(call, 'failed', body.error.message, at) : takeQuestion(id, body);
      }
      default:
        return takeQuestion(id, body);
    }
  }

  function ended(call: TurnCall, status: TurnCall['status'], result: string, at: number): TurnNote {
    running.delete(call.id);
    call.status = status;
    call.endedAt = at;
    call.result = result.slice(0, mostResult);
    return { kind: 'call', call };
  }

  return {
    add(events) {
      const notes: TurnNote[] = [];
      for (const { at, node, body } of events) {
        if (body.kind === 'run.steered') notes.push({ kind: 'steered', message: body.message, by: body.by });
        // The limit is asked about by the run itself.
        const note =
          node === undefined ? undefined : node.startsWith('@') ? takeQuestion(node, body) : take(node, body, at);
        if (note) notes.push(note);
      }
      return notes;
    },
    running: () => [...running.values()],
    model: () => model,
  };
}

/** A line shows far less. */
const mostResult = 500;

/** `default`, `default/lookup[1]` to `lookup`. */
function titles(names: readonly string[]): readonly string[] {
  return names.slice(1).map((name, i) => handTitle(name.slice((names[i] ?? '').length + 1)));
}

/** The tool and what its call is about, as rules see it: a call that is the same is about the same. */
function aboutOf(request: Json): string | undefined {
  if (!isObject(request) || typeof request.tool !== 'string' || !Array.isArray(request.subjects)) return undefined;
  return request.subjects.length === 0 ? undefined : JSON.stringify([request.tool, request.subjects]);
}

function outcomeText(outcome: Outcome): string {
  if ('err' in outcome) return outcome.err.message;
  return 'ok' in outcome ? shortValue(outcome.ok, mostResult) : '';
}
