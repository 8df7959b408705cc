/**
 * What the engine and a host say to each other, as lines of JSON on a pipe of their own (descriptor 3 of the host), so that
 * nothing a module prints is taken for an answer.
 */
import type { ModuleAnswer, ModuleRequest } from '../plan/index.ts';

/** To the host, once: the modules to describe, one after the other. */
export interface HostWork {
  readonly modules: readonly { readonly id: number; readonly request: ModuleRequest }[];
}

/** From the host. `begin` comes before any code of that module runs, so that what happens next can be laid to it. */
export type HostReport =
  | { readonly kind: 'begin'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ModuleAnswer }
  /** Something was thrown where nobody could catch it. The host ends after it. */
  | { readonly kind: 'crash'; readonly message: string };

/** The descriptor of the pipe in the host. */
export const hostPipe = 3;

/** A line longer than this is not an answer. */
const maxLine = 32 * 1024 * 1024;

export function writeLine(message: HostWork | HostReport): string {
  return `${JSON.stringify(message)}\n`;
}

/** Cuts what arrives into lines. The given function gets each; it is told `undefined` when a line never ends. */
export function lineReader(onLine: (line: string | undefined) => void): (chunk: string) => void {
  let parts: string[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.slice(start, end));
      const line = parts.join('');
      parts = [];
      length = 0;
      start = end + 1;
      onLine(line);
    }
    if (start < chunk.length) parts.push(start === 0 ? chunk : chunk.slice(start));
    length += chunk.length - start;
    if (length > maxLine) {
      parts = [];
      length = 0;
      onLine(undefined);
    }
  };
}

/** Undefined for a line that is no report: modules can write to any descriptor, this one too. */
export function readReport(line: string): HostReport | undefined {
  let report: unknown;
  try {
    report = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof report !== 'object' || report === null || !('kind' in report)) return undefined;
  const { kind, id, answer, message } = report as Partial<Record<'kind' | 'id' | 'answer' | 'message', unknown>>;
  if (kind === 'crash') return { kind, message: String(message) };
  if (typeof id !== 'number') return undefined;
  if (kind === 'begin') return { kind, id };
  if (kind !== 'answer' || typeof answer !== 'object' || answer === null || !('ok' in answer)) return undefined;
  return { kind, id, answer: answer as ModuleAnswer };
}
