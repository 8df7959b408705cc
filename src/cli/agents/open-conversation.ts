/**
 * An agent that people talk to: found, synced, and ready to answer. What is said is a run each, and all of them are one thread.
 * What would go wrong with every input is told before the first one is read.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Conversation, ModelOffer, PastTurn, Problem } from '../../chat/index.ts';
import { contentText, createModels, type ModelMessage } from '../../model/index.ts';
import type { Activation, Json } from '../../plan/index.ts';
import type { AgentProgram, ThunkProgram } from '../../program/index.ts';
import { type Memory, openMemory, scriptBeside } from '../../run/index.ts';
import { newRunId, realClock, systemCode } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { isRecord } from '../../type/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { printProblems } from '../report.ts';
import { personName } from '../runs/person.ts';
import { answerWish } from '../runs/recording.ts';
import { command } from '../runs/result.ts';
import { type OpenRuns, openRunsOf } from '../runs/stores.ts';
import { quoteForShell } from '../shell.ts';
import { activationOf, refuseUnknown } from './agent-image.ts';
import { type OpenAgent, openAgent } from './open-agent.ts';
import { promptsOf } from './prompt-input.ts';
import { saidInput } from './said-input.ts';
import { modelCeiling } from './settle-models.ts';
import { type ReadyThunk, readyThunk, thunkTitle } from './start-thunk.ts';
import { wordSource } from './word-source.ts';

export interface OpenConversation extends Conversation {
  readonly agent: OpenAgent;
  readonly runs: OpenRuns;
  /** What whoever talks to it should know. */
  readonly notes: readonly string[];
  /** Whether it went on with what was said before. */
  readonly isResumed: boolean;
  readonly close: () => void;
}

/** Undefined where something stands in the way, which is told. */
export async function openConversation(
  word: string,
  args: Args,
  context: Context,
): Promise<OpenConversation | undefined> {
  const agent = await openAgent(word, args, context);
  if (agent === undefined) return undefined;
  const thunk = talkingThunk(agent.program, word);
  const runs = await openRunsOf(agent.file, args, context);
  const memory = openMemory(agent.home.memory);
  const close = () => {
    memory.close();
    runs.close();
  };
  try {
    const opened = await open({ word, agent, thunk, runs, memory, args, context });
    if (opened === undefined) close();
    return opened && { ...opened, close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Parts {
  readonly word: string;
  readonly agent: OpenAgent;
  readonly thunk: ThunkProgram;
  readonly runs: OpenRuns;
  readonly memory: Memory;
  readonly args: Args;
  readonly context: Context;
}

async function open(parts: Parts): Promise<Omit<OpenConversation, 'close'> | undefined> {
  const { agent, thunk, runs, memory, args, context } = parts;
  const { engine } = runs;
  const activation = activationOf(args, agent.kind);
  refuseUnknown(agent, activation);
  const answers = await answerWish(args, agent.file, context);
  let thread = firstThread(parts);
  let model: string | undefined;
  /** The run of the last input. */
  let after: string | undefined;

  function ready(input: Json, wanted: string | undefined): Promise<ReadyThunk> {
    const own: Activation = { ...activation, thread, ...(after !== undefined && { after }) };
    const wish = { ...answers, thunk: thunk.name, activation: own, model: wanted, input };
    return readyThunk(agent, runs, wish, args, context);
  }

  const first = await ready({}, undefined);
  if (!first.ok) {
    printProblems(first.problems, context);
    return undefined;
  }
  let { about } = first;
  const input = thunk.params.find(({ name }) => name === 'input');
  if (input === undefined) throw new Error(`the thunk ${thunk.name} has no input`);

  return {
    agent,
    runs,
    notes: first.notes,
    isResumed: memory.threads(agent.name).some((each) => each.thread === thread),
    title: printable(thunkTitle(agent, thunk.name)),
    engine,
    listen: (hear) => runs.listen(({ id }, text, run) => hear(id, text, run)),
    about: () => about,
    prompts: promptsOf(agent, activation),
    thread: () => thread,
    threads: () => memory.threads(agent.name),
    goTo(name) {
      thread = name ?? newThread();
    },
    past: (most) => pastTurns(memory.turns(agent.name, thread, pastTokens), most),
    models: () => offersOf(parts, activation, answers.script),
    async choose(name) {
      const chosen = await ready({}, name);
      if (!chosen.ok) return chosen.problems.map(shown);
      model = name;
      about = chosen.about;
      return [];
    },
    read: (text, expand) =>
      saidInput(text, expand, { type: input.type, types: agent.program.types }, wordSource(context)),
    async begin(said) {
      const made = await ready({ input: said }, model);
      if (!made.ok) return { ok: false, problems: made.problems.map(shown) };
      const { id, epoch } = engine.create(made.run);
      after = id;
      about = made.about;
      const isText = made.run.plan.result.kind === 'text';
      return { ok: true, turn: { id, epoch, short: runs.short(id), isText }, notes: [] };
    },
    keepStopped({ id }, said, answer) {
      const messages = engine.clean([
        { role: 'user', content: contentOf(said) },
        { role: 'assistant', content: `${answer === '' ? '' : `${answer}\n\n`}(The person stopped this answer.)` },
      ] as Json) as unknown as readonly ModelMessage[];
      try {
        memory.addTurn({ agent: agent.name, thread, run: id, at: engine.clock.now(), messages });
        return undefined;
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'StoreFailure') throw error;
        return `what was stopped is not remembered: ${error.message}`;
      }
    },
    files: (start) => filesFrom(start, context.cwd),
    person: personName(context),
    command: (...words) => command(context, ...words),
  };
}

/** What is shown of an earlier conversation is little. */
const pastTokens = 16_000;

function newThread(): string {
  return newRunId().slice(0, 8);
}

/** The one that is named, or the last one, or a new one. */
function firstThread({ word, agent, memory, args, context }: Parts): string {
  const { thread } = args.texts;
  if (args.switches.resume !== true) return thread ?? newThread();
  if (thread !== undefined)
    throw new UsageError('--resume and --thread exclude each other.', '--resume goes on with the last conversation.');
  const [last] = memory.threads(agent.name);
  if (last !== undefined) return last.thread;
  throw new UsageError(
    `there is no conversation with "${printable(agent.name)}" to go on with.`,
    `To begin one: ${command(context, 'chat', quoteForShell(word))}`,
  );
}

/** Of an input as a message of a person. */
function contentOf(input: Json): Json {
  return isRecord(input) && 'content' in input
    ? (input.content as Json)
    : typeof input === 'string'
      ? input
      : JSON.stringify(input);
}

function shown({ message, help }: Pick<InputProblem, 'message' | 'help'>): Problem {
  return { message: printable(message), ...(help !== undefined && { help: printable(help) }) };
}

/** The newest last; what was said in the middle of an answer counts as said, too. */
export function pastTurns(messages: readonly ModelMessage[], most: number): readonly PastTurn[] {
  const turns: { said: string; answer: string }[] = [];
  for (const message of messages) {
    const text = contentText(message.content).trim();
    if (message.role === 'user') turns.push({ said: text, answer: '' });
    const last = turns.at(-1);
    if (message.role === 'assistant' && text !== '' && last) last.answer = text;
  }
  return turns.slice(-most);
}

/** What the thunk names, else what can be used now, within `--models`. */
async function offersOf(
  { agent, thunk, runs, context }: Parts,
  activation: Activation,
  script: string | undefined,
): Promise<readonly ModelOffer[]> {
  if (script !== undefined) return [];
  const { config } = await runs.settings();
  const named = thunk.directives.findLast(({ key }) => key === 'models')?.values ?? [];
  if (named.length > 0) return named.map(({ text }) => ({ name: text }));
  const ceiling = activation.models && modelCeiling(activation.models);
  const fetch = context.fetch && { fetch: context.fetch };
  const { models } = await createModels({
    env: context.env,
    settings: config ?? { models: { default: [], aliases: {} } },
    clock: realClock,
    ...fetch,
  }).list();
  const usable = models.filter(
    (each) => each.status === 'usable' && (ceiling === undefined || ceiling.some((test) => test(each))),
  );
  const offers = usable.map(
    ({ ref, alias }): ModelOffer => (alias === undefined ? { name: ref } : { name: alias, about: ref }),
  );
  const beside = scriptBeside(agent.file);
  const scripted =
    ceiling === undefined && existsSync(beside) ? [{ name: 'scripted', about: path.basename(beside) }] : [];
  return [...offers, ...scripted];
}

/** Files and folders that begin so, from where the agent works. What is hidden is offered to who asks for it. */
export async function filesFrom(start: string, cwd: string): Promise<readonly string[]> {
  const cut = Math.max(start.lastIndexOf('/'), process.platform === 'win32' ? start.lastIndexOf('\\') : -1) + 1;
  const folder = start.slice(0, cut);
  const base = start.slice(cut);
  try {
    const entries = await readdir(path.resolve(cwd, folder === '' ? '.' : folder), { withFileTypes: true });
    return entries
      .filter(({ name }) => name.startsWith(base) && (base.startsWith('.') || !name.startsWith('.')))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort();
  } catch (error) {
    // A folder that is not there, or closed, has nothing to offer.
    if (systemCode(error) !== undefined) return [];
    throw error;
  }
}

/** `chat`, else `default`, else the only one; it must need nothing but what is said. */
function talkingThunk({ thunks, source }: AgentProgram, word: string): ThunkProgram {
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
