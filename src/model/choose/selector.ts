/**
 * Selectors of models, for the command line and the configuration: `openai/*`, `gpt-5*`, `[provider:openrouter]`,
 * `[tools:native]qwen/*`. Conditions in brackets and the pattern behind them must all hold; of several selectors one.
 * A pattern is compared with `provider/model` and with the model alone; a provider's name stands for all of its models.
 */
import { closest, didYouMean, fitsPattern } from '../../text/index.ts';
import { compatible, providerNames } from './providers.ts';

export interface Selectable {
  readonly ref: string;
  readonly provider: string;
  readonly id: string;
  readonly alias?: string;
  readonly tools: 'native' | 'text';
  readonly status: string;
}

export type ModelSelector = (model: Selectable) => boolean;

export type ModelSelectorRead =
  | { readonly ok: true; readonly selector: ModelSelector }
  | { readonly ok: false; readonly code: 'TOO7108'; readonly message: string; readonly help: string };

const values: Readonly<Record<string, readonly string[]>> = {
  provider: [...providerNames, compatible, 'scripted'],
  tools: ['native', 'text'],
  status: ['usable', 'no-key', 'not-running', 'wrong'],
};

export function readModelSelector(text: string): ModelSelectorRead {
  const tests: ModelSelector[] = [];
  let rest = text.trim();
  if (rest === '') return fail('a selector of models is empty.');
  while (rest.startsWith('[')) {
    const end = rest.indexOf(']');
    if (end === -1) return fail(`"${text}" has a "[" without its "]".`);
    const read = readCondition(rest.slice(1, end));
    if (typeof read !== 'function') return read;
    tests.push(read);
    rest = rest.slice(end + 1).trim();
  }
  if (/[\s[\]]/.test(rest)) return fail(`"${rest}" is no pattern: blanks and brackets stand in no name.`);
  if (rest !== '') tests.push(patternTest(rest));
  return { ok: true, selector: (model) => tests.every((test) => test(model)) };
}

/** Whether a word is one model's name, and no selector. */
export function isModelName(word: string): boolean {
  return !/[*[\]]/.test(word) && !providerNames.includes(word.trim()) && word.trim() !== '';
}

function readCondition(inside: string): ModelSelector | Extract<ModelSelectorRead, { ok: false }> {
  const colon = inside.indexOf(':');
  const [key, value] = colon === -1 ? [inside, ''] : [inside.slice(0, colon).trim(), inside.slice(colon + 1).trim()];
  const known = Object.hasOwn(values, key) ? values[key] : undefined;
  if (known === undefined) {
    const near = closest(key, Object.keys(values));
    return fail(`"[${key}:…]" is no condition of models.${didYouMean(near && `[${near}:…]`)}`);
  }
  const test = (word: string) => fitsPattern(value, word);
  if (!known.some(test)) {
    const what = value === '' ? `"[${key}:]" is followed by nothing.` : `"${value}" is no ${key} of models.`;
    return fail(
      `${what}${didYouMean(closest(value, known))}`,
      `Write one of ${known.map((each) => `[${key}:${each}]`).join(', ')}.`,
    );
  }
  if (key === 'provider') return ({ provider }) => test(provider);
  return key === 'tools' ? ({ tools }) => test(tools) : ({ status }) => test(status);
}

function patternTest(written: string): ModelSelector {
  const pattern = written.toLowerCase();
  const fits = (text: string | undefined) => text !== undefined && fitsPattern(pattern, text.toLowerCase());
  // `openai/*` are the models of OpenAI, and not those that a router has of it.
  const [first = ''] = pattern.split('/', 1);
  const isWhole = first !== pattern && providerNames.includes(first);
  return ({ ref, provider, id, alias }) => fits(ref) || (!isWhole && fits(id)) || fits(alias) || provider === pattern;
}

function fail(
  message: string,
  help = 'Write a pattern such as openai/* or gpt-5*, or a condition such as [provider:openrouter].',
) {
  return { ok: false, code: 'TOO7108', message, help } as const;
}
