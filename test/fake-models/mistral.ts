/** Mistral: chat completions that take no field that they do not know, and ids of calls of nine letters and digits. */
import type { Failed } from './answer.ts';
import { type ChatMessage, chatMessages, chatOrderProblem, chatShape } from './chat-request.ts';
import { chatVoice } from './chat-voice.ts';
import { isJson, modelList } from './openai-chat.ts';
import { toolSchemaProblem } from './openai-schema.ts';
import { bearer } from './openai-words.ts';
import { type FakeRequest, type Look, type Service, type Site, sse, type Whole, whole } from './service.ts';
import { firstOf, isObject, type Path, type Problem, problemOf } from './shape.ts';

/** Of what others take: it counts unasked, keeps nothing, and has one name for the length of an answer. */
const foreign = ['stream_options', 'max_completion_tokens', 'store', 'user', 'logprobs', 'top_logprobs', 'logit_bias'];

const all = chatShape(chatMessages());
const shape = {
  ...all,
  fields: Object.fromEntries(Object.entries(all.fields).filter(([key]) => !foreign.includes(key))),
};

const voice = chatVoice({
  alwaysUsage: true,
  callId: (nth) => `fakeCall${nth % 10}`,
  usage: ({ cacheRead = 0 }) => ({ prompt_tokens_details: { cached_tokens: cacheRead } }),
  failed: (failed, { model }) => mistralFailed(failed, model),
  errorEvent: () => sse(bodyOf('Internal server error', 'internal_server_error', '3000')),
});

export const mistral: Service = { look };

function bodyOf(message: unknown, type: string, code: string | null): unknown {
  return { object: 'error', message, type, param: null, code };
}

const deny = (message: string, code = '3000', type = 'invalid_request_error'): Look =>
  whole(400, bodyOf(message, type, code));

function look(request: FakeRequest, site: Site): Look {
  if (bearer(request.headers.authorization) !== site.key) return whole(401, { detail: 'Unauthorized' });
  const { path, method, body } = request;
  if (path === '/v1/models' && method === 'GET') return whole(200, modelList(site.models, 'mistralai'));
  if (path !== '/v1/chat/completions' || method !== 'POST')
    return whole(404, { message: 'no Route matched with those values' });
  if (!isJson(request) || !isObject(body)) return invalid([], 'JSON decode error', 'json_invalid');
  const problem = problemOf(shape, body);
  if (problem) return shapeRefusal(problem);
  const model = String(body.model);
  if (!site.models.includes(model)) return deny(`Invalid model: ${model}`, '1500', 'invalid_model');
  const messages = body.messages as ChatMessage[];
  const refusal = idRefusal(messages) ?? orderRefusal(messages) ?? toolsRefusal(body);
  if (refusal) return refusal;
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

function shapeRefusal(problem: Problem): Look {
  if (problem.kind === 'unknown')
    return invalid([...problem.path, problem.name], 'Extra inputs are not permitted', 'extra_forbidden');
  if (problem.kind === 'missing') return invalid(problem.path, 'Field required', 'missing');
  return invalid(problem.path, `Input is not valid: ${problem.kind}`, 'value_error');
}

/** As a check of its fields says it: a list, where others have a text. */
function invalid(path: Path, msg: string, type: string): Look {
  return whole(422, bodyOf({ detail: [{ type, loc: ['body', ...path], msg }] }, 'invalid_request_error', null));
}

function idRefusal(messages: readonly ChatMessage[]): Look | undefined {
  return firstOf(messages, ({ tool_calls = [], tool_call_id }) => {
    const ids = [...tool_calls.map(({ id }) => id), ...(tool_call_id === undefined ? [] : [tool_call_id])];
    const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
    if (bad === undefined) return undefined;
    return deny(
      `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
      '3280',
      'invalid_function_call',
    );
  });
}

function orderRefusal(messages: readonly ChatMessage[]): Look | undefined {
  const problem = chatOrderProblem(messages);
  if (problem?.kind === 'orphan') return deny('Unexpected tool call id in tool results', '3230');
  if (problem?.kind === 'unanswered') return deny('Not the same number of function calls and responses', '3230');
  if (problem?.kind === 'empty')
    return deny('Assistant message must have either content or tool_calls, but not none.', '3240');
  if (messages.at(-1)?.role !== 'assistant') return undefined;
  return deny(
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    '3230',
    'invalid_request_message_order',
  );
}

function toolsRefusal(body: Record<string, unknown>): Look | undefined {
  const tools = (body.tools ?? []) as { function: { name: string; parameters?: unknown; strict?: boolean } }[];
  return firstOf(tools, ({ function: { name, parameters, strict } }) => {
    const why = parameters === undefined ? undefined : toolSchemaProblem(parameters, strict === true);
    return why === undefined ? undefined : deny(`Invalid schema of the function ${name}: ${why}`);
  });
}

function mistralFailed({ fails, note, retryAfter }: Failed, model: string): Whole {
  const say = (status: number, message: string, type: string, code: string | null, headers = {}): Whole => ({
    status,
    headers,
    body: bodyOf(note === undefined ? message : `${message} ${note}`, type, code),
  });
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  switch (fails) {
    case 'context':
      return say(
        400,
        'Prompt contains 135000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
        'invalid_request_error',
        '3051',
      );
    case 'auth':
      return say(401, 'Unauthorized', 'invalid_request_error', null);
    case 'forbidden':
      return say(403, 'Forbidden', 'invalid_request_error', null);
    case 'model':
      return say(400, `Invalid model: ${model}`, 'invalid_model', '1500');
    case 'large':
      return say(413, 'Payload Too Large', 'invalid_request_error', null);
    case 'rate':
      return say(429, 'Rate limit exceeded', 'rate_limited', '1300', wait);
    case 'quota':
      return say(402, 'Insufficient balance: check your billing', 'billing_error', null);
    case 'unavailable':
    case 'overloaded':
      return say(503, 'Service unavailable.', 'internal_server_error', '3000');
    default:
      return say(500, 'Internal server error', 'internal_server_error', '3000');
  }
}
