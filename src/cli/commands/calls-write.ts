/** `toolang calls write`: JSON lines to text, with everything escaped that has to be. */
import { type ToolPlan, writeCall, writeRawCall, writeResult } from '../../calls/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { checkInputs, type Line, noTools, readAll, readLines, readToolFile, textField } from '../call-input.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  checkInputs(args);
  const file = args.texts.tools === undefined ? noTools : await readToolFile(args.texts.tools, context);
  if (file === undefined) return exit.usage;
  const { plans } = file;
  const text = await readAll(args.positionals[0], context);
  if (text === undefined) return exit.usage;
  const lines = readLines(text).filter(({ value }) => value.type !== 'diagnostic');
  // Nothing is printed before all of it can be.
  const blocks = lines.map((line) => written(line, plans));
  context.stdout.write(
    blocks.map((block, i) => (isText(lines[i]) || isText(lines[i + 1]) ? block : `${block}\n`)).join(''),
  );
  return exit.done;
}

/** Text stands as it is; calls and results that follow each other, and the last, end their lines. */
function isText(line: Line | undefined): boolean {
  return line?.value.type === 'text';
}

/** What may stand in a line, by its type; "arguments" is what `calls map` prints. */
const fields: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text'],
  call: ['type', 'tool_name', 'raw_args', 'body', 'complete', 'args'],
  arguments: ['type', 'index', 'tool_name', 'run', 'args', 'errors', 'usage', 'hints'],
  result: ['type', 'index', 'tool_name', 'ok', 'content'],
};

function written(line: Line, plans: ReadonlyMap<string, ToolPlan>): string {
  const { type = 'call' } = line.value;
  const known = typeof type === 'string' && Object.hasOwn(fields, type) ? fields[type] : undefined;
  if (known === undefined) {
    const help = 'write "text", "call", "arguments" or "result"';
    throw new UsageError(`line ${line.number}: unknown type ${JSON.stringify(type)}.`, help);
  }
  const unknown = Object.keys(line.value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const help = `a line of the type "${type}" has ${known.join(', ')}`;
    throw new UsageError(
      `line ${line.number}: unknown field "${unknown}".${didYouMean(closest(unknown, known))}`,
      help,
    );
  }
  try {
    if (type === 'text') return textField(line, 'text');
    return type === 'result' ? result(line) : call(line, plans);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`line ${line.number}: ${error.message}.`);
    throw error;
  }
}

/** With `args` as the tool's schema says; with `raw_args` and `body` as they stand. */
function call(line: Line, plans: ReadonlyMap<string, ToolPlan>): string {
  const toolName = textField(line, 'tool_name');
  if (line.value.run === false) {
    throw new UsageError(`line ${line.number}: the call may not run.`, 'leave out lines with "run": false');
  }
  if (line.value.complete === false) {
    throw new UsageError(
      `line ${line.number}: the call is not complete, and written down it would be.`,
      'leave out calls with "complete": false',
    );
  }
  if (line.value.args === undefined) {
    const rawArgs = line.value.raw_args === undefined ? '' : textField(line, 'raw_args');
    return writeRawCall({ toolName, rawArgs, body: line.value.body === undefined ? '' : textField(line, 'body') });
  }
  const plan = plans.get(toolName);
  if (plan === undefined) {
    const help =
      plans.size === 0
        ? 'write --tools=FILE, which says where its arguments go'
        : `the tools are ${[...plans.keys()].join(', ')}`;
    throw new UsageError(`line ${line.number}: no tool "${toolName}" is known.`, help);
  }
  return writeCall(line.value.args as Record<string, unknown>, plan);
}

function result(line: Line): string {
  const { index = 0, ok = true } = line.value;
  if (typeof index !== 'number') throw new UsageError(`line ${line.number}: "index" is not a number.`);
  if (typeof ok !== 'boolean') throw new UsageError(`line ${line.number}: "ok" is not true or false.`);
  return writeResult({ index, tool: textField(line, 'tool_name'), ok, content: textField(line, 'content') });
}
