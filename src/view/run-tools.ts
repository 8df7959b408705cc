/** The tool calls of a step, and which models it was answered by: a fold over the events inside of its attempts. */
import type { EventBody } from '../journal/index.ts';
import type { Json } from '../machine/index.ts';

export interface RunToolCall {
  readonly tool: string;
  args: Json;
  /** `asked`: somebody must allow it first. `denied`: and did not. */
  status: 'running' | 'asked' | 'denied' | 'done' | 'failed';
  /** Who allowed it, or did not. */
  by?: string;
}

/** A model that could not be asked, so that the next one was. */
export interface PassedModel {
  readonly ref: string;
  readonly why: string;
}

/** What is known of the calls of one step; kept apart from what is shown of it. */
export interface ToolBook {
  /** Arguments by the ids of calls, until they are called. */
  readonly args: Map<string, Json>;
  readonly calls: Map<string, RunToolCall>;
  /** The calls of steps, and of questions about them. */
  readonly steps: Map<string, RunToolCall>;
}

/** What tool steps have called, by their names without the attempt, over all segments: of what is kept nothing else tells it. */
export type AskedTools = Map<string, Extract<EventBody, { kind: 'tool.asked' }>>;

export function createToolBook(): ToolBook {
  return { args: new Map(), calls: new Map(), steps: new Map() };
}

/** `id`: of the step that the event is about. Gives a call that is new. */
export function takeTool(book: ToolBook, id: string, body: EventBody): RunToolCall | undefined {
  if (body.kind === 'model.answered') {
    // Ids are those of one conversation: another attempt begins anew.
    for (const { id: call, args } of callsIn(body.message)) {
      book.args.set(call, args);
      book.calls.delete(call);
    }
  } else if (body.kind === 'tool.asked') {
    const known = book.calls.get(body.call);
    const call: RunToolCall = known ?? { tool: body.tool, args: book.args.get(body.call) ?? {}, status: 'running' };
    book.args.delete(body.call);
    call.status = 'running';
    book.calls.set(body.call, call);
    book.steps.set(id, call);
    return known === undefined ? call : undefined;
  } else if (body.kind === 'tool.answered') {
    const call = book.steps.get(id);
    book.steps.delete(id);
    if (call === undefined) return undefined;
    call.status = statusOf(body.result);
    if (call.status === 'asked') book.steps.set(id.replace(/tool(#\d+)$/, 'permit$1'), call);
  } else if (body.kind === 'approval.decided') {
    const call = book.steps.get(id);
    book.steps.delete(id);
    if (call === undefined) return undefined;
    call.by = body.by;
    if (!body.approved) call.status = 'denied';
  } else if (body.kind === 'node.failed' || body.kind === 'node.cancelled') {
    const call = book.steps.get(id);
    book.steps.delete(id);
    if (call) call.status = 'failed';
  }
  return undefined;
}

export function statusOf(result: Json): RunToolCall['status'] {
  if (!isObject(result)) return 'done';
  if ('ask' in result) return 'asked';
  if (result.isError !== true) return 'done';
  return result.code === 'denied' ? 'denied' : 'failed';
}

/** A call as a model has written it. */
export interface AskedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Json;
}

export function callsIn(message: Json): AskedCall[] {
  const calls = isObject(message) ? message.calls : undefined;
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: Json) =>
    isObject(call) && typeof call.id === 'string'
      ? [{ id: call.id, tool: typeof call.tool === 'string' ? call.tool : '', args: call.args ?? {} }]
      : [],
  );
}

export function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const toolMarks: Readonly<
  Record<RunToolCall['status'], readonly [string, 'green' | 'red' | 'yellow' | 'cyan']>
> = {
  running: ['▸', 'cyan'],
  asked: ['⏸', 'yellow'],
  denied: ['⊘', 'yellow'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
};

/** `shell/run {"command":"git push"}`: what stands first counts most. */
export function toolText({ tool, args }: Pick<RunToolCall, 'tool' | 'args'>): string {
  const values = isObject(args) ? Object.values(args) : [];
  const [only] = values;
  const words =
    values.length === 1 && typeof only === 'string' ? only : values.length === 0 ? '' : JSON.stringify(args);
  return words === '' ? tool : `${tool} ${words}`;
}
