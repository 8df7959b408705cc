/** The scripted model: gives the reply that was taken for a call, word by word if it has a pace. */
import type { Clock } from '../sys/index.ts';
import { callLength, estimateTokens, type Model, type ModelError, type ModelUsage } from './model.ts';
import type { Reply } from './script.ts';

export type TextRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

export interface ScriptedOptions {
  readonly reply: Reply;
  readonly clock: Clock;
  /** Reads a file of `textFrom`, from the folder of the script. */
  readonly readText: (path: string) => Promise<TextRead>;
}

export const scriptedRef = 'scripted';

export function createScriptedModel({ reply, clock, readText }: ScriptedOptions): Model {
  return {
    ref: scriptedRef,
    async generate(call, { signal, onPart }) {
      signal.throwIfAborted();
      const { answer } = reply;
      const usageFor = (output: number): ModelUsage => ({
        inputTokens: reply.usage?.inputTokens ?? estimateTokens(callLength(call)),
        outputTokens: reply.usage?.outputTokens ?? estimateTokens(output),
        cost: reply.price ?? 0,
      });
      if (answer.kind === 'error' || answer.kind === 'failure') {
        // A service that fails asks for money only where the script says so.
        const paid = reply.usage !== undefined || reply.price !== undefined;
        const error = answer.kind === 'error' ? statusError(answer.status) : failure(answer.message);
        return { ok: false, error, ...(paid && { usage: usageFor(0) }) };
      }
      let text: string;
      if (answer.kind === 'file') {
        const read = await readText(answer.path);
        signal.throwIfAborted();
        if (!read.ok) {
          const message = `the reply at ${reply.at} cannot be read: ${read.message}`;
          return { ok: false, error: { code: 'script', message, retryable: false } };
        }
        ({ text } = read);
      } else ({ text } = answer);
      if (reply.paceMs === undefined) onPart?.({ kind: 'text', text });
      else await playWords(text, reply.paceMs);
      return { ok: true, answer: { text, usage: usageFor(text.length), finish: reply.cut ? 'cut' : 'stop' } };

      async function playWords(whole: string, paceMs: number): Promise<void> {
        let first = true;
        for (const word of words(whole)) {
          if (!first) await clock.sleep(paceMs, signal);
          first = false;
          onPart?.({ kind: 'text', text: word });
        }
      }
    },
  };
}

/** With the blanks behind them: together they are the text. */
export function words(text: string): readonly string[] {
  return text.match(/^\s+$|\s*\S+\s*/g) ?? [];
}

const meanings: ReadonlyMap<number, string> = new Map([
  [400, 'the request is malformed'],
  [401, 'the key is missing or wrong'],
  [403, 'the key may not do this'],
  [404, 'there is no such model'],
  [408, 'it took too long'],
  [413, 'the request is too large'],
  [429, 'too many requests'],
  [500, 'it failed'],
  [502, 'it cannot be reached'],
  [503, 'it is overloaded'],
  [504, 'it took too long'],
  [529, 'it is overloaded'],
]);

/** What a service says by its number: what may go well later is retryable. */
export function statusError(status: number): ModelError {
  const meaning = meanings.get(status);
  const retryable = status >= 500 || status === 408 || status === 409 || status === 425 || status === 429;
  const message = `the model's service answered ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  return { code: 'model', message, retryable, status };
}

/** A failure in words is one of the way to the service: a connection that broke, a name that was not found. */
function failure(message: string): ModelError {
  return { code: 'model', message, retryable: true };
}
