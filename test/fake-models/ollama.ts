/** Ollama: its own chat, lines of JSON, and the chat completions that it has beside it. */
import { argsText, type Failed, finishOf, pieces, type Said, saidUsage } from './answer.ts';
import { chatVoice } from './chat-voice.ts';
import { dataUrl, isBase64 } from './media.ts';
import { modelList } from './openai-chat.ts';
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
import { firstOf, isObject } from './shape.ts';

/** Of the models that are known to know no tools. */
const withoutTools = /^gemma:/;

export const ollama: Service = { look };

type Say = (status: number, message: string) => Look;

const sayOwn: Say = (status, message) => whole(status, { error: message });
const sayOpenai: Say = (status, message) => whole(status, openaiError(status, message));

function openaiError(status: number, message: string): unknown {
  const type = status === 400 ? 'invalid_request_error' : status === 404 ? 'not_found_error' : 'api_error';
  return { error: { message, type, param: null, code: null } };
}

function look(request: FakeRequest, site: Site): Look {
  const { method, path } = request;
  const route = `${method} ${path}`;
  switch (route) {
    case 'GET /':
      return {
        kind: 'whole',
        whole: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Ollama is running' },
      };
    case 'GET /api/version':
      return whole(200, { version: '0.13.0' });
    case 'GET /api/tags':
      return whole(200, { models: site.models.map(tagOf) });
    case 'GET /v1/models':
      return whole(200, modelList(site.models, 'library'));
    case 'POST /api/show':
      return show(request, site);
    case 'POST /api/chat':
      return ask(request, site, sayOwn, ownVoice);
    case 'POST /v1/chat/completions':
      return ask(request, site, sayOpenai, openaiVoice);
    default:
      return {
        kind: 'whole',
        whole: { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' },
      };
  }
}

function show({ body }: FakeRequest, site: Site): Look {
  const name = isObject(body) ? (body.model ?? body.name) : undefined;
  if (typeof name !== 'string' || name === '') return sayOwn(400, 'model is required');
  const model = site.models.find((known) => isSame(known, name));
  if (model === undefined) return sayOwn(404, `model '${name}' not found`);
  return whole(200, {
    details: details(model),
    model_info: {
      'general.architecture': 'llama',
      'general.parameter_count': 8_030_261_312,
      'llama.context_length': 131_072,
    },
    capabilities: withoutTools.test(model) ? ['completion'] : ['completion', 'tools'],
    modified_at: '2025-01-01T00:00:00Z',
  });
}

function ask({ body }: FakeRequest, site: Site, say: Say, voice: Voice): Look {
  if (!isObject(body)) return say(400, 'invalid character looking for beginning of value');
  if (typeof body.model !== 'string') {
    return say(
      400,
      `json: cannot unmarshal ${typeof body.model} into Go struct field ChatRequest.model of type string`,
    );
  }
  const name = body.model;
  const model = site.models.find((known) => isSame(known, name));
  if (model === undefined) return say(404, `model '${name}' not found`);
  if (!Array.isArray(body.messages)) return say(400, "[] is too short - 'messages'");
  if (body.messages.length === 0 && voice === openaiVoice) return say(400, "[] is too short - 'messages'");
  const tools = body.tools ?? [];
  if (!Array.isArray(tools))
    return say(400, 'json: cannot unmarshal object into Go struct field ChatRequest.tools of type api.Tools');
  if (tools.length > 0 && withoutTools.test(model))
    return say(400, `registry.ollama.ai/library/${model} does not support tools`);
  const refusal =
    firstOf(body.messages, (message) => messageRefusal(message, voice === openaiVoice)) ?? settingsRefusal(body);
  if (refusal !== undefined) return say(400, refusal);
  // Its own chat streams where nothing is said.
  const stream = voice === ownVoice ? body.stream !== false : body.stream === true;
  return { kind: 'ask', question: { model: name, stream, body }, voice };
}

const isSame = (known: string, name: string): boolean => known === name || known === `${name}:latest`;

function messageRefusal(message: unknown, isOpenai: boolean): string | undefined {
  if (!isObject(message) || typeof message.role !== 'string') return 'invalid message role';
  const { content, tool_calls: calls } = message;
  if (!isOpenai) {
    if (content !== undefined && typeof content !== 'string') {
      return 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string';
    }
    const bad = Array.isArray(calls) && calls.some((call) => !isObject(call?.function?.arguments));
    return bad
      ? 'json: cannot unmarshal string into Go struct field ToolCallFunction.arguments of type map'
      : undefined;
  }
  if (Array.isArray(content)) return firstOf(content, partRefusal);
  if (typeof content !== 'string' && calls === undefined) return 'invalid message content type: <nil>';
  if (calls === undefined) return undefined;
  if (!Array.isArray(calls)) return 'json: cannot unmarshal into Go struct field Message.tool_calls';
  return calls.every((call) => isJsonObject(call?.function?.arguments)) ? undefined : 'invalid tool call arguments';
}

function partRefusal(part: unknown): string | undefined {
  if (!isObject(part)) return 'invalid message format';
  if (part.type === 'text') return typeof part.text === 'string' ? undefined : 'invalid message format';
  if (part.type !== 'image_url') return 'invalid message format';
  const url = isObject(part.image_url) ? part.image_url.url : part.image_url;
  const data = typeof url === 'string' ? dataUrl(url) : undefined;
  const isImage = data !== undefined && ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'].includes(data.type);
  return isImage && isBase64(data.data) ? undefined : 'invalid image input';
}

function settingsRefusal(body: Record<string, unknown>): string | undefined {
  const numbers = ['temperature', 'top_p', 'max_tokens', 'seed', 'frequency_penalty', 'presence_penalty'];
  const bad = numbers.find((name) => (body[name] ?? null) !== null && typeof body[name] !== 'number');
  return bad === undefined
    ? undefined
    : `json: cannot unmarshal ${typeof body[bad]} into Go struct field ChatCompletionRequest.${bad}`;
}

function isJsonObject(text: unknown): boolean {
  try {
    return typeof text === 'string' && isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

const openaiVoice = chatVoice({
  reasoning: (piece) => ({ reasoning: piece }),
  wholeCalls: true,
  usage: () => ({}),
  failed: (failed, { model }) => ollamaFailed(failed, model, openaiError),
  errorEvent: () =>
    sse({ error: { message: 'llama runner process has terminated', type: 'api_error', param: null, code: null } }),
});

const ownVoice: Voice = {
  streamType: 'application/x-ndjson',
  events: ownEvents,
  whole: (said, question, ids) => {
    const lines = ownEvents({ ...said, chunk: Number.MAX_SAFE_INTEGER }, question, ids).map((line) => JSON.parse(line));
    const message = Object.assign({}, ...lines.map((line) => line.message).reverse());
    return { ...lines.at(-1), message: { ...message, content: said.text ?? '' } };
  },
  failed: (failed, { model }) => ollamaFailed(failed, model, (_, message) => ({ error: message })),
  errorEvent: () => `${JSON.stringify({ error: 'llama runner process has terminated' })}\n`,
  garbageEvent: '{"model":"x","mess\n',
};

function ownEvents(said: Said, { model }: Question, _ids: Ids): string[] {
  const { input, output } = said.usage ?? saidUsage;
  const line = (message: Record<string, unknown>, more: Record<string, unknown> = { done: false }) =>
    `${JSON.stringify({ model, created_at: '2025-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, ...more })}\n`;
  const events = pieces(said.reasoning ?? '', said.chunk).map((thinking) => line({ thinking }));
  events.push(...pieces(said.text ?? '', said.chunk).map((content) => line({ content })));
  for (const call of said.calls ?? []) {
    events.push(line({ tool_calls: [{ function: { name: call.tool, arguments: JSON.parse(argsText(call)) } }] }));
  }
  const finish = finishOf(said);
  if (finish === 'none') return events;
  const ended = { done: true, done_reason: finish === 'length' ? 'length' : 'stop' };
  events.push(line({}, { ...ended, total_duration: 1_000_000, prompt_eval_count: input, eval_count: output }));
  return events;
}

function details(model: string): unknown {
  return { format: 'gguf', family: model.split(':')[0], parameter_size: '8.0B', quantization_level: 'Q4_K_M' };
}

function tagOf(model: string): unknown {
  return {
    name: model,
    model,
    modified_at: '2025-01-01T00:00:00Z',
    size: 4_920_753_328,
    digest: 'f'.repeat(64),
    details: details(model),
  };
}

function ollamaFailed(
  { fails, note }: Failed,
  model: string,
  body: (status: number, message: string) => unknown,
): Whole {
  const answer = (status: number, message: string): Whole => ({
    status,
    body: body(status, note === undefined ? message : `${message} ${note}`),
  });
  switch (fails) {
    case 'context':
      return answer(400, 'the input length exceeds the context length');
    case 'auth':
      return answer(401, 'unauthorized');
    case 'forbidden':
      return answer(403, 'forbidden');
    case 'model':
      return answer(404, `model '${model}' not found`);
    case 'large':
      return answer(413, 'http: request body too large');
    case 'rate':
    case 'quota':
      return answer(429, "you've reached your hourly usage limit");
    case 'unavailable':
    case 'overloaded':
      return answer(503, 'server busy, please try again.  maximum pending requests exceeded');
    default:
      return answer(
        500,
        'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error',
      );
  }
}
