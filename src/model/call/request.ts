/** A call as a request of the providers' packages. */
import type { JSONSchema7, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { JsonSchema } from '../../type/index.ts';
import type { ModelCall } from '../model.ts';
import { sentOutputTokens } from '../price.ts';
import type { ResolvedModel } from '../resolved.ts';
import { fitsStrict } from '../strict-schema.ts';
import { calledIn, type WireNames } from '../wire-name.ts';
import { fitsGoogle, googleParameters } from './plain-schema.ts';
import { promptOf } from './prompt.ts';
import { type Provider, providerOf } from './provider.ts';
import { toolSchema } from './schema.ts';

export type Request = LanguageModelV3CallOptions;

/** Throws what cannot be sent. */
export function requestOf(call: ModelCall, resolved: ResolvedModel, names: WireNames, signal: AbortSignal): Request {
  const provider = providerOf(resolved);
  const { tools = [], toolChoice, settings } = call;
  const request: Request = {
    prompt: promptOf(call.messages, { ...provider, names, ref: resolved.ref }),
    abortSignal: signal,
  };
  if (settings.temperature !== undefined) request.temperature = settings.temperature;
  const most = sentOutputTokens(resolved.info, settings);
  if (most !== undefined) request.maxOutputTokens = most;
  if (tools.length > 0) {
    request.tools = tools.map((tool) => functionTool(tool, names, resolved.tools === 'native' ? provider : {}));
    request.toolChoice = { type: toolChoice ?? 'auto' };
    // With tools the same conversation comes again, longer by a turn.
    if (provider.keepsByMark && resolved.tools === 'native') markEnd(request.prompt, provider);
  } else if (provider.wantsTools && resolved.tools === 'native') {
    const called = new Set(calledIn(call.messages));
    if (called.size > 0) {
      request.tools = Array.from(called, (name) => functionTool({ ...past, name }, names, provider));
      request.toolChoice = { type: 'none' };
    }
  }
  return withOutput(request, call, resolved, provider);
}

/** A tool that was called once, and cannot be any more. */
const past = { description: 'Cannot be called any more.', parameters: { type: 'object', properties: {} } } as const;

/** Up to its last message; what an answer ends with cannot be marked. */
function markEnd(prompt: Request['prompt'], { metaKey = '' }: Provider): void {
  const last = prompt.at(-1);
  if (last?.role !== 'user' && last?.role !== 'tool') return;
  last.providerOptions = { [metaKey]: { cacheControl: { type: 'ephemeral' } } };
}

function functionTool(
  { name, description, parameters }: NonNullable<ModelCall['tools']>[number],
  names: WireNames,
  { strictTools, ownSchemas }: Pick<Provider, 'strictTools' | 'ownSchemas'>,
): LanguageModelV3FunctionTool {
  const schema = toolSchema(parameters);
  return {
    type: 'function',
    name: names.toWire(name),
    description,
    inputSchema: (ownSchemas ? googleParameters(schema) : schema) as JSONSchema7,
    // Said in any case: what is not said counts as strict in some places and as not strict in others.
    ...(strictTools && { strict: fitsStrict(parameters) }),
  };
}

function withOutput(
  request: Request,
  { output, tools = [], toolChoice }: ModelCall,
  resolved: ResolvedModel,
  provider: Provider,
): Request {
  const isOffered = tools.length > 0;
  const may = provider.output === 'always' || (provider.output === 'without-tools' && !isOffered);
  const isInWords = isOffered && resolved.tools === 'text' && toolChoice !== 'none';
  const form = isInWords ? output : formOf(output);
  const isStrict = form !== undefined && fitsStrict(form);
  // With tools in text the form is asked for in words, by whoever writes them.
  if (form !== undefined && (may || isInWords)) {
    request.responseFormat = { type: 'json', schema: form as JSONSchema7, name: 'answer' };
  }
  if (resolved.provider === 'openai') {
    // Nothing is kept by the service: what it wants to see again is in the messages.
    request.providerOptions = { openai: { store: false, ...(may && { strictJsonSchema: isStrict }) } };
  } else if (provider.ownSchemas && request.responseFormat !== undefined && !fitsGoogle(form)) {
    // It is asked for JSON alone; which, its messages say.
    request.providerOptions = { google: { structuredOutputs: false } };
  } else if (provider.metaKey === undefined && request.responseFormat !== undefined) {
    request.providerOptions = { openaiCompatible: { strictJsonSchema: isStrict } };
  }
  return request;
}

/**
 * Answers are objects: what is none is the field `value` of one, which whoever reads the answer understands. Where anything
 * will do there is no form.
 */
function formOf(output: JsonSchema | undefined): JsonSchema | undefined {
  if (output === undefined || output.type === 'object') return output;
  const { $defs, ...value } = output;
  if (Object.keys(value).every((key) => key === 'description')) return undefined;
  const required = ['value'];
  const whole: JsonSchema = { type: 'object', properties: { value }, required, additionalProperties: false };
  return $defs ? { ...whole, $defs } : whole;
}
