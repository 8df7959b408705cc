/** What the commands of `calls` read: a text or JSON lines from a file or standard input, and the file of the tools. */
import { open } from 'node:fs/promises';
import { planTools, readTools, type ToolPlan, type ToolSpec } from '../calls/index.ts';
import { quotePath } from '../sys/index.ts';
import { type Args, UsageError } from './command.ts';
import type { Context } from './context.ts';
import { inputFile, readInput, STDIN } from './input.ts';
import { printProblems } from './report.ts';

/** The bytes of a file or of standard input, of any length and whatever they are; undefined when it cannot be read, which is told already. */
export async function readChunks(
  word: string | undefined,
  context: Context,
): Promise<AsyncIterable<Uint8Array> | readonly string[] | undefined> {
  if (word === undefined || word === STDIN) {
    if (context.stdin.isTTY) context.stderr.write('reading what you type; Ctrl-D on a line of its own ends it\n');
    return context.stdin.chunks();
  }
  const file = inputFile(word, context.cwd);
  try {
    const handle = await open(file.path);
    if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
    await handle.close();
  } catch {
    // Said below, in the words that every command has for it.
  }
  const read = await readInput(file, context);
  if (read.ok) return [read.source.text];
  printProblems([read.problem], context);
  return undefined;
}

/** Standard input can be the tools or the answer, not both. */
export function checkInputs(args: Args): void {
  const [file = STDIN] = args.positionals;
  if (args.texts.tools === STDIN && file === STDIN) {
    throw new UsageError('standard input cannot be both the tools and the answer', 'name a file for one of them');
  }
}

/** All of it as one text. */
export async function readAll(word: string | undefined, context: Context): Promise<string | undefined> {
  const chunks = await readChunks(word, context);
  if (chunks === undefined) return undefined;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  for await (const chunk of chunks) {
    parts.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

export interface ToolFile {
  readonly tools: readonly ToolSpec[];
  /** By the name of the tool. */
  readonly plans: ReadonlyMap<string, ToolPlan>;
}

export const noTools: ToolFile = { tools: [], plans: new Map() };

/** The tools of `--tools FILE`; undefined when they cannot be read, which is told already. */
export async function readToolFile(word: string, context: Context): Promise<ToolFile | undefined> {
  const text = await readAll(word, context);
  if (text === undefined) return undefined;
  const value = parseJson(text, (why) => {
    throw new UsageError(
      `${quotePath(word)} is not JSON: ${why}.`,
      'write a list of tools, each with "name", "description" and "parameters"',
    );
  });
  const { tools, problems } = readTools(value);
  if (problems.length === 0) return { tools, plans: plansOf(tools, word) };
  printProblems(
    problems.map((problem) => ({ message: `${quotePath(word)}: ${problem}` })),
    context,
  );
  return undefined;
}

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly value: Record<string, unknown>;
}

/** JSON lines; blank ones are left out. Throws for the first that is none. */
export function readLines(text: string): Line[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const number = i + 1;
    const value = parseJson(line, (why) => {
      throw new UsageError(`line ${number} is not JSON: ${why}.`, 'write one JSON object a line');
    });
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return [{ number, value: value as Record<string, unknown> }];
    }
    throw new UsageError(`line ${number} is not a JSON object.`, 'write one JSON object a line');
  });
}

/** A field of a line that must be a text. */
export function textField(line: Line, name: string): string {
  const value = line.value[name];
  if (typeof value === 'string') return value;
  throw new UsageError(`line ${line.number}: "${name}" is ${value === undefined ? 'missing' : 'not a text'}.`);
}

function plansOf(tools: readonly ToolSpec[], word: string): ReadonlyMap<string, ToolPlan> {
  try {
    return new Map(planTools(tools).map((plan) => [plan.name, plan]));
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${quotePath(word)}: ${error.message}.`);
    throw error;
  }
}

function parseJson(text: string, refuse: (why: string) => never): unknown {
  try {
    // A byte order mark is what some editors put before a text; it is no part of it.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}
