/** What the real CLI agents have printed, as `record.ts` writes it down. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Recording {
  readonly type: string;
  readonly version: string;
  readonly case: string;
  readonly argv: readonly string[];
  readonly stdin: string;
  /** What it asked of the fake model, and the status of the answers. */
  readonly requests: readonly string[];
  readonly status: number | null;
  readonly signal: string | null;
  /** Lines: JSON where a line is JSON, else the line. */
  readonly stdout: readonly unknown[];
  readonly stderr: readonly string[];
}

const folder = fileURLToPath(new URL('recordings', import.meta.url));

export function readRecordings(): Recording[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8')) as Recording);
}

/** As it was printed. */
export const stdoutOf = ({ stdout }: Recording): string =>
  stdout.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
