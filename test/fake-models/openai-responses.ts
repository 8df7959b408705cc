/** OpenAI's responses: what they refuse. */
import { dataUrl, isBase64 } from './media.ts';
import { imageRefusal, isJson, isReasoningModel, modelList, notFound } from './openai-chat.ts';
import { rootProblem, strictProblem, toolSchemaProblem } from './openai-schema.ts';
import { dotted, noJson, noModel, openaiAuth, openaiWords, refuse } from './openai-words.ts';
import { type Item, itemsRefusal, messageShape, responsesShape } from './responses-request.ts';
import { responsesVoice } from './responses-voice.ts';
import { type FakeRequest, type Look, type Service, type Site, whole } from './service.ts';
import { firstOf, isObject, problemOf } from './shape.ts';

export const openaiResponses: Service = { look };

function look(request: FakeRequest, site: Site): Look {
  const denied = openaiAuth(request.headers.authorization, site.key);
  if (denied) return denied;
  if (request.path === '/v1/models' && request.method === 'GET') return whole(200, modelList(site.models, 'system'));
  if (request.path !== '/v1/responses' || request.method !== 'POST') return notFound(request);
  const { body } = request;
  if (!isJson(request) || !isObject(body)) return noJson;
  const problem = problemOf(responsesShape, body);
  if (problem) return openaiWords(problem);
  const items = Array.isArray(body.input) ? (body.input as Item[]) : [];
  const inMessage = firstOf(items, (item, at) =>
    (item.type ?? 'message') === 'message' ? problemOf(messageShape, item, ['input', at]) : undefined,
  );
  if (inMessage) return openaiWords(inMessage);
  const model = String(body.model);
  if (!site.models.includes(model)) return noModel(model);
  const refusal =
    inputRefusal(body) ??
    modelRefusal(body, model) ??
    itemsRefusal(items, body.store !== false, site.memory) ??
    toolsRefusal(body) ??
    formatRefusal(body) ??
    mediaRefusal(items);
  if (refusal) return refusal;
  return {
    kind: 'ask',
    question: { model, stream: body.stream === true, body, memory: site.memory },
    voice: responsesVoice,
  };
}

function inputRefusal(body: Record<string, unknown>): Look | undefined {
  if (['input', 'previous_response_id', 'prompt', 'conversation'].some((name) => (body[name] ?? null) !== null))
    return undefined;
  return refuse({
    message: 'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
    param: 'input',
    code: 'missing_required_parameter',
  });
}

function modelRefusal(body: Record<string, unknown>, model: string): Look | undefined {
  const unsupported = (param: string) =>
    refuse({
      message: `Unsupported parameter: '${param}' is not supported with this model.`,
      param,
      code: 'unsupported_parameter',
    });
  if (isReasoningModel(model)) {
    const bad = ['temperature', 'top_p', 'top_logprobs'].find((name) => (body[name] ?? null) !== null);
    return bad === undefined ? undefined : unsupported(bad);
  }
  const reasoning = Object.keys((body.reasoning as object | null | undefined) ?? {});
  if (reasoning.length > 0) return unsupported(`reasoning.${reasoning[0]}`);
  const include = (body.include ?? []) as string[];
  if (!include.includes('reasoning.encrypted_content')) return undefined;
  return refuse({ message: 'Encrypted content is not supported with this model.', param: 'include' });
}

function toolsRefusal(body: Record<string, unknown>): Look | undefined {
  const tools = (body.tools ?? []) as { type: string; name: string; parameters?: unknown; strict?: boolean | null }[];
  if (tools.length === 0 && body.tool_choice === 'required') {
    return refuse({
      message: "Tool choice 'required' must be specified with 'tools' parameter.",
      param: 'tool_choice',
    });
  }
  const seen = new Set<string>();
  return firstOf(tools, (tool, at) => {
    if (tool.type !== 'function') return undefined;
    if (seen.has(tool.name)) {
      return refuse({
        message: `Invalid 'tools': tool names must be unique, but got '${tool.name}' more than once.`,
        param: 'tools',
      });
    }
    seen.add(tool.name);
    if ((tool.parameters ?? null) === null) return undefined;
    // Where nothing is said the service makes the schema strict itself, as far as it can.
    const why = toolSchemaProblem(tool.parameters, tool.strict === true);
    if (why === undefined) return undefined;
    return refuse({
      message: `Invalid schema for function '${tool.name}': ${why}`,
      param: `tools[${at}].parameters`,
      code: 'invalid_function_parameters',
    });
  });
}

function formatRefusal(body: Record<string, unknown>): Look | undefined {
  const format = (
    body.text as { format?: { type: string; name: string; schema?: unknown; strict?: boolean } } | undefined
  )?.format;
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(body.input))) {
    return refuse({
      message:
        "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      param: 'input',
    });
  }
  if (format?.type !== 'json_schema') return undefined;
  const why = format.strict === false ? rootProblem(format.schema) : strictProblem(format.schema);
  if (why === undefined) return undefined;
  return refuse({
    message: `Invalid schema for response_format '${format.name}': ${why}`,
    param: 'text.format.schema',
    code: 'invalid_json_schema',
  });
}

const fileTypes = /^(application\/(pdf|json|msword|vnd\.openxmlformats-officedocument\..*)|text\/.*)$/;

function mediaRefusal(items: readonly Item[]): Look | undefined {
  return firstOf(items, ({ content }, i) => {
    if (!Array.isArray(content)) return undefined;
    return firstOf(content as Record<string, unknown>[], (part, p) => {
      const at = ['input', i, 'content', p];
      if (part.type === 'input_image' && typeof part.image_url === 'string') {
        return imageRefusal(part.image_url, dotted([...at, 'image_url']));
      }
      if (part.type !== 'input_file' || typeof part.file_data !== 'string') return undefined;
      const data = dataUrl(part.file_data);
      const param = dotted([...at, 'file_data']);
      if (!data || !isBase64(data.data)) {
        const message = `Invalid '${param}'. Expected a base64-encoded data URL with a file MIME type (e.g. 'data:application/pdf;base64,cGRmIGJ5dGVzIGhlcmU=').`;
        return refuse({ message, param, code: 'invalid_value' });
      }
      if (typeof part.filename !== 'string') {
        return refuse({
          message: `Missing required parameter: '${dotted([...at, 'filename'])}'.`,
          param: dotted([...at, 'filename']),
          code: 'missing_required_parameter',
        });
      }
      if (fileTypes.test(data.type)) return undefined;
      const message = `Invalid '${param}': unsupported MIME type '${data.type}'.`;
      return refuse({ message, param, code: 'unsupported_file' });
    });
  });
}
