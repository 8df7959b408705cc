/**
 * Mistakes that a file format invites, and that would hide everything behind them: each is reported, taken out
 * without moving an offset, and the rest is read as if it were not there.
 */
import type { Fault } from './parse.ts';
import type { CodeProblem } from './problem.ts';

export interface Mended {
  readonly problem: CodeProblem;
  /** As long as before. */
  readonly text: string;
  /** Names may be missing now: those that were imported. */
  readonly losesNames: boolean;
}

/** `original` is the text before anything was masked or mended. */
export function mend(text: string, fault: Fault, original: string): Mended | undefined {
  if (/^Unterminated (string|regular expression|regexp)/.test(fault.message))
    return mendLineBreak(text, fault.at, original);
  if (/'import',? and 'export'/.test(fault.message)) return mendImport(text, fault.at);
  return undefined;
}

/**
 * A file unescapes its texts first, so a line break inside a text of the code is nearly always "\n" that should have
 * been written "\\n". If the text is closed on a later line, that is what happened.
 */
function mendLineBreak(text: string, start: number, original: string): Mended | undefined {
  const quote = text.charAt(start);
  const breaks: number[] = [];
  let end = start + 1;
  let inClass = false;
  for (; end < text.length; end++) {
    const char = text[end];
    if (char === '\\') end++;
    else if (char === '\n' || char === '\r') breaks.push(end);
    else if (quote === '/' && (char === '[' || char === ']')) inClass = char === '[';
    else if (char === quote && !inClass) break;
  }
  const first = breaks[0];
  if (end >= text.length || first === undefined) return undefined;
  const what = quote === '/' ? 'regular expression' : 'text';
  const inside = text.slice(start, end + 1);
  return {
    problem: {
      code: 'TOO3303',
      start,
      end: end + 1,
      message: `a line break inside a ${what} of the code`,
      help: 'The file reads "\\n" first and leaves a line break here. Write "\\\\n" in the file.',
      replacement: original
        .slice(start, end + 1)
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r'),
    },
    text: `${text.slice(0, start)}${inside.replace(/[\n\r]/g, ' ')}${text.slice(end + 1)}`,
    losesNames: false,
  };
}

const importStatement = /import\b[^'"`;()]*(?:'[^'\n]*'|"[^"\n]*");?/y;
const exportWords = /export(?:\s+default)?(?=[\s{*])/y;

function mendImport(text: string, start: number): Mended | undefined {
  const isImport = text.startsWith('import', start);
  const pattern = isImport ? importStatement : exportWords;
  pattern.lastIndex = start;
  const length = pattern.exec(text)?.[0].length ?? 0;
  const end = start + Math.max(length, 6);
  const problem: CodeProblem = isImport
    ? {
        code: 'TOO3304',
        start,
        end,
        message: '"import" cannot stand in "run" code',
        help: /^import\s+type\b/.test(text.slice(start, end))
          ? 'Write the type where it is used, as in import("./types.ts").Name, or move the code into a handler.'
          : 'Write const { name } = await import("package"), or move the code into a module and name it with "handler".',
      }
    : {
        code: 'TOO3304',
        start,
        end,
        message: '"export" cannot stand in "run" code',
        help: 'A step gives its value with "return".',
      };
  // Without the whole statement the rest cannot be read, and the fault stays where it is.
  const blank = length > 0 ? text.slice(start, end).replace(/[^\n\r]/g, ' ') : undefined;
  return {
    problem,
    text: blank === undefined ? text : text.slice(0, start) + blank + text.slice(end),
    losesNames: isImport,
  };
}
