/** OpenRouter: chat completions of many services behind one door; what they refuse comes back as theirs. */
import type { Failed } from './answer.ts';
import { type ChatMessage, chatMessages, chatOrderProblem, chatShape } from './chat-request.ts';
import { chatVoice } from './chat-voice.ts';
import { isJson } from './openai-chat.ts';
import { toolSchemaProblem } from './openai-schema.ts';
import { bearer, dotted } from './openai-words.ts';
import { type FakeRequest, type Look, type Service, type Site, sse, type Whole, whole } from './service.ts';
import { firstOf, isObject, lenient, problemOf } from './shape.ts';

const shape = lenient(chatShape(chatMessages()));

const voice = chatVoice({
  comment: ': OPENROUTER PROCESSING\n\n',
  reasoning: (text) => ({
    reasoning: text,
    reasoning_details: [{ type: 'reasoning.text', text, format: 'unknown', index: 0 }],
  }),
  failed: (failed, { model }) => routerFailed(failed, model),
  errorEvent: ({ model }) =>
    sse({
      id: 'gen-broken',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      provider: 'Fake',
      error: { code: 502, message: 'Provider disconnected unexpectedly' },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
    }),
});

export const openrouter: Service = { look };

const say = (status: number, message: string, metadata?: unknown): Look =>
  whole(status, bodyOf(status, message, metadata));

function bodyOf(code: number, message: string, metadata?: unknown): unknown {
  return { error: { message, code, ...(metadata === undefined ? {} : { metadata }) } };
}

function look(request: FakeRequest, site: Site): Look {
  if (request.path === '/api/v1/models' && request.method === 'GET')
    return whole(200, { data: site.models.map(modelOf) });
  if (request.path !== '/api/v1/chat/completions' || request.method !== 'POST') return say(404, 'Not Found');
  const key = bearer(request.headers.authorization);
  if (key === undefined) return say(401, 'No auth credentials found');
  if (key !== site.key) return say(401, 'User not found.');
  const { body } = request;
  if (!isJson(request) || !isObject(body)) return say(400, 'Invalid JSON');
  if (body.messages === undefined) return say(400, 'Input required: specify "prompt" or "messages"');
  const model = String(body.model);
  if (!site.models.includes(model)) return say(400, `${model} is not a valid model ID`);
  const problem = problemOf(shape, body);
  if (problem) return say(400, `Invalid input at ${dotted(problem.path)}: ${problem.kind}`);
  const order = chatOrderProblem(body.messages as ChatMessage[]);
  if (order)
    return upstream(
      `messages[${order.at}]: ${order.kind === 'unanswered' ? 'tool calls without results' : order.kind}`,
    );
  const tools = (body.tools ?? []) as { function: { name: string; parameters?: unknown; strict?: boolean } }[];
  if (new Set(tools.map(({ function: { name } }) => name)).size < tools.length) {
    return upstream('tools: Tool names must be unique.');
  }
  const bad = firstOf(tools, ({ function: { parameters, strict } }) =>
    parameters === undefined ? undefined : toolSchemaProblem(parameters, strict === true),
  );
  if (bad !== undefined) return upstream(bad);
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

/** What the service behind it refused. */
function upstream(message: string): Look {
  const raw = JSON.stringify({ error: { message, type: 'invalid_request_error' } });
  return say(400, 'Provider returned error', { raw, provider_name: 'Fake' });
}

function modelOf(id: string): unknown {
  return {
    id,
    name: id,
    created: 1_700_000_000,
    context_length: 131_072,
    architecture: { modality: 'text+image->text', input_modalities: ['text', 'image'], output_modalities: ['text'] },
    pricing: { prompt: '0.0000002', completion: '0.0000006' },
    supported_parameters: ['max_tokens', 'temperature', 'tools', 'tool_choice', 'response_format'],
  };
}

function routerFailed({ fails, note, retryAfter }: Failed, model: string): Whole {
  const answer = (
    status: number,
    message: string,
    metadata?: unknown,
    headers: Record<string, string> = {},
  ): Whole => ({
    status,
    headers,
    body: bodyOf(status, note === undefined ? message : `${message} ${note}`, metadata),
  });
  switch (fails) {
    case 'context':
      return answer(
        400,
        'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140000 tokens (136000 of text input, 4000 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
      );
    case 'auth':
      return answer(401, 'User not found.');
    case 'forbidden':
      return answer(403, `${model} requires moderation. Your input was flagged.`, {
        reasons: ['violence'],
        provider_name: 'Fake',
      });
    case 'model':
      return answer(404, `No endpoints found for ${model}.`);
    case 'large':
      return answer(413, 'Request Entity Too Large');
    case 'rate':
      return answer(
        429,
        'Provider returned error',
        { raw: `${model} is temporarily rate-limited upstream. Please retry shortly.`, provider_name: 'Fake' },
        retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
      );
    case 'quota':
      return answer(402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits');
    case 'unavailable':
      return answer(503, 'No instances available');
    case 'overloaded':
      return answer(502, 'Provider returned error', { raw: '{"type":"overloaded_error"}', provider_name: 'Fake' });
    default:
      return answer(500, 'Internal Server Error');
  }
}
