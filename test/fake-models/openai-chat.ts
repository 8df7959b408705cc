/** OpenAI's chat completions: what they refuse, and how they answer. */
import { type ChatMessage, chatMessages, chatOrderProblem, chatShape, chatText } from './chat-request.ts';
import { chatVoice } from './chat-voice.ts';
import { dataUrl, imageType, isBase64, isPdf } from './media.ts';
import { rootProblem, strictProblem, toolSchemaProblem } from './openai-schema.ts';
import { dotted, noJson, noModel, openaiAuth, openaiFailed, openaiWords, refuse } from './openai-words.ts';
import { type FakeRequest, type Look, type Service, type Site, sse, whole } from './service.ts';
import { firstOf, isObject, problemOf } from './shape.ts';

const shape = chatShape(chatMessages());

const voice = chatVoice({
  failed: (failed, { model }) => openaiFailed(failed, model, 'messages'),
  errorEvent: () =>
    sse({
      error: {
        message: 'The server had an error while processing your request. Sorry about that!',
        type: 'server_error',
        param: null,
        code: null,
      },
    }),
});

export const openaiChat: Service = { look };

function look(request: FakeRequest, site: Site): Look {
  const denied = openaiAuth(request.headers.authorization, site.key);
  if (denied) return denied;
  if (request.path === '/v1/models' && request.method === 'GET') return whole(200, modelList(site.models, 'system'));
  if (request.path !== '/v1/chat/completions') return notFound(request);
  if (request.method !== 'POST') {
    return refuse(
      {
        message: `Not allowed to ${request.method} on /v1/chat/completions (HINT: Perhaps you meant to use a different HTTP method?)`,
      },
      405,
    );
  }
  if (!isJson(request) || !isObject(request.body)) return noJson;
  const { body } = request;
  const problem = problemOf(shape, body);
  if (problem) return openaiWords(problem);
  const model = String(body.model);
  if (!site.models.includes(model)) return noModel(model);
  const refusal =
    modelProblem(body, model) ??
    orderRefusal(body.messages as ChatMessage[]) ??
    toolsRefusal(body) ??
    mediaRefusal(body);
  if (refusal) return refusal;
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

export const isJson = (request: FakeRequest): boolean =>
  request.headers['content-type']?.startsWith('application/json') === true;

export const notFound = ({ method, path }: FakeRequest): Look =>
  refuse({ message: `Invalid URL (${method} ${path})` }, 404);

export function modelList(models: readonly string[], owner: string): unknown {
  return {
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: owner })),
  };
}

export const isReasoningModel = (model: string): boolean => /^(o\d|gpt-5)/.test(model);

/** What models that think first do not take. */
function modelProblem(body: Record<string, unknown>, model: string): Look | undefined {
  const thinks = isReasoningModel(model);
  if (!thinks && body.reasoning_effort !== undefined) {
    const message = `Unrecognized request argument supplied: reasoning_effort`;
    return refuse({ message, param: 'reasoning_effort' });
  }
  if (!thinks) return undefined;
  if ((body.max_tokens ?? null) !== null) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    return refuse({ message, param: 'max_tokens', code: 'unsupported_parameter' });
  }
  for (const param of ['temperature', 'top_p']) {
    const value = body[param] ?? 1;
    if (value === 1) continue;
    const message = `Unsupported value: '${param}' does not support ${String(value)} with this model. Only the default (1) value is supported.`;
    return refuse({ message, param, code: 'unsupported_value' });
  }
  for (const param of ['stop', 'logprobs', 'presence_penalty', 'frequency_penalty']) {
    if ((body[param] ?? null) === null) continue;
    const message = `Unsupported parameter: '${param}' is not supported with this model.`;
    return refuse({ message, param, code: 'unsupported_parameter' });
  }
  return undefined;
}

function orderRefusal(messages: readonly ChatMessage[]): Look | undefined {
  const problem = chatOrderProblem(messages);
  if (problem === undefined) return undefined;
  const at = `messages.[${problem.at}]`;
  switch (problem.kind) {
    case 'orphan':
      return refuse({
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        param: `${at}.role`,
      });
    case 'unanswered':
      return refuse({
        message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${problem.ids.join(', ')}`,
        param: `${at}.role`,
      });
    case 'empty':
      return refuse({ message: "Invalid value for 'content': expected a string, got null.", param: `${at}.content` });
  }
}

interface ChatTool {
  readonly function: { readonly name: string; readonly parameters?: unknown; readonly strict?: boolean | null };
}

function toolsRefusal(body: Record<string, unknown>): Look | undefined {
  const tools = (body.tools ?? []) as ChatTool[];
  for (const param of ['tool_choice', 'parallel_tool_calls']) {
    if (tools.length > 0 || body[param] === undefined) continue;
    const message = `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`;
    return refuse({ message, param });
  }
  const seen = new Set<string>();
  const bad = firstOf(tools, ({ function: tool }, at) => {
    if (tool === undefined) return undefined;
    if (seen.has(tool.name)) {
      return refuse({
        message: `Invalid 'tools': tool names must be unique, but got '${tool.name}' more than once.`,
        param: 'tools',
      });
    }
    seen.add(tool.name);
    const why = tool.parameters === undefined ? undefined : toolSchemaProblem(tool.parameters, tool.strict === true);
    if (why === undefined) return undefined;
    return refuse({
      message: `Invalid schema for function '${tool.name}': ${why}`,
      param: `tools[${at}].function.parameters`,
      code: 'invalid_function_parameters',
    });
  });
  return bad ?? formatRefusal(body);
}

function formatRefusal(body: Record<string, unknown>): Look | undefined {
  const format = body.response_format as
    | { type: string; json_schema?: { name: string; schema?: unknown; strict?: boolean } }
    | undefined;
  if (format?.type === 'json_object' && !/json/i.test(chatText(body.messages as ChatMessage[]))) {
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    return refuse({ message, param: 'messages' });
  }
  const inner = format?.json_schema;
  if (inner === undefined) return undefined;
  const why = inner.strict === true ? strictProblem(inner.schema) : rootProblem(inner.schema);
  if (why === undefined) return undefined;
  return refuse({ message: `Invalid schema for response_format '${inner.name}': ${why}`, param: 'response_format' });
}

function mediaRefusal(body: Record<string, unknown>): Look | undefined {
  return firstOf(body.messages as ChatMessage[], ({ content }, m) => {
    if (!Array.isArray(content)) return undefined;
    return firstOf(content as Record<string, unknown>[], (part, p) => {
      const at = ['messages', m, 'content', p];
      if (part.type === 'image_url')
        return imageRefusal((part.image_url as { url: string }).url, dotted([...at, 'image_url', 'url']));
      if (part.type !== 'file') return undefined;
      const { file_data: data, file_id: id } = part.file as { file_data?: string; file_id?: string };
      return id === undefined ? pdfRefusal(data, dotted([...at, 'file', 'file_data'])) : undefined;
    });
  });
}

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export function imageRefusal(url: string, param: string): Look | undefined {
  if (/^https?:\/\//.test(url)) return undefined;
  const data = dataUrl(url);
  const wanted = `Invalid '${param}'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')`;
  if (!data)
    return refuse({ message: `${wanted}, but got a value without the 'data:' prefix.`, param, code: 'invalid_value' });
  if (!imageTypes.includes(data.type)) {
    return refuse({
      message: `${wanted}, but got unsupported MIME type '${data.type}'.`,
      param,
      code: 'invalid_value',
    });
  }
  if (!isBase64(data.data)) {
    const message = `Invalid '${param}'. Expected a base64-encoded data URL with an image MIME type, but got an invalid base64-encoded value.`;
    return refuse({ message, param, code: 'invalid_base64' });
  }
  if (imageType(data.data) !== undefined) return undefined;
  const message =
    "You uploaded an unsupported image. Please make sure your image has of one of the following formats: ['png', 'jpeg', 'gif', 'webp'].";
  return refuse({ message, code: 'invalid_image_format' });
}

function pdfRefusal(data: string | undefined, param: string): Look | undefined {
  const given = data === undefined ? undefined : dataUrl(data);
  if (given?.type === 'application/pdf' && isBase64(given.data) && isPdf(given.data)) return undefined;
  const message = `Invalid '${param}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,cGRmIGJ5dGVzIGhlcmU='), but got '${given?.type ?? 'a value without the data: prefix'}'.`;
  return refuse({ message, param, code: 'invalid_value' });
}
