/** Anthropic's messages: what they refuse, and how they answer. */

import { argsText, type Failed, finishOf, pieces, type Said, saidUsage } from './answer.ts';
import { shapeWith } from './anthropic-request.ts';
import { anthropicRefusal, signatureOf } from './anthropic-rules.ts';
import {
  type FakeRequest,
  type Ids,
  type Look,
  type Question,
  type Service,
  type Site,
  sse,
  type Voice,
  type Whole,
  whole,
} from './service.ts';
import { isObject, type Problem, problemOf } from './shape.ts';

export const anthropic: Service = { look };

const bodyOf = (type: string, message: string): unknown => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_fake',
});

const refuse = (message: string, status = 400, type = 'invalid_request_error'): Look =>
  whole(status, bodyOf(type, message));

function look(request: FakeRequest, site: Site): Look {
  const { headers, method, path, body } = request;
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (key === undefined) return refuse('x-api-key header is required', 401, 'authentication_error');
  if (key !== site.key) return refuse('invalid x-api-key', 401, 'authentication_error');
  const version = headers['anthropic-version'];
  if (version === undefined) return refuse('anthropic-version: header is required');
  if (version !== '2023-06-01') return refuse(`anthropic-version: "${version}" is not a valid version`);
  if (method === 'GET' && path === '/v1/models') {
    const data = site.models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' }));
    return whole(200, { data, has_more: false, first_id: site.models[0] ?? null, last_id: site.models.at(-1) ?? null });
  }
  if (method !== 'POST' || path !== '/v1/messages') return refuse('Not Found', 404, 'not_found_error');
  if (!headers['content-type']?.startsWith('application/json')) return refuse('content-type must be application/json');
  if (!isObject(body)) return refuse('The request body is not valid JSON: expected value at line 1 column 1');
  if ((body.messages as { role?: unknown }[] | undefined)?.some?.((message) => message?.role === 'system')) {
    return refuse(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  }
  const problem = problemOf(shapeWith(headers['anthropic-beta']), body);
  if (problem) return refuse(words(problem));
  const model = String(body.model);
  if (!site.models.includes(model)) return refuse(`model: ${model}`, 404, 'not_found_error');
  const why = anthropicRefusal(body);
  if (why !== undefined) return refuse(why);
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a valid string',
  number: 'a valid number',
  integer: 'a valid integer',
  boolean: 'a valid boolean',
  array: 'a valid list',
  object: 'a valid dictionary',
};

function words(problem: Problem): string {
  const at = problem.path.join('.');
  switch (problem.kind) {
    case 'unknown':
      return `${[...problem.path, problem.name].join('.')}: Extra inputs are not permitted`;
    case 'missing':
      return `${at}: Field required`;
    case 'type':
      return `${at}: Input should be ${problem.expected
        .split('|')
        .map((name) => typeWords[name] ?? name)
        .join(' or ')}`;
    case 'choice': {
      const choices = problem.choices.map((choice) => `'${choice}'`);
      if (problem.path.at(-1) === 'type' && choices.length > 1) {
        const tag = `Input tag '${String(problem.got)}' found using 'type' does not match any of the expected tags: ${choices.join(', ')}`;
        return `${problem.path.slice(0, -1).join('.')}: ${tag}`;
      }
      const last = choices.pop();
      return `${at}: Input should be ${choices.length === 0 ? last : `${choices.join(', ')} or ${last}`}`;
    }
    case 'low':
      return `${at}: Input should be greater than or equal to ${problem.limit}`;
    case 'high':
      return `${at}: Input should be less than or equal to ${problem.limit}`;
    case 'short':
      return `${at}: ${typeof problem.got === 'string' ? 'String' : 'List'} should have at least ${problem.limit} ${typeof problem.got === 'string' ? 'character' : 'item'}`;
    case 'long':
      return `${at}: ${typeof problem.got === 'string' ? 'String' : 'List'} should have at most ${problem.limit} ${typeof problem.got === 'string' ? 'characters' : 'items'}`;
    case 'pattern':
      return `${at}: String should match pattern '${problem.pattern.replaceAll('\\/', '/')}'`;
  }
}

const voice: Voice = {
  streamType: 'text/event-stream; charset=utf-8',
  events: messageEvents,
  whole: (said, question, ids) => {
    const content = blocksOf(said, ids).map(({ whole: block }) => block);
    return { ...messageOf(said, question, ids), content, stop_reason: stops[finishOf(said)], usage: usageOf(said) };
  },
  failed: (failed, { model }) => messageFailed(failed, model),
  errorEvent: () => sse(bodyOf('overloaded_error', 'Overloaded'), 'error'),
  garbageEvent: 'event: content_block_delta\ndata: {"type":"content_block_delta","ind\n\n',
};

const stops = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal', none: null } as const;

interface MadeBlock {
  readonly start: Record<string, unknown>;
  readonly deltas: readonly Record<string, unknown>[];
  readonly whole: Record<string, unknown>;
}

function messageOf({ usage }: Said, { model }: Question, ids: Ids): Record<string, unknown> {
  return {
    id: ids('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usageOf(usage === undefined ? {} : { usage }), output_tokens: 1 },
  };
}

/** Its input tokens are those that the cache had nothing to do with. */
function usageOf({ usage = saidUsage }: Said) {
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage;
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  };
}

function blocksOf(said: Said, ids: Ids): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  if (said.reasoning !== undefined) {
    const signature = signatureOf(said.reasoning);
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(said.reasoning, said.chunk).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: said.reasoning, signature },
    });
  }
  if (said.text !== undefined) {
    const deltas = pieces(said.text, said.chunk).map((text) => ({ type: 'text_delta', text }));
    blocks.push({ start: { type: 'text', text: '' }, deltas, whole: { type: 'text', text: said.text } });
  }
  for (const call of said.calls ?? []) {
    const head = { type: 'tool_use', id: call.id ?? ids('toolu_'), name: call.tool };
    const deltas = ['', ...pieces(argsText(call), said.chunk)].map((json) => ({
      type: 'input_json_delta',
      partial_json: json,
    }));
    blocks.push({ start: { ...head, input: {} }, deltas, whole: { ...head, input: call.args ?? {} } });
  }
  return blocks;
}

function messageEvents(said: Said, question: Question, ids: Ids): string[] {
  const event = (data: Record<string, unknown>) => sse(data, String(data.type));
  const events = [event({ type: 'message_start', message: messageOf(said, question, ids) })];
  for (const [index, { start, deltas }] of blocksOf(said, ids).entries()) {
    events.push(event({ type: 'content_block_start', index, content_block: start }));
    if (index === 0) events.push(event({ type: 'ping' }));
    for (const delta of deltas) events.push(event({ type: 'content_block_delta', index, delta }));
    events.push(event({ type: 'content_block_stop', index }));
  }
  const reason = stops[finishOf(said)];
  if (reason === null) return events;
  const { service_tier: _tier, ...usage } = usageOf(said);
  events.push(event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage }));
  events.push(event({ type: 'message_stop' }));
  return events;
}

function messageFailed({ fails, note, retryAfter }: Failed, model: string): Whole {
  const say = (status: number, type: string, message: string, headers: Record<string, string> = {}): Whole => ({
    status,
    headers: { 'request-id': 'req_fake', ...headers },
    body: bodyOf(type, note === undefined ? message : `${message} ${note}`),
  });
  switch (fails) {
    case 'context':
      return say(400, 'invalid_request_error', 'prompt is too long: 205313 tokens > 200000 maximum');
    case 'auth':
      return say(401, 'authentication_error', 'invalid x-api-key');
    case 'forbidden':
      return say(403, 'permission_error', 'Your API key does not have permission to use the specified resource.');
    case 'model':
      return say(404, 'not_found_error', `model: ${model}`);
    case 'large':
      return say(413, 'request_too_large', 'Request exceeds the maximum size');
    case 'rate':
      return say(
        429,
        'rate_limit_error',
        'This request would exceed the rate limit for your organization of 30,000 input tokens per minute.',
        retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
      );
    case 'quota':
      return say(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      );
    case 'unavailable':
    case 'overloaded':
      return say(529, 'overloaded_error', 'Overloaded');
    default:
      return say(500, 'api_error', 'Internal server error');
  }
}
