/** `toolang graph`: a drawing of a workflow, or of a run. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { displayPath, quotePath } from '../../sys/index.ts';
import { type DiagnosticJson, painter, toJson } from '../../text/index.ts';
import type { Graph } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { InputProblem } from '../input.ts';
import { jsonText } from '../json.ts';
import { printObstacles, readPlan } from '../read-plan.ts';
import { printDiagnostics, printProblems } from '../report.ts';
import { writeBack } from '../write.ts';

/** The shape of `--json`, as in `spec/json/graph.schema.json`. */
interface GraphJson {
  version: 1;
  file: string;
  graph?: Graph;
  diagnostics: DiagnosticJson[];
  problems: readonly InputProblem[];
}

type Form = 'text' | 'mermaid' | 'svg' | 'json';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const form = formOf(args);
  const [word = ''] = args.positionals;
  refuseSource(args, context);
  if (isRunWord(word, context)) return drawRun(word, form, args, context);
  const read = await readPlan(word, args, context);
  const { plan, diagnostics, problems, file } = read;
  const { graphOf } = await import('../../view/index.ts');
  const graph = plan && graphOf(plan);
  if (form === 'json') {
    const shape: GraphJson = {
      version: 1,
      file: file.name,
      ...(graph && { graph }),
      diagnostics: diagnostics.map(toJson),
      problems,
    };
    const written = await write(jsonText(shape), args, context);
    return graph ? written : exit.usage;
  }
  if (graph === undefined) {
    printObstacles(read, context);
    return exit.usage;
  }
  printDiagnostics(diagnostics, context.stderr);
  return draw(graph, form, args, context);
}

async function draw(graph: Graph, form: Exclude<Form, 'json'>, args: Args, context: Context): Promise<ExitCode> {
  const { graphMermaid, graphSvg, graphText } = await import('../../view/index.ts');
  const inFile = args.texts.output !== undefined;
  const forms = {
    text: () => graphText(graph, painter(context.stdout.color && !inFile)),
    mermaid: () => graphMermaid(graph),
    svg: () => graphSvg(graph),
  };
  return write(forms[form](), args, context);
}

/** An id of a run has no ending, and no file of that name lies here. */
function isRunWord(word: string, { cwd }: Context): boolean {
  return /^[0-9a-z]{1,12}$/i.test(word) && !existsSync(path.resolve(cwd, word));
}

async function drawRun(word: string, form: Form, args: Args, context: Context): Promise<ExitCode> {
  const [{ findRun }, { viewOf }, { graphOfRun }] = await Promise.all([
    import('../runs/stores.ts'),
    import('./show.ts'),
    import('../../view/index.ts'),
  ]);
  const found = await findRun(word, args, context, 'graph');
  try {
    const { tree, plan, prefix } = viewOf(found);
    const graph = graphOfRun(plan, tree, prefix);
    if (form !== 'json') return await draw(graph, form, args, context);
    const file = tree.file === undefined ? tree.id : displayPath(tree.file, context.cwd);
    const shape: GraphJson = { version: 1, file, graph, diagnostics: [], problems: [] };
    return await write(jsonText(shape), args, context);
  } finally {
    found.close();
  }
}

function formOf({ switches }: Args): Form {
  const wanted = (['mermaid', 'svg', 'json'] as const).filter((form) => switches[form] === true);
  if (wanted.length < 2) return wanted[0] ?? 'text';
  throw new UsageError(`${wanted.map((form) => `--${form}`).join(' and ')} exclude each other.`, 'Choose one.');
}

/** A drawing must not take the place of what it draws, nor of any other workflow. */
function refuseSource({ texts: { output }, positionals }: Args, { cwd }: Context): void {
  if (output === undefined || output === '-') return;
  const from = path.resolve(cwd, positionals[0] ?? '');
  const to = path.resolve(cwd, output);
  const isSame = from === to || (existsSync(from) && existsSync(to) && realpathSync(from) === realpathSync(to));
  if (!isSame && !/\.toon?$/i.test(output)) return;
  const what = isSame ? 'is what is drawn' : 'has the name of a workflow or an agent';
  throw new UsageError(`${quotePath(output)} ${what}: nothing was written.`, 'Name another file, as -o graph.txt.');
}

async function write(text: string, { texts }: Args, context: Context): Promise<ExitCode> {
  const { output } = texts;
  if (output === undefined || output === '-') {
    context.stdout.write(text);
    return exit.done;
  }
  const problem = await writeBack(path.resolve(context.cwd, output), output, text);
  if (problem === undefined) return exit.done;
  printProblems([{ message: problem.message }], context);
  return exit.failed;
}
