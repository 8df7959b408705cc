/**
 * The conversation of a step or a hand, as far as the journal has it: what it was asked, what it answered, what it called and
 * what came of that. A fold over the events.
 * 1. It is that of the last attempt. What a segment has kept was said before; nothing is forgotten until something new is said.
 * 2. A call of a model that was begun again is told once.
 * 3. Messages are told where the store has their texts. What a hand was asked are the arguments of its call.
 */
import type { EventBody, JournalEvent } from '../journal/index.ts';
import type { Json, Outcome } from '../machine/index.ts';
import { isKept } from './kept-calls.ts';
import { readNodeId } from './node-id.ts';
import { type RunRemark, takeRemark } from './run-remark.ts';
import { type AskedCall, callsIn, isObject, statusOf } from './run-tools.ts';

export type TalkTurn =
  /** To the model; `role` is `system`, `user`, or of what was said before this run, `assistant`. */
  | { readonly kind: 'message'; readonly role: string; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string; readonly model?: string }
  | TalkCall
  | { readonly kind: 'repair'; readonly errors: readonly string[] }
  | { readonly kind: 'error'; readonly message: string }
  | RunRemark;

/** A tool, or a hand. Without a result it has not come to one. */
export interface TalkCall {
  readonly kind: 'call';
  readonly tool: string;
  readonly args: Json;
  status: 'running' | 'asked' | 'denied' | 'done' | 'failed';
  result?: string;
  /** The name of the hand that it is. */
  hand?: string;
}

export interface RunTalk {
  /** What a hand was called with. */
  readonly given?: Json;
  readonly turns: readonly TalkTurn[];
}

interface Talk {
  /** The id of the attempt, and the segment, that it is of. */
  of: string;
  turns: TalkTurn[];
  /** By calls of models: how many turns there were before. */
  marks: Map<string, number>;
  /** The calls of the last answer, by their ids. */
  calls: Map<string, TalkCall>;
  /** By steps that call tools. */
  steps: Map<string, TalkCall>;
  hands: Map<string, TalkCall>;
  model?: string;
  isAnswered: boolean;
}

type Asked = Extract<EventBody, { kind: 'model.asked' }>;

/** `names`: of the nodes that are wanted. `textOf`: a text that the store has, by its hash. */
export function runTalks(
  events: Iterable<JournalEvent>,
  names: Iterable<string>,
  textOf: (hash: string) => string | undefined,
): ReadonlyMap<string, RunTalk> {
  const wanted = new Set(names);
  // What a hand was asked is known to what has called it.
  const heard = new Set(
    Array.from(wanted).flatMap((name) => [name, name.slice(0, Math.max(0, name.lastIndexOf('/')))]),
  );
  const talks = new Map<string, Talk>();
  const given = new Map<string, Json>();
  /** Of what is kept nothing else tells it: by names without attempts. */
  const asked = new Map<string, Asked>();
  const workflows = new Set<string>();
  let segment = 0;

  for (const { node: id, body } of events) {
    if (body.kind === 'segment.opened') segment++;
    if (id === undefined) continue;
    const { name, inner, within } = readNodeId(id, (each) => workflows.has(each));
    if (body.kind === 'child.started' && body.child !== undefined) workflows.add(name);
    if (inner === '' && wanted.has(name) && body.kind === 'child.started' && body.input !== undefined)
      given.set(name, body.input);
    const outer = within?.at(-1);
    if (inner === '' && outer !== undefined && heard.has(outer)) takeHand(outer, name, body);
    if (!heard.has(name)) continue;
    if (inner.startsWith('/')) takePart(name, id.slice(0, id.length - inner.length), inner, body);
  }
  return new Map(Array.from(wanted, (name) => [name, talkOf(name)]));

  function talkOf(name: string): RunTalk {
    const turns = talks.get(name)?.turns ?? [];
    const args = given.get(name);
    return args === undefined ? { turns } : { given: args, turns };
  }

  function takePart(name: string, attempt: string, inner: string, body: EventBody): void {
    const talk = talkAt(name, `${segment} ${attempt}`);
    switch (body.kind) {
      case 'node.started':
        if (inner.startsWith('/model#')) rewind(talk, inner);
        return;
      case 'model.asked':
        asked.set(name + inner, body);
        takeAsked(talk, body);
        return;
      case 'model.answered': {
        const before = isKept(body) ? asked.get(name + inner) : undefined;
        if (before) takeAsked(talk, before);
        takeAnswer(talk, body.message);
        return;
      }
      case 'model.failed':
        talk.turns.push({ kind: 'error', message: body.error.message });
        return;
      case 'tool.asked': {
        const call = talk.calls.get(body.call);
        if (call) {
          call.status = 'running';
          talk.steps.set(inner, call);
        }
        return;
      }
      case 'tool.answered':
        settle(talk.steps.get(inner), statusOf(body.result), resultText(body.result));
        return;
      case 'approval.decided': {
        const call = talk.steps.get(inner.replace('/permit#', '/tool#'));
        if (call?.status === 'asked') call.status = body.approved ? 'running' : 'denied';
        return;
      }
      case 'calls.refused':
        for (const { call, text } of body.calls) takeRefused(talk, talk.calls.get(call), text);
        return;
      case 'output.repaired':
        talk.turns.push({ kind: 'repair', errors: body.errors });
        return;
      case 'handoff':
      case 'memory.saved':
      case 'service.left':
        talk.turns.push(...takeRemark([], body));
        return;
      default:
    }
  }

  /** The calls of an answer begin in its order. */
  function takeHand(outer: string, name: string, body: EventBody): void {
    const talk = talks.get(outer);
    if (talk === undefined || (body.kind !== 'child.started' && body.kind !== 'child.ended')) return;
    const called = name.slice(outer.length + 1).replace(/\[\d+\]$/, '');
    const call =
      talk.hands.get(name) ?? [...talk.calls.values()].find((each) => each.tool === called && each.hand === undefined);
    if (call === undefined) return;
    talk.hands.set(name, call);
    call.hand = name;
    giveArgs(name, call);
    if (body.kind === 'child.ended') settle(call, 'err' in body.outcome ? 'failed' : 'done', outcomeText(body.outcome));
    else call.status = 'running';
  }

  function giveArgs(name: string, { args }: TalkCall): void {
    if (wanted.has(name) && !workflows.has(name)) given.set(name, args);
  }

  /** What was taken for its hand is that of the next call of the same one, and so on: it is told when all of them have ended. */
  function takeRefused(talk: Talk, refused: TalkCall | undefined, why: string): void {
    if (refused === undefined) return;
    const calls = [...talk.calls.values()];
    let { hand, status, result } = refused;
    for (const call of calls.slice(calls.indexOf(refused) + 1)) {
      if (hand === undefined) break;
      if (call.tool !== refused.tool) continue;
      talk.hands.set(hand, call);
      giveArgs(hand, call);
      const was = { hand: call.hand, status: call.status, result: call.result };
      Object.assign(call, { hand, status, ...(result !== undefined && { result }) });
      ({ hand, status, result } = was);
    }
    delete refused.hand;
    settle(refused, 'failed', why);
  }

  function takeAsked(talk: Talk, { ref, add }: Asked): void {
    talk.model = ref;
    for (const hash of add) {
      const message = messageOf(textOf(hash));
      if (message === undefined) continue;
      if (message.role === 'tool')
        settle(talk.calls.get(message.call), message.isError ? 'failed' : 'done', message.text);
      // What it answered itself was told already.
      else if (message.role !== 'assistant' || !talk.isAnswered)
        talk.turns.push({ kind: 'message', role: message.role, text: message.text });
    }
  }

  function talkAt(name: string, of: string): Talk {
    const known = talks.get(name);
    if (known?.of === of) return known;
    const talk: Talk = {
      of,
      turns: [],
      marks: new Map(),
      calls: new Map(),
      steps: new Map(),
      hands: new Map(),
      isAnswered: false,
    };
    talks.set(name, talk);
    return talk;
  }
}

function rewind(talk: Talk, inner: string): void {
  const mark = talk.marks.get(inner);
  if (mark !== undefined) talk.turns.length = mark;
  else talk.marks.set(inner, talk.turns.length);
}

function takeAnswer(talk: Talk, message: Json): void {
  const text = isObject(message) && typeof message.text === 'string' ? message.text : '';
  const calls = callsIn(message);
  talk.isAnswered = true;
  if (text !== '' || calls.length === 0)
    talk.turns.push({ kind: 'answer', text, ...(talk.model !== undefined && { model: talk.model }) });
  talk.calls = new Map(calls.map((call) => [call.id, callTurn(call)]));
  talk.turns.push(...talk.calls.values());
}

function callTurn({ tool, args }: AskedCall): TalkCall {
  return { kind: 'call', tool, args, status: 'running' };
}

function settle(call: TalkCall | undefined, status: TalkCall['status'], result: string): void {
  if (call === undefined) return;
  call.status = status;
  if (status !== 'asked') call.result = result;
}

function resultText(result: Json): string {
  if (isObject(result) && typeof result.text === 'string') return result.text;
  return JSON.stringify(result);
}

function outcomeText(outcome: Outcome): string {
  if ('err' in outcome) return outcome.err.message;
  if (!('ok' in outcome)) return '';
  return typeof outcome.ok === 'string' ? outcome.ok : JSON.stringify(outcome.ok);
}

interface Message {
  readonly role: string;
  readonly text: string;
  readonly call: string;
  readonly isError: boolean;
}

/** Undefined where the store has no such text, or it is none of a message. */
function messageOf(text: string | undefined): Message | undefined {
  if (text === undefined) return undefined;
  let read: Json;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(read) || typeof read.role !== 'string') return undefined;
  const { role, content, call, isError } = read;
  return {
    role,
    text: contentText(content ?? ''),
    call: typeof call === 'string' ? call : '',
    isError: isError === true,
  };
}

function contentText(content: Json): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .flatMap((part: Json) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}
