/**
 * Splits a command line into words as a POSIX shell would: blanks, single and double quotes, backslashes. Nothing is
 * expanded and no shell runs it; what a shell would have acted on is noted.
 */

export interface CommandWord {
  readonly text: string;
  /** Offsets in the command line, quotes included. */
  readonly start: number;
  readonly end: number;
}

/** A character that only a shell would act on. */
export interface ShellNote {
  readonly kind: 'variable' | 'operator' | 'home';
  readonly start: number;
  readonly end: number;
}

export interface CommandProblem {
  readonly kind: 'empty' | 'quote' | 'escape' | 'assignment' | 'control';
  readonly message: string;
  readonly help: string;
  readonly start: number;
  readonly end: number;
}

export type SplitCommand =
  | { readonly ok: true; readonly words: readonly CommandWord[]; readonly notes: readonly ShellNote[] }
  | { readonly ok: false; readonly problem: CommandProblem };

export function splitCommand(line: string): SplitCommand {
  const s: Scan = { line, at: 0, words: [], notes: [], parens: 0, backtick: false };
  const control = line.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (control !== -1) {
    return problem('control', control, control + 1, 'a command line cannot hold a control character.', 'Remove it.');
  }
  while (true) {
    while (isBlank(line[s.at])) s.at++;
    if (s.at >= line.length) break;
    const failed = readWord(s);
    if (failed) return failed;
  }
  const [first] = s.words;
  if (!first || first.text === '') {
    return problem(
      'empty',
      0,
      line.length,
      'there is no command.',
      'Write the program and its arguments, as in "uvx my-server".',
    );
  }
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(line.slice(first.start, first.end))) {
    const message = `"${first.text}" sets a variable, and no shell is there to do it.`;
    const help = 'Begin with the program; name the variables it needs in "env".';
    return problem('assignment', first.start, first.end, message, help);
  }
  return { ok: true, words: s.words, notes: s.notes };
}

interface Scan {
  readonly line: string;
  at: number;
  readonly words: CommandWord[];
  readonly notes: ShellNote[];
  /** How many parentheses that were noted are open, and whether a backtick is. */
  parens: number;
  backtick: boolean;
}

type Failed = Extract<SplitCommand, { ok: false }>;

function readWord(s: Scan): Failed | undefined {
  const { line } = s;
  const start = s.at;
  let text = '';
  let real = false;
  if (line[start] === '~' && (start + 1 >= line.length || line[start + 1] === '/' || isBlank(line[start + 1]))) {
    s.notes.push({ kind: 'home', start, end: start + 1 });
  }
  while (s.at < line.length && !isBlank(line[s.at])) {
    const c = line[s.at] ?? '';
    if (c === "'") {
      const end = line.indexOf("'", s.at + 1);
      if (end === -1) return unclosed(s.at);
      text += line.slice(s.at + 1, end);
      s.at = end + 1;
      real = true;
    } else if (c === '"') {
      const inner = readDouble(s);
      if (typeof inner !== 'string') return inner;
      text += inner;
      real = true;
    } else if (c === '\\') {
      if (s.at + 1 >= line.length) {
        const message = 'a backslash at the end escapes nothing.';
        return problem('escape', s.at, s.at + 1, message, 'Remove it, or write it twice.');
      }
      // A backslash before a line end joins the two lines.
      if (line[s.at + 1] !== '\n') {
        text += line[s.at + 1];
        real = true;
      }
      s.at += 2;
    } else {
      noteVariable(s);
      if ('|&;<>()`'.includes(c)) noteOperator(s, c);
      text += c;
      real = true;
      s.at++;
    }
  }
  if (real) s.words.push({ text, start, end: s.at });
  return undefined;
}

function readDouble(s: Scan): string | Failed {
  const { line } = s;
  const start = s.at++;
  let text = '';
  while (s.at < line.length) {
    const c = line[s.at] ?? '';
    if (c === '"') {
      s.at++;
      return text;
    }
    if (c === '\\' && s.at + 1 < line.length) {
      const next = line[s.at + 1] ?? '';
      if (next !== '\n') text += '"\\$`'.includes(next) ? next : c + next;
      s.at += 2;
      continue;
    }
    noteVariable(s);
    text += c;
    s.at++;
  }
  return unclosed(start);
}

function noteVariable(s: Scan): void {
  if (s.line[s.at] !== '$') return;
  // Looked for only as far as any name is long: the line may be one endless `${`.
  const match = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[^}]*\}|\()/.exec(s.line.slice(s.at, s.at + 128));
  if (match) s.notes.push({ kind: 'variable', start: s.at, end: s.at + match[0].length });
}

/** `&&`, `>>` and `2>&1` are one thing, and so are the two ends of `$(…)`, `(…)` and of backticks. */
function noteOperator(s: Scan, c: string): void {
  const last = s.notes.at(-1);
  if (c === ')' && s.parens > 0) {
    s.parens--;
    return;
  }
  if (c === '`') {
    s.backtick = !s.backtick;
    if (!s.backtick) return;
  }
  if (c === '(') {
    s.parens++;
    // Noted with its `$`.
    if (last?.kind === 'variable' && last.end === s.at + 1) return;
  }
  if (last?.kind === 'operator' && last.end === s.at) s.notes[s.notes.length - 1] = { ...last, end: s.at + 1 };
  else s.notes.push({ kind: 'operator', start: s.at, end: s.at + 1 });
}

function unclosed(at: number): Failed {
  return problem(
    'quote',
    at,
    at + 1,
    'this quote is never closed.',
    'Close it, or write a backslash before it to mean the character.',
  );
}

function problem(kind: CommandProblem['kind'], start: number, end: number, message: string, help: string): Failed {
  return { ok: false, problem: { kind, message, help, start, end } };
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\t' || c === '\n' || c === '\r';
}
