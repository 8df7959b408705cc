/** The scripted model: gives the reply that was taken for a call, word by word if it has a pace. */
import type { Clock } from '../sys/index.ts';
import {
  callLength,
  estimateTokens,
  type Model,
  type ModelError,
  type ModelErrorCode,
  type ModelResult,
  type ModelUsage,
} from './model.ts';
import type { Reply, ReplyFailure } from './script.ts';

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
    async generate(call, context) {
      const { signal, onPart } = context;
      signal.throwIfAborted();
      const { answer } = reply;
      const usageFor = (output: number): ModelUsage => ({
        inputTokens: reply.usage?.inputTokens ?? estimateTokens(callLength(call)),
        outputTokens: reply.usage?.outputTokens ?? estimateTokens(output),
        cost: reply.price ?? 0,
      });
      if (answer.kind === 'error' || answer.kind === 'failure') return failed(answer, false);
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
      // Most replies are a text, and need nothing of what reads the parts of others.
      if (reply.calls !== undefined || reply.reasoning !== undefined) {
        const { playParts } = await import('./scripted-parts.ts');
        const { written, ...played } = await playParts(reply, text, call, context, clock);
        if (reply.cutBy) return failed(reply.cutBy, written > 0);
        return ended({ ...played, usage: usageFor(written) });
      }
      if (text !== '') {
        if (reply.paceMs === undefined) onPart?.({ kind: 'text', text });
        else await playWords(text, reply.paceMs);
      }
      if (reply.cutBy) return failed(reply.cutBy, text !== '');
      return ended({ text, usage: usageFor(text.length), finish: reply.cut ? 'cut' : 'stop' });

      async function playWords(whole: string, paceMs: number): Promise<void> {
        let first = true;
        for (const word of words(whole)) {
          if (!first) await clock.sleep(paceMs, signal);
          first = false;
          onPart?.({ kind: 'text', text: word });
        }
      }

      function failed(failure: ReplyFailure, begun: boolean): ModelResult {
        // A service that fails asks for money only where the script says so.
        const paid = reply.usage !== undefined || reply.price !== undefined;
        const error = failure.kind === 'error' ? statusError(failure.status) : connectionError(failure.message);
        return { ok: false, error: begun ? { ...error, begun } : error, ...(paid && { usage: usageFor(0) }) };
      }
    },
  };
}

function ended(answer: Extract<ModelResult, { ok: true }>['answer']): ModelResult {
  if (answer.finish !== 'stop' || answer.text.trim() !== '') return { ok: true, answer };
  const error: ModelError = { code: 'model-empty', message: 'the model answered nothing', retryable: true };
  return { ok: false, error, usage: answer.usage };
}

/** With the blanks behind them: together they are the text. */
export function words(text: string): readonly string[] {
  return text.match(/^\s+$|\s*\S+\s*/g) ?? [];
}

const meanings: ReadonlyMap<number, readonly [ModelErrorCode, string]> = new Map([
  [400, ['model-request', 'the request is malformed']],
  [401, ['model-auth', 'the key is missing or wrong']],
  [402, ['model-rate', 'nothing is left on the account']],
  [403, ['model-auth', 'the key may not do this']],
  [404, ['model-unknown', 'there is no such model']],
  [408, ['model-service', 'it took too long']],
  [413, ['model-context', 'the request is too large']],
  [429, ['model-rate', 'too many requests']],
  [500, ['model-service', 'it failed']],
  [502, ['model-service', 'it cannot be reached']],
  [503, ['model-service', 'it is overloaded']],
  [504, ['model-service', 'it took too long']],
  [529, ['model-service', 'it is overloaded']],
]);

/** What a service says by its number: what may go well later is retryable. */
export function statusError(status: number): ModelError {
  const retryable = status >= 500 || status === 408 || status === 409 || status === 425 || status === 429;
  const [code, meaning] = meanings.get(status) ?? [retryable ? 'model-service' : 'model-request', undefined];
  const message = `the model's service answered ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  return { code, message, retryable, status };
}

/** A failure in words is one of the way to the service: a connection that broke, a name that was not found. */
function connectionError(message: string): ModelError {
  return { code: 'model-connection', message, retryable: true };
}
