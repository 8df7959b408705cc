/**
 * The tag `sh` of steps: runs a command with the shell `sh`, in the folder of the step, and gives what it printed.
 * 1. A value is never read as shell code, wherever `${}` stands: the command reads it from a variable, so that quotes, `$()`
 *    and line breaks in it stay what they are.
 * 2. Each `${}` is one argument, or a part of one where the text goes on without a blank.
 * Runs in hosts only: its processes belong to the group of the host.
 */
import { spawn } from 'node:child_process';
import { failureAt } from './thrown.ts';

export type Shell = (texts: TemplateStringsArray, ...values: readonly unknown[]) => Promise<string>;

export interface ShellOptions {
  readonly cwd: string;
  readonly signal: () => AbortSignal;
}

const mostPrinted = 10 * 1024 * 1024;
const stderrChars = 2000;
/** The system takes no longer argument than 128 kB, and the command is one. */
const longestCommand = 120_000;

export function createShell(options: ShellOptions): Shell {
  return (texts, ...values) => {
    const failed = failureAt();
    return new Promise<string>((resolve, reject) => {
      const command = writeCommand(texts, values);
      execute(command, options, resolve, (message, details) => reject(failed(message, details)));
    });
  };
}

type Fail = (message: string, details?: object) => void;

function execute(command: Command, { cwd, signal }: ShellOptions, done: (text: string) => void, fail: Fail): void {
  const shown = `the command "${command.shown}"`;
  const child = spawn('sh', ['-c', command.script], {
    cwd,
    signal: signal(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const out: Buffer[] = [];
  let size = 0;
  let isTooMuch = false;
  let stderr = '';
  let failed: Error | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= mostPrinted) out.push(chunk);
    else if (!isTooMuch) {
      isTooMuch = true;
      child.kill('SIGKILL');
      // What the shell started has nobody to write to any more.
      child.stdout.destroy();
    }
  });
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-stderrChars);
    process.stderr.write(chunk);
  });
  child.on('exit', (code, endedBy) => {
    const how = endedBy === null ? `with exit code ${code}` : `by ${endedBy}`;
    const held = () => {
      const what = `${shown} ended ${how}, but something that it started still held its output when the step was stopped`;
      fail(`${what}; send that elsewhere: >/dev/null 2>&1 &`, { name: 'AbortError' });
    };
    const stop = signal();
    stop.addEventListener('abort', held, { once: true });
    child.once('close', () => stop.removeEventListener('abort', held));
  });
  child.on('error', (error) => {
    failed = error;
    // What the shell started may hold its output open: that is ended with the host.
    if (error.name === 'AbortError') fail(`${shown} was stopped with its step`, { name: 'AbortError' });
  });
  child.on('close', (exitCode, endedBy) => {
    if (failed?.name === 'AbortError') return;
    const code = (failed as NodeJS.ErrnoException | undefined)?.code;
    if (isTooMuch) return fail(`${shown} printed more than 10 MB; let it write into a file`);
    if (code === 'ENOENT') return fail(process.platform === 'win32' ? noShell : `${shown}: there is no program "sh"`);
    if (code === 'E2BIG') return fail(`${shown} is too long for the system; let it read a file`);
    if (failed !== undefined) return fail(`${shown} could not be started: ${failed.message}`);
    if (exitCode === 0)
      return done(
        Buffer.concat(out)
          .toString('utf8')
          .replace(/\r?\n$/, ''),
      );
    const how = endedBy === null ? `failed with exit code ${exitCode}` : `was ended by ${endedBy}`;
    const said = stderr.trim();
    fail(`${shown} ${how}${said === '' ? '' : `: ${said}`}`, { exitCode, signal: endedBy, stderr });
  });
}

const noShell =
  'there is no program "sh" on the PATH. It comes with Git for Windows, in its folder "bin"; or run programs with node:child_process';

export interface Command {
  readonly script: string;
  /** For people: with the values in quotes. */
  readonly shown: string;
}

export function writeCommand(texts: TemplateStringsArray, values: readonly unknown[]): Command {
  if (!Array.isArray(texts) || !('raw' in texts)) {
    throw new TypeError('"sh" is a tag: write sh`command ${value}`, without parentheses');
  }
  const state = createScanner();
  const set: string[] = [];
  const parts: string[] = [];
  const shown: string[] = [];
  texts.forEach((text: string | undefined, index) => {
    if (text === undefined) {
      throw new TypeError(
        `sh: JavaScript does not know an escape in "${texts.raw[index]}"; write \\\\ for a backslash`,
      );
    }
    parts.push(text);
    shown.push(text);
    state.read(text);
    if (index >= values.length) return;
    const value = argument(values[index], index + 1);
    const name = `_toolang_${index + 1}`;
    set.push(`${name}=${quote(value)}; `);
    parts.push(state.hole(`\${${name}}`));
    shown.push(/^[\w./:@%+=-]+$/.test(value) ? value : quote(value));
  });
  const script = set.join('') + parts.join('');
  if (Buffer.byteLength(script) > longestCommand) {
    throw new RangeError('sh: the command with its values is longer than 120 kB; write them to a file and name that');
  }
  const line = shown.join('').trim().replace(/\s+/g, ' ');
  return { script, shown: line.length > 200 ? `${line.slice(0, 200)}…` : line };
}

function argument(value: unknown, number: number): string {
  const type = typeof value;
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'bigint') {
    const text = String(value);
    if (text.includes('\0')) throw new TypeError(`sh: value ${number} holds a NUL character, which no argument can`);
    return text;
  }
  const what = value === null ? 'null' : Array.isArray(value) ? 'a list' : type === 'undefined' ? type : `a ${type}`;
  const help = Array.isArray(value) ? '; each ${} is one argument: write list.join(" "), or a command for each' : '';
  throw new TypeError(`sh: value ${number} is ${what}, which is no argument${help}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Where in a command a text ends: what is around a value decides how its variable is written, not whether it is safe. */
function createScanner(): { read: (text: string) => void; hole: (variable: string) => string } {
  /** Innermost last. `code` may be the inside of `$(…)` in a text in quotes. */
  const inside: ('code' | 'single' | 'double' | 'ticks')[] = ['code'];
  let hereText = false;
  return {
    read(text) {
      for (let at = 0; at < text.length; at++) {
        const char = text[at];
        const state = inside.at(-1);
        if (state === 'single') {
          if (char === "'") inside.pop();
        } else if (char === '\\') at++;
        else if (char === '$' && text[at + 1] === '(') {
          inside.push('code');
          at++;
        } else if (char === '`') {
          if (state === 'ticks') inside.pop();
          else inside.push('ticks');
        } else if (char === '"') {
          if (state === 'double') inside.pop();
          else inside.push('double');
        } else if (state === 'double') continue;
        else if (char === "'") inside.push('single');
        else if (char === '(') inside.push('code');
        else if (char === ')' && inside.length > 1 && state === 'code') inside.pop();
        else if (char === '<' && /^<<-?[ \t]*["'\\]?[A-Za-z_]/.test(text.slice(at, at + 40))) hereText = true;
      }
    },
    hole(variable) {
      if (hereText)
        throw new TypeError('sh: a value cannot stand behind a here-document (<<); use printf %s ${value} |');
      const state = inside.at(-1);
      if (state === 'single') return `'"${variable}"'`;
      return state === 'double' ? variable : `"${variable}"`;
    },
  };
}
