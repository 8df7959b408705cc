/**
 * Several models in an order of preference, as one.
 * 1. The next is asked only where the one before could not be: no key, no connection, too many requests, a service that failed;
 *    and only as long as nothing of an answer came. Whatever else is wrong would be as wrong with the next, or is a mistake
 *    that somebody has to know of: a key that is not taken, a request that is too long. One that has cost something has begun.
 * 2. Each that is left out is told at once, with the reason.
 */
import type { Model, ModelCall, ModelContext, ModelError, ModelErrorCode, ModelResult, ModelUsage } from './model.ts';

const unusable: ReadonlySet<ModelErrorCode> = new Set(['model-key', 'model-connection', 'model-rate', 'model-service']);

/** `open` is called for a candidate when it is its turn, once. */
export function createPreferredModel<C extends { readonly ref: string }>(
  candidates: readonly C[],
  open: (candidate: C) => Promise<Model>,
): Model {
  const [first] = candidates;
  if (first === undefined) throw new Error('there is no model to prefer');
  const opened = new Map<C, Promise<Model>>();
  return { ref: first.ref, generate };

  async function generate(call: ModelCall, context: ModelContext): Promise<ModelResult> {
    const failed: { readonly ref: string; readonly error: ModelError }[] = [];
    let spent: ModelUsage | undefined;
    for (const candidate of candidates) {
      const { ref } = candidate;
      const model = await modelOf(candidate);
      const { onLost } = context;
      const lost = onLost && ((usage: ModelUsage) => onLost(added(spent, usage)));
      const result = await model.generate(call, lost ? { ...context, onLost: lost } : context);
      if (result.ok) {
        return { ok: true, answer: { ...result.answer, usage: added(spent, result.answer.usage), model: ref } };
      }
      const { usage } = result;
      // What has cost something has answered, whatever came of it; and no more is set aside than the dearest of them costs.
      const error = (usage?.cost ?? 0) > 0 ? { ...result.error, begun: true as const } : result.error;
      if (usage !== undefined) spent = added(spent, usage);
      failed.push({ ref, error });
      if (error.begun || !unusable.has(error.code)) break;
      if (failed.length < candidates.length) context.onSkip?.({ ref, error });
    }
    return { ok: false, error: together(failed, candidates.length), ...(spent && { usage: spent }) };
  }

  function modelOf(candidate: C): Promise<Model> {
    const before = opened.get(candidate);
    if (before !== undefined) return before;
    const model = open(candidate);
    opened.set(candidate, model);
    return model;
  }
}

/** One that could not be left out says what is wrong; where all were, the first that may be there later. */
function together(failed: readonly { readonly ref: string; readonly error: ModelError }[], count: number): ModelError {
  const last = failed.at(-1)?.error;
  if (last === undefined) throw new Error('no model was asked');
  if (failed.length === 1 && (count === 1 || last.begun || !unusable.has(last.code))) return last;
  const areAll = !last.begun && unusable.has(last.code);
  const errors = failed.map(({ error }) => error);
  const told = areAll ? (errors.find(({ retryable }) => retryable) ?? last) : last;
  const head = areAll ? 'none of the models can be asked' : 'the model that was asked instead failed';
  const waits = errors.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const { retryAfterMs: _, ...rest } = told;
  return {
    ...rest,
    message: `${head}:\n${failed.map(({ ref, error }) => `  ${named(ref, error)}`).join('\n')}`,
    ...(waits.length > 0 && { retryAfterMs: Math.min(...waits) }),
  };
}

/** Most say themselves which one they are of. */
function named(ref: string, { message }: ModelError): string {
  return message.startsWith(`the model ${ref}`) ? message : `${ref}: ${message}`;
}

/** What one that failed has cost is part of what the call costs. */
function added(a: ModelUsage | undefined, b: ModelUsage): ModelUsage {
  if (a === undefined) return b;
  const read = (a.cacheReadTokens ?? 0) + (b.cacheReadTokens ?? 0);
  const written = (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0);
  const isPriced = a.cost !== undefined && b.cost !== undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(read > 0 && { cacheReadTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(isPriced && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  };
}
