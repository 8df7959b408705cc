/**
 * Runs the project's own `tsc` on one generated file. The file is written under `.toolang/` beside the workflow, so
 * that it finds the project's packages, and is gone when the answer is there or our process ends before. Nothing of
 * the project is executed.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { endGroup, killGroup, spawnGroup, systemCode } from '../sys/index.ts';

export interface TscRequest {
  /** The folder of the workflow file. From the generated file it is `tscRoot`. */
  readonly cwd: string;
  readonly text: string;
  /** What to call the file. */
  readonly name: string;
  readonly limitMs?: number;
}

export type TscResult =
  | { readonly kind: 'done'; readonly ok: boolean; readonly output: string }
  /** The project has no TypeScript. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'stopped'; readonly limitMs: number };

export const tscRoot = '../..';

export async function runTsc(request: TscRequest): Promise<TscResult> {
  const { cwd, limitMs = 60_000 } = request;
  const tsc = await findUp(cwd, join('typescript', 'bin', 'tsc'));
  if (tsc === undefined) return { kind: 'missing' };
  const hasNodeTypes = (await findUp(cwd, join('@types', 'node', 'package.json'))) !== undefined;
  const home = join(cwd, '.toolang');
  // All at once: whenever our process ends, what was made is known.
  const made = mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'check-'));
  let child: ChildProcess | undefined;
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    if (made !== undefined) removeIfEmpty(home);
  };
  const leave = () => {
    if (child?.pid !== undefined) killGroup(child.pid);
    remove();
  };
  process.once('exit', leave);
  try {
    await writeFile(join(folder, request.name), request.text);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configOf(request.name, hasNodeTypes)));
    const args = [tsc, '-p', join(folder, 'tsconfig.json'), '--pretty', 'false'];
    child = spawnGroup(process.execPath, args, { cwd, env: plainEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
    return await outcome(child, limitMs);
  } finally {
    process.off('exit', leave);
    remove();
  }
}

/** Of our own, because the project's may leave out what this file needs, and its other files are not our business. */
function configOf(file: string, hasNodeTypes: boolean): unknown {
  return {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      allowJs: true,
      skipLibCheck: true,
      // Without the types of Node those of a browser know fetch, console and AbortSignal.
      ...(hasNodeTypes ? { lib: ['esnext'], types: ['node'] } : { lib: ['esnext', 'dom'], types: [] }),
    },
    files: [`./${file}`],
  };
}

const maxOutput = 1_000_000;

function outcome(child: ChildProcess, limitMs: number): Promise<TscResult> {
  return new Promise((resolve, reject) => {
    const parts: string[] = [];
    let length = 0;
    let stopped = false;
    const timer = setTimeout(() => {
      stopped = true;
      if (child.pid !== undefined) endGroup(child.pid).catch(reject);
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (length < maxOutput) parts.push(text);
        length += text.length;
      });
    }
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(stopped ? { kind: 'stopped', limitMs } : { kind: 'done', ok: status === 0, output: parts.join('') });
    });
  });
}

/** A path under `node_modules` of the folder or one above it. */
async function findUp(folder: string, path: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', path);
    try {
      await access(candidate);
      return candidate;
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) throw error;
    }
    if (dirname(at) === at) return undefined;
  }
}

/** A compiler needs no secrets. */
function plainEnv(): NodeJS.ProcessEnv {
  const names = ['PATH', 'Path', 'SystemRoot', 'HOME', 'TEMP', 'TMP', 'TMPDIR'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Another check uses it, or has taken it away.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  }
}
