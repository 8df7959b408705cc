/** One file at an address: once, however many ask for it, and a few at a time. */
import { Buffer } from 'node:buffer';
import { systemCode } from '../../sys/index.ts';
import { createGate } from '../git/gate.ts';
import { withoutSecrets } from '../git/trouble.ts';
import { mostFileBytes } from './content.ts';
import { type Found, type Refused, refuse } from './problem.ts';
import type { ResolveOptions } from './target.ts';

export type Download = (url: string) => Promise<Found<Uint8Array>>;

const limitMs = 30_000;
const mostRedirects = 5;
const mostAtOnce = 8;

export function createDownloads(options: ResolveOptions): Download {
  const gate = createGate(mostAtOnce);
  const begun = new Map<string, Promise<Found<Uint8Array>>>();
  return (url) => {
    const known = begun.get(url) ?? gate(() => get(url, options));
    begun.set(url, known);
    return known;
  };
}

async function get(url: string, options: ResolveOptions): Promise<Found<Uint8Array>> {
  const ask = options.fetch ?? fetch;
  const late = AbortSignal.timeout(limitMs);
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
  const shown = withoutSecrets(url);
  options.progress?.(`fetching ${shown}`);
  try {
    let at = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await ask(at, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/markdown, text/plain, */*' },
      });
      if (response.status < 300 || response.status > 399) return await readBody(response, shown);
      await response.body?.cancel();
      const next = redirectOf(response, at);
      if (next === undefined) {
        const help = 'Take the address to which it leads, if you trust it.';
        return refuse('TOO5321', `${shown} leads to another place that is no https:// address.`, help);
      }
      at = next;
    }
    const help = 'Take the address to which it leads in the end.';
    return refuse('TOO5321', `${shown} leads on more than ${mostRedirects} times.`, help);
  } catch (error) {
    options.signal?.throwIfAborted();
    const why = late.aborted ? `it took longer than ${limitMs / 1000} s` : networkWords(error);
    if (why === undefined) throw error;
    return refuse('TOO5312', `${shown} cannot be reached: ${why}.`, 'Try again later.');
  }
}

function redirectOf(response: Response, from: string): string | undefined {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, from)) return undefined;
  const next = new URL(location, from);
  return next.protocol === 'https:' && next.username === '' && next.password === '' ? next.href : undefined;
}

async function readBody(response: Response, shown: string): Promise<Found<Uint8Array>> {
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    return statusProblem(status, shown);
  }
  const type = response.headers.get('content-type') ?? '';
  const large = refuse('TOO5318', `${shown} has more than 10 MB.`, 'One Markdown file is expected there.');
  if (/^\s*(?:text\/html|application\/xhtml)/i.test(type)) {
    await response.body?.cancel();
    return pageProblem(shown);
  }
  if (Number(response.headers.get('content-length') ?? 0) > mostFileBytes) {
    await response.body?.cancel();
    return large;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > mostFileBytes) return large;
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const start = bytes.toString('utf8', 0, 200).replace(/^\ufeff/, '');
  return /^\s*<(?:!doctype\s+html|html[\s>])/i.test(start) ? pageProblem(shown) : { ok: true, value: bytes };
}

function pageProblem(shown: string): Refused {
  return refuse(
    'TOO5321',
    `${shown} is a web page, and no Markdown file.`,
    'Take the address of the raw file: most pages have a button "Raw" or "Download".',
  );
}

function statusProblem(status: number, shown: string): Refused {
  if (status === 404 || status === 410) {
    return refuse('TOO5321', `there is nothing at ${shown} (${status}).`, 'Look at the spelling of the address.');
  }
  if (status === 401 || status === 403) {
    const help = 'Addresses are fetched without a password; what is private can come from a git repository.';
    return refuse('TOO5321', `${shown} may not be read (${status}).`, help);
  }
  if (status === 429 || status >= 500) {
    return refuse('TOO5312', `${shown} cannot be fetched now (${status}).`, 'Try again later.');
  }
  return refuse('TOO5321', `${shown} gives no file (${status}).`, 'Open it in a browser to see why.');
}

/** Undefined for what is no trouble of the network. */
function networkWords(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { cause } = error;
  const code = systemCode(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host was not found';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ECONNRESET') return 'the connection broke';
  const said = cause instanceof Error ? cause.message : error.message;
  return withoutSecrets(said).split('\n', 1)[0] || 'the connection failed';
}
