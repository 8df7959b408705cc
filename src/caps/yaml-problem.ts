/** Says in our words what the YAML parser found wrong with a value, and where a quote or bracket that is not closed opens. */
import { parseDocument, type YAMLError } from 'yaml';

/** Offsets are those of the value's text. */
export interface YamlProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly help: string;
  /** The whole value as it should be written, where that can be told. */
  readonly fix?: { readonly title: string; readonly text: string };
}

/** A value that cannot be read says one thing: what else the parser finds follows from the first. */
export function yamlProblem(text: string, error: YAMLError): YamlProblem {
  const open = asksForEnd(error) ? unclosedIn(text) : undefined;
  if (open !== undefined) return unclosed(text, open);
  const [start, end] = error.pos;
  const [message, help] = wordsFor(text, error);
  const fix = isAfterEnd(text, error) ? inQuotes(text) : undefined;
  return { start, end, message, help, ...(fix && { fix }) };
}

const general =
  'A value that begins with a quote, "[", "{", "|" or ">" is read as YAML; put a text with such characters in quotes.';

function wordsFor(text: string, error: YAMLError): readonly [string, string] {
  if (isAfterEnd(text, error)) return afterEnd(text);
  switch (error.code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return [
        'a second ": " on one line needs quotes around the value.',
        'Put what stands after the first ": " in quotes.',
      ];
    case 'BLOCK_IN_FLOW':
      return ['a second ": " between brackets needs quotes.', 'Put what holds it in quotes.'];
    case 'BAD_DQ_ESCAPE':
      return [
        'this backslash escapes nothing.',
        'Write it twice, or put the text in single quotes, where it is plain.',
      ];
    case 'BAD_INDENT':
      return [
        'this line is indented differently from those beside it.',
        'Begin the lines of one list or map in one column.',
      ];
    case 'BAD_SCALAR_START':
      return ['a value cannot begin with this character.', 'Put the value in quotes.'];
    case 'MULTILINE_IMPLICIT_KEY':
      return ['this line is neither a part of the text above it nor "key: value".', general];
    case 'KEY_OVER_1024_CHARS':
      return ['this name is too long.', 'Write at most 1024 characters before the colon.'];
    case 'TAB_AS_INDENT':
      return ['a tab cannot indent frontmatter.', 'Indent with blanks.'];
    case 'BAD_ALIAS':
    case 'ALIAS_PROPS':
    case 'BAD_PROP_ORDER':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
      return ['"&", "*" and "!" at the start of a value mean something else in YAML.', 'Put the value in quotes.'];
    case 'MISSING_CHAR':
      return missing(error);
    default:
      return unexpected(text, error);
  }
}

function missing(error: YAMLError): readonly [string, string] {
  if (/between .* items/.test(error.message)) return ['a comma is missing here.', 'Write "," between two items.'];
  if (error.message.startsWith('Comments')) return ['a comment needs a blank before it.', 'Write a blank before "#".'];
  if (error.message.startsWith('Implicit map keys')) {
    return ['this line is not "key: value".', 'Write a colon and a value after the name.'];
  }
  return ['this cannot be read as a list or a map.', general];
}

function unexpected(text: string, error: YAMLError): readonly [string, string] {
  const found = text.slice(error.pos[0], error.pos[0] + 1);
  if (found === ',') return ['there is a comma too many.', 'Write one "," between two items.'];
  if (found === ']' || found === '}') return [`this "${found}" closes nothing.`, 'Remove it.'];
  return ['this cannot be part of the value.', general];
}

/** The value ended before the place of the error. */
function isAfterEnd(text: string, error: YAMLError): boolean {
  if (error.code !== 'UNEXPECTED_TOKEN') return false;
  return (
    error.message.includes(' at node end') ||
    (/^[|>]/.test(text) && /^(?:Not a YAML token|Block scalar header)/.test(error.message))
  );
}

function afterEnd(text: string): readonly [string, string] {
  const lead = text.charAt(0);
  const whole = 'Put the whole value in quotes.';
  if (lead === '"' || lead === "'") return ['there is text after the closing quote.', whole];
  if (lead === '[' || lead === '{') return ['there is text after the closing bracket.', whole];
  if (lead === '|' || lead === '>') {
    return [
      `no text can stand on the line of "${lead}".`,
      'Put the text on the lines below, indented, or all in quotes.',
    ];
  }
  return ['this line does not belong to the value above it.', 'Begin the lines of one list or map in one column.'];
}

/** The value as a literal text; not where a comment may be part of what is written. */
function inQuotes(text: string): YamlProblem['fix'] {
  if (/\n|\s#/.test(text)) return undefined;
  const lead = text.charAt(0);
  const quoted = (lead === '"' || lead === "'") && text.endsWith(lead) && (text.split(lead).length - 1) % 2 === 1;
  const meant = quoted ? text.slice(1, -1) : text;
  // Between single quotes nothing but the quote itself is special.
  const plain = meant.includes("'") && !/["\\]/.test(meant);
  return { title: 'put the whole value in quotes', text: plain ? `"${meant}"` : `'${meant.replaceAll("'", "''")}'` };
}

function asksForEnd(error: YAMLError): boolean {
  return error.message.startsWith('Missing closing') || / end with a [\]}]$/.test(error.message);
}

function unclosed(text: string, open: number): YamlProblem {
  const mark = text.charAt(open);
  const quote = mark === '"' || mark === "'";
  const close = mark === '[' ? ']' : mark === '{' ? '}' : mark;
  const help = quote ? `Write ${mark} at its end.` : `Write "${close}" at its end.`;
  const message = quote ? 'this quote is never closed.' : `this "${mark}" is never closed.`;
  const mended = text + close;
  const sure =
    !/\n|\s#/.test(text) && parseDocument(mended, { schema: 'failsafe', logLevel: 'silent' }).errors.length === 0;
  const fix = sure ? { fix: { title: quote ? 'close the quote' : `write "${close}" at its end`, text: mended } } : {};
  return { start: open, end: open + 1, message, help, ...fix };
}

/** The offset of the quote or of the innermost bracket that the text leaves open. */
function unclosedIn(text: string): number | undefined {
  const open: number[] = [];
  // Whether a value may begin here: only there a quote or a bracket is one, and not a character of a text.
  let fresh = true;
  for (let at = 0; at < text.length; at++) {
    const c = text.charAt(at);
    const next = text.charAt(at + 1);
    if ((c === '"' || c === "'") && fresh) {
      const end = closing(text, at, c);
      if (end === undefined) return at;
      at = end;
      fresh = false;
    } else if ((c === '[' || c === '{') && (fresh || open.length > 0)) {
      open.push(at);
      fresh = true;
    } else if ((c === ']' || c === '}') && open.length > 0) {
      open.pop();
      fresh = false;
    } else if (c === '#' && (at === 0 || /\s/.test(text.charAt(at - 1)))) {
      const feed = text.indexOf('\n', at);
      at = feed === -1 ? text.length : feed - 1;
    } else if (c === '\n' || (c === ',' && open.length > 0)) fresh = true;
    else if ((c === ':' || c === '-') && (next === '' || /\s/.test(next))) fresh = true;
    else if (!/\s/.test(c)) fresh = false;
  }
  return open.at(-1);
}

function closing(text: string, start: number, quote: string): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const c = text.charAt(at);
    if (c === '\\' && quote === '"') at++;
    else if (c === quote && quote === "'" && text.charAt(at + 1) === "'") at++;
    else if (c === quote) return at;
  }
  return undefined;
}
