/** The values of a reply's keys. Each gives undefined where there is nothing to use, which has been reported. */
import { quote, type ToonEntry, type ToonValue, toPlain } from '../toon/index.ts';
import type { Reply, ReplyFailure } from './script.ts';
import { readKeys, type ScriptReader, wrongKind } from './script-keys.ts';

export function text(r: ScriptReader, entry: ToonEntry): string | undefined {
  const { value } = entry;
  if (value.kind === 'string') return value.text;
  if (value.kind === 'array') return textLines(r, entry)?.join('\n');
  if (value.kind !== 'number' && value.kind !== 'boolean' && value.kind !== 'null') {
    return wrongKind(r, entry, 'a text', { help: 'A text stands on one line, or is a list of its lines.' });
  }
  return unquoted(r, entry);
}

/** A text as a list of its lines. */
export function textLines(r: ScriptReader, entry: ToonEntry): readonly string[] | undefined {
  const { value, key } = entry;
  if (value.kind !== 'array') return wrongKind(r, entry, 'a list of lines');
  const lines: string[] = [];
  for (const item of value.items) {
    if (item.kind === 'string') lines.push(item.text);
    else if (item.kind === 'number' || item.kind === 'boolean' || item.kind === 'null') {
      return unquoted(r, { key, value: item } as ToonEntry);
    } else return wrongKind(r, entry, 'a text, or a list of its lines');
  }
  return lines;
}

/** What would be a text in quotes. */
function unquoted(r: ScriptReader, entry: ToonEntry): undefined {
  const { span } = entry.value;
  const quoted = quote(r.source.text.slice(span.start, span.end));
  return wrongKind(r, entry, 'a text', {
    help: `In quotes it is a text: ${quoted}.`,
    fix: { title: `write ${quoted}`, edits: [{ span, text: quoted }] },
  });
}

/** A text that says something. */
export function path(r: ScriptReader, entry: ToonEntry, expected = 'the path of a file'): string | undefined {
  const { value } = entry;
  if (value.kind === 'string' && value.text.trim() !== '') return value.text;
  return value.kind === 'string' ? wrongKind(r, entry, expected) : text(r, entry);
}

export function name(r: ScriptReader, entry: ToonEntry): string | undefined {
  const { value } = entry;
  const help = 'Write the id of a step, an agent, or the id of a node such as polish[2]/review.';
  if (value.kind !== 'string') return text(r, entry) ?? undefined;
  const given = value.text;
  if (given === '') return wrongKind(r, entry, 'the name of who is answered', { help });
  const attempt = /^([^#\s]+)#[0-9]+(?:\/model#[0-9]+)?$/.exec(given);
  if (attempt) {
    const [, plain = ''] = attempt;
    r.report('TOO7005', value.span, `"${given}" names one attempt; replies are for all attempts of a node`, {
      help: 'The replies for a node are given in order, one for each attempt.',
      fix: { title: `write ${plain}`, edits: [{ span: value.span, text: value.quoted ? quote(plain) : plain }] },
    });
    return undefined;
  }
  if (/^[^\s#/]+(?:\/[^\s#/]+)*$/.test(given)) return given;
  r.report(
    'TOO7005',
    value.span,
    `"${given.length > 60 ? `${given.slice(0, 60)}…` : given}" is no name of a step, an agent or a node`,
    { help },
  );
  return undefined;
}

/** A value, as the JSON that a model would write. */
export function jsonText(r: ScriptReader, entry: ToonEntry): string | undefined {
  const { key, value } = entry;
  const union = unionIn(value);
  if (union === undefined) return JSON.stringify(toPlain(value));
  const message = `"${key.text}" takes a value, not a choice of texts`;
  r.report('TOO7003', union.span, message, { help: 'Write one of them.' });
  return undefined;
}

function unionIn(value: ToonValue): ToonValue | undefined {
  if (value.kind === 'union') return value;
  const inner = value.kind === 'array' ? value.items : value.kind === 'object' ? value.entries.map((e) => e.value) : [];
  for (const each of inner) {
    const found = unionIn(each);
    if (found) return found;
  }
  return undefined;
}

export function failure(r: ScriptReader, entry: ToonEntry): ReplyFailure | undefined {
  const { key, value } = entry;
  if (value.kind === 'array') {
    const message = text(r, entry);
    return message === undefined ? undefined : { kind: 'failure', message };
  }
  const help = 'Write what the service answers, from 400 to 599 (429: too many requests, 500: it failed), or a text.';
  if (value.kind === 'string' && value.text.trim() !== '') return { kind: 'failure', message: value.text };
  if (value.kind !== 'number') return wrongKind(r, entry, 'a number or a text', { help });
  const status = value.value;
  if (Number.isInteger(status) && status >= 400 && status <= 599) return { kind: 'error', status };
  r.report('TOO7006', value.span, `"${key.text}" takes a number from 400 to 599, not ${status}`, { help });
  return undefined;
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** In milliseconds. */
export function duration(r: ScriptReader, entry: ToonEntry): number | undefined {
  const { value } = entry;
  const expected = 'a duration like 20ms or 1s';
  const help = 'Write a whole number and its unit: 20ms, 1s, 5m or 1h.';
  if (value.kind === 'number' && Number.isInteger(value.value) && value.value > 0) {
    const meant = `${value.value}ms`;
    return wrongKind(r, entry, expected, {
      help,
      fix: { title: `write ${meant}`, edits: [{ span: value.span, text: meant }], guess: true },
    });
  }
  if (value.kind !== 'string') return wrongKind(r, entry, expected, { help });
  const written = /^([1-9][0-9]{0,11})(ms|s|m|h)$/.exec(value.text);
  if (written) return Number(written[1]) * units[written[2] as keyof typeof units];
  r.report('TOO7008', value.span, `"${entry.key.text}" takes ${expected}; this is not one`, { help });
  return undefined;
}

export function price(r: ScriptReader, entry: ToonEntry): number | undefined {
  return number(r, entry, 'dollars, 0 or more', (given) => Number.isFinite(given) && given >= 0);
}

export function tokens(r: ScriptReader, entry: ToonEntry, expected = 'a number of tokens'): number | undefined {
  return number(r, entry, expected, (given) => Number.isSafeInteger(given) && given >= 0);
}

function number(
  r: ScriptReader,
  entry: ToonEntry,
  expected: string,
  fits: (given: number) => boolean,
): number | undefined {
  const { key, value } = entry;
  if (value.kind !== 'number') return wrongKind(r, entry, expected);
  if (fits(value.value)) return value.value;
  r.report('TOO7006', value.span, `"${key.text}" takes ${expected}, not ${value.value}`);
  return undefined;
}

export function usage(r: ScriptReader, entry: ToonEntry): Reply['usage'] {
  const { value } = entry;
  const help = 'Write "usage:" and below it "inputTokens: …" and "outputTokens: …".';
  if (value.kind !== 'object' || value.entries.length === 0) return wrongKind(r, entry, 'a block of keys', { help });
  const found: { inputTokens?: number; outputTokens?: number } = {};
  readKeys(r, value, '"usage"', {
    inputTokens: (inner, each) => {
      const count = tokens(inner, each);
      if (count !== undefined) found.inputTokens = count;
    },
    outputTokens: (inner, each) => {
      const count = tokens(inner, each);
      if (count !== undefined) found.outputTokens = count;
    },
  });
  return found;
}

/** Whether the stream ends early, or with what. */
export function cut(r: ScriptReader, entry: ToonEntry): boolean | ReplyFailure | undefined {
  const { kind } = entry.value;
  return kind === 'boolean' || kind === 'null' ? flag(r, entry) : failure(r, entry);
}

export function flag(r: ScriptReader, entry: ToonEntry): boolean | undefined {
  return entry.value.kind === 'boolean' ? entry.value.value : wrongKind(r, entry, 'true or false');
}
