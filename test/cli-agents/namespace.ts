/**
 * A network that has nothing but loopback, for programs that reach out on their own. It is Linux's: `unshare --net`, by root
 * or in a user namespace. One port in it leads to a fake model, which runs in the test itself.
 *
 * 1. A program starts in the namespace or not at all: `nsenter` puts it there before it runs.
 * 2. What is started in it is found by its namespace, whoever its parent is and whichever group it has made; all of it ends
 *    with `close`, and when the test dies.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the fake model is in every namespace: all ports of a new one are free. */
export const modelPort = 8080;
export const modelOrigin = `http://127.0.0.1:${modelPort}`;

export interface StartOptions {
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** It is ended when this has gone by; two minutes where it is not said. */
  readonly limitMs?: number;
}

export interface Ran {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ran>;
}

export interface Namespace {
  readonly start: (command: readonly string[], options: StartOptions) => Started;
  readonly run: (command: readonly string[], options: StartOptions) => Promise<Ran>;
  /** All that run in it now, but for what holds it open: ids of processes, with their command lines. */
  readonly processes: () => { readonly pid: number; readonly command: string }[];
  readonly close: () => Promise<void>;
}

const holder = fileURLToPath(new URL('holder.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
const enter = isRoot ? ['--net'] : ['--user', '--map-root-user', '--net'];
const into = isRoot ? ['--net'] : ['--user', '--preserve-credentials', '--net'];

let known: { readonly reason: string | undefined } | undefined;

/** Why there can be no such namespace here; `undefined` where there can. */
export function noNamespace(): string | undefined {
  known ??= { reason: look() };
  return known.reason;
}

function look(): string | undefined {
  if (process.platform !== 'linux') return `network namespaces are Linux's, this is ${process.platform}`;
  const ran = spawnSync('unshare', [...enter, '--', 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  if (ran.status === 0) return undefined;
  return `unshare ${enter.join(' ')} does not work here: ${ran.error?.message ?? ran.stderr.trim()}`;
}

/** `origin`: of the fake model, as the test sees it. */
export async function openNamespace(origin: string): Promise<Namespace> {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-net-'));
  const path = join(dir, 'model');
  const { hostname, port } = new URL(origin);
  const open = new Set<Socket>();
  const door = createServer({ allowHalfOpen: true }, (client) => {
    const model = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    client.pipe(model).pipe(client);
    for (const [one, other] of [
      [client, model],
      [model, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  door.listen(path);
  await once(door, 'listening');
  const held = spawn('unshare', [...enter, '--', process.execPath, holder, String(modelPort), path], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '' },
  });
  const left = once(held, 'exit');
  const first = await Promise.race([once(held.stdout, 'data').then(String), left.then(() => 'it ended')]);
  const pid = held.pid;
  if (first.trim() !== 'ready' || pid === undefined) throw new Error(`the namespace did not open: ${first}`);
  const net = readlinkSync(`/proc/${pid}/ns/net`);
  if (net === readlinkSync('/proc/self/ns/net')) throw new Error('the namespace is the one of the test');

  const processes: Namespace['processes'] = () => inNamespace(net).filter((each) => each.pid !== pid);
  const start: Namespace['start'] = (command, options) =>
    started(['nsenter', '--target', String(pid), ...into, '--', ...command], options);
  return {
    start,
    run: (command, options) => start(command, options).ended,
    processes,
    close: async () => {
      held.stdin.end();
      await left;
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => door.close(resolve));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function started([file = '', ...args]: readonly string[], options: StartOptions): Started {
  const child = spawn(file, args, { cwd: options.cwd, env: { ...options.env }, stdio: 'pipe' });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`"${file}" did not start`);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // It may end without having read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const limit = setTimeout(() => end(pid), options.limitMs ?? 120_000);
  // `exit`: what it has left behind may hold its pipes; what came until then is there.
  const ended = once(child, 'exit').then(async ([status, signal]): Promise<Ran> => {
    clearTimeout(limit);
    await Promise.race([once(child, 'close'), new Promise((resolve) => setTimeout(resolve, 500))]);
    return { status, signal, stdout, stderr };
  });
  return { pid, child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** The command lines with this text in them, of all processes: a sandbox within the namespace has a network of its own. */
export function commandsWith(text: string): string[] {
  return running((pid) => commandOf(pid).includes(text)).map(({ command }) => command);
}

function inNamespace(net: string): { pid: number; command: string }[] {
  return running((pid) => readlinkSync(`/proc/${pid}/ns/net`) === net);
}

function running(isOne: (pid: number) => boolean): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const pid = Number(name);
      try {
        return isOne(pid) ? [{ pid, command: commandOf(pid) }] : [];
      } catch {
        // It has ended since, or it is somebody else's.
        return [];
      }
    })
    .filter((each) => each.command !== '');
}

/** Empty for a process that has ended and is not yet waited for. */
function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
