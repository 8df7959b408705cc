/** How OpenAI says that a request is not in order; chat completions and responses say it alike. */
import type { Failed } from './answer.ts';
import { type Look, type Whole, whole } from './service.ts';
import type { Path, Problem } from './shape.ts';

export interface OpenAIError {
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
  readonly type?: string;
}

export function openaiBody({ message, param, code, type = 'invalid_request_error' }: OpenAIError): unknown {
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

export const refuse = (error: OpenAIError, status = 400): Look => whole(status, openaiBody(error));

/** `messages[0].content[1].type`. */
export function dotted(path: Path): string {
  return path.reduce<string>((all, part) => {
    if (typeof part === 'number') return `${all}[${part}]`;
    return all === '' ? part : `${all}.${part}`;
  }, '');
}

export function openaiWords(problem: Problem): Look {
  const param = dotted(problem.path);
  const at = `'${param}'`;
  switch (problem.kind) {
    case 'unknown': {
      const name = dotted([...problem.path, problem.name]);
      return refuse({ message: `Unknown parameter: '${name}'.`, param: name, code: 'unknown_parameter' });
    }
    case 'missing':
      return refuse({ message: `Missing required parameter: ${at}.`, param, code: 'missing_required_parameter' });
    case 'type': {
      const expected = problem.expected.split('|').map(typeWord);
      const one = expected.length > 1 ? `one of ${expected.join(' or ')}` : expected[0];
      const message = `Invalid type for ${at}: expected ${one}, but got ${gotWord(problem.got)} instead.`;
      return refuse({ message, param, code: 'invalid_type' });
    }
    case 'choice': {
      const choices = problem.choices.map((choice) => `'${choice}'`);
      const last = choices.pop();
      const supported = choices.length === 0 ? last : `${choices.join(', ')}, and ${last}`;
      const message = `Invalid value: '${String(problem.got)}'. Supported values are: ${supported}.`;
      return refuse({ message, param, code: 'invalid_value' });
    }
    case 'low':
    case 'high': {
      const word = Number.isInteger(problem.limit) && Number.isInteger(problem.got) ? 'integer' : 'decimal';
      const [name, code, sign] =
        problem.kind === 'low' ? ['below minimum', 'below_min', '>='] : ['above maximum', 'above_max', '<='];
      const message = `Invalid ${at}: ${word} ${name} value. Expected a value ${sign} ${problem.limit}, but got ${problem.got} instead.`;
      return refuse({ message, param, code: `${word}_${code}_value` });
    }
    case 'short':
    case 'long':
      return lengthWords(problem.kind, param, problem.limit, problem.got);
    case 'pattern': {
      const message = `Invalid ${at}: string does not match pattern. Expected a string that matches the pattern '${problem.pattern}'.`;
      return refuse({ message, param, code: 'invalid_value' });
    }
  }
}

function lengthWords(kind: 'short' | 'long', param: string, limit: number, got: string | unknown[]): Look {
  const [word, one] = typeof got === 'string' ? ['string', 'a string'] : ['array', 'an array'];
  const bound = kind === 'short' ? 'minimum' : 'maximum';
  if (got.length === 0) {
    const message = `Invalid '${param}': empty ${word}. Expected ${one} with ${bound} length ${limit}, but got an empty ${word} instead.`;
    return refuse({ message, param, code: `empty_${word}` });
  }
  const message = `Invalid '${param}': ${word} too ${kind}. Expected ${one} with ${bound} length ${limit}, but got ${one} with length ${got.length} instead.`;
  return refuse({ message, param, code: `${word}_${kind === 'short' ? 'below_min' : 'above_max'}_length` });
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a decimal',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

const typeWord = (name: string): string => typeWords[name] ?? name;

function gotWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' && Number.isInteger(value) ? 'an integer' : typeWord(typeof value);
}

/** A key in the header `authorization`. */
export function bearer(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer (.+)$/i)?.[1];
}

export function openaiAuth(authorization: string | undefined, key: string): Look | undefined {
  const given = bearer(authorization);
  if (given === undefined) {
    const message =
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
    return refuse({ message }, 401);
  }
  if (given === key) return undefined;
  const message = `Incorrect API key provided: ${given}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  return refuse({ message, code: 'invalid_api_key' }, 401);
}

export const noModel = (model: string): Look =>
  refuse(
    { message: `The model \`${model}\` does not exist or you do not have access to it.`, code: 'model_not_found' },
    404,
  );

export const noJson: Look = refuse({
  message: 'We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.',
});

/** What a failure is to OpenAI: a status, and words. */
export function openaiFailed(failed: Failed, model: string, contextParam: string): Whole {
  const note = failed.note === undefined ? '' : ` ${failed.note}`;
  const say = (status: number, error: OpenAIError, headers?: Record<string, string>): Whole => ({
    status,
    body: openaiBody({ ...error, message: `${error.message}${note}` }),
    headers: { 'x-request-id': 'req_fake', ...headers },
  });
  switch (failed.fails) {
    case 'context':
      return say(400, {
        message:
          contextParam === 'input'
            ? 'Your input exceeds the context window of this model. Please adjust your input and try again.'
            : "This model's maximum context length is 128000 tokens. However, your messages resulted in 130721 tokens. Please reduce the length of the messages.",
        param: contextParam,
        code: 'context_length_exceeded',
      });
    case 'auth':
      return say(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' });
    case 'forbidden':
      return say(403, {
        message: 'Country, region, or territory not supported',
        type: 'request_forbidden',
        code: 'unsupported_country_region_territory',
      });
    case 'model':
      return say(404, {
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        code: 'model_not_found',
      });
    case 'large':
      return say(413, { message: 'Maximum content size limit (26214400) exceeded.', type: 'server_error' });
    case 'rate':
      return say(
        429,
        {
          message: `Rate limit reached for ${model} in organization org-fake on tokens per min (TPM): Limit 30000, Used 29500, Requested 1200. Please try again in ${failed.retryAfter ?? 1}s.`,
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
        failed.retryAfter === undefined ? {} : { 'retry-after': String(failed.retryAfter) },
      );
    case 'quota':
      return say(429, {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      });
    case 'unavailable':
    case 'overloaded':
      return say(503, { message: 'The engine is currently overloaded, please try again later', type: 'server_error' });
    default:
      return say(500, {
        message: 'The server had an error while processing your request. Sorry about that!',
        type: 'server_error',
      });
  }
}
