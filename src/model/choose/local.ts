/**
 * Servers of models on this machine: which there are, and what they serve.
 * 1. They are asked all at once, each for a short time, and nothing that they do throws.
 * 2. No key and no cookie is sent, no redirect followed, and no answer read beyond a few megabytes.
 * 3. Whatever listens on a port but does not answer as the server would is not taken for it.
 */
import type { Clock } from '../../sys/index.ts';
import { isRecord } from '../../type/index.ts';
import type { LocalAddress } from './local-address.ts';

export interface LocalServer extends LocalAddress {
  readonly isRunning: boolean;
  readonly models: readonly LocalModel[];
}

export interface LocalModel {
  /** As the server calls it. */
  readonly id: string;
  readonly context?: number;
  /** Whether it has tools of its own; only if the server says so. */
  readonly hasTools: boolean;
}

export interface LocalOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** How long each may take to answer. */
  readonly limitMs?: number;
}

const usualLimit = 300;
const mostBytes = 4_000_000;
/** Of more models than these nothing is asked but their names. */
const mostDetails = 64;

export async function askLocal(server: LocalAddress, options: LocalOptions): Promise<LocalServer> {
  const models = await asks[server.name](server.address, options);
  return { ...server, isRunning: models !== undefined, models: models ?? [] };
}

const asks: Readonly<
  Record<LocalAddress['name'], (address: string, options: LocalOptions) => Promise<readonly LocalModel[] | undefined>>
> = { ollama, llamacpp, lmstudio };

async function ollama(address: string, options: LocalOptions): Promise<readonly LocalModel[] | undefined> {
  const tags = await ask(`${address}/api/tags`, options);
  if (!isRecord(tags) || !Array.isArray(tags.models)) return undefined;
  const names = tags.models.flatMap((each) => (isRecord(each) && typeof each.name === 'string' ? [each.name] : []));
  const isFew = names.length <= mostDetails;
  return Promise.all(names.map((id) => (isFew ? ollamaModel(address, id, options) : { id, hasTools: false })));
}

async function ollamaModel(address: string, id: string, options: LocalOptions): Promise<LocalModel> {
  const shown = await ask(`${address}/api/show`, options, { model: id });
  if (!isRecord(shown)) return { id, hasTools: false };
  const { capabilities, model_info: info } = shown;
  const key = isRecord(info) ? Object.keys(info).find((each) => each.endsWith('.context_length')) : undefined;
  const context = isRecord(info) && key !== undefined ? count(info[key]) : {};
  return { id, ...context, hasTools: Array.isArray(capabilities) && capabilities.includes('tools') };
}

async function llamacpp(address: string, options: LocalOptions): Promise<readonly LocalModel[] | undefined> {
  const [listed, props] = await Promise.all([ask(`${address}/v1/models`, options), ask(`${address}/props`, options)]);
  const models = isRecord(listed) && Array.isArray(listed.data) ? listed.data.filter(isRecord) : [];
  const settings = isRecord(props) ? props.default_generation_settings : undefined;
  // Many programs listen on this port.
  const isIt = models.some((each) => each.owned_by === 'llamacpp') || isRecord(settings);
  if (!isIt) return undefined;
  const context = isRecord(settings) ? count(settings.n_ctx) : {};
  const caps = isRecord(props) ? props.chat_template_caps : undefined;
  const hasTools =
    (isRecord(caps) && caps.supports_tools === true && caps.supports_tool_calls !== false) ||
    (isRecord(props) && typeof props.chat_template_tool_use === 'string');
  return models.flatMap(({ id }) => (typeof id === 'string' ? [{ id, ...context, hasTools }] : []));
}

async function lmstudio(address: string, options: LocalOptions): Promise<readonly LocalModel[] | undefined> {
  const listed = await ask(`${address}/api/v0/models`, options);
  if (!isRecord(listed) || !Array.isArray(listed.data)) return undefined;
  return listed.data.filter(isRecord).flatMap((each) => {
    const { id, type, capabilities, loaded_context_length: loaded, max_context_length: most } = each;
    if (typeof id !== 'string' || type === 'embeddings') return [];
    const hasTools = Array.isArray(capabilities) && capabilities.includes('tool_use');
    return [{ id, ...count(loaded ?? most), hasTools }];
  });
}

function count(value: unknown): { context?: number } {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? { context: value } : {};
}

/** What a server answers as JSON; undefined where it does not, in time, as it should. */
async function ask(url: string, { fetch, clock, limitMs = usualLimit }: LocalOptions, body?: object): Promise<unknown> {
  const request = new AbortController();
  const timer = new AbortController();
  const late = clock.sleep(limitMs, timer.signal).then(
    () => request.abort(),
    () => undefined,
  );
  try {
    return await Promise.race([answer(), late]);
  } finally {
    timer.abort();
  }

  /** Never rejects: nobody listens any more when it is late. */
  async function answer(): Promise<unknown> {
    try {
      const response = await fetch(url, {
        redirect: 'error',
        credentials: 'omit',
        signal: request.signal,
        ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await textOf(response);
      return response.ok && text !== undefined ? JSON.parse(text) : undefined;
    } catch {
      // Not there, not in time, not JSON: all the same to who only asks whether it is there.
      return undefined;
    }
  }
}

async function textOf(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the answer.
    if (length > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
