/** What programs of agents say when they fail, sorted: what is wrong, and what to do. */
import type { CliEnd, CliFailure, CliFailureCode } from './cli-agent.ts';

export interface Words {
  readonly program: string;
  readonly login: string;
  /** How it says that a conversation is not there any more. */
  readonly noSession?: RegExp;
  /** What it says about itself, before all others. */
  readonly own?: readonly (readonly [RegExp, Omit<CliFailure, 'message'> & { readonly help: string }])[];
}

/** In this order: what names a key may name a model too. */
const sorts: readonly (readonly [CliFailureCode, RegExp])[] = [
  [
    'model-auth',
    /\b401\b|\b403\b|unauthori[sz]ed|authenticat|not logged in|log ?in required|please (?:run )?\/?log ?in|invalid (?:x-)?api[- _]?key|api[- _]?key (?:is )?(?:not|missing|invalid)|no api[- _]?key|set (?:an )?auth|credentials?\b.*\b(?:missing|invalid|expired)|(?:missing|invalid|expired|no) credentials?/i,
  ],
  [
    'model-rate',
    /\b429\b|\b529\b|rate.?limit|too many requests|usage limit|quota|overloaded|resource.?exhausted|insufficient (?:credit|balance)/i,
  ],
  [
    'model-unknown',
    /models?\b[^\n]{0,120}\b(?:not found|not have access|may not exist|does not exist|doesn't exist|not exist|not supported|unknown|invalid|not available|no access)|(?:unknown|invalid|no such|unsupported) model|not_found_error/i,
  ],
  [
    'model-connection',
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|connection (?:error|refused|reset|closed)|could not connect|network (?:error|is unreachable)|timed out|fetch failed|stream disconnected/i,
  ],
];

export function explainWith(words: Words, end: CliEnd): CliFailure {
  const { program, login, noSession, own = [] } = words;
  const said = shorten(end.said.trim());
  if (noSession?.test(said)) {
    return {
      code: 'session',
      message: `"${program}" does not have the conversation any more: ${said}`,
      retryable: true,
    };
  }
  for (const [pattern, { code, retryable, help }] of own) {
    if (pattern.test(said)) return { code, retryable, message: `"${program}" did not begin: ${said}\n${help}` };
  }
  const code = sorts.find(([, pattern]) => pattern.test(said))?.[0];
  switch (code) {
    case 'model-auth':
      return { code, retryable: false, message: `the login of "${program}" was not taken: ${said}\n${login}` };
    case 'model-rate':
      return { code, retryable: true, message: `"${program}" may not ask its model at the moment: ${said}` };
    case 'model-unknown':
      return {
        code,
        retryable: false,
        message: `"${program}" does not have this model: ${said}\nCorrect "model" of the agent, or leave it out: then it takes its own.`,
      };
    case 'model-connection':
      return { code, retryable: true, message: `"${program}" did not reach its model: ${said}` };
    default:
      return {
        code: code ?? 'model',
        retryable: true,
        message: `"${program}" ${howOf(end)}${said === '' ? '' : `: ${said}`}`,
      };
  }
}

function howOf({ code, signal }: CliEnd): string {
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? 'ended without an answer' : `failed with the exit code ${code}`;
}

const most = 1200;

/** What it said last says most. */
function shorten(text: string): string {
  return text.length <= most ? text : `…${text.slice(text.length - most)}`;
}
