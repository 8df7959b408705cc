/** The providers: where they are, how a request reaches them, and what of a request they take. */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ResolvedModel } from '../resolved.ts';
import type { Access } from './access.ts';
import type { Address } from './address.ts';

export interface Provider {
  /** The address of its own; without one it has to be given. */
  readonly home?: string;
  /** What an address that is only a host goes on with. */
  readonly path: string;
  /** Under which key it gives, and wants to see again, what is its own; one without it sees reasoning as plain text. */
  readonly metaKey?: string;
  /** It wants to see what was thought before each call, however long ago that was; plain text of its own. */
  readonly wantsThoughts?: true;
  /** It refuses to be shown what was thought. */
  readonly refusesThoughts?: true;
  /** Ids of calls have exactly so many letters and digits. */
  readonly callIdLength?: number;
  /** It has no sequences that end an answer. */
  readonly refusesStops?: true;
  /** It takes no conversation that begins with an answer. */
  readonly beginsWithUser?: true;
  /** It takes no calls in a conversation without a list of tools, also where none can be called any more. */
  readonly wantsTools?: true;
  /** When the form of the answer can be sent along. */
  readonly output: 'always' | 'without-tools' | 'never';
  /** It has a strict mode for schemas, and takes a schema as strict unless it is told otherwise. */
  readonly strictTools?: true;
  /** It keeps a conversation up to a mark for the next call, which then costs a tenth of it; without a mark it keeps nothing. */
  readonly keepsByMark?: true;
  /** It has a language of its own for schemas. */
  readonly ownSchemas?: true;
  /** It knows which model is meant by `id` at the address. */
  readonly open: (resolved: ResolvedModel, address: Address, access: Access, fetch: typeof globalThis.fetch) => Open;
}

type Open = Promise<LanguageModelV3>;

/** Stands where a package wants a key and none is needed; the header that would carry it is taken out. */
const noKey = 'none';

const openai: Provider = {
  home: 'https://api.openai.com/v1',
  path: '/v1',
  metaKey: 'openai',
  output: 'always',
  strictTools: true,
  refusesStops: true,
  async open({ id }, { base }, { key, headers }, fetch) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL: base, fetch, ...keyed('Authorization', key, headers) }).responses(id);
  },
};

const anthropic: Provider = {
  home: 'https://api.anthropic.com/v1',
  path: '/v1',
  metaKey: 'anthropic',
  keepsByMark: true,
  beginsWithUser: true,
  wantsTools: true,
  output: 'without-tools',
  async open({ id }, { base }, { key, headers }, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: base, fetch, ...keyed('x-api-key', key, headers) }).messages(id);
  },
};

const google: Provider = {
  home: 'https://generativelanguage.googleapis.com/v1beta',
  path: '/v1beta',
  metaKey: 'google',
  ownSchemas: true,
  beginsWithUser: true,
  output: 'without-tools',
  async open({ id }, { base }, { key, headers }, fetch) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ baseURL: base, fetch, ...keyed('x-goog-api-key', key, headers) }).chat(id);
  },
};

interface ChatProvider extends Omit<Provider, 'open'> {
  /** It counts unasked, and refuses to be asked for it. */
  readonly countsUnasked?: true;
}

function chat(given: ChatProvider): Provider {
  return {
    ...given,
    async open({ id, provider }, { base }, { key, headers }, fetch) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: provider,
        baseURL: base,
        fetch,
        headers: { ...headers },
        includeUsage: given.countsUnasked !== true,
        supportsStructuredOutputs: true,
        ...(given.wantsThoughts && { transformRequestBody: withThoughts }),
        ...(key !== undefined && { apiKey: key }),
      }).chatModel(id);
    },
  };
}

/** Of calls that another model made nothing is known that was thought: a field without words says so, one that is missing is refused. */
function withThoughts(body: Record<string, unknown>): Record<string, unknown> {
  const messages = body.messages as readonly Record<string, unknown>[];
  return {
    ...body,
    messages: messages.map((message) =>
      Array.isArray(message.tool_calls) ? { reasoning_content: '', ...message } : message,
    ),
  };
}

/** What an endpoint that nothing is known of makes of a form for answers is not known either: it has it in words. */
const providers: ReadonlyMap<string, Provider> = new Map([
  ['openai', openai],
  ['anthropic', anthropic],
  ['google', google],
  ['openrouter', chat({ home: 'https://openrouter.ai/api/v1', path: '/api/v1', output: 'without-tools' })],
  ['deepseek', chat({ home: 'https://api.deepseek.com', path: '', output: 'never', wantsThoughts: true })],
  [
    'groq',
    chat({ home: 'https://api.groq.com/openai/v1', path: '/openai/v1', output: 'never', refusesThoughts: true }),
  ],
  [
    'mistral',
    chat({
      home: 'https://api.mistral.ai/v1',
      path: '/v1',
      output: 'never',
      refusesThoughts: true,
      callIdLength: 9,
      countsUnasked: true,
    }),
  ],
  [
    'xai',
    chat({ home: 'https://api.x.ai/v1', path: '/v1', output: 'never', refusesThoughts: true, refusesStops: true }),
  ],
  ['ollama', chat({ home: 'http://127.0.0.1:11434/v1', path: '/v1', output: 'without-tools' })],
  ['llamacpp', chat({ home: 'http://127.0.0.1:8080/v1', path: '/v1', output: 'without-tools' })],
  ['lmstudio', chat({ home: 'http://127.0.0.1:1234/v1', path: '/v1', output: 'without-tools' })],
  ['openai-compatible', chat({ path: '', output: 'never' })],
]);

export function providerOf({ ref, provider }: ResolvedModel): Provider {
  const found = providers.get(provider);
  if (found === undefined)
    throw new Error(`the model "${ref}" is of the provider "${provider}", which is none of ours`);
  return found;
}

function keyed(
  header: string,
  key: string | undefined,
  headers: Readonly<Record<string, string>>,
): { readonly apiKey: string; readonly headers: Record<string, string> } {
  if (key !== undefined) return { apiKey: key, headers: { ...headers } };
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === header.toLowerCase());
  // The packages leave out a header without a value; their types do not say so.
  const without = isGiven ? {} : ({ [header]: undefined } as unknown as Record<string, string>);
  return { apiKey: noKey, headers: { ...without, ...headers } };
}
