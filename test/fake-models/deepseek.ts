/** DeepSeek: chat completions of texts alone, without schemas of answers, that wants its thoughts back. */
import type { Failed } from './answer.ts';
import { type ChatMessage, chatMessages, chatOrderProblem, chatShape, chatText } from './chat-request.ts';
import { chatVoice } from './chat-voice.ts';
import { isJson, modelList } from './openai-chat.ts';
import { toolSchemaProblem } from './openai-schema.ts';
import { bearer, dotted, openaiBody, refuse } from './openai-words.ts';
import { type FakeRequest, type Look, type Service, type Site, sse, type Whole, whole } from './service.ts';
import { firstOf, isObject, lenient, type Problem, problemOf, text } from './shape.ts';

const shape = lenient(chatShape(chatMessages({ reasoning_content: text() })));

const voice = chatVoice({
  reasoning: (piece) => ({ reasoning_content: piece }),
  usage: ({ input, cacheRead = 0, reasoning = 0 }) => ({
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
    prompt_cache_hit_tokens: cacheRead,
    prompt_cache_miss_tokens: input - cacheRead,
  }),
  failed: (failed, { model }) => deepseekFailed(failed, model),
  errorEvent: () => sse(openaiBody({ message: 'Server error', type: 'server_error' })),
});

export const deepseek: Service = { look };

const deny = (message: string): Look => refuse({ message, code: 'invalid_request_error' });

function look(request: FakeRequest, site: Site): Look {
  const path = request.path.replace(/^\/v1/, '');
  const key = bearer(request.headers.authorization);
  if (key !== site.key) {
    const shown =
      key === undefined
        ? 'Authentication Fails (auth header is missing)'
        : `Authentication Fails, Your api key: ****${key.slice(-4)} is invalid`;
    return refuse({ message: shown, type: 'authentication_error', code: 'invalid_request_error' }, 401);
  }
  if (path === '/models' && request.method === 'GET') return whole(200, modelList(site.models, 'deepseek'));
  if (path !== '/chat/completions' || request.method !== 'POST') return refuse({ message: 'Not Found' }, 404);
  const { body } = request;
  if (!isJson(request) || !isObject(body))
    return deny('Failed to parse the request body as JSON: expected value at line 1 column 1');
  const problem = problemOf(shape, body);
  if (problem) return deny(deserialized(problem));
  const model = String(body.model);
  if (!site.models.includes(model)) return deny('Model Not Exist');
  const messages = body.messages as ChatMessage[];
  const refusal =
    contentRefusal(messages) ??
    orderRefusal(messages) ??
    thoughtRefusal(messages, model) ??
    settingsRefusal(body, model);
  if (refusal !== undefined) return deny(refusal);
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

function deserialized(problem: Problem): string {
  const where = dotted(problem.path);
  if (problem.kind === 'missing')
    return `Failed to deserialize the JSON body into the target type: missing field \`${problem.path.at(-1)}\``;
  if (problem.kind === 'choice') {
    const expected = problem.choices.map((choice) => `\`${choice}\``).join(', ');
    return `Failed to deserialize the JSON body into the target type: ${where}: unknown variant \`${String(problem.got)}\`, expected one of ${expected}`;
  }
  if (where === 'temperature') return 'Invalid temperature value, the valid range of temperature is [0, 2.0]';
  return `Failed to deserialize the JSON body into the target type: ${where}: invalid ${problem.kind}`;
}

function contentRefusal(messages: readonly ChatMessage[]): string | undefined {
  return firstOf(messages, ({ content }, at) => {
    const other = Array.isArray(content) ? content.find((part) => part.type !== 'text') : undefined;
    if (other === undefined) return undefined;
    return `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant \`${other.type}\`, expected \`text\``;
  });
}

function orderRefusal(messages: readonly ChatMessage[]): string | undefined {
  const problem = chatOrderProblem(messages);
  if (problem === undefined) return undefined;
  if (problem.kind === 'orphan')
    return "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
  if (problem.kind === 'empty') return 'Invalid assistant message: content or tool_calls must be set';
  return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)";
}

/** A model that thinks is shown again what it thought before it called a tool. */
function thoughtRefusal(messages: readonly ChatMessage[], model: string): string | undefined {
  if (model !== 'deepseek-reasoner') return undefined;
  const at = messages.findIndex(
    ({ tool_calls, reasoning_content }) => tool_calls && typeof reasoning_content !== 'string',
  );
  if (at === -1) return undefined;
  return `Missing \`reasoning_content\` field in the assistant message at message index ${at}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`;
}

function settingsRefusal(body: Record<string, unknown>, model: string): string | undefined {
  const most = model === 'deepseek-reasoner' ? 65_536 : 8192;
  if (typeof body.max_tokens === 'number' && body.max_tokens > most) {
    return `Invalid max_tokens value, the valid range of max_tokens is [1, ${most}]`;
  }
  const format = body.response_format as { type: string } | undefined;
  if (format?.type === 'json_schema') return 'This response_format type is unavailable now';
  if (format?.type === 'json_object' && !/json/i.test(chatText(body.messages as ChatMessage[]))) {
    return "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.";
  }
  const tools = (body.tools ?? []) as { function: { name: string; parameters?: unknown } }[];
  if (new Set(tools.map(({ function: { name } }) => name)).size < tools.length) return 'Tool names must be unique.';
  const bad = firstOf(tools, ({ function: { name, parameters } }) => {
    const why = parameters === undefined ? undefined : toolSchemaProblem(parameters, false);
    return why === undefined ? undefined : `Invalid schema for function '${name}': ${why}`;
  });
  return bad;
}

function deepseekFailed({ fails, note, retryAfter }: Failed, model: string): Whole {
  const say = (status: number, message: string, type: string, headers: Record<string, string> = {}): Whole => ({
    status,
    headers,
    body: openaiBody({
      message: note === undefined ? message : `${message} ${note}`,
      type,
      code: 'invalid_request_error',
    }),
  });
  switch (fails) {
    case 'context':
      return say(
        400,
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (136000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
        'invalid_request_error',
      );
    case 'auth':
      return say(401, 'Authentication Fails, Your api key: ****6789 is invalid', 'authentication_error');
    case 'forbidden':
      return say(403, 'Forbidden', 'permission_error');
    case 'model':
      return say(400, `Model Not Exist`, 'invalid_request_error');
    case 'large':
      return say(413, 'Payload Too Large', 'invalid_request_error');
    case 'rate':
      return say(
        429,
        `Rate limit reached for ${model}`,
        'rate_limit_error',
        retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
      );
    case 'quota':
      return say(402, 'Insufficient Balance', 'unknown_error');
    case 'unavailable':
    case 'overloaded':
      return say(
        503,
        'Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.',
        'service_unavailable_error',
      );
    default:
      return say(500, 'Server error', 'server_error');
  }
}
