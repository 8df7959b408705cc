/**
 * `toolang run AGENT`: an agent that answers line after line, at a terminal or over pipes, until there is nothing more to read.
 * 1. Each line is an input, and a run of its own: kept, and resumed or looked at as every other. All of them are one thread.
 * 2. What goes wrong with one input ends that one. What would go wrong with every one is told before the first is read.
 * 3. Ctrl-C stops what is done for an input; where nothing is done it ends the session, as the end of the input does.
 */
import { expandSlash, slashUsage } from '../../agent/index.ts';
import type { Activation } from '../../plan/index.ts';
import type { AgentProgram, ThunkProgram } from '../../program/index.ts';
import { newRunId } from '../../sys/index.ts';
import { closest, didYouMean, painter, printable, ToolangError } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context, StopSignal } from '../context.ts';
import { type ExitCode, exit, stopCode } from '../exit.ts';
import { jsonLine } from '../json.ts';
import { type LineInput, lineInput } from '../line-input.ts';
import { printProblem, printProblems } from '../report.ts';
import { reportError } from '../run.ts';
import { driveAndTell } from '../runs/follow.ts';
import { answerWish } from '../runs/recording.ts';
import { remarkText, remarkWith } from '../runs/remark.ts';
import { command, printEnd } from '../runs/result.ts';
import { type OpenRuns, openRunsOf } from '../runs/stores.ts';
import { quoteForShell } from '../shell.ts';
import { activationOf, refuseUnknown } from './agent-image.ts';
import { type OpenAgent, openAgent } from './open-agent.ts';
import { promptsOf } from './prompt-input.ts';
import { readyThunk, type StartWish, thunkTitle } from './start-thunk.ts';

export async function runAgent(word: string, args: Args, context: Context): Promise<ExitCode> {
  refuseFlags(word, args);
  const agent = await openAgent(word, args, context);
  if (agent === undefined) return exit.usage;
  const thunk = sessionThunk(agent.program, word);
  const answers = await answerWish(args, agent.file, context);
  const runs = await openRunsOf(agent.file, args, context);
  const input = lineInput(context.stdin);
  try {
    const thread = args.texts.thread ?? newRunId().slice(0, 8);
    const activation: Activation = { ...activationOf(args, agent.kind), thread };
    refuseUnknown(agent, activation);
    const wish = { thunk: thunk.name, activation, ...answers };
    const ready = await readyThunk(agent, runs, { ...wish, input: {} }, args, context);
    if (!ready.ok) {
      printProblems(ready.problems, context);
      return exit.usage;
    }
    greet({ word, thread, agent, thunk: thunk.name, ...ready }, context);
    // Who asks in between reads from where the last line ended.
    const own = { ...context, stdin: input };
    return await createSession({ agent, runs, input, wish, args, context: own }).run();
  } finally {
    input.close();
    runs.close();
  }
}

interface SessionOptions {
  readonly agent: OpenAgent;
  readonly runs: OpenRuns;
  readonly input: LineInput;
  readonly wish: Omit<StartWish, 'input'>;
  readonly args: Args;
  readonly context: Context;
}

function createSession(options: SessionOptions) {
  const { agent, runs, input, wish, args, context } = options;
  const { stderr } = context;
  const isTyped = context.stdin.isTTY && stderr.isTTY;
  const prompts = promptsOf(agent, wish.activation);
  let stopped: StopSignal | undefined;
  /** The run of the last input. */
  let after: string | undefined;

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

  async function answer(text: string): Promise<ExitCode> {
    const activation = { ...wish.activation, ...(after !== undefined && { after }) };
    const ready = await readyThunk(agent, runs, { ...wish, activation, input: { input: text } }, args, context);
    if (!ready.ok) {
      printProblems(ready.problems, context);
      return exit.failed;
    }
    const { id, epoch } = runs.engine.create(ready.run);
    after = id;
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

  /** What is said: undefined where that was a command, or no command that there is. */
  function said(text: string): { readonly text: string } | { readonly code: ExitCode } | 'quit' {
    const word = /^\/(\S+)\s*$/.exec(text)?.[1];
    if (word === 'quit' || word === 'exit') return 'quit';
    if (word === 'help') {
      stderr.write(helpText());
      return { code: exit.done };
    }
    const slash = expandSlash(text, prompts);
    if (slash.kind === 'none' || slash.kind === 'expanded') return slash;
    if (slash.kind === 'wrong') printProblem(printable(slash.message), stderr);
    else {
      const near = closest(slash.name, [...prompts.keys(), 'help', 'quit']);
      const meant = didYouMean(near === undefined ? undefined : `/${near}`);
      printProblem(printable(`there is no prompt "/${slash.name}".${meant}`), stderr);
      stderr.write(`  /help lists them; a text that begins with "/" is written "//${printable(slash.name)} …"\n`);
    }
    return { code: exit.failed };
  }

  function helpText(): string {
    const rows = [
      ...Array.from(prompts, ([name, prompt]) => [slashUsage(name, prompt), prompt.description ?? ''] as const),
      ['/help', 'what there is'] as const,
      ['/quit', 'end the session, as Ctrl-D does'] as const,
    ];
    const width = Math.min(40, Math.max(...rows.map(([usage]) => usage.length)));
    const lines = rows.map(([usage, about]) => `  ${usage.padEnd(width)}  ${about}`.trimEnd());
    lines.push('  A line that ends with "\\" goes on in the next.');
    return lines.map((line) => `${printable(line)}\n`).join('');
  }

  /** What one input comes to; undefined at the end. */
  async function next(): Promise<ExitCode | 'nothing' | undefined> {
    const line = await readInput();
    if (line === undefined) return undefined;
    if (line.trim() === '') return 'nothing';
    const heard = said(line);
    if (heard === 'quit') return undefined;
    return 'code' in heard ? heard.code : answer(heard.text);
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

interface Greeting {
  readonly word: string;
  readonly thread: string;
  readonly agent: OpenAgent;
  readonly thunk: string;
  readonly about: string;
  readonly notes: readonly string[];
}

/** Who answers, and how to go on with it later. */
function greet({ word, thread, agent, thunk, about, notes }: Greeting, context: Context): void {
  const { stderr, places = [] } = context;
  const paint = painter(stderr.color);
  const title = printable(thunkTitle(agent, thunk));
  stderr.write(`  ${paint.bold(title)} · thread ${printable(thread)}  ${paint.dim(about)}\n`);
  for (const note of notes) stderr.write(remarkText(note, stderr));
  const again = command(context, 'run', quoteForShell(word), '--thread', quoteForShell(thread), ...places);
  stderr.write(remarkWith('to go on with it later:', again, stderr));
}

/** `chat`, else `default`, else the only one; it must need nothing but what is said. */
function sessionThunk({ thunks, source }: AgentProgram, word: string): ThunkProgram {
  const [only, ...more] = thunks.values();
  const thunk = thunks.get('chat') ?? thunks.get('default') ?? (more.length === 0 ? only : undefined);
  const name = quoteForShell(word);
  if (thunk === undefined) {
    if (only === undefined) throw new UsageError(`"${source.name}" has no thunk.`, 'Declare one: "thunk:".');
    throw new UsageError(
      `"${source.name}" has several thunks, and none is called "chat" or "default".`,
      `Call one by its name: toolang invoke ${name} ${only.name} …`,
    );
  }
  const call = `toolang invoke ${name} ${thunk.name}`;
  const needed = thunk.params.flatMap((param) => (param.optional || param.name === 'input' ? [] : [param.name]));
  if (needed.length > 0) {
    const which = needed.map((each) => `"${each}"`).join(', ');
    const words = needed.map((each) => `${each}=…`).join(' ');
    throw new UsageError(
      `the thunk "${thunk.name}" needs ${which}, and is given only what is typed here.`,
      `Call it once: ${call} ${words} …`,
    );
  }
  if (!thunk.params.some((param) => param.name === 'input')) {
    throw new UsageError(`the thunk "${thunk.name}" takes no input: nothing can be said to it.`, `Call it: ${call}`);
  }
  return thunk;
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
