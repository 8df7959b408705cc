/** What every fake service is to the server: it looks at a request, refuses it, or writes an answer in its own format. */
import type { Failed, Said } from './answer.ts';

export interface FakeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As JSON; `undefined` where there is none or it is none. */
  readonly body: unknown;
  /** As it came. */
  readonly text: string;
}

/** What is answered where no answer is given: a refusal, a list of models, an error. */
export interface Whole {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Question {
  readonly model: string;
  readonly stream: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  /** What the service keeps of what it has said, by its ids. */
  readonly memory?: Map<string, unknown>;
}

/** `ask`: the request is in order, and the script says what comes back. */
export type Look =
  | { readonly kind: 'whole'; readonly whole: Whole }
  | { readonly kind: 'ask'; readonly question: Question; readonly voice: Voice };

/** How a service says things. */
export interface Voice {
  readonly streamType: string;
  /** One text for each event, as it goes over the wire; the ids are new ones. */
  readonly events: (said: Said, question: Question, ids: Ids) => string[];
  readonly whole: (said: Said, question: Question, ids: Ids) => unknown;
  readonly failed: (failed: Failed, question: Question) => Whole;
  /** An event that says that the service failed. */
  readonly errorEvent: (question: Question) => string;
  /** An event that is no JSON. */
  readonly garbageEvent: string;
}

export interface Service {
  readonly look: (request: FakeRequest, site: Site) => Look;
}

/** What the server knows. */
export interface Site {
  readonly key: string;
  readonly models: readonly string[];
  readonly memory: Map<string, unknown>;
}

/** Counts, so that the same test has the same ids. */
export type Ids = (prefix: string) => string;

export const whole = (status: number, body: unknown, headers?: Record<string, string>): Look => ({
  kind: 'whole',
  whole: headers === undefined ? { status, body } : { status, body, headers },
});

export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
