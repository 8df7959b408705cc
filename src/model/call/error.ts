/** What went wrong with a call, as an error of a model: typed, in plain words, without secrets. */
import type { Redactor } from '../../sys/index.ts';
import type { ModelError, ModelErrorCode } from '../model.ts';
import { type Failure, readFailure } from './failure.ts';

/** What is wrong with a call before anything is sent. */
export interface Refusal extends Error {
  readonly refusal: ModelErrorCode;
}

/** Who is asked, as messages have it. */
export interface Asked {
  readonly ref: string;
  readonly id: string;
  readonly address: string | undefined;
  readonly keyName?: string | undefined;
  readonly redactor?: Redactor;
  readonly now: () => number;
}

/** The request cannot be sent so. */
export function refused(message: string): Refusal {
  return Object.assign(new Error(message), { refusal: 'model-request' as const });
}

/** A key, or something like it, is missing. */
export function lacking(message: string): Refusal {
  return Object.assign(new Error(message), { refusal: 'model-key' as const });
}

/** What came cannot be an answer. */
export function broken(message: string): Refusal {
  return Object.assign(new Error(message), { refusal: 'model-service' as const });
}

/** In a stream, what is no error of a known kind is something that the provider's package could not read. */
export function streamError(error: unknown, asked: Asked): ModelError {
  const isKnown = isRefusal(error) || readFailure(error, asked.now).kind !== 'other';
  return isKnown ? modelError(error, asked) : plainError(asked, 'model-service', unreadable, true);
}

const unreadable = 'its service sent something that cannot be read';

export function modelError(error: unknown, asked: Asked): ModelError {
  if (isRefusal(error)) {
    return { code: error.refusal, message: `the model ${asked.ref}: ${clean(error.message, asked)}`, retryable: false };
  }
  const failure = readFailure(error, asked.now);
  const { code, retryable, what } = judge(failure, asked);
  const { status, retryAfterMs } = failure;
  return {
    code,
    message: `the model ${asked.ref}${at(asked)}: ${what}${says(failure, asked)}`,
    retryable,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** An error that is known from what came. */
export function plainError(asked: Asked, code: ModelErrorCode, what: string, retryable: boolean): ModelError {
  return { code, message: `the model ${asked.ref}${at(asked)}: ${clean(what, asked)}`, retryable };
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'refusal' in error;
}

interface Judgement {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly what: string;
}

function judge(failure: Failure, asked: Asked): Judgement {
  switch (failure.kind) {
    case 'connection':
      return judgeConnection(failure);
    case 'unreadable':
      return { code: 'model-service', retryable: true, what: unreadable };
    case 'whole':
      return {
        code: 'model-request',
        retryable: false,
        what: 'its service answered as a whole, and not as the stream that was asked for',
      };
    case 'unsupported':
      return { code: 'model-request', retryable: false, what: 'it does not take all of the request' };
    case 'page':
      return judgePage(failure.status ?? 200);
    case 'answer':
      return judgeAnswer(failure, asked);
    case 'other':
      return { code: 'model', retryable: false, what: 'the call failed' };
  }
}

function judgePage(status: number): Judgement {
  const what = `its service answered ${status} with a page for people, not with data`;
  if (status >= 500) return { code: 'model-service', retryable: true, what };
  return {
    code: status === 404 ? 'model-unknown' : 'model-request',
    retryable: false,
    what: `${what}. Is the address right?`,
  };
}

/** What the words of services have in common where a request is too long for a model. */
const tooLong = [
  /context_length_exceeded|exceed_context_size|string_above_max_length|request_too_large|model_context_window_exceeded/,
  /(?:prompt|input|request|messages?|conversation) (?:is|are|was|were) too (?:long|large)/i,
  /prompt too long/i,
  /(?:maximum|max|available|model'?s?) (?:context|prompt) (?:length|size|window)/i,
  /exceeds? (?:the )?(?:model'?s |available |maximum )*(?:context|input length)/i,
  /context (?:window|length|size|limit)[^.]*(?:exceed|overflow|reached|too (?:small|short))/i,
  /exceed[^.]*context (?:window|length|size|limit)/i,
  /input token count[^.]*exceeds/i,
  /greater than the context length/i,
  /too large for model with \d+ maximum context length/i,
];

/** Nothing is left on the account: to ask again does not help. */
const noMoney =
  /insufficient_quota|billing_error|billing_hard_limit|insufficient[ _](?:balance|credits?|funds)|credit balance is too low/i;

const wrongKey =
  /authentication_error|permission_error|invalid_api_key|API_KEY_INVALID|UNAUTHENTICATED|PERMISSION_DENIED|api key not valid/i;
const noModel =
  /model_not_found|invalid_model|not_found_error|models?[ /:][`'"]?[^\s`'"]*[`'"]?,? (?:is |was )?(?:not found|does not exist)|model not (?:exist|found)|not a valid model id|unknown model/i;
const tooMany = /rate_limit|too_many_requests|RESOURCE_EXHAUSTED/i;
/** Types of errors that are about the request, whatever number comes with them: in a stream there is none, or one made up. */
const ofRequest =
  /invalid_request_error|rate_limit_error|authentication_error|permission_error|not_found_error|request_too_large|billing_error/;
const ofService = /server_error|internal_error|unavailable|overloaded|timeout_error/i;

/** Patterns are tried on no more than this, whatever a service sends. */
const mostJudged = 4000;

function judgeAnswer({ status, names, words = '' }: Failure, asked: Asked): Judgement {
  const said = `${names.join(' ')} ${words}`.slice(0, mostJudged);
  const number = status === undefined || status < 400 ? '' : ` (${status})`;
  const key = asked.keyName === undefined ? 'the request without a key' : `the key in ${asked.keyName}`;
  const named = names.join(' ').slice(0, mostJudged);
  // Some services say `invalid_request_error` beside every other name.
  const isNamed = ofRequest.test(named) && !ofService.test(named);
  const isRequest = status === undefined || status < 500 || isNamed;
  if (status === 413 || (isRequest && status !== 429 && tooLong.some((each) => each.test(said)))) {
    return { code: 'model-context', retryable: false, what: `the messages are too long for it${number}` };
  }
  if (status === 402 || (isRequest && noMoney.test(said))) {
    return { code: 'model-rate', retryable: false, what: `nothing is left on the account${number}` };
  }
  if (status === 401 || status === 403 || (isRequest && wrongKey.test(said))) {
    return { code: 'model-auth', retryable: false, what: `its service does not take ${key}${number}` };
  }
  if (status === 404 || ((status === 400 || status === undefined || isNamed) && noModel.test(said))) {
    return { code: 'model-unknown', retryable: false, what: `its service knows no model "${asked.id}"${number}` };
  }
  if (status === 429 || (isRequest && tooMany.test(said))) {
    return { code: 'model-rate', retryable: true, what: `too many requests${number}` };
  }
  const isLate = status === 408 || status === 409 || status === 425;
  const isItsFault = status === undefined || status < 400 || status >= 500;
  if (isLate || (isItsFault && !isNamed)) {
    const what = /overloaded/.test(said) || status === 529 ? 'its service is overloaded' : 'its service failed';
    return { code: 'model-service', retryable: true, what: `${what}${number}` };
  }
  return { code: 'model-request', retryable: false, what: `its service does not take the request${number}` };
}

const connectionWords: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nobody answers there: the connection was refused'],
  ['ECONNRESET', 'the connection broke off'],
  ['EPIPE', 'the connection broke off'],
  ['UND_ERR_SOCKET', 'the connection broke off'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'the name of the host was not found; is there a network?'],
  ['EHOSTUNREACH', 'the host is not reached'],
  ['ENETUNREACH', 'the network is not reached'],
  ['ETIMEDOUT', 'the connection took too long'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection took too long'],
  ['UND_ERR_HEADERS_TIMEOUT', 'the answer took too long to begin'],
  ['UND_ERR_BODY_TIMEOUT', 'the answer stood still for too long'],
]);

function judgeConnection({ systemCode: code, words }: Failure): Judgement {
  // Browsers and Node know ports that are for other things, and ask nobody there.
  if (words === 'bad port') return { code: 'model-request', retryable: false, what: 'its port is not one of the web' };
  const isTrust = code !== undefined && /CERT|TLS|SSL|UNABLE_TO|EPROTO/.test(code);
  if (isTrust)
    return { code: 'model-connection', retryable: false, what: `the connection cannot be trusted (${code})` };
  const what = connectionWords.get(code ?? '') ?? 'the connection failed';
  return { code: 'model-connection', retryable: true, what: code === undefined ? what : `${what} (${code})` };
}

function at({ address }: Asked): string {
  return address === undefined ? '' : ` (${address})`;
}

/** The service's own words; those of a system are told by its code. */
function says({ kind, words, systemCode }: Failure, asked: Asked): string {
  if (words === undefined || kind === 'page' || kind === 'whole' || (kind === 'connection' && systemCode !== undefined))
    return '';
  const text = clean(words, asked);
  if (text === '') return '';
  return kind === 'answer' ? `. It says: ${text}` : `: ${text}`;
}

const longest = 400;

/** On one line, cut, and without keys: services repeat those that they do not take. */
function clean(text: string, { redactor }: Asked): string {
  const plain = (redactor?.text(text) ?? text).replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const units = [...plain];
  return units.length <= longest ? plain : `${units.slice(0, longest).join('')}…`;
}
