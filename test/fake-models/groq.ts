/** Groq: chat completions that name the property that they do not know, and take no thoughts back. */
import { type ChatMessage, chatMessages, chatOrderProblem, chatShape } from './chat-request.ts';
import { chatVoice } from './chat-voice.ts';
import { isJson, modelList } from './openai-chat.ts';
import { toolSchemaProblem } from './openai-schema.ts';
import { bearer, dotted, noModel, openaiBody, openaiFailed, refuse } from './openai-words.ts';
import { type FakeRequest, type Look, type Service, type Site, sse, whole } from './service.ts';
import { firstOf, isObject, problemOf } from './shape.ts';

const shape = chatShape(chatMessages());

const voice = chatVoice({
  reasoning: (piece) => ({ reasoning: piece }),
  failed: (failed, { model }) => openaiFailed(failed, model, 'messages'),
  errorEvent: () => sse(openaiBody({ message: 'Internal server error', type: 'internal_server_error' })),
});

export const groq: Service = { look };

function look(request: FakeRequest, site: Site): Look {
  const { path, method, body } = request;
  if (bearer(request.headers.authorization) !== site.key)
    return refuse({ message: 'Invalid API Key', code: 'invalid_api_key' }, 401);
  if (path === '/openai/v1/models' && method === 'GET') return whole(200, modelList(site.models, 'Groq'));
  if (path !== '/openai/v1/chat/completions' || method !== 'POST')
    return refuse({ message: `Unknown request URL: ${method} ${path}.`, code: 'unknown_url' }, 404);
  if (!isJson(request) || !isObject(body)) return refuse({ message: 'could not parse the request body' });
  const problem = problemOf(shape, body);
  if (problem?.kind === 'unknown') {
    const at = dotted(problem.path);
    return refuse({ message: `${at === '' ? '' : `'${at}' : `}property '${problem.name}' is unsupported` });
  }
  if (problem) return refuse({ message: `'${dotted(problem.path)}' : ${problem.kind}` });
  const model = String(body.model);
  if (!site.models.includes(model)) return noModel(model);
  const refusal = orderRefusal(body.messages as ChatMessage[]) ?? toolsRefusal(body);
  if (refusal) return refusal;
  return { kind: 'ask', question: { model, stream: body.stream === true, body }, voice };
}

function orderRefusal(messages: readonly ChatMessage[]): Look | undefined {
  const problem = chatOrderProblem(messages);
  return problem && refuse({ message: `'messages.${problem.at}' : ${problem.kind}` });
}

function toolsRefusal(body: Record<string, unknown>): Look | undefined {
  const tools = (body.tools ?? []) as { function: { name: string; parameters?: unknown; strict?: boolean } }[];
  const format = body.response_format as { type: string } | undefined;
  if (tools.length > 0 && format !== undefined && format.type !== 'text')
    return refuse({ message: 'json mode cannot be combined with tool/function calling' });
  if (format?.type === 'json_schema')
    return refuse({ message: 'This model does not support response format `json_schema`.', param: 'response_format' });
  return firstOf(tools, ({ function: { name, parameters, strict } }) => {
    const why = parameters === undefined ? undefined : toolSchemaProblem(parameters, strict === true);
    return why === undefined ? undefined : refuse({ message: `invalid JSON schema for tool ${name}: ${why}` });
  });
}
