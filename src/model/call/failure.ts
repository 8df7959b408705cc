/**
 * What is known of something that went wrong, whatever shape it has: an answer that is an error, an error in the middle of a
 * stream, a connection that broke, something that cannot be read. The packages' own errors are told by their names, so that
 * none of them is loaded for it.
 */
import { systemCode } from '../../sys/index.ts';
import { isRecord } from '../../type/index.ts';

export interface Failure {
  readonly kind: 'answer' | 'connection' | 'unreadable' | 'unsupported' | 'page' | 'whole' | 'other';
  readonly status?: number;
  /** What the service calls it: `overloaded_error`, `context_length_exceeded`, `RESOURCE_EXHAUSTED`. */
  readonly names: readonly string[];
  /** Its own words, or those of the system. */
  readonly words?: string;
  readonly retryAfterMs?: number;
  /** Of the system: `ECONNREFUSED`. */
  readonly systemCode?: string;
}

/** An answer that came, and is no stream. */
export interface NoStream extends Error {
  readonly kind: 'no-stream';
  readonly status: number;
  readonly isPage: boolean;
  readonly body: string;
}

export function readFailure(error: unknown, now: () => number): Failure {
  if (isNoStream(error)) {
    if (error.isPage) return { kind: 'page', status: error.status, names: [] };
    const said = readBody(error.body);
    if (said !== undefined) return { kind: 'answer', ...said, ...retryAfter({}, said.details, now) };
    return { kind: 'whole', status: error.status, names: [] };
  }
  const { name } = error instanceof Error ? error : { name: '' };
  const fields = isRecord(error) || error instanceof Error ? (error as unknown as Record<string, unknown>) : {};
  if (name === 'AI_APICallError') return readApiError(error as Error, fields, now);
  if (name === 'AI_UnsupportedFunctionalityError') {
    const { functionality } = fields;
    return { kind: 'unsupported', names: [], ...worded(functionality) };
  }
  if (name === 'AI_TypeValidationError') {
    const said = saidIn(fields.value);
    if (said !== undefined) return { kind: 'answer', ...said };
    return { kind: 'unreadable', names: [], ...worded(JSON.stringify(fields.value)) };
  }
  if (name === 'AI_JSONParseError') return { kind: 'unreadable', names: [], ...worded(fields.text) };
  if (name === 'AI_InvalidResponseDataError')
    return { kind: 'unreadable', names: [], ...worded((error as Error).message) };
  const code = codeOf(error);
  if (code !== undefined || isNetworkError(error)) return connection(error, code);
  const said = error instanceof Error ? undefined : saidIn(error);
  if (said !== undefined) return { kind: 'answer', ...said };
  return { kind: 'other', names: [], ...worded(error instanceof Error ? error.message : JSON.stringify(error)) };
}

export function noStream(given: Pick<NoStream, 'status' | 'isPage' | 'body'>): NoStream {
  return Object.assign(new Error('the answer is no stream of events'), { kind: 'no-stream' as const, ...given });
}

function isNoStream(error: unknown): error is NoStream {
  return error instanceof Error && 'kind' in error && error.kind === 'no-stream';
}

/** The stream ended as no answer does. */
export function isEarlyEnd(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'AI_InvalidResponseDataError' &&
    'data' in error &&
    error.data === undefined
  );
}

function readApiError(error: Error, fields: Record<string, unknown>, now: () => number): Failure {
  const { statusCode, responseBody, responseHeaders } = fields;
  const cause = codeOf(error);
  // Of an answer that was begun well and broke off, the cause says more than its status.
  if (typeof statusCode !== 'number' || (statusCode < 400 && cause !== undefined)) return connection(error, cause);
  const body = typeof responseBody === 'string' ? responseBody : '';
  if (/^\s*(?:<!doctype|<html|<\?xml|<head|<body)/i.test(body)) return { kind: 'page', status: statusCode, names: [] };
  const said = readBody(body) ?? saidIn(fields.data);
  const headers = isRecord(responseHeaders) ? responseHeaders : {};
  const { details, ...known } = said ?? { names: [], details: [], ...worded(body.trim()) };
  return { kind: 'answer', ...known, status: statusCode, ...retryAfter(headers, details, now) };
}

interface Said {
  readonly names: readonly string[];
  readonly words?: string;
  readonly status?: number;
  readonly details: readonly unknown[];
}

function readBody(body: string): Said | undefined {
  try {
    return saidIn(JSON.parse(body));
  } catch {
    // It is no JSON, so it says nothing by names.
    return undefined;
  }
}

/** Services nest what they say: `{ error: { … } }`, a list of it, an event around it, or the words alone. */
function saidIn(value: unknown, depth = 0): Said | undefined {
  if (depth > 4) return undefined;
  if (Array.isArray(value)) return saidIn(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  const inner = [value.error, isRecord(value.response) ? value.response.error : undefined, value.data];
  for (const each of inner) {
    const said = typeof each === 'string' ? { names: [], words: each, details: [] } : saidIn(each, depth + 1);
    if (said !== undefined) return said;
  }
  const { message, detail, type, code, status, statusCode, details } = value;
  const checks = checkWords(isRecord(message) ? message.detail : detail);
  const words = [message, detail, checks].find((each) => typeof each === 'string' && each !== '');
  if (words === undefined && typeof type !== 'string' && typeof code !== 'string') return undefined;
  const number = [statusCode, code, status].find((each) => isStatus(each));
  const listed = Array.isArray(details) ? details : [];
  const reasons = listed.map((each) => (isRecord(each) ? each.reason : undefined));
  const names = [type, code, status, ...reasons].filter((each) => typeof each === 'string');
  return {
    names,
    details: listed,
    ...(typeof words === 'string' && { words }),
    ...(typeof number === 'number' && { status: number }),
  };
}

/** What a check of fields says, as many servers in Python have it: a list of places and words. */
function checkWords(detail: unknown): string | undefined {
  if (!Array.isArray(detail)) return undefined;
  const said = detail.slice(0, 4).flatMap((each) => {
    if (!isRecord(each) || typeof each.msg !== 'string') return [];
    return [Array.isArray(each.loc) ? `${each.loc.join('.')}: ${each.msg}` : each.msg];
  });
  return said.join('; ');
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value <= 599;
}

function connection(error: unknown, code: string | undefined): Failure {
  return { kind: 'connection', names: [], ...worded(deepest(error)), ...(code !== undefined && { systemCode: code }) };
}

/** Every error that this one was caused by, it first. */
function* causes(error: unknown): Generator<Error> {
  const seen = new Set<unknown>();
  const todo: unknown[] = [error];
  for (let each = todo.pop(); each !== undefined; each = todo.pop()) {
    if (!(each instanceof Error) || seen.has(each)) continue;
    seen.add(each);
    yield each;
    if (each.cause !== undefined) todo.push(each.cause);
    if (each instanceof AggregateError) todo.push(...each.errors.slice(0, 8));
  }
}

function codeOf(error: unknown): string | undefined {
  for (const each of causes(error)) {
    const code = systemCode(each);
    if (code !== undefined && /^(?:E[A-Z]+|UND_ERR_\w+|ERR_(?:TLS|SSL)_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/.test(code))
      return code;
  }
  return undefined;
}

function isNetworkError(error: unknown): boolean {
  for (const each of causes(error)) {
    if (each instanceof TypeError && /^(?:fetch failed|terminated|failed to fetch)$/i.test(each.message)) return true;
  }
  return false;
}

function deepest(error: unknown): string {
  let last = '';
  for (const each of causes(error)) if (each.message !== '') last = each.message;
  return last;
}

/** As the header says, in seconds or as a date; or as Google does, in the details of its answer. */
function retryAfter(
  headers: Record<string, unknown>,
  details: readonly unknown[],
  now: () => number,
): { readonly retryAfterMs?: number } {
  const { 'retry-after-ms': exact, 'retry-after': plain } = headers;
  const delay = details.find((each) => isRecord(each) && typeof each.retryDelay === 'string');
  const ms =
    milliseconds(exact, 1) ??
    milliseconds(plain, 1000) ??
    (typeof plain === 'string' && !Number.isNaN(Date.parse(plain)) ? Date.parse(plain) - now() : undefined) ??
    milliseconds(isRecord(delay) ? String(delay.retryDelay).replace(/s$/, '') : undefined, 1000);
  return ms === undefined ? {} : { retryAfterMs: Math.max(0, Math.round(ms)) };
}

function milliseconds(value: unknown, unit: number): number | undefined {
  return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) * unit : undefined;
}

function worded(words: unknown): { readonly words?: string } {
  return typeof words === 'string' && words !== '' ? { words } : {};
}
