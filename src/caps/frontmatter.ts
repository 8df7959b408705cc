/**
 * Reads frontmatter: the lines between two `---` of a fenced cap or of a cap file. Flat `key: value` lines are literal
 * text, less a trailing ` # comment`. Where the value is empty with nested lines, or begins with a quote, `[`, `{`, `|`
 * or `>`, YAML decides. Every diagnostic has its place in the file.
 */
import { type Diagnostic, type DiagnosticExtra, diagnostic, type Source, type Span, span } from '../text/index.ts';
import { type Line, splitLines } from './lines.ts';
import { readPlainYaml } from './plain-yaml.ts';
import type { CapProperty } from './property.ts';
import { readYaml } from './yaml-value.ts';

export interface FrontmatterOptions {
  /** Columns of indentation that every line has and that do not count: the indent of the closing fence. */
  readonly margin?: number;
  /** Continued lines of a flat value are joined, as YAML would: for files that others wrote. */
  readonly fold?: boolean;
}

export interface Frontmatter {
  readonly entries: readonly CapProperty[];
  /** Some of its lines could not be read: what seems missing may stand there. */
  readonly unread: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const mostCharacters = 64 * 1024;
const keyShape = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const equalsLine = /^[A-Za-z_][A-Za-z0-9_.-]*[ \t]*=(?!=)[ \t]*/;

/** `within` covers what stands between the `---` lines. */
export function readFrontmatter(source: Source, within: Span, options: FrontmatterOptions = {}): Frontmatter {
  const diagnostics: Diagnostic[] = [];
  if (within.end - within.start > mostCharacters) {
    const message = `this frontmatter has ${within.end - within.start} characters; at most ${mostCharacters} are read.`;
    const help = 'Keep properties short, and put the text below the frontmatter.';
    return {
      entries: [],
      unread: true,
      diagnostics: [diagnostic('TOO5210', source, span(within.start, within.start), message, { help })],
    };
  }
  const lines = splitLines(source, within, options.margin ?? 0);
  const fold = options.fold ?? false;
  const r: Reader = { source, lines, at: 0, fold, entries: new Map(), unread: false, diagnostics };
  while (r.at < lines.length) readLine(r);
  return { entries: [...r.entries.values()], unread: r.unread, diagnostics };
}

interface Reader {
  readonly source: Source;
  readonly lines: readonly Line[];
  at: number;
  readonly fold: boolean;
  readonly entries: Map<string, CapProperty>;
  unread: boolean;
  readonly diagnostics: Diagnostic[];
}

function report(r: Reader, code: Diagnostic['code'], where: Span, message: string, extra: DiagnosticExtra = {}): void {
  r.diagnostics.push(diagnostic(code, r.source, where, message, extra));
}

function readLine(r: Reader): void {
  const line = r.lines[r.at++];
  if (!line || line.text === '' || line.text.startsWith('#')) return;
  const whole = span(line.start, line.end);
  if (line.tab) {
    reportTab(r, line);
    return;
  }
  if (line.indent > 0) {
    report(r, 'TOO5201', whole, 'this line is indented, but belongs to no property.', {
      help: 'Write "key: value" at the margin; nested lines stand below a "key:" without a value.',
    });
    skipIndented(r);
    return;
  }
  const equals = equalsLine.exec(line.text);
  const mark = equals ? line.text.indexOf('=') : line.text.indexOf(':');
  const written = line.text.slice(0, Math.max(0, mark)).trimEnd();
  if (equals) reportEquals(r, line, written, equals[0].length);
  else if (mark === -1 || (keyShape.test(written) && line.text.startsWith('//', mark + 1))) {
    const item = line.text.startsWith('- ') ? 'A list stands below a "key:" without a value.' : undefined;
    report(r, 'TOO5201', whole, 'this line is not "key: value".', {
      help: item ?? 'Write "key: value", or put "#" before a comment; the text stands below the closing "---".',
    });
    skipIndented(r);
    return;
  }
  const keySpan = span(line.start, line.start + written.length);
  const key = keyOf(r, written, written === '' ? span(line.start, line.start + 1) : keySpan);
  if (key === undefined) {
    skipIndented(r);
    return;
  }
  const entry = readValue(r, line, keySpan, key, mark);
  const known = r.entries.get(key);
  if (!known) {
    r.entries.set(key, entry);
    return;
  }
  report(r, 'TOO5202', keySpan, `"${key}" is written twice.`, {
    related: [{ source: r.source, span: known.keySpan, message: `"${key}" is first written here.` }],
    help: 'Keep one of the two.',
    fix: { title: `remove this "${key}"`, guess: true, edits: [{ span: entry.lines, text: '' }] },
  });
}

function reportTab(r: Reader, line: Line): void {
  const where = span(line.start, line.start + 1);
  report(r, 'TOO5205', where, 'a tab cannot indent frontmatter.', {
    help: 'Indent with blanks.',
    fix: { title: 'replace the tab by two blanks', edits: [{ span: where, text: '  ' }] },
  });
  skipIndented(r);
}

/** `key = value`, as an indented cap writes it: read as it is meant. */
function reportEquals(r: Reader, line: Line, key: string, length: number): void {
  const edit = {
    span: span(line.start + key.length, line.start + length),
    text: length < line.text.length ? ': ' : ':',
  };
  report(r, 'TOO5201', span(line.start, line.end), 'this line is not "key: value".', {
    help: `Write "${key}: …": between "---" lines a property takes a colon.`,
    fix: { title: 'replace "=" with ":"', edits: [edit] },
  });
}

/** The name of a property; one in quotes is read without them, and reported. */
function keyOf(r: Reader, written: string, where: Span): string | undefined {
  if (keyShape.test(written)) return written;
  const bare = written.replace(/^(["'])(.*)\1$/, '$2');
  const quoted = bare !== written && keyShape.test(bare);
  report(
    r,
    'TOO5203',
    where,
    written === '' ? 'there is no name before the colon.' : `"${written}" is not the name of a property.`,
    {
      help: quoted
        ? `Write ${bare} without quotes.`
        : 'A name begins with a letter and holds letters, digits, "_", "-" and ".".',
      ...(quoted && { fix: { title: 'remove the quotes', edits: [{ span: where, text: bare }] } }),
    },
  );
  return quoted ? bare : undefined;
}

/** After a line that could not be read, what is nested below it says nothing of its own. */
function skipIndented(r: Reader): void {
  r.unread = true;
  for (let line = r.lines[r.at]; line && (line.indent > 0 || line.text === ''); line = r.lines[r.at]) r.at++;
}

function readValue(r: Reader, line: Line, keySpan: Span, key: string, colon: number): CapProperty {
  const after = line.text.slice(colon + 1);
  const raw = after.trim();
  const start = line.start + colon + 1 + (after.length - after.trimStart().length);
  const rawSpan = raw === '' ? span(line.start + colon + 1, line.start + colon + 1) : span(start, start + raw.length);
  const cut = commentStart(raw);
  const text = raw.slice(0, cut).trimEnd();
  const lead = text.charAt(0);
  const nested = text === '' ? nestedLines(r, 'block') : '"\'[{|>'.includes(lead) ? nestedLines(r, lead) : undefined;
  const base = { key, keySpan };
  if (nested && (text !== '' || nested.length > 0)) {
    const at = text === '' ? undefined : rawSpan;
    const value = readPlainYaml(raw, at, nested) ?? readYaml(r.source, at, nested, r.diagnostics);
    return { ...base, ...value, lines: linesSpan(line, nested) };
  }
  if (cut < raw.length && !/^#(?:$|[\s#])/.test(raw.slice(cut))) reportCut(r, raw, cut, rawSpan);
  const more = text === '' ? [] : continuation(r);
  const value = [text, ...more.map((l) => l.text)].join(' ');
  const end = more.at(-1)?.end ?? rawSpan.start + text.length;
  return {
    ...base,
    shape: 'text',
    value,
    valueSpan: span(rawSpan.start, end),
    items: [],
    lines: linesSpan(line, more),
  };
}

/** The offset of the `#` that starts a comment: at the start, or after a blank. */
function commentStart(text: string): number {
  if (text.startsWith('#')) return 0;
  // In a quoted text `#` may be content: YAML decides there.
  if (text.startsWith('"') || text.startsWith("'")) return text.length;
  const found = /\s#/.exec(text);
  return found ? found.index + 1 : text.length;
}

function reportCut(r: Reader, raw: string, cut: number, rawSpan: Span): void {
  const where = span(rawSpan.start + cut, rawSpan.end);
  report(r, 'TOO5211', where, `"${raw.slice(cut)}" is a comment, and not part of the value.`, {
    help: 'Put the value in quotes to keep it, or a blank after "#" to make plain that it is a comment.',
    fix: { title: 'put the value in quotes', edits: [{ span: rawSpan, text: JSON.stringify(raw) }] },
  });
}

/** The lines below a key that YAML reads with it. `lead` is what the value begins with. */
function nestedLines(r: Reader, lead: string): Line[] {
  const scalar = lead === '|' || lead === '>' || lead === '"' || lead === "'";
  const flow = lead === '[' || lead === '{';
  const taken: Line[] = [];
  let length = 0;
  for (let i = r.at; ; i++) {
    const line = r.lines[i];
    if (!line) break;
    const comment = line.text.startsWith('#') && !scalar;
    if (line.text !== '' && line.indent === 0 && !line.tab && !comment) {
      const item = lead === 'block' && /^-(?:\s|$)/.test(line.text);
      const closer = flow && /^[\]}]/.test(line.text);
      if (!item && !closer) break;
    }
    taken.push(line);
    // Blank lines and comments at the end belong to what follows.
    if (line.text !== '' && !(comment && line.indent === 0)) length = taken.length;
    if (flow && /^[\]}]/.test(line.text) && line.indent === 0) break;
  }
  // An indented comment alone makes no value.
  if (lead === 'block' && taken.slice(0, length).every((l) => l.text === '' || l.text.startsWith('#'))) length = 0;
  r.at += length;
  return taken.slice(0, length);
}

/** Indented lines below a flat value. */
function continuation(r: Reader): Line[] {
  const next = r.lines[r.at];
  if (!next || next.text === '' || next.text.startsWith('#') || (next.indent === 0 && !next.tab)) return [];
  if (!r.fold) {
    report(r, 'TOO5201', span(next.start, next.end), 'this line continues a value that ends on its own line.', {
      help: 'Write the value on one line, or write ">" after the colon and the text below it.',
    });
    skipIndented(r);
    return [];
  }
  const lines: Line[] = [];
  for (let line: Line | undefined = next; line && line.indent > 0; line = r.lines[r.at]) {
    lines.push(line);
    r.at++;
  }
  return lines.filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

function linesSpan(first: Line, more: readonly Line[]): Span {
  return span(first.lineStart, more.at(-1)?.next ?? first.next);
}
