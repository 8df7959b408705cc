/** The server of llama.cpp: one model, chat completions, and what it says of itself. */
import type { Failed } from './answer.ts';
import { chatVoice } from './chat-voice.ts';
import { children } from './openai-schema.ts';
import { type FakeRequest, type Look, type Service, type Site, sse, type Whole, whole } from './service.ts';
import { firstOf, isObject } from './shape.ts';

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  503: 'unavailable_error',
};

const bodyOf = (code: number, message: string, more: Record<string, unknown> = {}): unknown => ({
  error: { code, message, type: types[code] ?? 'server_error', ...more },
});

const say = (status: number, message: string): Look => whole(status, bodyOf(status, message));

const context = 8192;

const voice = chatVoice({
  reasoning: (piece) => ({ reasoning_content: piece }),
  callPrefix: '',
  usage: ({ cacheRead = 0 }) => ({ prompt_tokens_details: { cached_tokens: cacheRead } }),
  failed: (failed) => llamaFailed(failed),
  errorEvent: () => sse(bodyOf(500, 'Compute error.')),
});

export const llamacpp: Service = { look };

function look(request: FakeRequest, { models }: Site): Look {
  const [model = ''] = models;
  const { method, path, body } = request;
  if (method === 'GET' && path === '/health') return whole(200, { status: 'ok' });
  if (method === 'GET' && path === '/props') return whole(200, propsOf(model));
  if (method === 'GET' && (path === '/v1/models' || path === '/models')) return whole(200, modelsOf(model));
  if (method !== 'POST' || path !== '/v1/chat/completions') return say(404, 'File Not Found');
  if (!isObject(body))
    return say(500, '[json.exception.parse_error.101] parse error at line 1, column 1: syntax error');
  const refusal = requestRefusal(body);
  if (refusal) return refusal;
  // Whatever the request calls it: it has one model.
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

function requestRefusal(body: Record<string, unknown>): Look | undefined {
  if (body.messages === undefined) return say(400, "'messages' is required");
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return say(400, "Expected 'messages' to be an array");
  const tools = body.tools ?? [];
  if (!Array.isArray(tools)) return say(400, "Expected 'tools' to be an array");
  if (body.grammar !== undefined && tools.length > 0)
    return say(400, 'Cannot use custom grammar constraints with tools.');
  if (body.tool_choice !== undefined && !['auto', 'none', 'required'].includes(String(body.tool_choice))) {
    return say(400, `Invalid tool_choice: ${String(body.tool_choice)}`);
  }
  return firstOf(body.messages, messageRefusal) ?? schemaRefusal(body, tools);
}

function messageRefusal(message: unknown): Look | undefined {
  if (!isObject(message)) return say(400, 'Expected messages to be objects');
  if (typeof message.role !== 'string') return say(400, "Missing 'role' in message");
  const { role, content } = message;
  if (role !== 'assistant' && content === undefined)
    return say(400, "All non-assistant messages must contain 'content'");
  if (role === 'assistant' && content === undefined && message.tool_calls === undefined) {
    return say(400, "Assistant message must contain either 'content' or 'tool_calls'!");
  }
  if (typeof content === 'string' || content === null || content === undefined) return callsRefusal(message);
  if (!Array.isArray(content)) return say(400, "Expected 'content' to be a string or an array");
  const other = content.find((part) => part?.type !== 'text');
  if (other?.type === 'image_url') {
    return say(500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj');
  }
  return other === undefined ? callsRefusal(message) : say(400, 'unsupported content[].type');
}

function callsRefusal({ tool_calls: calls }: Record<string, unknown>): Look | undefined {
  if (calls === undefined) return undefined;
  if (!Array.isArray(calls)) return say(400, 'Expected tool_calls to be an array');
  return firstOf(calls, (call) => {
    if (call?.type !== 'function') return say(400, `Unsupported tool call type: ${String(call?.type)}`);
    if (typeof call.function?.name !== 'string') return say(400, 'Missing tool call name');
    return typeof call.function.arguments === 'string' ? undefined : say(400, 'Missing tool call arguments');
  });
}

/** Schemas become grammars; not all of them can. */
function schemaRefusal(body: Record<string, unknown>, tools: readonly unknown[]): Look | undefined {
  const format = isObject(body.response_format) ? body.response_format : {};
  const inner = isObject(format.json_schema) ? format.json_schema.schema : format.schema;
  if (!['text', 'json_object', 'json_schema'].includes(String(format.type ?? 'text'))) {
    return say(400, `response_format type must be one of "text" or "json_object", but got: ${String(format.type)}`);
  }
  const parameters = tools.map((tool) =>
    isObject(tool) && isObject(tool.function) ? tool.function.parameters : undefined,
  );
  const why = firstOf([inner, ...parameters], (schema) => grammarProblem(schema));
  return why === undefined ? undefined : say(400, `JSON schema conversion failed:\n${why}`);
}

function grammarProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const { pattern } = schema;
  if (typeof pattern === 'string' && !/^\^.*\$$/s.test(pattern)) return "Pattern must start with '^' and end with '$'";
  return firstOf(children(schema), ([, child]) => grammarProblem(child));
}

function propsOf(model: string): unknown {
  return {
    default_generation_settings: { id: 0, n_ctx: context, params: { temperature: 0.8, n_predict: -1 } },
    total_slots: 1,
    model_path: `/models/${model}.gguf`,
    modalities: { vision: false, audio: false },
    chat_template: '{% for message in messages %}{{ message.content }}{% endfor %}',
    chat_template_caps: { supports_tools: true, supports_tool_calls: true },
    build_info: 'b6000-fake',
  };
}

function modelsOf(model: string): unknown {
  const meta = {
    vocab_type: 2,
    n_vocab: 151_936,
    n_ctx_train: 40_960,
    n_embd: 4096,
    n_params: 8_190_735_360,
    size: 5_027_783_488,
  };
  return {
    models: [{ name: model, model, capabilities: ['completion'] }],
    object: 'list',
    data: [{ id: model, object: 'model', created: 1_700_000_000, owned_by: 'llamacpp', meta }],
  };
}

function llamaFailed({ fails, note }: Failed): Whole {
  const answer = (status: number, message: string, more: Record<string, unknown> = {}): Whole => ({
    status,
    body: bodyOf(status, note === undefined ? message : `${message} ${note}`, more),
  });
  switch (fails) {
    case 'context':
      return answer(
        400,
        `request (9000 tokens) exceeds the available context size (${context} tokens), try increasing it`,
        {
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9000,
          n_ctx: context,
        },
      );
    case 'auth':
      return answer(401, 'Invalid API Key');
    case 'forbidden':
      return answer(403, 'Forbidden');
    case 'model':
      return answer(404, 'model not found');
    case 'large':
      return answer(413, 'Payload Too Large');
    case 'rate':
    case 'quota':
      return answer(429, 'Too Many Requests');
    case 'unavailable':
    case 'overloaded':
      return answer(503, 'Loading model');
    default:
      return answer(500, 'Compute error.');
  }
}
