/** How chat completions are answered: chunks of one answer, with the reasoning under the name that a service has for it. */
import { argsText, finishOf, pieces, type Said, type SaidCall, type SaidUsage, saidUsage } from './answer.ts';
import { type Ids, type Question, sse, type Voice } from './service.ts';

export interface ChatDialect {
  /** The fields of a delta, or of a message, that hold what it thinks; `undefined`: it keeps its thoughts to itself. */
  readonly reasoning?: (text: string) => Record<string, unknown>;
  readonly usage?: (usage: SaidUsage) => Record<string, unknown>;
  /** Whether the usage comes without being asked for. */
  readonly alwaysUsage?: true;
  /** What comes before the first event. */
  readonly comment?: string;
  readonly callPrefix?: string;
  /** Ids of calls that are not of a prefix and a number. */
  readonly callId?: (nth: number) => string;
  /** Calls come whole, in one event. */
  readonly wholeCalls?: true;
  readonly failed: Voice['failed'];
  readonly errorEvent: Voice['errorEvent'];
}

const finishes = { stop: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter', none: null } as const;

export function chatVoice(dialect: ChatDialect): Voice {
  return {
    streamType: 'text/event-stream',
    events: (said, question, ids) => chatEvents(dialect, said, question, ids),
    whole: (said, question, ids) => chatWhole(dialect, said, question, ids),
    failed: dialect.failed,
    errorEvent: dialect.errorEvent,
    garbageEvent: 'data: {"id":"chatcmpl-broken","choices":[{"del\n\n',
  };
}

function chatEvents(dialect: ChatDialect, said: Said, { model, body }: Question, ids: Ids): string[] {
  const id = ids('chatcmpl-');
  const options = body.stream_options as { include_usage?: boolean } | null | undefined;
  const withUsage = dialect.alwaysUsage || options?.include_usage === true;
  const chunk = (choices: unknown[], more: Record<string, unknown> = {}) =>
    sse({
      id,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      service_tier: 'default',
      system_fingerprint: 'fp_fake',
      choices,
      ...(withUsage && !dialect.alwaysUsage ? { usage: null } : {}),
      ...more,
    });
  const delta = (inner: Record<string, unknown>, finish: string | null = null) =>
    chunk([{ index: 0, delta: inner, logprobs: null, finish_reason: finish }]);
  const events = [delta({ role: 'assistant', content: '', refusal: null })];
  if (dialect.comment !== undefined) events.unshift(dialect.comment);
  if (dialect.reasoning !== undefined) {
    for (const piece of pieces(said.reasoning ?? '', said.chunk)) events.push(delta(dialect.reasoning(piece)));
  }
  for (const piece of pieces(said.text ?? '', said.chunk)) events.push(delta({ content: piece }));
  for (const [index, call] of (said.calls ?? []).entries()) {
    const head = callOf(dialect, call, ids);
    if (dialect.wholeCalls) {
      events.push(delta({ tool_calls: [{ index, ...head }] }));
      continue;
    }
    events.push(delta({ tool_calls: [{ index, ...head, function: { ...head.function, arguments: '' } }] }));
    for (const piece of pieces(head.function.arguments, said.chunk)) {
      events.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  const finish = finishes[finishOf(said)];
  if (finish !== null) events.push(delta({}, finish));
  if (withUsage) events.push(chunk([], { usage: usageOf(dialect, said) }));
  events.push(sse('[DONE]'));
  return events;
}

function chatWhole(dialect: ChatDialect, said: Said, { model }: Question, ids: Ids): unknown {
  const calls = (said.calls ?? []).map((call) => callOf(dialect, call, ids));
  const message = {
    role: 'assistant',
    content: said.text ?? (calls.length > 0 ? null : ''),
    refusal: null,
    annotations: [],
    ...(said.reasoning !== undefined ? dialect.reasoning?.(said.reasoning) : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    id: ids('chatcmpl-'),
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishes[finishOf(said)] }],
    usage: usageOf(dialect, said),
    system_fingerprint: 'fp_fake',
  };
}

function callOf({ callPrefix = 'call_', callId }: ChatDialect, call: SaidCall, ids: Ids) {
  const id = call.id ?? (callId === undefined ? ids(callPrefix) : callId(Number(ids(''))));
  return { id, type: 'function', function: { name: call.tool, arguments: argsText(call) } };
}

function usageOf(dialect: ChatDialect, { usage = saidUsage }: Said): unknown {
  const { input, output, cacheRead = 0, reasoning = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(dialect.usage?.(usage) ?? {
      prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: reasoning,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    }),
  };
}
