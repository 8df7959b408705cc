/** `toolang models`: what can be used now, and why the rest cannot. */
import {
  createModels,
  isModelName,
  isPassing,
  type ListedModel,
  type ListedProvider,
  listedModel,
  type ModelPrice,
  type ModelSelector,
  type Models,
  readModelSelector,
} from '../../model/index.ts';
import { realClock } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { InputProblem } from '../input.ts';
import { jsonText } from '../json.ts';
import { modelText } from '../models/model-text.ts';
import { modelTable, whyNot } from '../models/table-text.ts';
import { count, printProblems } from '../report.ts';
import { readSettings } from '../settings.ts';
import { programName } from '../shell.ts';

interface Found {
  readonly models: readonly ListedModel[];
  /** Of lists: those of the models in them; without words all. */
  readonly providers: readonly ListedProvider[];
  readonly problems: readonly InputProblem[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { env, stdout, stderr } = context;
  const settings = await readSettings(context.cwd, args, context);
  const models = createModels({ env, settings, clock: realClock, ...(context.fetch && { fetch: context.fetch }) });
  const words = args.positionals;
  const usable = args.switches.usable === true;
  const all = await look(words, { all: args.switches.all === true, usable }, models);
  const found = usable ? usableOf(all) : all;
  const code = found.problems.length > 0 ? exit.usage : exit.done;
  if (args.switches.json === true) {
    const { problems, providers } = found;
    stdout.write(jsonText({ version: 1, models: found.models.map(modelJson), providers, problems }));
    return code;
  }
  printProblems(found.problems, context);
  const paint = painter(stdout.color);
  const columns = stdout.isTTY ? stdout.columns : 80;
  const [only] = found.models;
  const [word = ''] = words;
  if (words.length === 1 && isModelName(word) && only) stdout.write(modelText(only, { env, paint, columns }));
  else if (found.models.length > 0) {
    stdout.write(modelTable(found.models, { paint, columns }));
  } else if (code === exit.done) stderr.write('no model can be used now\n');
  if (words.length === 1 && isModelName(word)) return code;
  const lines = usable && found.models.length > 0 ? [] : whyNot(all.models, all.providers);
  if (words.length === 0) lines.push(...(await defaultProblem(settings.models.default, models)));
  if (lines.length > 0) stdout.write(`\n${paint.dim('not usable:')}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  if (words.length === 0 && args.switches.all !== true)
    stdout.write(`\n${paint.dim(moreText(all.providers, programName(env)))}\n`);
  return code;
}

/** A name in the list of those that are asked where none is named, and that stands for nothing. */
async function defaultProblem(names: readonly string[], models: Models): Promise<string[]> {
  const { problem } = names.length === 0 ? {} : await models.choose();
  return problem === undefined || isPassing(problem) ? [] : [printable(`[models] default: ${problem.message}`)];
}

interface Wanted {
  readonly all: boolean;
  readonly usable: boolean;
}

async function look(words: readonly string[], { all, usable }: Wanted, models: Models): Promise<Found> {
  if (words.length === 0) return { ...(await models.list({ all })), problems: [] };
  const found: ListedModel[] = [];
  const problems: InputProblem[] = [];
  const selectors: [string, ModelSelector][] = [];
  for (const word of words) {
    if (isModelName(word)) {
      const one = await models.find(word);
      const listed = listedModel(one);
      // Who asks for a model that is usable wants to hear why it is not.
      if (!one.ok && (usable || !listed)) problems.push(problemOf(one.problem));
      else if (listed) found.push(listed);
      continue;
    }
    const read = readModelSelector(word);
    if (read.ok) selectors.push([word, read.selector]);
    else problems.push(problemOf(read));
  }
  // Who only names models asks nothing of others.
  const list = selectors.length > 0 ? await models.list({ all: true }) : { models: [], providers: [] };
  for (const [word, selector] of selectors) {
    const fitting = list.models.filter(selector);
    found.push(...fitting);
    if (fitting.length === 0)
      problems.push({ message: `no model fits "${word}".`, help: 'All that is known: toolang models --all' });
  }
  const unique = [...new Map(found.map((model) => [model.alias ?? model.ref, model])).values()];
  const names = new Set(unique.map(({ provider }) => provider));
  return { models: unique, providers: list.providers.filter(({ name }) => names.has(name)), problems };
}

function usableOf({ models, providers, problems }: Found): Found {
  return {
    models: models.filter(({ status }) => status === 'usable'),
    providers: providers.filter(({ status }) => status === 'usable'),
    problems,
  };
}

function problemOf({ code, message, help }: Pick<InputProblem, 'code' | 'message' | 'help'>): InputProblem {
  return { ...(code !== undefined && { code }), message, ...(help !== undefined && { help }) };
}

function moreText(providers: readonly ListedProvider[], program: string): string {
  const known = providers.reduce((sum, { models }) => sum + models, 0);
  return `$: for a million tokens. ${count(known, 'model')} known: ${program} models --all`;
}

/** The shape of a model in `spec/json/models.schema.json`. */
interface ModelJson {
  ref: string;
  alias?: string;
  provider: string;
  id: string;
  status: ListedModel['status'];
  /** Why it cannot be used. */
  why?: string;
  endpoint?: string;
  keyEnv: readonly string[];
  tools: 'native' | 'text';
  context?: number;
  output?: number;
  price?: ModelPrice;
  notes: readonly string[];
}

function modelJson({
  ref,
  alias,
  provider,
  id,
  status,
  problem,
  endpoint,
  keyEnv,
  tools,
  info,
  notes,
}: ListedModel): ModelJson {
  return {
    ref,
    ...(alias !== undefined && { alias }),
    provider,
    id,
    status,
    ...(problem && { why: problem.message }),
    ...(endpoint !== undefined && { endpoint }),
    keyEnv,
    tools,
    ...info,
    notes,
  };
}
