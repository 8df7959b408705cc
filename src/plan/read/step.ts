/** The parts of a step and of an approval that are blocks themselves, and what the keys of a step say together. */
import type { ToonKey } from '../../toon/index.ts';
import type { DraftStep, DraftText } from '../draft.ts';
import { duration } from './duration.ts';
import { type Block, keyIn, readBlock, reportMissing, shape, type Written } from './keys.ts';
import { guess, indentOf, isNothing, type Read, type Reader, report, written, wrongKind } from './reader.ts';
import { count, oneOf, version } from './scalar.ts';
import { longText, texts } from './text.ts';

type Retry = NonNullable<DraftStep['retry']>;

/** Of these a step has one. */
export const actions = ['prompt', 'promptFrom', 'run', 'handler'];

const retryKeys = { maxAttempts: count, backoff: oneOf('fixed', 'linear', 'exponential'), initialDelay: duration };
const retryShape = shape('"retry"', retryKeys);
const cacheShape = shape('"cache"', { by: texts, version }, 'by');
const requestShape = shape('"request"', { title: longText, summary: longText }, 'title');

export const retry: Read<Block<typeof retryKeys>> = (r, entry) => {
  const { key, value } = entry;
  if (value.kind === 'object' && !isNothing(value)) return readBlock(r, value, retryShape);
  const flat = value.kind === 'number' ? { fix: guess(key.span, 'maxAttempts') } : {};
  return wrongKind(r, entry, 'a block with maxAttempts, backoff and initialDelay', flat);
};

export const cache: Read<NonNullable<DraftStep['cache']>> = (r, entry) => {
  const { value } = entry;
  if (value.kind !== 'object' || isNothing(value)) return wrongKind(r, entry, 'a block with by and version');
  const { by = [], version } = readBlock(r, value, cacheShape).values;
  return { by, version };
};

/** What an approval asks. */
export const request: Read<{ title?: DraftText; summary?: DraftText }> = (r, entry) => {
  const { key, value } = entry;
  if (value.kind === 'object' && !isNothing(value)) return readBlock(r, value, requestShape).values;
  const expected = 'a block with title and summary';
  if (value.kind !== 'string' || value.text.trim() === '') return wrongKind(r, entry, expected);
  const block = `:\n${indentOf(r, key.span.start)}  title: ${written(r, value.span)}`;
  wrongKind(r, entry, expected, {
    fix: { title: 'make it the title', edits: [{ span: { start: key.span.end, end: value.span.end }, text: block }] },
  });
  return undefined;
};

/** `maxAttempts` stands beside `retry` or in it. */
export function retryPolicy(flat: number | undefined, block: Block<typeof retryKeys> | undefined): Retry | undefined {
  if (flat === undefined && !block) return undefined;
  const { maxAttempts = flat, backoff, initialDelay } = block?.values ?? {};
  return { maxAttempts, backoff, initialDelayMs: initialDelay };
}

/** A step does exactly one thing; agents are for prompts; attempts are counted once. */
export function checkStep(r: Reader, block: Written & { values: { retry?: Block<typeof retryKeys> } }): void {
  const written: ToonKey[] = [];
  for (const name of actions) {
    const key = keyIn(block, name);
    if (key) written.push(key);
  }
  if (written.length > 1) written.sort((a, b) => a.span.start - b.span.start);
  const first = written[0];
  const others = written.slice(1);
  for (const other of others)
    clash(r, other, first ?? other, `a step has "${first?.text}" or "${other.text}", not both`);
  const agent = keyIn(block, 'agent');
  const prompt = keyIn(block, 'prompt') ?? keyIn(block, 'promptFrom');
  // Which of two is too many decides whether an agent is missing.
  if (prompt && !agent && others.length === 0) reportMissing(r, prompt.span, `a step with "${prompt.text}"`, 'agent');
  if (agent && first && !prompt) clash(r, agent, first, `"agent" belongs to a prompt, not to "${first.text}"`);
  const given = keyIn(block, 'with');
  if (given && first && !prompt && !agent) clash(r, given, first, `"with" is for thunks, not for "${first.text}"`);
  checkAttempts(r, block);
}

/** Of whatever may be tried again. */
export function checkAttempts(r: Reader, block: Written & { values: { retry?: Block<typeof retryKeys> } }): void {
  const flat = keyIn(block, 'maxAttempts');
  const nested = block.values.retry && keyIn(block.values.retry, 'maxAttempts');
  if (flat && nested) {
    const [earlier, later] = flat.span.start < nested.span.start ? [flat, nested] : [nested, flat];
    clash(r, later, earlier, 'attempts are counted in "retry" or beside it, not in both places');
  }
}

/** Reported at the second of two keys of which one is too many. */
function clash(r: Reader, key: ToonKey, other: ToonKey, why: string): void {
  report(r, 'TOO4006', key.span, why, {
    help: 'Remove one of the two.',
    related: [{ source: r.source, span: other.span, message: `"${other.text}" is here` }],
  });
}
