/** `toolang calls prompt`: the instructions that teach a model to call these tools, or a grammar that forces it to. */
import { lintTools, toGbnf, toolPrompt } from '../../calls/index.ts';
import { painter, printable } from '../../text/index.ts';
import { readToolFile } from '../call-input.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  if (args.texts.tools === undefined) throw new UsageError('calls prompt needs --tools FILE: the tools to tell of');
  const file = await readToolFile(args.texts.tools, context);
  if (file === undefined) return exit.usage;
  const { tools } = file;
  const lint = lintTools(tools);
  const choice = { ...(args.switches.required === true && { toolChoice: 'required' as const }) };
  if (args.switches.json === true) {
    const grammar = args.switches.gbnf === true ? { grammar: toGbnf(tools, choice) } : {};
    context.stdout.write(jsonText({ version: 1, ...toolPrompt(tools, choice), ...grammar, lint }));
    return exit.done;
  }
  if (args.switches.gbnf === true) context.stdout.write(toGbnf(tools, choice));
  else {
    const { text, tokens, estimated } = toolPrompt(tools, choice);
    context.stdout.write(text);
    context.stderr.write(`${estimated ? 'about ' : ''}${tokens} tokens\n`);
  }
  const name = painter(context.stderr.color).yellow('warning:');
  for (const { tool, message } of lint) context.stderr.write(`${name} ${printable(`${tool}: ${message}`)}\n`);
  return exit.done;
}
