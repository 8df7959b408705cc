/**
 * `toolang chat AGENT` and `toolang run AGENT`: an agent that answers until there is nothing more to say. On a terminal that can be
 * drawn on it is a chat; elsewhere, over pipes, and where the answers are JSON, it goes line after line, as here.
 * 1. Each line is an input, and a run of its own: kept, and resumed or looked at as every other. All of them are one thread.
 * 2. What goes wrong with one input ends that one. What would go wrong with every one is told before the first is read.
 * 3. Ctrl-C stops what is done for an input; where nothing is done it ends the session, as the end of the input does.
 */
import path from 'node:path';
import {
  hear,
  helpLines,
  obey,
  openHistory,
  type Problem,
  pastLines,
  runChat,
  type Terminal,
} from '../../chat/index.ts';
import type { Json } from '../../plan/index.ts';
import { displayWidth, painter, printable, ToolangError, wrap } from '../../text/index.ts';
import { shorten } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context, Output, StopSignal } from '../context.ts';
import { type ExitCode, exit, stopCode } from '../exit.ts';
import { jsonLine } from '../json.ts';
import { type LineInput, lineInput } from '../line-input.ts';
import { printProblem } from '../report.ts';
import { reportError } from '../run.ts';
import { driveAndTell } from '../runs/follow.ts';
import { remarkText, remarkWith } from '../runs/remark.ts';
import { printEnd } from '../runs/result.ts';
import { quoteForShell } from '../shell.ts';
import { type OpenConversation, openConversation } from './open-conversation.ts';

/** `verb`: the command that was given. */
export async function runAgent(word: string, args: Args, context: Context, verb: 'run' | 'chat'): Promise<ExitCode> {
  refuseFlags(word, args);
  const terminal = args.switches.json === true ? undefined : await context.terminal?.();
  const desk = terminal === undefined ? undefined : createDesk(context);
  const input = lineInput(context.stdin);
  // Who asks in between reads from where the last line ended.
  const own: Context = desk?.context ?? { ...context, stdin: input };
  const talk = await openConversation(word, args, own);
  if (talk === undefined) return exit.usage;
  const again = [verb, quoteForShell(word)];
  try {
    if (terminal !== undefined && desk !== undefined) return await chat(talk, terminal, desk, again, context);
    greet(talk, again, own);
    return await createSession({ talk, input, args, context: own }).run();
  } finally {
    input.close();
    talk.close();
  }
}

/** What commands write while a chat is on the terminal, for that to show; before and after it, as always. */
interface Desk {
  readonly context: Context;
  readonly take: (print: ((text: string) => void) | undefined) => void;
}

function createDesk(context: Context): Desk {
  let shown: ((text: string) => void) | undefined;
  const through = (output: Output): Output => ({
    write: (text) => (shown ?? output.write)(text),
    flush: output.flush,
    isTTY: output.isTTY,
    color: output.color,
    get columns() {
      return output.columns;
    },
  });
  const own = { ...context, stdout: through(context.stdout), stderr: through(context.stderr) };
  return {
    context: own,
    take(print) {
      shown = print;
    },
  };
}

async function chat(
  talk: OpenConversation,
  terminal: Terminal,
  desk: Desk,
  again: readonly string[],
  context: Context,
): Promise<ExitCode> {
  const { home } = talk.agent;
  const clean = (text: string) => talk.engine.clean(text) as string;
  const history = await openHistory(path.join(home.state, 'chat-history'), clean);
  const { stdout } = context;
  const paint = painter(stdout.color);
  const width = Math.max(20, terminal.columns() - 1);
  const thread = talk.thread();
  const head = `${talk.title} · thread ${printable(thread)}`;
  const room = width - displayWidth(head) - 4;
  const about = room < 20 ? [`  ${paint.dim(shorten(talk.about(), width - 2))}`] : [];
  const beside = room < 20 ? '' : `  ${paint.dim(shorten(talk.about(), room))}`;
  const notes = talk.notes.flatMap((note) => wrap(printable(note), width - 2));
  const ended = await runChat({
    conversation: talk,
    terminal,
    history,
    color: stdout.color,
    greeting: [
      `  ${paint.bold(talk.title)} · thread ${printable(thread)}${beside}`,
      ...about,
      ...notes.map((line) => `  ${line}`),
      ...wrap('/help lists what you can type; Ctrl-D ends it', width - 2).map((line) => `  ${paint.dim(line)}`),
      '',
      ...(talk.isResumed ? [...pastLines(talk, width).map(paint.dim), ''] : []),
    ],
    printed: desk.take,
    onSignal: context.onSignal,
    problemOf,
  });
  desk.take(undefined);
  if (talk.threads().some((each) => each.thread === talk.thread())) {
    context.stderr.write(remarkWith('to go on with it later:', goOn(talk, again, context), context.stderr));
  }
  return ended.signal === undefined ? exit.done : stopCode(ended.signal);
}

/** Errors that end one input: what is wrong with it, not with us. */
function problemOf(error: unknown): Problem | undefined {
  if (error instanceof UsageError) {
    return { message: printable(error.message), ...(error.help !== undefined && { help: printable(error.help) }) };
  }
  if (error instanceof ToolangError) return { message: `${printable(error.message)} (${error.code})` };
  // By its name: what keeps runs is not loaded by every command.
  return error instanceof Error && error.name === 'StoreFailure' ? { message: printable(error.message) } : undefined;
}

function goOn(talk: OpenConversation, [verb = '', word = '']: readonly string[], { places = [] }: Context): string {
  return talk.command(verb, word, '--thread', quoteForShell(talk.thread()), ...places);
}

interface SessionOptions {
  readonly talk: OpenConversation;
  readonly input: LineInput;
  readonly args: Args;
  readonly context: Context;
}

function createSession(options: SessionOptions) {
  const { talk, input, args, context } = options;
  const { runs } = talk;
  const { stderr } = context;
  const isTyped = context.stdin.isTTY && stderr.isTTY;
  let stopped: StopSignal | undefined;

  /** One input, which may go over several lines. Undefined where there is nothing more. */
  async function readInput(): Promise<string | undefined> {
    const lines: string[] = [];
    for (;;) {
      const line = await readLine(lines.length === 0 ? '> ' : '… ');
      if (line === undefined) return lines.length === 0 || stopped !== undefined ? undefined : lines.join('\n');
      if (!line.endsWith('\\')) return [...lines, line].join('\n');
      lines.push(line.slice(0, -1));
    }
  }

  async function readLine(prompt: string): Promise<string | undefined> {
    const stop = new AbortController();
    const forget = context.onSignal?.((signal) => {
      stopped = signal;
      stop.abort();
    });
    if (isTyped) stderr.write(painter(stderr.color).bold(prompt));
    try {
      const line = await input.line(stop.signal);
      if (line === undefined || !line.ok) {
        if (line === undefined && isTyped) stderr.write('\n');
        if (line !== undefined) throw new UsageError(line.problem.message);
        return undefined;
      }
      return line.text;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      if (isTyped) stderr.write('\n');
      return undefined;
    } finally {
      forget?.();
    }
  }

  async function answer(said: Json): Promise<ExitCode> {
    const begun = await talk.begin(said);
    if (!begun.ok) return tell(begun.problems);
    const { id, epoch } = begun.turn;
    const json = args.switches.json === true;
    const wait = args.switches.wait === true;
    const ended = await driveAndTell({
      runs,
      root: id,
      context,
      json,
      epoch,
      wait,
      held: 'refuse',
      isTerse: true,
    });
    return printEnd(ended, context, jsonLine);
  }

  function tell(problems: readonly Problem[]): ExitCode {
    for (const { message, help } of problems) {
      printProblem(message, stderr);
      if (help !== undefined) stderr.write(`  ${help}\n`);
    }
    return exit.failed;
  }

  function show(lines: readonly string[]): ExitCode {
    for (const line of lines) stderr.write(`${line}\n`);
    return exit.done;
  }

  /** What one input comes to; undefined at the end. */
  async function next(): Promise<ExitCode | 'nothing' | undefined> {
    const line = await readInput();
    if (line === undefined) return undefined;
    if (line.trim() === '') return 'nothing';
    const heard = hear(line, talk.prompts);
    if (heard.kind === 'problem') return tell([heard.problem]);
    if (heard.kind === 'say') {
      const read = await talk.read(heard.text, heard.expand);
      if (!read.ok) return tell(read.problems);
      show(read.notes);
      return answer(read.input);
    }
    if (heard.name === 'quit') return undefined;
    const width = stderr.isTTY ? Math.max(20, stderr.columns) : 100;
    if (heard.name === 'help') return show(helpLines(talk.prompts, keys, width));
    const done = await obey(heard.name, heard.rest, talk, width - 2);
    return 'lines' in done ? show(done.lines.map((each) => `  ${each}`)) : tell(done.problems);
  }

  return {
    async run(): Promise<ExitCode> {
      let last: ExitCode = exit.done;
      for (;;) {
        const code = await next().catch((error: unknown) => {
          if (!(error instanceof UsageError || error instanceof ToolangError)) throw error;
          reportError(error, context);
          return exit.failed;
        });
        if (code === 'nothing') continue;
        if (code === undefined) break;
        last = code;
        // Somebody at a terminal may say something else now; elsewhere nobody is there to.
        if (code === exit.hungUp || code === exit.terminated || (code === exit.interrupted && !isTyped)) return code;
      }
      if (stopped !== undefined && !(stopped === 'SIGINT' && isTyped)) return stopCode(stopped);
      return last === exit.interrupted ? exit.failed : last;
    },
  };
}

const keys = ['A line that ends with "\\" goes on in the next; @FILE attaches a file.'];

/** Who answers, and how to go on with it later. */
function greet(talk: OpenConversation, again: readonly string[], context: Context): void {
  const { stderr } = context;
  const paint = painter(stderr.color);
  stderr.write(`  ${paint.bold(talk.title)} · thread ${printable(talk.thread())}  ${paint.dim(talk.about())}\n`);
  for (const note of talk.notes) stderr.write(remarkText(note, stderr));
  stderr.write(remarkWith('to go on with it later:', goOn(talk, again, context), stderr));
}

function refuseFlags(word: string, { switches, texts, lists }: Args): void {
  const invoke = `toolang invoke ${quoteForShell(word)} …`;
  if (lists.input !== undefined)
    throw new UsageError('--input is for workflows: an agent is told what you type.', `To ask it once: ${invoke}`);
  if (switches.watch === true) throw new UsageError('--watch is for workflows.', `To ask the agent once: ${invoke}`);
  if (switches.detach === true)
    throw new UsageError('an agent that answers here cannot be detached.', `To ask it once: ${invoke} --detach`);
  if (texts.script === '-')
    throw new UsageError('standard input is what is said to the agent, and cannot be the script too.', 'Name a file.');
}
