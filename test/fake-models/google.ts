/** Google's Gemini: what it refuses, and how it answers. */
import { argsText, type Failed, finishOf, pieces, type Said, type SaidCall, saidUsage } from './answer.ts';
import { googleShape, pathText, schemaShapeProblem } from './google-request.ts';
import { googleRefusal, isGemini3, signature } from './google-rules.ts';
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
import { firstOf, isObject, type Problem, problemOf } from './shape.ts';

export const google: Service = { look };

const bodyOf = (code: number, status: string, message: string, details?: unknown[]): unknown => ({
  error: { code, message, status, ...(details === undefined ? {} : { details }) },
});

const refuse = (message: string, details?: unknown[]): Look =>
  whole(400, bodyOf(400, 'INVALID_ARGUMENT', message, details));

const badKey = [
  {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
    metadata: { service: 'generativelanguage.googleapis.com' },
  },
];

function look(request: FakeRequest, site: Site): Look {
  const { method, path, headers, query, body } = request;
  const key = headers['x-goog-api-key'] ?? query.get('key') ?? undefined;
  if (key === undefined) {
    const message =
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
    return whole(403, bodyOf(403, 'PERMISSION_DENIED', message));
  }
  if (key !== site.key) return refuse('API key not valid. Please pass a valid API key.', badKey);
  if (method === 'GET' && path === '/v1beta/models') return whole(200, { models: site.models.map(modelOf) });
  const route = /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(path);
  if (method !== 'POST' || !route) return whole(404, bodyOf(404, 'NOT_FOUND', 'Requested entity was not found.'));
  const [, model = '', verb] = route;
  if (!site.models.includes(model)) return whole(404, bodyOf(404, 'NOT_FOUND', noModel(model, verb)));
  if (!headers['content-type']?.startsWith('application/json') || !isObject(body)) {
    return refuse('Invalid JSON payload received. Expected a value.');
  }
  const problem = problemOf(googleShape, withoutNulls(body)) ?? schemasProblem(body);
  if (problem) return words(problem);
  const why = googleRefusal(body, model);
  if (why !== undefined) return refuse(why);
  const stream = verb === 'streamGenerateContent';
  return { kind: 'ask', question: { model, stream, body }, voice: query.get('alt') === 'sse' ? voice : listVoice };
}

const noModel = (model: string, verb = 'generateContent'): string =>
  `models/${model} is not found for API version v1beta, or is not supported for ${verb}. Call ListModels to see the list of available models and their supported methods.`;

/** `null` is a field that is not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}

function schemasProblem(body: Record<string, unknown>): Problem | undefined {
  const tools = (body.tools ?? []) as { functionDeclarations?: { parameters?: Record<string, unknown> }[] }[];
  const inTools = firstOf(tools, ({ functionDeclarations = [] }, t) =>
    firstOf(functionDeclarations, ({ parameters }, d) =>
      parameters ? schemaShapeProblem(parameters, ['tools', t, 'functionDeclarations', d, 'parameters']) : undefined,
    ),
  );
  const answer = (body.generationConfig as { responseSchema?: Record<string, unknown> } | undefined)?.responseSchema;
  return inTools ?? (answer ? schemaShapeProblem(answer, ['generationConfig', 'responseSchema']) : undefined);
}

const protoTypes: Readonly<Record<string, string>> = {
  string: 'TYPE_STRING',
  number: 'TYPE_DOUBLE',
  integer: 'TYPE_INT32',
  boolean: 'TYPE_BOOL',
  object: 'type.googleapis.com/google.protobuf.Struct',
  array: 'type.googleapis.com/google.protobuf.ListValue',
};

function words(problem: Problem): Look {
  const where = pathText(problem.path);
  const description = describe(problem, where);
  const violation = { field: where, description };
  return refuse(description, [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [violation] }]);
}

function describe(problem: Problem, where: string): string {
  switch (problem.kind) {
    case 'unknown':
      return `Invalid JSON payload received. Unknown name "${problem.name}"${where === '' ? '' : ` at '${where}'`}: Cannot find field.`;
    case 'type':
      if (Array.isArray(problem.got)) {
        const at = pathText(problem.path.slice(0, -1));
        return `Invalid JSON payload received. Unknown name "${problem.path.at(-1)}" at '${at}': Proto field is not repeating, cannot start list.`;
      }
      return `Invalid value at '${where}' (${protoTypes[problem.expected] ?? problem.expected}), ${JSON.stringify(problem.got)}`;
    case 'choice':
      return `Invalid value at '${where}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), ${JSON.stringify(problem.got)}`;
    default:
      return `Invalid value at '${where}': ${problem.kind}`;
  }
}

function modelOf(model: string): unknown {
  return {
    name: `models/${model}`,
    version: '001',
    displayName: model,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}

const voice: Voice = {
  streamType: 'text/event-stream',
  events: (said, question, ids) =>
    chunksOf(said, question, ids).map((chunk) => sse(chunk).replace(/\n\n$/, '\r\n\r\n')),
  whole: (said, question, ids) => {
    const chunks = chunksOf({ ...said, chunk: Number.MAX_SAFE_INTEGER }, question, ids);
    const parts = chunks.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));
    const last = chunks.at(-1);
    return { ...last, candidates: [{ ...last?.candidates[0], content: { role: 'model', parts } }] };
  },
  failed: (failed, { model }) => googleFailed(failed, model),
  errorEvent: () => sse(bodyOf(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')),
  garbageEvent: 'data: {"candidates": [{"content": {"par\r\n\r\n',
};

/** Without `alt=sse` the stream is one list of JSON. */
const listVoice: Voice = {
  ...voice,
  streamType: 'application/json',
  events: (said, question, ids) => {
    const chunks = chunksOf(said, question, ids).map(
      (chunk, at) => `${at === 0 ? '[' : ',\r\n'}${JSON.stringify(chunk)}`,
    );
    return [...chunks, ']'];
  },
};

const finishes = { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', none: undefined } as const;

interface Chunk {
  readonly candidates: readonly { readonly content: { readonly parts: readonly unknown[]; readonly role: string } }[];
}

function chunksOf(said: Said, { model, body }: Question, ids: Ids): Chunk[] {
  const responseId = ids('resp-');
  const config = (body.generationConfig ?? {}) as { thinkingConfig?: { includeThoughts?: boolean } };
  const shown = config.thinkingConfig?.includeThoughts ? said.reasoning : undefined;
  const broken = (said.calls ?? []).find((call) => argsOf(call) === undefined);
  const calls = broken ? [] : (said.calls ?? []);
  const groups: unknown[][] = [
    ...pieces(shown ?? '', said.chunk).map((text) => [{ text, thought: true }]),
    ...pieces(said.text ?? '', said.chunk).map((text) => [{ text }]),
    ...calls.map((call, at) => [callPart(call, at === 0 && isGemini3(model), ids)]),
  ];
  const finish = broken ? 'MALFORMED_FUNCTION_CALL' : finishes[finishOf(said)];
  if (finish !== undefined && groups.length === 0) groups.push([]);
  return groups.map((parts, at) => {
    const isLast = at === groups.length - 1 && finish !== undefined;
    const end = isLast
      ? { finishReason: finish, ...(broken ? { finishMessage: `Malformed function call: ${argsText(broken)}` } : {}) }
      : {};
    return {
      candidates: [{ content: { parts, role: 'model' }, ...end, index: 0 }],
      usageMetadata: usageOf(said),
      modelVersion: model,
      responseId,
    };
  });
}

/** It sends arguments as JSON, never as text; `undefined`: they are none. */
function argsOf(call: SaidCall): unknown {
  try {
    const args: unknown = JSON.parse(argsText(call));
    return isObject(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

function callPart(call: SaidCall, isSigned: boolean, ids: Ids): unknown {
  const functionCall = { name: call.tool, args: argsOf(call), id: call.id ?? ids('call-') };
  return isSigned ? { functionCall, thoughtSignature: signature(call.tool) } : { functionCall };
}

function usageOf({ usage = saidUsage }: Said): unknown {
  const { input, output, cacheRead, reasoning = 0 } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead }),
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  };
}

function googleFailed({ fails, note, retryAfter }: Failed, model: string): Whole {
  const say = (code: number, status: string, message: string, details?: unknown[]): Whole => ({
    status: code,
    body: bodyOf(code, status, note === undefined ? message : `${message} ${note}`, details),
  });
  switch (fails) {
    case 'context':
      return say(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      );
    case 'auth':
      return say(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', badKey);
    case 'forbidden':
      return say(403, 'PERMISSION_DENIED', 'Your project has been denied access. Please contact support.');
    case 'model':
      return say(404, 'NOT_FOUND', noModel(model));
    case 'large':
      return say(413, 'FAILED_PRECONDITION', 'Request payload size exceeds the limit: 20971520 bytes.');
    case 'rate':
      // The time to wait is no header here.
      return say(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }],
        },
        ...(retryAfter === undefined
          ? []
          : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }]),
      ]);
    case 'quota':
      return say(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
        [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
          },
        ],
      );
    case 'unavailable':
    case 'overloaded':
      return say(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');
    default:
      return say(
        500,
        'INTERNAL',
        'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      );
  }
}
