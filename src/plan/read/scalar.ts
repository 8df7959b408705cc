/** Values of few forms: whole numbers, yes or no, one of some words, versions. */
import { closest, didYouMean } from '../../text/index.ts';
import { guess, listed, type Read, replace, report, shown, uncommented, wrongKind } from './reader.ts';
import { plainWord } from './text.ts';

/** A whole number from 1 on. */
export const count: Read<number> = (r, entry) => {
  const { key } = entry;
  const value = uncommented(r, entry.value);
  const expected = 'a whole number from 1 on';
  const text = value.kind === 'string' ? value.text.trim() : '';
  if (/^[1-9][0-9]{0,8}$/.test(text)) {
    wrongKind(r, entry, expected, { fix: replace(value.span, text) });
    return Number(text);
  }
  if (value.kind !== 'number') return wrongKind(r, entry, expected);
  if (Number.isSafeInteger(value.value) && value.value >= 1) return value.value;
  const near = Math.max(1, Math.round(value.value));
  return report(r, 'TOO4010', value.span, `"${key.text}" takes ${expected}, not ${value.value}`, {
    ...(Number.isSafeInteger(near) && { fix: guess(value.span, String(near)) }),
  });
};

export const flag: Read<boolean> = (r, entry) => {
  const value = uncommented(r, entry.value);
  if (value.kind === 'boolean') return value.value;
  const meant = value.kind === 'string' ? answers.get(value.text.trim().toLowerCase()) : undefined;
  wrongKind(r, entry, 'true or false', meant === undefined ? {} : { fix: replace(value.span, String(meant)) });
  return meant;
};

const answers: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

export function oneOf<T extends string>(...choices: readonly T[]): Read<T> {
  return (r, entry) => {
    const { key } = entry;
    const value = uncommented(r, entry.value);
    const expected = listed(choices, 'or');
    if (value.kind !== 'string') return wrongKind(r, entry, expected);
    const found = choices.find((choice) => choice === value.text);
    if (found !== undefined) return found;
    const near = closest(value.text, choices);
    report(
      r,
      'TOO4009',
      value.span,
      `"${key.text}" takes ${expected}, not ${shown(value.text)}${near ? `.${didYouMean(near)}` : ''}`,
      {
        ...(near !== undefined && { fix: replace(value.span, near) }),
      },
    );
    return choices.find((choice) => choice === near);
  };
}

/** A number or a text. */
export const version: Read<string> = (r, entry) => {
  const value = uncommented(r, entry.value);
  if (value.kind === 'number') return String(value.value);
  if (value.kind === 'string') return plainWord(r, entry)?.text;
  return wrongKind(r, entry, 'a number or a text');
};
