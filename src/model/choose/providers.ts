/**
 * Who serves models: where, with the key of which variable. Names of variables are those that each vendor's own tools read.
 * The order is that in which a model is chosen where nobody names its provider.
 */

export interface Provider {
  readonly name: string;
  /** The variables that may hold its key, the first that is set wins. */
  readonly keyEnv: readonly string[];
  /** Its address, with the version of its interface, as a client of it wants it. */
  readonly endpoint: string;
  /** Variables that hold another address, the first that is set wins; of some vendors none is in use. */
  readonly endpointEnv: readonly string[];
  /** Put behind such an address where it has no path: what that vendor's own client puts there. */
  readonly path: string;
  /** How models call tools of which nothing is known. */
  readonly tools: 'native' | 'text';
  /** The model that is meant where none is named: of the middle, at a price of the middle. */
  readonly model: string;
}

export const providers: readonly Provider[] = [
  {
    name: 'openai',
    keyEnv: ['OPENAI_API_KEY'],
    endpoint: 'https://api.openai.com/v1',
    endpointEnv: ['OPENAI_BASE_URL'],
    path: '',
    tools: 'native',
    model: 'gpt-6-sol',
  },
  {
    name: 'anthropic',
    keyEnv: ['ANTHROPIC_API_KEY'],
    endpoint: 'https://api.anthropic.com/v1',
    endpointEnv: ['ANTHROPIC_BASE_URL'],
    path: '/v1',
    tools: 'native',
    model: 'claude-sonnet-5',
  },
  {
    name: 'google',
    keyEnv: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    endpointEnv: ['GOOGLE_GEMINI_BASE_URL'],
    path: '/v1beta',
    tools: 'native',
    model: 'gemini-3.8-flash',
  },
  {
    name: 'openrouter',
    keyEnv: ['OPENROUTER_API_KEY'],
    endpoint: 'https://openrouter.ai/api/v1',
    endpointEnv: [],
    path: '',
    // It refuses tools of models that have none, and serves many of those.
    tools: 'text',
    model: 'anthropic/claude-sonnet-5',
  },
  {
    name: 'deepseek',
    keyEnv: ['DEEPSEEK_API_KEY'],
    endpoint: 'https://api.deepseek.com',
    endpointEnv: [],
    path: '',
    tools: 'native',
    model: 'deepseek-v4-pro',
  },
  {
    name: 'groq',
    keyEnv: ['GROQ_API_KEY'],
    endpoint: 'https://api.groq.com/openai/v1',
    endpointEnv: ['GROQ_BASE_URL'],
    path: '/openai/v1',
    tools: 'native',
    model: 'openai/gpt-oss-120b',
  },
  {
    name: 'mistral',
    keyEnv: ['MISTRAL_API_KEY'],
    endpoint: 'https://api.mistral.ai/v1',
    endpointEnv: [],
    path: '',
    tools: 'native',
    model: 'mistral-medium-latest',
  },
  {
    name: 'xai',
    keyEnv: ['XAI_API_KEY'],
    endpoint: 'https://api.x.ai/v1',
    endpointEnv: [],
    path: '',
    tools: 'native',
    model: 'grok-4.6',
  },
];

export function providerNamed(name: string): Provider | undefined {
  return providers.find((each) => each.name === name);
}

/** Serves what speaks as OpenAI does, at an address of one's own: only an alias says which. */
export const compatible = 'openai-compatible';

/** The names that may stand before the slash. */
export const providerNames: readonly string[] = [
  ...providers.map(({ name }) => name),
  'ollama',
  'llamacpp',
  'lmstudio',
];

export type Env = Readonly<Record<string, string | undefined>>;

/** Blanks are no value. */
export function isSet(env: Env, name: string): boolean {
  return (env[name] ?? '').trim() !== '';
}

export function hasKey(env: Env, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => isSet(env, name));
}

export type EndpointFound =
  | { readonly ok: true; readonly endpoint?: string }
  | { readonly ok: false; readonly variable: string };

/** The address that the environment gives a provider, where it does; a variable that holds no address is a mistake. */
export function endpointOf({ endpointEnv, path, endpoint }: Provider, env: Env): EndpointFound {
  const variable = endpointEnv.find((name) => isSet(env, name));
  if (variable === undefined) return { ok: true };
  const given = (env[variable] ?? '').trim().replace(/\/+$/, '');
  if (!isAddress(given)) return { ok: false, variable };
  const url = new URL(given);
  const whole = url.pathname === '/' ? `${url.origin}${path}${url.search}` : given;
  return whole === endpoint ? { ok: true } : { ok: true, endpoint: whole };
}

/** Of HTTP, and without a user and a password in it: requests refuse those, and messages would show them. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !hasUser(text) && URL.canParse(text);
}

/** `https://user:password@host`. */
export function hasUser(text: string): boolean {
  return /^[a-z0-9+.-]*:?\/\/[^/?#]*@/i.test(text);
}
