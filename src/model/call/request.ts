/** A call as a request of the providers' packages. */
import type { JSONSchema7, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { ModelCall } from '../model.ts';
import { sentOutputTokens } from '../price.ts';
import type { ResolvedModel } from '../resolved.ts';
import type { WireNames } from '../wire-name.ts';
import { fitsGoogle, googleParameters } from './plain-schema.ts';
import { promptOf } from './prompt.ts';
import { type Provider, providerOf } from './provider.ts';
import { fitsStrict, toolSchema } from './schema.ts';

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
  }
  return withOutput(request, call, resolved, provider);
}

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
  const isStrict = output !== undefined && fitsStrict(output);
  // With tools in text the form is asked for in words, by whoever writes them.
  if (output !== undefined && (may || isInWords)) {
    request.responseFormat = { type: 'json', schema: output as JSONSchema7, name: 'answer' };
  }
  if (resolved.provider === 'openai') {
    // Nothing is kept by the service: what it wants to see again is in the messages.
    request.providerOptions = { openai: { store: false, ...(may && { strictJsonSchema: isStrict }) } };
  } else if (provider.ownSchemas && request.responseFormat !== undefined && !fitsGoogle(output)) {
    // It is asked for JSON alone; which, its messages say.
    request.providerOptions = { google: { structuredOutputs: false } };
  } else if (provider.metaKey === undefined && request.responseFormat !== undefined) {
    request.providerOptions = { openaiCompatible: { strictJsonSchema: isStrict } };
  }
  return request;
}
