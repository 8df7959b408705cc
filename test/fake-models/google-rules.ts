/** What Gemini refuses beyond the shape of a request: the order of turns, names, settings, files. */
import { schemaRuleProblem } from './google-request.ts';
import { isBase64 } from './media.ts';
import { firstOf, isObject } from './shape.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Part {
  readonly text?: string;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
  readonly functionCall?: { readonly name?: string; readonly args?: unknown };
  readonly functionResponse?: { readonly name?: string; readonly response?: unknown };
}

interface Content {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

interface Declaration {
  readonly name?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export const isGemini3 = (model: string): boolean => /gemini-3/.test(model);

/** The first rule that is broken, in the words of the service. */
export function googleRefusal(body: Body, model: string): string | undefined {
  const contents = (body.contents ?? []) as Content[];
  return (
    contentsRefusal(contents, body.systemInstruction as Content | undefined) ??
    orderRefusal(contents) ??
    (isGemini3(model) ? signatureRefusal(contents) : undefined) ??
    toolsRefusal(body) ??
    settingsRefusal(body, model)
  );
}

const request = 'GenerateContentRequest';

function contentsRefusal(contents: readonly Content[], system: Content | undefined): string | undefined {
  if (contents.length === 0) return `* ${request}.contents: contents is not specified`;
  const bad = firstOf(contents, ({ role, parts = [] }, at) => {
    const where = `${request}.contents[${at}]`;
    if (role !== undefined && !['user', 'model', 'function'].includes(role))
      return 'Please use a valid role: user, model.';
    if (parts.length === 0) return `* ${where}.parts: contents.parts must not be empty.`;
    return firstOf(parts, (part, nth) => partRefusal(part, `${where}.parts[${nth}]`));
  });
  if (bad !== undefined || system === undefined) return bad;
  const isEmpty = (system.parts ?? []).every(({ text }) => (text ?? '') === '');
  return isEmpty
    ? `* ${request}.system_instruction.parts[0].data: required oneof field 'data' must have one initialized field`
    : undefined;
}

const media =
  /^(image\/(png|jpeg|webp|heic|heif)|application\/(pdf|json|x-javascript|x-python)|text\/.+|audio\/.+|video\/.+)$/;

function partRefusal(part: Part, where: string): string | undefined {
  const { inlineData, functionCall, functionResponse } = part;
  const data = [
    'text',
    'inlineData',
    'fileData',
    'functionCall',
    'functionResponse',
    'executableCode',
    'codeExecutionResult',
  ];
  const set = data.filter((name) => name in part);
  if (set.length > 1) return `* ${where}.data: oneof field 'data' is already set. Cannot set '${set[1]}'`;
  const isEmptyText = part.text === '' && part.thoughtSignature === undefined;
  if (set.length === 0 || isEmptyText)
    return `* ${where}.data: required oneof field 'data' must have one initialized field`;
  if (inlineData && !isBase64(inlineData.data))
    return `Invalid value at '${where.slice(request.length + 1)}.inline_data.data' (TYPE_BYTES), Base64 decoding failed for "${inlineData.data.slice(0, 20)}"`;
  if (inlineData && !media.test(inlineData.mimeType)) return `Unsupported MIME type: ${inlineData.mimeType}`;
  if (functionCall && !functionCall.name) return `* ${where}.function_call.name: Name cannot be empty.`;
  if (functionResponse && !functionResponse.name) return `* ${where}.function_response.name: Name cannot be empty.`;
  return undefined;
}

const callsOf = ({ parts = [] }: Content) => parts.filter(({ functionCall }) => functionCall);
const responsesOf = ({ parts = [] }: Content) => parts.filter(({ functionResponse }) => functionResponse);

function orderRefusal(given: readonly Content[]): string | undefined {
  const contents = merged(given);
  const found = firstOf(contents, (content, at) => {
    const before = contents[at - 1];
    const calls = callsOf(content).length;
    const responses = responsesOf(content).length;
    if (calls > 0 && (content.role !== 'model' || before === undefined || before.role === 'model')) {
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    }
    const asked = before === undefined ? 0 : callsOf(before).length;
    if (responses > 0 && (asked === 0 || content.role === 'model')) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
    if (responses === asked) return undefined;
    return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
  });
  if (found !== undefined) return found;
  const last = contents.at(-1);
  if (last?.role !== 'model') return undefined;
  return callsOf(last).length > 0
    ? 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    : 'Please ensure that single turn requests end with a user role or the role field is empty.';
}

/** Turns of one role that follow each other are one; `function` is as `user`. */
function merged(contents: readonly Content[]): Content[] {
  const turns: { role: string; parts: readonly Part[] }[] = [];
  for (const { role = 'user', parts = [] } of contents) {
    const as = role === 'function' ? 'user' : role;
    const last = turns.at(-1);
    if (last?.role === as) turns[turns.length - 1] = { role: as, parts: [...last.parts, ...parts] };
    else turns.push({ role: as, parts });
  }
  return turns;
}

/** Made by the service, or one of those that say that there is none. */
export const signature = (name: string): string => Buffer.from(`thought:${name}`, 'utf8').toString('base64');
const isSignature = (text: string): boolean => Buffer.from(text, 'base64').toString('utf8').startsWith('thought:');
const unsigned = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/** The first call of each step since the user last said something carries what was thought before it. */
function signatureRefusal(contents: readonly Content[]): string | undefined {
  const begin = contents.findLastIndex(
    ({ role = 'user', parts = [] }) => role === 'user' && parts.some(({ functionResponse }) => !functionResponse),
  );
  return firstOf(contents.slice(begin + 1), (content, at) => {
    const [first] = callsOf(content);
    if (!first) return undefined;
    const name = first.functionCall?.name ?? '';
    const given = first.thoughtSignature;
    if (given === undefined) {
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${begin + 1 + at}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
    }
    return isSignature(given) || unsigned.includes(given) ? undefined : 'Corrupted thought signature.';
  });
}

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

function toolsRefusal(body: Body): string | undefined {
  const tools = (body.tools ?? []) as { functionDeclarations?: Declaration[] }[];
  const names: string[] = [];
  const bad = firstOf(tools, ({ functionDeclarations = [] }, t) =>
    firstOf(functionDeclarations, ({ name = '', parameters }, d) => {
      const where = `tools[${t}].function_declarations[${d}]`;
      if (!namePattern.test(name)) {
        return `* ${request}.${where}.name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`;
      }
      if (names.includes(name)) return `Duplicate function declaration found: ${name}`;
      names.push(name);
      if (parameters === undefined) return undefined;
      const why = schemaRuleProblem(parameters, ['tools', t, 'functionDeclarations', d, 'parameters'], false);
      return why === undefined ? undefined : `* ${request}.${why}\n`;
    }),
  );
  if (bad !== undefined) return bad;
  const config = (
    body.toolConfig as { functionCallingConfig?: { mode?: string; allowedFunctionNames?: string[] } } | undefined
  )?.functionCallingConfig;
  if (config === undefined) return undefined;
  if (names.length === 0 && config.mode !== 'NONE')
    return 'Function calling config is set without function_declarations.';
  const allowed = config.allowedFunctionNames ?? [];
  if (allowed.length > 0 && config.mode !== 'ANY' && config.mode !== 'VALIDATED') {
    return `* ${request}.tool_config.function_calling_config.allowed_function_names: allowed_function_names should only be set when mode is ANY or VALIDATED.`;
  }
  const unknown = allowed.find((name) => !names.includes(name));
  return unknown === undefined
    ? undefined
    : `* ${request}.tool_config.function_calling_config.allowed_function_names: function ${unknown} is not declared.`;
}

const mimeTypes = ['text/plain', 'application/json', 'text/x.enum', 'application/xml', 'application/yaml'];

function settingsRefusal(body: Body, model: string): string | undefined {
  const config = (body.generationConfig ?? {}) as {
    temperature?: number;
    topP?: number;
    maxOutputTokens?: number;
    stopSequences?: string[];
    responseMimeType?: string;
    responseSchema?: Readonly<Record<string, unknown>>;
    responseJsonSchema?: unknown;
    thinkingConfig?: { thinkingBudget?: number; thinkingLevel?: string };
  };
  const where = `* ${request}.generation_config`;
  const {
    temperature = 1,
    topP = 1,
    maxOutputTokens = 1,
    stopSequences = [],
    responseMimeType,
    responseSchema,
  } = config;
  if (temperature < 0 || temperature > 2) return `${where}.temperature: temperature must be in the range [0.0, 2.0].`;
  if (topP < 0 || topP > 1) return `${where}.top_p: top_p must be in the range [0.0, 1.0].`;
  if (maxOutputTokens < 1) return `${where}.max_output_tokens: max_output_tokens must be positive.`;
  if (maxOutputTokens > 65_536) {
    return `Unable to submit request because it has a maxOutputTokens value of ${maxOutputTokens} but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.`;
  }
  if (stopSequences.length > 5) return `${where}.stop_sequences: the number of stop_sequences must be at most 5.`;
  if (responseMimeType !== undefined && !mimeTypes.includes(responseMimeType)) {
    return `${where}.response_mime_type: allowed mimetypes are \`${mimeTypes.join('`, `')}\`.`;
  }
  const isJson = responseMimeType === 'application/json' || responseMimeType === 'text/x.enum';
  if ((responseSchema !== undefined || config.responseJsonSchema !== undefined) && !isJson) {
    return `${where}.response_mime_type: response_schema requires response_mime_type to be application/json or text/x.enum.`;
  }
  const hasTools = ((body.tools ?? []) as { functionDeclarations?: unknown[] }[]).some(
    ({ functionDeclarations }) => functionDeclarations?.length,
  );
  if (isJson && hasTools && !isGemini3(model))
    return "Function calling with a response mime type: 'application/json' is unsupported";
  if (config.thinkingConfig?.thinkingLevel !== undefined && !isGemini3(model))
    return 'Thinking level is not supported for this model.';
  if (!isObject(responseSchema)) return undefined;
  const why = schemaRuleProblem(responseSchema, ['generationConfig', 'responseSchema'], true);
  return why === undefined ? undefined : `* ${request}.${why}\n`;
}
