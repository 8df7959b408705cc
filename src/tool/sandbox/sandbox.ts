/**
 * The sandbox of the system for commands: `bwrap` on Linux, `sandbox-exec` on macOS.
 * 1. Where it is missing or does not work, nothing is run: there is no way from here to a command without it.
 * 2. Whether it works is tried out before the first command, with the real program.
 */
import { execFile } from 'node:child_process';
import { lstatSync, mkdtempSync, realpathSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findCommand, isExecutable, isInside, systemCode } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';
import { type Guard, noGuard } from '../filesystem/off-limits.ts';
import { bwrapLine } from './bwrap.ts';
import { type PlannedPlace, planSandbox, type SandboxPlan } from './plan.ts';
import { seatbeltLine } from './seatbelt.ts';

/** As `[sandbox]` of the settings has it. */
export interface SandboxSettings {
  readonly shell: 'none' | 'os';
  readonly network: 'none' | 'all';
  readonly read: readonly string[];
}

export interface Sandbox {
  /** Throws a `ToolFailure` where there is none that works. */
  readonly shut: (command: OpenCommand) => Promise<ShutCommand>;
}

export interface OpenCommand {
  readonly line: readonly [string, ...string[]];
  readonly cwd: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths of files and folders that it must not see. */
  readonly hidden: readonly string[];
}

export interface ShutCommand {
  readonly line: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** When it is over: takes away what was made for it. */
  readonly done: () => void;
}

export type SandboxProbe =
  /** `program`: its file. `version`: as it says itself. */
  | { readonly ok: true; readonly program: string; readonly version: string }
  /** `message`: what is wrong. `help`: what to install or to change. */
  | { readonly ok: false; readonly message: string; readonly help: string };

export interface ProbeHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

export function createSandbox(settings: SandboxSettings, guard: Guard, platform = process.platform): Sandbox {
  let probe: Promise<SandboxProbe> | undefined;
  return {
    async shut({ line, cwd, workspace, env, hidden }) {
      probe ??= sandboxProbe({ env, platform });
      const found = await probe;
      if (!found.ok) throw unavailable(found);
      // Whoever can write to the workspace could have left a program of that name there.
      if (isInside(realpathSync(found.program), workspace)) {
        throw unavailable({ message: `"${found.program}" lies in the workspace.`, help: installHelp(platform) });
      }
      const network = settings.network === 'all';
      const plan = planSandbox({
        ...{ workspace, cwd, home: env.HOME, network, read: settings.read, hidden, guard },
        isWithheld: (place) => holders.has(place),
      });
      if (plan.system.some((folder) => isInside(folder.path, workspace))) {
        throw unavailable({
          message: `the workspace "${workspace}" holds the system.`,
          help: 'Work in a folder of its own.',
        });
      }
      return platform === 'darwin' ? seatbelt(found.program, plan, line, env) : bwrap(found.program, plan, line, env);
    },
  };
}

/** Whether a command can be shut in here, by doing it. */
export async function sandboxProbe({ env, platform = process.platform }: ProbeHost): Promise<SandboxProbe> {
  const name = platform === 'linux' ? 'bwrap' : platform === 'darwin' ? 'sandbox-exec' : undefined;
  if (name === undefined) {
    return { ok: false, message: `there is no sandbox for commands on this system (${platform}).`, help: settingHelp };
  }
  const program = findCommand(name, { path, platform, cwd: path.parse(process.cwd()).root, env, isExecutable });
  if (program === undefined) return { ok: false, message: `"${name}" is not installed.`, help: installHelp(platform) };
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolang-sandbox-')));
  try {
    const plan = planSandbox({
      ...{ workspace, cwd: workspace, home: env.HOME, network: false, read: [], hidden: [], guard: noGuard },
    });
    const line = ['/bin/sh', '-c', 'echo shut in'];
    const [file, ...args] =
      platform === 'darwin' ? seatbeltLine(program, plan, workspace, line) : bwrapLine(program, plan, line);
    const tried = await output(file, args);
    if (tried.text.trim() !== 'shut in') {
      const said = (tried.errors.trim() || 'it printed nothing').replace(/\.?$/, '.');
      return { ok: false, message: `"${program}" does not work here: ${said}`, help: brokenHelp(platform) };
    }
    const version = platform === 'darwin' ? '' : (await output(program, ['--version'])).text.trim();
    return { ok: true, program, version };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

function bwrap(program: string, plan: SandboxPlan, line: OpenCommand['line'], env: OpenCommand['env']): ShutCommand {
  const { withheld } = plan;
  for (const place of withheld) holders.set(place.path, (holders.get(place.path) ?? 0) + 1);
  return {
    line: bwrapLine(program, plan, line),
    env: { ...env, TMPDIR: '/tmp' },
    // A mount needs something to lie on: where there was nothing, an empty file or folder is left.
    done: () => {
      for (const place of withheld) {
        const others = (holders.get(place.path) ?? 1) - 1;
        if (others > 0) holders.set(place.path, others);
        else {
          holders.delete(place.path);
          removeEmpty(place);
        }
      }
    },
  };
}

/** How many commands at work have something mounted there: who takes away what it lies on takes the mount away too. */
const holders = new Map<string, number>();

function seatbelt(program: string, plan: SandboxPlan, line: OpenCommand['line'], env: OpenCommand['env']): ShutCommand {
  const tmp = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolang-sandbox-')));
  return {
    line: seatbeltLine(program, plan, tmp, line),
    env: { ...env, TMPDIR: tmp, HOME: tmp },
    done: () => rmSync(tmp, { recursive: true, force: true }),
  };
}

function removeEmpty({ path: place, isFolder }: PlannedPlace): void {
  try {
    if (isFolder) rmdirSync(place);
    else if (lstatSync(place).size === 0) unlinkSync(place);
  } catch (error) {
    // Another command may still need it, or has taken it away.
    if (!['ENOENT', 'ENOTEMPTY', 'ENOTDIR', 'EBUSY', 'EISDIR', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
  }
}

const settingHelp =
  'Without one, set shell = "none" under [sandbox] in config.toml: commands then run with your own rights.';

function installHelp(platform: NodeJS.Platform): string {
  return platform === 'darwin'
    ? `It belongs to macOS, in /usr/bin; put that on the PATH. ${settingHelp}`
    : `Install bubblewrap ("apt install bubblewrap", "dnf install bubblewrap"). ${settingHelp}`;
}

function brokenHelp(platform: NodeJS.Platform): string {
  return platform === 'darwin'
    ? settingHelp
    : `It needs user namespaces, which some systems and most containers forbid: see the sysctls kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, and in a container its security options. ${settingHelp}`;
}

function unavailable({ message, help }: { readonly message: string; readonly help: string }): ToolFailure {
  return new ToolFailure(
    'unavailable',
    `nothing was run: [sandbox] asks for the sandbox of the system, and ${message} ${help}`,
  );
}

interface Output {
  readonly text: string;
  readonly errors: string;
}

function output(file: string, args: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(file, [...args], { timeout: 20_000, env: { PATH: '/usr/bin:/bin' } }, (error, text, errors) => {
      resolve({ text, errors: errors || (error?.message ?? '') });
    });
  });
}
