/**
 * Blanks the types of TypeScript, so that every line and column stays. The compiler (wasm, 90 ms to load) is loaded
 * when something is not plain JavaScript, and again after a text that broke it: out of stack, it never recovers.
 */
import { createRequire } from 'node:module';
import type { Options, TransformOutput } from '@swc/wasm-typescript';
import { overlay } from './edits.ts';
import type { Fault } from './parse.ts';
import { wrapCode } from './wrap.ts';

export type Stripped = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: Fault };

/** Of `run` code. */
export function stripCode(code: string): Stripped {
  const { text, shift } = wrapCode(code);
  const stripped = strip(text, 'strip-only');
  if (stripped.ok) return { ok: true, text: stripped.text.slice(shift, shift + code.length) };
  const { fault } = stripped;
  const place = (at: number) => Math.max(0, Math.min(at - shift, code.length));
  return { ok: false, fault: { ...fault, at: place(fault.at), end: place(fault.end) } };
}

/** Of a module. What cannot be left out (enums) is translated, and then offsets are not those of the text. */
export function stripModule(text: string): Stripped {
  const stripped = strip(text, 'strip-only');
  return !stripped.ok && stripped.fault.kind === 'types' ? strip(text, 'transform') : stripped;
}

interface Compiler {
  transformSync(text: string, options: Options): TransformOutput;
}

const require = createRequire(import.meta.url);
const compiler = '@swc/wasm-typescript';

function strip(text: string, mode: 'strip-only' | 'transform'): Stripped {
  const loaded: Compiler = require(compiler);
  // The compiler counts columns as a terminal shows them; with one plain letter for each unit they are offsets.
  const plain = mode === 'strip-only' ? plainOf(text) : text;
  try {
    const { code } = loaded.transformSync(plain, { mode, module: true });
    return { ok: true, text: mode === 'strip-only' ? overlay(text, plain, code) : code };
  } catch (error) {
    if (isReport(error)) return { ok: false, fault: faultOf(error, plain) };
    delete require.cache[require.resolve(compiler)];
    if (!(error instanceof Error) || !/^(RuntimeError|RangeError)$/.test(error.name)) throw error;
    return { ok: false, fault: { at: 0, end: text.length, message: 'out of stack', kind: 'deep' } };
  }
}

function plainOf(text: string): string {
  // Capitals, because no keyword has them; they differ so that different names mostly stay different.
  return text.replace(/[^\n\r\x20-\x7e]/g, (c) =>
    /\s/.test(c) ? ' ' : String.fromCharCode(65 + (c.charCodeAt(0) % 26)),
  );
}

interface Report {
  readonly code: string;
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

function isReport(error: unknown): error is Report {
  return (
    typeof error === 'object' && error !== null && 'startLine' in error && 'endLine' in error && 'message' in error
  );
}

function faultOf(report: Report, plain: string): Fault {
  const at = offsetOf(plain, report.startLine, report.startColumn);
  const end = Math.max(at, offsetOf(plain, report.endLine, report.endColumn));
  return { at, end, message: report.message, kind: report.code === 'UnsupportedSyntax' ? 'types' : 'syntax' };
}

/** Of a line that counts from 1 and a column that counts from 0. Lines end at LF, CR or CRLF. */
function offsetOf(text: string, line: number, column: number): number {
  const ends = /\r\n?|\n/g;
  for (let left = line - 1; left > 0; left--) if (ends.exec(text) === null) break;
  return Math.min(text.length, ends.lastIndex + column);
}
