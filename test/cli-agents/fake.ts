/** Folders with stand-ins for the programs of agents, for a PATH; what they do, and what was asked of them. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliAgents } from '../../src/agent/cli/index.ts';

const script = fileURLToPath(new URL('./fake-cli.mjs', import.meta.url));

/** What a call does; the last one is done again and again. */
export interface FakeCall {
  readonly text?: string;
  /** A command that it runs first. */
  readonly tool?: string;
  /** After it has begun; `quiet`: before it says anything. `stubborn`: it does not end when it is asked to. */
  readonly hang?: true;
  readonly quiet?: true;
  readonly stubborn?: true;
  readonly fail?: 'auth';
  /** What it prints in place of an answer, as text. */
  readonly plain?: string;
  readonly exit?: number;
  readonly stderr?: string;
  /** A line of so many characters comes first. */
  readonly huge?: number;
  /** How many bytes are written at a time. */
  readonly pieces?: number;
  /** By the schema that it was given. */
  readonly structured?: true;
}

export interface SeenCall {
  readonly argv: readonly string[];
  readonly stdin: string;
  /** The texts of the files that it was given, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly resumed?: string;
  /** Of one that hangs, when it does. */
  readonly children?: readonly number[];
}

export interface FakeProgram {
  /** For the PATH. */
  readonly bin: string;
  readonly script: (...calls: readonly FakeCall[]) => void;
  readonly calls: () => readonly SeenCall[];
  /** What was said in a conversation. */
  readonly session: (id: string) => readonly string[] | undefined;
}

export const cliTypes = [...cliAgents.keys()];

/** `folder`: one of its own. */
export function fakeProgram(type: string, folder: string, ...calls: readonly FakeCall[]): FakeProgram {
  const cli = cliAgents.get(type);
  if (cli === undefined) throw new Error(`${type} is no program`);
  const bin = join(folder, 'bin');
  const state = join(folder, 'state');
  mkdirSync(bin, { recursive: true });
  mkdirSync(state, { recursive: true });
  const file = join(bin, cli.program);
  const quoted = [process.execPath, script, type, state].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`);
  chmodSync(file, 0o755);
  const program: FakeProgram = {
    bin,
    script: (...next) => writeFileSync(join(state, 'calls.json'), JSON.stringify(next)),
    calls() {
      const names = readdirSync(state).filter((name) => /^call-\d+\.json$/.test(name));
      const numbers = names.map((name) => Number(/\d+/.exec(name)?.[0])).sort((a, b) => a - b);
      return numbers.map((n) => JSON.parse(readFileSync(join(state, `call-${n}.json`), 'utf8')) as SeenCall);
    },
    session(id) {
      const kept = join(state, `session-${id}.json`);
      return existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as string[]) : undefined;
    },
  };
  program.script(...(calls.length === 0 ? [{}] : calls));
  return program;
}

/** Whether a process runs; dead ones that nobody has waited for do not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
