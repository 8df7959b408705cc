/** Says in plain words why a text is not code, at the character where it shows. */
import { closerOf, type Fault, looseBracket } from './parse.ts';
import type { CodeProblem } from './problem.ts';

/** `text` is the code as it was written. */
export function syntaxProblem(text: string, fault: Fault): CodeProblem {
  if (fault.kind === 'deep') {
    return {
      code: 'TOO3310',
      start: fault.at,
      end: fault.end,
      message: 'the code is nested too deeply to be read',
      help: 'Move it into a module, and name it with "handler".',
    };
  }
  if (fault.kind === 'types') return typesProblem(text, fault);
  return unclosed(text, fault) ?? bracketProblem(text, fault) ?? wrongToken(text, fault);
}

const token = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+|=>|[=!]==?|&&|\|\||\?\?|\?\.|\.\.\.|\/\/|\/\*|\S/uy;

function tokenAt(text: string, at: number): string {
  token.lastIndex = at;
  return token.exec(text)?.[0] ?? '';
}

/** Texts, templates, comments and patterns that have a beginning only. */
function unclosed(text: string, fault: Fault): CodeProblem | undefined {
  const found = /^Unterminated (string|template|comment|regular expression|regexp)/.exec(fault.message);
  if (found === null) return undefined;
  const [what, closer] = unclosedWords(found[1] ?? '', text.charAt(fault.at));
  // Of a template the parser says where its last text begins; the tick stands before it.
  const start = what === 'template' && text[fault.at] !== '`' ? Math.max(0, text.lastIndexOf('`', fault.at)) : fault.at;
  return {
    code: 'TOO3302',
    start,
    end: Math.min(text.length, start + 1),
    message: `this ${what} is never closed`,
    help: `Close it with ${closer}.`,
  };
}

function unclosedWords(word: string, first: string): readonly [string, string] {
  if (word === 'string') return ['text', first === '"' ? `'"'` : `"${first}"`];
  if (word === 'template') return ['template', '"`"'];
  if (word === 'comment') return ['comment', '"*/"'];
  return ['regular expression', '"/"'];
}

/** A bracket without a partner explains more than the place where the parser gave up. */
function bracketProblem(text: string, fault: Fault): CodeProblem | undefined {
  const atEnd = text.slice(fault.at).trim() === '';
  if (!atEnd && !/^[)\]}]/.test(text.slice(fault.at, fault.at + 1))) return undefined;
  const loose = looseBracket(text);
  if (loose === undefined) return undefined;
  const { at: start, text: bracket, opens } = loose;
  const end = start + bracket.length;
  const closer = closerOf(bracket);
  if (closer !== '') {
    if (!atEnd) return undefined;
    return { code: 'TOO3302', start, end, message: `"${bracket}" is never closed`, help: `Close it with "${closer}".` };
  }
  if (!atEnd && start !== fault.at) return undefined;
  if (opens === undefined) {
    return {
      code: 'TOO3301',
      start,
      end,
      message: `"${bracket}" closes nothing`,
      help: 'Take it out, or write the bracket that it closes.',
    };
  }
  return {
    code: 'TOO3301',
    start,
    end,
    message: `"${bracket}" where "${closerOf(opens)}" must stand: it closes "${opens}"`,
    help: `Close "${opens}" first.`,
  };
}

function wrongToken(text: string, fault: Fault): CodeProblem {
  const found = tokenAt(text, fault.at);
  const end = Math.max(fault.at + found.length, Math.min(fault.end, text.length));
  const problem = { code: 'TOO3301' as const, start: fault.at, end };
  if (/^Unexpected (token|eof)|^Expect|^Expression expected/.test(fault.message)) {
    if (found === '') {
      return { ...problem, message: 'the code ends before it is complete', help: 'Write the rest of it.' };
    }
    if (/\bawait\s*$/.test(text.slice(Math.max(0, fault.at - 20), fault.at))) return { ...problem, ...awaitWords };
    return {
      ...problem,
      message: `unexpected "${found}"`,
      help: 'Look at what stands before it: a comma, an operator or a bracket may be missing or too many.',
    };
  }
  for (const [pattern, message, help] of words) {
    const match = pattern.exec(fault.message);
    if (match) {
      return { ...problem, message: message.replaceAll('$1', match[1] ?? ''), ...(help !== '' && { help }) };
    }
  }
  return { ...problem, message: lower(fault.message) };
}

const awaitWords = {
  message: '"await" in a function that is not async',
  help: 'Put "async" before the function.',
};

/** What the parsers say, and what it means. The first that fits counts. */
const words: readonly (readonly [RegExp, string, string])[] = [
  [/^Cannot use keyword 'await' outside/, awaitWords.message, awaitWords.help],
  [/^Identifier directly after number/, 'a name cannot begin with a digit', ''],
  [
    /^Identifier '(.+)' has already been declared/,
    '"$1" is declared twice',
    'Give one of the two another name, or leave out the second "const" or "let".',
  ],
  [/^Unexpected character '(.*)'/su, 'the character "$1" means nothing in code', ''],
  [/^Unexpected keyword '(.+)'/, '"$1" is a word of the language and cannot be a name here', ''],
  [/^The keyword '(.+)' is reserved/, '"$1" is a word of the language and cannot be a name', ''],
  [/^Missing initializer in (\w+)/, '"$1" needs a value', 'Write "= value" behind the name, or use "let".'],
  [/^Complex binding patterns require/, 'a pattern needs a value', 'Write "= value" behind it.'],
  [/^Assigning to rvalue/, 'this cannot be assigned to', 'Compare with "===".'],
  [/^Assigning to (.+) in strict mode/, '"$1" cannot be assigned to', ''],
  [/^Binding (\w+) in strict mode/, '"$1" cannot be declared', ''],
  [/^'with' in strict mode/, '"with" cannot be used', 'Name the object before each member.'],
  [/^Illegal newline after throw/, 'what is thrown must stand on the line of "throw"', ''],
  [/^Missing catch or finally/, '"try" without "catch" or "finally"', ''],
  [/^Shorthand property assignments/, '"=" in an object', 'Write ":" between the key and its value.'],
  [/^Unsyntactic (\w+)/, '"$1" stands in no loop and no block that it could leave', ''],
  [/^Cannot use 'import\.meta'/, '"import.meta" belongs to modules', 'Write "cwd": the folder in which the step runs.'],
  [
    /^Logical expressions and coalesce/,
    '"??" cannot be mixed with "&&" or "||" without parentheses',
    'Put parentheses around the part that comes first.',
  ],
  [/^Invalid regular expression: .*: ([^:]+)$/su, 'the regular expression is wrong: $1', ''],
  [/^Invalid regular expression flag/, 'the regular expression has a flag that does not exist', ''],
  [/^Deleting local variable/, 'a variable cannot be deleted', ''],
  [/^(?:Octal literal|Invalid number)/, 'this is not a number', 'Octal numbers are written "0o17".'],
  [/^Bad (?:character )?escape sequence|^Invalid (?:Unicode|unicode) escape/, 'an escape that does not exist', ''],
  [/^Optional chaining cannot appear in left/, 'something behind "?." cannot be assigned to', ''],
];

function typesProblem(text: string, fault: Fault): CodeProblem {
  const problem = { code: 'TOO3305' as const, start: fault.at, end: Math.max(fault.at + 1, fault.end) };
  const tail = 'in "run" code: its types are left out, and this is more than a type';
  if (/\benum\b/.test(fault.message)) {
    const help = 'Write a union of texts, as in type Level = "ok" | "bad", or an object with "as const".';
    return { ...headOf(text, problem), message: `an enum cannot stand ${tail}`, help };
  }
  if (/\b(namespace|module)\b/.test(fault.message)) {
    return {
      ...headOf(text, problem),
      message: `a namespace cannot stand ${tail}`,
      help: 'Write a const with an object.',
    };
  }
  if (/parameter property/.test(fault.message)) {
    const help = 'Declare the field in the class, and set it in the constructor.';
    return { ...problem, message: `a parameter that is a field too cannot stand ${tail}`, help };
  }
  if (/angle-bracket/.test(fault.message)) {
    return { ...problem, message: '"<T>value" cannot be told from JSX', help: 'Write "value as T".' };
  }
  return {
    ...problem,
    message: `this TypeScript cannot stand ${tail}`,
    help: 'Move it into a module, and name it with "handler".',
  };
}

/** Only the first line: an enum may be long. */
function headOf<T extends { start: number; end: number }>(text: string, problem: T): T {
  const line = text.indexOf('\n', problem.start);
  return { ...problem, end: line === -1 ? problem.end : Math.min(problem.end, line) };
}

function lower(message: string): string {
  const first = message.replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : first;
}
