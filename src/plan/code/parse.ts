/**
 * Reads code as the body of the function that will run it: async, strict, in a block of its own, so that a name it
 * declares may be one that the function is given. What is accepted here is what compiles there.
 */
import { type AnyNode, type BlockStatement, parse, tokenizer } from 'acorn';
import { patternDepth } from '../../expr/index.ts';
import { wrapCode } from './wrap.ts';

/** Why a text is not code, at an offset of that text. */
export interface Fault {
  readonly at: number;
  readonly end: number;
  /** As the parser says it. */
  readonly message: string;
  /** `types`: TypeScript that has to be translated and cannot just be left out. `deep`: it ran out of stack. */
  readonly kind: 'syntax' | 'types' | 'deep';
}

export type Parsed =
  | { readonly ok: true; readonly body: BlockStatement }
  | { readonly ok: false; readonly fault: Fault };

/** The offsets of the tree are those of the wrapped text: `shift` too high. */
export function parseCode(code: string): Parsed {
  const { text, shift } = wrapCode(code);
  const deep = tooDeep(code);
  if (deep) return { ok: false, fault: deep };
  try {
    const program = parse(text, { ecmaVersion: 'latest' });
    const body = onlyBlock(program.body);
    if (body !== undefined && body.end === text.length - 2) return { ok: true, body };
    // It closed our function and opened another one.
    return { ok: false, fault: { at: code.length, end: code.length, message: 'Unexpected token', kind: 'syntax' } };
  } catch (error) {
    return { ok: false, fault: faultOf(error, code.length, shift) };
  }
}

/** More is never written by hand; counted here, it does not depend on how much stack is left. */
const mostBrackets = 256;

/** At the bracket that is one too many. What is no bracket of code but of a text is not counted. */
function tooDeep(code: string): Fault | undefined {
  // Most code is not even long enough.
  if (code.length <= mostBrackets) return undefined;
  let open = 0;
  let at = 0;
  try {
    for (const { type, start, end } of tokenizer(code, { ecmaVersion: 'latest' })) {
      at = end;
      if (type.label === 'regexp') {
        const flags = code.lastIndexOf('/', end - 1) + 1;
        const depth = patternDepth(code.slice(start + 1, flags - 1), code.slice(flags, end));
        if (depth > mostBrackets) return { at: start, end, message: 'nested too deeply', kind: 'deep' };
      }
      if (type.label === '(' || type.label === '[' || type.label === '{' || type.label === '${') open++;
      else if (type.label === ')' || type.label === ']' || type.label === '}') open--;
      if (open > mostBrackets) return { at: start, end: start + 1, message: 'nested too deeply', kind: 'deep' };
    }
  } catch (error) {
    // A pattern that acorn could not even read. What else cannot be split is reported by the parser, with its place.
    if (!(error instanceof RangeError)) return undefined;
    return { at: at + code.slice(at).search(/\S/), end: code.length, message: 'nested too deeply', kind: 'deep' };
  }
  return undefined;
}

/** A text, pattern or comment without an end, wherever the parser gave up: it hides everything behind it. */
export function openText(code: string): Fault | undefined {
  try {
    for (const _ of tokenizer(code, { ecmaVersion: 'latest' }));
    return undefined;
  } catch (error) {
    const fault = faultOf(error, code.length, 0);
    return fault.message.startsWith('Unterminated') ? fault : undefined;
  }
}

/** A bracket of the code that has no partner, if there is one: the first wrong closer, else the innermost left open. */
export function looseBracket(
  code: string,
): { readonly at: number; readonly text: string; readonly opens?: string } | undefined {
  const open: { at: number; text: string }[] = [];
  try {
    for (const token of tokenizer(code, { ecmaVersion: 'latest' })) {
      const text = code.slice(token.start, token.end);
      const label = token.type.label;
      if (label === '(' || label === '[' || label === '{' || label === '${') open.push({ at: token.start, text });
      else if (label === ')' || label === ']' || label === '}') {
        const last = open.pop();
        if (last === undefined) return { at: token.start, text };
        if (closers[last.text] !== text) return { at: token.start, text, opens: last.text };
      }
    }
  } catch {
    // What cannot be split into tokens is reported by the parser, with its place.
    return undefined;
  }
  return open.pop();
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' };

export function closerOf(opener: string): string {
  return closers[opener] ?? '';
}

/** What acorn threw, as a value; anything else is a bug and is thrown on. */
export function faultOf(error: unknown, length: number, shift: number): Fault {
  if (error instanceof RangeError) return { at: 0, end: length, message: 'nested too deeply', kind: 'deep' };
  if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') throw error;
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  // Of a pattern acorn says where it begins behind the slash.
  const pos = message.startsWith('Unterminated regular') ? error.pos - 1 : error.pos;
  const at = Math.max(0, Math.min(pos - shift, length));
  const kind = message.startsWith('Not enough stack') ? 'deep' : 'syntax';
  return { at, end: at, message, kind };
}

function onlyBlock(body: readonly AnyNode[]): BlockStatement | undefined {
  const [statement] = body;
  if (body.length !== 1 || statement?.type !== 'ExpressionStatement') return undefined;
  const made = statement.expression;
  if (made.type !== 'FunctionExpression' || made.body.body.length !== 2) return undefined;
  const block = made.body.body[1];
  return block?.type === 'BlockStatement' ? block : undefined;
}
