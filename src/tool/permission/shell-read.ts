/**
 * Reads a script of `sh` into its simple commands, or says that it does not fully understand it.
 * 1. What it gives are all commands that the script can run, each with its words as the program gets them; but a pattern of
 *    file names is still one, and `~` is still `~`.
 * 2. It is conservative: expansions, substitutions, redirections into files, background jobs, assignments, compound commands,
 *    here-documents, braces, letters that are not ASCII and not quoted (some shells split words in the middle of them), and
 *    whatever only some shells read so, are not understood.
 * 3. It takes linear time, and never throws.
 */
import { quoteFirst, quoteWord, reservedWords } from './shell-quote.ts';

export type ShellReading =
  | { readonly ok: true; readonly commands: readonly ShellCommand[] }
  | { readonly ok: false; readonly reason: string };

export interface ShellCommand {
  /** Without quotes. */
  readonly words: readonly string[];
  /** With quotes where they are needed, and single blanks: what patterns of `allow` are held against. */
  readonly text: string;
  /** Where file names decide what words there are: the words, with `*` and `?` for what is open. */
  readonly open?: string;
}

interface Word {
  value: string;
  /** As `text` has it. */
  shown: string;
  /** Some of it stood in quotes, or behind a backslash. */
  quoted: boolean;
  /** Without quotes, `*` and `?` only where they are open. */
  open: string;
  /** Holds a pattern of file names, or a `~`. */
  active: boolean;
  /** Holds a `=` that is not quoted. */
  sets: boolean;
  /** Where it begins. */
  readonly start: number;
}

const plainUnit = /^[A-Za-z0-9_@%+=:,./^#!\]-]$/;
const activeUnit = /^[*?[~]$/;

export function readShell(script: string): ShellReading {
  try {
    return { ok: true, commands: commandsOf(script) };
  } catch (error) {
    if (error instanceof Error && 'unclear' in error) return { ok: false, reason: error.message };
    throw error;
  }
}

function commandsOf(script: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: Word[] = [];
  let word: Word | undefined;
  /** A command must follow: after `&&`, `||` and `|`. */
  let open = false;
  let at = 0;

  const endWord = () => {
    if (word) words.push(word);
    word = undefined;
  };
  const endCommand = (operator: string) => {
    endWord();
    const [first] = words;
    if (first === undefined) {
      if (operator !== '\n') throw unclear(operator, at, 'stands where a command should');
      return;
    }
    if (!first.quoted && reservedWords.has(first.value))
      throw unclear(first.value, first.start, 'is no simple command');
    if (first.sets) throw unclear('=', first.start, 'sets a variable');
    if (first.value === 'alias') throw unclear('alias', first.start, 'changes what the next commands mean');
    if (first.active) throw unclear('*', first.start, 'may stand for any command');
    commands.push({
      words: words.map(({ value }) => value),
      text: shownCommand(words),
      ...(words.some(({ active }) => active) && { open: words.map(openWord).join(' ') }),
    });
    words = [];
    open = operator === '&&' || operator === '||' || operator === '|';
  };
  const literal = (text: string) => {
    word ??= newWord(at);
    word.quoted = true;
    word.value += text;
    word.open += text.replace(/[*?]/g, closedSign);
    word.shown += text === '' ? '' : quoteWord(text);
  };
  const bare = (char: string, active: boolean) => {
    word ??= newWord(at);
    word.active ||= active;
    word.sets ||= char === '=';
    word.value += char;
    word.open += char;
    word.shown += char;
  };

  while (at < script.length) {
    const char = String.fromCodePoint(script.codePointAt(at) ?? 0);
    const next = script[at + 1];
    if (char === ' ' || char === '\t') {
      endWord();
      at++;
    } else if (char === '\n') {
      endCommand('\n');
      at++;
    } else if (char === '#' && word === undefined) {
      const end = script.indexOf('\n', at);
      at = end === -1 ? script.length : end;
    } else if (char === "'") {
      const end = script.indexOf("'", at + 1);
      if (end === -1) throw unclear(char, at, 'is not closed');
      literal(seen(script.slice(at + 1, end), at));
      at = end + 1;
    } else if (char === '"') {
      const read = doubleQuoted(script, at);
      literal(seen(read.text, at));
      at = read.end;
    } else if (char === '\\') {
      if (next === undefined) throw unclear(char, at, 'has nothing behind it');
      if (next !== '\n') {
        const escaped = String.fromCodePoint(script.codePointAt(at + 1) ?? 0);
        literal(seen(escaped, at));
        at += escaped.length - 1;
      }
      at += 2;
    } else if (char === ';') {
      endCommand(';');
      at++;
    } else if (char === '|' || char === '&') {
      if (next === char) {
        endCommand(char + char);
        at += 2;
      } else if (char === '|' && next !== '&') {
        endCommand('|');
        at++;
      } else throw unclear(char, at, 'leaves a command in the background');
    } else if (char === '<' || char === '>') {
      // A digit right before it is the number of a file, and no word; of several digits only some shells think so.
      if (word && !word.quoted && /^[0-9]+$/.test(word.value)) {
        if (word.value.length > 1) throw unclear(word.value, word.start, 'may be a word, or the number of a file');
        word = undefined;
      }
      endWord();
      at = redirection(script, at);
    } else if (plainUnit.test(char)) {
      bare(char, false);
      at++;
    } else if (activeUnit.test(char)) {
      bare(char, true);
      at++;
    } else throw unclear(char, at, reasons.get(char) ?? 'is not understood');
  }
  endCommand('\n');
  if (open) throw unclear('the end', at, 'comes where a command should');
  if (commands.length === 0) throw unclear('the end', at, 'comes before any command');
  return commands;
}

const reasons = new Map([
  ['$', 'is an expansion'],
  ['`', 'is a substitution'],
  ['(', 'begins a subshell'],
  [')', 'ends a subshell'],
  ['{', 'begins a group'],
  ['}', 'ends a group'],
]);

/** Pieces of a word were quoted one by one; where nothing in it is active, it is quoted as a whole. */
function shownCommand(words: readonly Word[]): string {
  return words
    .map((word, at) => (word.active ? word.shown : at === 0 ? quoteFirst(word.value) : quoteWord(word.value)))
    .join(' ');
}

/** Stands for a star that is a star: no file name holds it. */
const closedSign = '\0';

/** A class of characters stands for one of them; a home may be called anything. */
function openWord({ open }: Word): string {
  return open.replace(/\[[^\]]+\]/g, '?').replaceAll('~', '*');
}

/** `2>&1`, and to and from `/dev/null`: nothing else writes or reads no file. */
const harmless = /(?:>>?[ \t]*\/dev\/null|<[ \t]*\/dev\/null|>&[0-9])(?=[ \t\n;|]|&&|$)/y;

function redirection(script: string, at: number): number {
  harmless.lastIndex = at;
  const found = harmless.exec(script);
  if (found === null) throw unclear(script[at] ?? '', at, 'leads to a file, or from one');
  return at + found[0].length;
}

function doubleQuoted(script: string, start: number): { text: string; end: number } {
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < script.length; at++) {
    const char = script[at];
    if (char === '"') {
      parts.push(script.slice(from, at));
      return { text: parts.join(''), end: at + 1 };
    }
    if (char === '$' || char === '`') throw unclear(char, at, reasons.get(char) ?? '');
    const next = script[at + 1];
    if (char !== '\\' || next === undefined || !'$`"\\\n'.includes(next)) continue;
    parts.push(script.slice(from, at), next === '\n' ? '' : next);
    from = at + 2;
    at++;
  }
  throw unclear('"', start, 'is not closed');
}

/** Within quotes anything may stand but what no argument can hold. */
function seen(text: string, at: number): string {
  if (text.includes('\0')) throw unclear('\\0', at, 'can stand in no argument');
  return text;
}

function newWord(start: number): Word {
  return { value: '', shown: '', open: '', quoted: false, active: false, sets: false, start };
}

function unclear(what: string, at: number, why: string): Error {
  const shown = /^[\x21-\x7e]{1,20}$/.test(what)
    ? `"${what}"`
    : what === 'the end'
      ? what
      : `U+${(what.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return Object.assign(new Error(`${shown} at character ${at + 1} ${why}`), { unclear: true });
}
