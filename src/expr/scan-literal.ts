/** The tokens of an expression that have an end to look for: strings, templates, regular expressions, comments. */
import { patternDepth } from './regexp/index.ts';
import { addToken, breakScan, find, maxNesting, pushFrame, type ScanState, tooDeep } from './scan-state.ts';

const lineBreak = /[\n\r\u2028\u2029]/;
const flags = /[\p{ID_Continue}$]*/uy;
const oddQuotes: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['”', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['’', '’'],
  ['\\"', '\\"'],
  ["\\'", "\\'"],
]);

export function scanString(state: ScanState, quote: string): void {
  const { text, at, end } = state;
  let to = at + 1;
  let firstBreak = -1;
  let lastBreak = -1;
  for (; to < end && text[to] !== quote; to++) {
    if (text[to] === '\\') {
      octalEscape(state, to);
      to++;
    } else if (text[to] === '\n' || text[to] === '\r') {
      if (firstBreak === -1) firstBreak = to;
      lastBreak = to;
    }
  }
  if (to >= end) {
    cut(state, at, 1, `the string that begins with ${quote}`, quote);
    return;
  }
  addToken(state, 'string', to + 1);
  if (firstBreak === -1) return;
  const broken = text.slice(firstBreak, lastBreak + 1);
  state.changes.push({ start: firstBreak, text: broken.replace(/[\n\r]/g, ' ') });
  state.problems.push({
    code: 'TOO3204',
    start: firstBreak,
    end: lastBreak + 1,
    message: 'a string in an expression cannot hold a line break, and "\\n" in a quoted text is one already',
    help: 'Write "\\\\n" in the file: then the string in the expression holds "\\n".',
    replacement: broken.replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
  });
}

function octalEscape(state: ScanState, at: number): void {
  const [octal] = /^\\(?:[1-9]|0\d)/.exec(state.text.slice(at, at + 3)) ?? [];
  if (octal === undefined) return;
  const place = { code: 'TOO3206', start: at, end: at + octal.length } as const;
  const help = 'Write "\\x" and two hexadecimal digits for a character, "\\\\" for a backslash.';
  state.problems.push({ ...place, message: `"${octal}" has no meaning in a string`, help });
}

/** The piece of a template that begins at the current place; the whole was opened at `start`. */
export function scanTemplate(state: ScanState, start: number): void {
  const { text, at, end } = state;
  let to = at + 1;
  while (to < end && text[to] !== '`' && !(text[to] === '$' && text[to + 1] === '{')) to += text[to] === '\\' ? 2 : 1;
  const hole = text[to] === '$';
  if (to + (hole ? 2 : 1) > end) {
    cut(state, start, 1, 'the template that begins with `', '`');
    return;
  }
  addToken(state, 'template', to + (hole ? 2 : 1), hole ? '${' : '`');
  if (hole) pushFrame(state, '${');
}

export function scanRegExp(state: ScanState): void {
  const { text, at, end } = state;
  let inClass = false;
  let to = at + 1;
  for (; to < end && (inClass || text[to] !== '/') && !lineBreak.test(text[to] ?? ''); to++) {
    if (text[to] === '\\' && !lineBreak.test(text[to + 1] ?? '')) to++;
    else if (text[to] === '[') inClass = true;
    else if (text[to] === ']') inClass = false;
  }
  if (to >= end || text[to] !== '/') {
    cut(state, at, 1, 'the regular expression that begins with "/"', '/');
    return;
  }
  flags.lastIndex = to + 1;
  flags.test(text);
  const token = addToken(state, 'regexp', Math.min(flags.lastIndex, end));
  const isDeep = patternDepth(text.slice(at + 1, to), text.slice(to + 1, token.end)) > maxNesting;
  if (isDeep) breakScan(state, tooDeep(token.start, token.end));
}

export function scanComment(state: ScanState): void {
  const { text, at, end } = state;
  if (text[at + 1] === '/') {
    let to = at + 2;
    while (to < end && !lineBreak.test(text[to] ?? '')) to++;
    state.at = to;
    return;
  }
  const to = find(state, '*/', at + 2);
  if (to + 2 > end) {
    cut(state, at, 2, 'the comment that begins with "/*"', '*/');
    return;
  }
  state.at = to + 2;
}

/** A string in quotes that are none: one report for both, and read on. False if it is not that. */
export function scanOddQuotes(state: ScanState): boolean {
  const { text, at, end } = state;
  const quote = text[at] === '\\' ? text.slice(at, at + 2) : (text[at] ?? '');
  const partner = oddQuotes.get(quote);
  if (partner === undefined) return false;
  const from = at + quote.length;
  const to = find(state, partner, from);
  const after = to + partner.length;
  if (after > end || find(state, '\n', from) < to) return false;
  const inner = text.slice(from, to);
  const room = ' '.repeat(quote.length - 1);
  state.changes.push({ start: at, text: `${room}"${' '.repeat(inner.length)}"${room}` });
  state.problems.push({
    code: 'TOO3202',
    start: at,
    end: after,
    message: `${quote} does not begin a string`,
    help: `A string stands in plain quotes: "…" or '…'.`,
    ...(!/["\\\r\n]/.test(inner) && { replacement: `"${inner}"` }),
  });
  addToken(state, 'string', after);
  return true;
}

/** Nothing behind it can be told, since it may belong to what is not closed. */
function cut(state: ScanState, start: number, length: number, what: string, close: string): void {
  const help = `Close it with ${close.length === 1 && close !== '/' ? close : `"${close}"`}.`;
  breakScan(state, { code: 'TOO3203', start, end: start + length, message: `${what} is never closed`, help });
  state.at = state.end;
}
