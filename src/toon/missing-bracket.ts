/** Headers that lack one of their brackets or braces: `steps2]:`, `steps[2:`, `agents[1]from,use}:`. */
import { span } from '../text/index.ts';
import { type Reader, report } from './reader.ts';

/** Where the parts of a header are; of one that is missing, where it would make the others right. */
export interface Parts {
  readonly keyEnd: number;
  readonly open: number;
  readonly close: number;
  readonly brace: number;
  /** -1 without columns. */
  readonly braceEnd: number;
  readonly colon: number;
}

const NAME = '[A-Za-z_][\\w-]*';
const HEADER = new RegExp(
  `(${NAME}?)(\\[|(?<!\\d))(\\d+)(\\]?)(?:(\\{?)(${NAME}(?:,${NAME})*)(\\}?))?:(?![|\\t]?\\])`,
  'y',
);

/** The parts of a header in which exactly one is missing, which is reported. */
export function missingBracket(r: Reader, start: number, end: number): Parts | undefined {
  HEADER.lastIndex = start;
  const match = HEADER.exec(r.text);
  if (!match || HEADER.lastIndex > end) return undefined;
  const [, name = '', open = '', digits = '', close = '', brace = '', columns, braceEnd = ''] = match;
  const keyEnd = start + name.length;
  const first = keyEnd + open.length;
  const afterDigits = first + digits.length;
  const afterClose = afterDigits + close.length;
  const afterBrace = afterClose + brace.length;
  const colon = HEADER.lastIndex - 1;
  const missing = [
    ...(open ? [] : [{ at: keyEnd, text: '[' }]),
    ...(close ? [] : [{ at: afterDigits, text: ']' }]),
    ...(columns === undefined || brace ? [] : [{ at: afterClose, text: '{' }]),
    ...(columns === undefined || braceEnd ? [] : [{ at: colon, text: '}' }]),
  ];
  const [only, second] = missing;
  if (!only || second) return undefined;
  report(r, 'TOO3032', span(start, colon), `a "${only.text}" is missing in the header of an array`, {
    help: 'A header is written key[3]: or key[3]{a,b}:',
    fix: {
      title: `add the "${only.text}"`,
      edits: [{ span: span(only.at, only.at), text: only.text }],
      // What stands before a bracket that is not there may end with a digit of its own.
      ...(only.text === '[' && { guess: true as const }),
    },
  });
  return {
    keyEnd,
    open: first - 1,
    close: afterDigits,
    brace: afterBrace - 1,
    braceEnd: columns === undefined ? -1 : colon - braceEnd.length,
    colon,
  };
}
