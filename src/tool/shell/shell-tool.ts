/**
 * `shell/run`: one command, as a script of the system's shell or as a program with its arguments, in the workspace.
 * 1. It sees no more of our environment than `environment.ts` says, and what it prints is cleaned of secrets nevertheless.
 * 2. When the call is over, nothing of it runs any more.
 * 3. Where a sandbox is asked for and there is none, nothing is run.
 */
import { constants as osConstants } from 'node:os';
import { createRedactor, environmentSecrets } from '../../sys/index.ts';
import { arrayOf, numberType, textType } from '../../type/index.ts';
import { createBounded, mostText } from '../bounded-text.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { placeOf } from '../filesystem/confine.ts';
import { type Guard, noGuard } from '../filesystem/off-limits.ts';
import { quoteCommand } from '../permission/shell-quote.ts';
import { createSandbox, type SandboxSettings } from '../sandbox/sandbox.ts';
import type { ToolContext } from '../tool.ts';
import { workspaceSecrets } from '../workspace-secrets.ts';
import { shellEnvironment } from './environment.ts';
import { programFile } from './program.ts';
import { type Command, type CommandEnd, runCommand } from './run-command.ts';
import { createTerminalText } from './terminal-text.ts';

export interface ShellOptions {
  /** `[sandbox]` of the settings. */
  readonly sandbox?: SandboxSettings;
  /** `[tools.shell] env`: more variables that commands see. */
  readonly env?: readonly string[];
  /** More variables whose values are secrets, as `key_env` of models. */
  readonly hidden?: readonly string[];
  /** Places that a sandbox hides, or keeps from being written. */
  readonly guard?: Guard;
}

interface ShellArgs {
  readonly command?: string;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly stdin?: string;
}

const defaultTimeoutMs = 120_000;
const mostTimeoutMs = 600_000;
/** What a command may print in all; it is ended then. */
const mostOutput = 100 * 1024 * 1024;
/** One argument of a program may have 128 kB on Linux. */
const mostArgument = 100_000;
/** What is said about the output takes its place in the text of a result too. */
const roomForNotes = 1024;

export function shellTool(options: ShellOptions = {}): OwnTool {
  const sandbox =
    options.sandbox?.shell === 'os' ? createSandbox(options.sandbox, options.guard ?? noGuard) : undefined;
  const windows = process.platform === 'win32';
  return defineTool<ShellArgs>({
    name: 'shell/run',
    description: [
      `Runs one command and waits for its end: a script for ${windows ? 'PowerShell' : 'sh'} ("command"), or a program with its arguments and no shell ("argv"); one of the two.`,
      'The result is what it printed, standard output and errors together; long output has its middle left out.',
      'There is no terminal, nobody answers questions, and what it leaves running in the background is ended when it ends.',
    ].join(' '),
    parameters: [
      { name: 'command', type: textType, optional: true, doc: 'The script.' },
      {
        name: 'argv',
        type: arrayOf(textType),
        optional: true,
        doc: 'The program and its arguments, as in ["git", "log"].',
      },
      { name: 'cwd', type: textType, optional: true, doc: 'The folder to run it in, relative to the workspace.' },
      {
        name: 'timeoutMs',
        type: numberType,
        optional: true,
        range: [1, mostTimeoutMs],
        doc: `After how many milliseconds it is ended; ${defaultTimeoutMs} if left out, at most ${mostTimeoutMs}.`,
      },
      {
        name: 'stdin',
        type: textType,
        optional: true,
        doc: 'What it reads from its standard input; nothing if left out.',
      },
    ],
    readOnly: false,
    subjects: ({ command, argv, stdin }) =>
      [
        ...(command === undefined ? [] : [windows ? quoteCommand(['powershell', '-Command', command]) : command]),
        ...(argv === undefined || argv.length === 0 ? [] : [quoteCommand(argv)]),
      ].map((line) => withInput(line, stdin)),
    async run(args, context) {
      const { workspace } = context;
      checkArguments(args);
      const cwd = folderOf(args.cwd, workspace);
      const env = shellEnvironment(context.env, { names: options.env, idempotencyKey: context.idempotencyKey });
      const secrets = workspaceSecrets(workspace);
      const redactor = createRedactor([
        ...environmentSecrets(context.env, { hidden: options.hidden }),
        ...secrets.secrets,
      ]);
      const line = lineOf(args, cwd, env);
      const shut = await sandbox?.shut({ line, cwd, workspace, env, hidden: secrets.files });
      try {
        const ran = await collect(
          {
            line: shut?.line ?? line,
            cwd,
            env: shut?.env ?? env,
            stdin: args.stdin,
            timeoutMs: args.timeoutMs ?? defaultTimeoutMs,
            mostBytes: mostOutput,
          },
          context,
          redactor.stream(),
        );
        return resultOf(ran.end, ran.text, args, sandbox !== undefined);
      } finally {
        shut?.done();
      }
    },
  });
}

/** What a program reads may be a script too, so rules see it as they would see a here-document. */
function withInput(line: string, stdin: string | undefined): string {
  return stdin === undefined || stdin === '' ? line : `${line} <<'STDIN'\n${stdin}\nSTDIN`;
}

function checkArguments({ command, argv }: ShellArgs): void {
  if ((command === undefined) === (argv === undefined)) {
    throw new ToolFailure(
      'arguments',
      'write either "command", a script, or "argv", a program with its arguments; nothing was run.',
    );
  }
  if (command?.trim() === '' || argv?.length === 0 || argv?.[0]?.trim() === '') {
    throw new ToolFailure('arguments', `"${command === undefined ? 'argv' : 'command'}" is empty; nothing was run.`);
  }
  for (const text of [command ?? '', ...(argv ?? [])]) {
    if (text.includes('\0'))
      throw new ToolFailure('arguments', 'a command cannot hold a NUL character; nothing was run.');
    if (Buffer.byteLength(text) > mostArgument) {
      throw new ToolFailure(
        'arguments',
        `a command, or one of its arguments, may have ${mostArgument} bytes; write what is longer to a file first, or give it as "stdin".`,
      );
    }
  }
}

function folderOf(cwd: string | undefined, workspace: string): string {
  const place = placeOf(cwd ?? '.', { workspace, guard: noGuard }, 'look');
  if (place.stats === undefined)
    throw new ToolFailure('missing', `there is no folder "${place.asked}" in the workspace.`);
  if (!place.stats.isDirectory())
    throw new ToolFailure('arguments', `"${place.asked}" is no folder; "cwd" must be one.`);
  return place.real;
}

function lineOf({ command, argv }: ShellArgs, cwd: string, env: Readonly<Record<string, string>>): Command['line'] {
  if (argv !== undefined) {
    const [program = '', ...rest] = argv;
    return [programFile(program, cwd, env), ...rest];
  }
  if (process.platform !== 'win32') return ['/bin/sh', '-c', command ?? ''];
  return powershellLine(command ?? '', programFile('powershell', cwd, env));
}

/** A script as an argument of its own kind: no quoting can go wrong. Its last program's exit code is its own. */
export function powershellLine(script: string, file: string): Command['line'] {
  const before = "$ProgressPreference = 'SilentlyContinue'; [Console]::OutputEncoding = [Text.Encoding]::UTF8";
  const whole = Buffer.from(`${before}\n${script}\nexit $LASTEXITCODE`, 'utf16le').toString('base64');
  return [file, '-NoProfile', '-NonInteractive', '-EncodedCommand', whole];
}

interface Ran {
  readonly end: CommandEnd;
  readonly text: string;
}

async function collect(
  command: Command,
  context: ToolContext,
  clean: { push(text: string): string; end(): string },
): Promise<Ran> {
  const terminal = createTerminalText();
  const kept = createBounded(mostText - roomForNotes);
  const end = await runCommand(command, context, (bytes) => kept.push(clean.push(terminal.push(bytes))));
  kept.push(clean.push(terminal.end()) + clean.end());
  context.signal.throwIfAborted();
  const text = terminal.isBinary
    ? `[binary output of ${end.bytes} bytes, not shown: write it to a file, or look at it with a program such as od]`
    : kept.text();
  return { end, text };
}

function resultOf(end: CommandEnd, output: string, args: ShellArgs, isShut: boolean): string {
  const note = end.left ? '[what it had left running in the background was ended]' : '';
  const text = [output.replace(/\n+$/, ''), note].filter((part) => part !== '').join('\n') || '(no output)';
  if (end.why === 'timeout') {
    const limit = args.timeoutMs ?? defaultTimeoutMs;
    throw new ToolFailure(
      'timeout',
      `the command took longer than ${limit} ms and was ended, with all that it had started. Give it more time with "timeoutMs" (at most ${mostTimeoutMs}), or do less at once.`,
      text,
    );
  }
  if (end.why === 'output') {
    throw new ToolFailure(
      'too-large',
      `the command printed more than ${mostOutput} bytes and was ended. Write its output to a file, or let it print less.`,
      text,
    );
  }
  if (end.code === 0) return text;
  if (isShut && /^bwrap: /.test(output)) {
    throw new ToolFailure('unavailable', 'the sandbox could not be set up, so nothing was run.', text);
  }
  throw new ToolFailure('failed', `${endWords(end)}${hintOf(end.code, isShut)}`, text);
}

function endWords({ code, signal }: CommandEnd): string {
  if (code === null) return `the command was ended by ${signal ?? 'a signal'}.`;
  // A shell tells so of what it started.
  const name = Object.entries(osConstants.signals).find(([, number]) => code === 128 + number)?.[0];
  return `the command ended with exit code ${code}${name === undefined ? '' : ` (as after ${name})`}.`;
}

function hintOf(code: number | null, isShut: boolean): string {
  if (code !== 127 && code !== 126) return '';
  const what = code === 127 ? ' A program was not found.' : ' A program was found that may not be run.';
  return isShut
    ? `${what} In the sandbox only the workspace and the folders of the system can be seen; [sandbox] read names more.`
    : what;
}
