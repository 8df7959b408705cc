/** `toolang show RUN [STEP]`: a run in full, or the conversation of one of its steps. */
import { isAbsolute, normalize, resolve } from 'node:path';
import { nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import { displayPath } from '../../sys/index.ts';
import { painter } from '../../text/index.ts';
import {
  type RunTalk,
  type RunTree,
  readNodeId,
  runTalks,
  runTree,
  runTreeText,
  runWords,
  type TreeNode,
  talkText,
  treeNodes,
  usageOf,
} from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { namedSteps } from '../runs/named-steps.ts';
import { ownCommand } from '../runs/own-command.ts';
import { wrapColumns } from '../runs/shown.ts';
import { type FoundRun, findRun } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', step] = args.positionals;
  const found = await findRun(word, args, context, 'show');
  try {
    const { tree } = viewOf(found);
    if (step !== undefined) {
      showStep(tree, step, found, args, context);
      return exit.done;
    }
    if (args.switches.json === true) {
      context.stdout.write(jsonText({ version: 1, store: found.engine.store.name, run: tree }));
      return exit.done;
    }
    const { columns, color, isTTY } = context.stdout;
    const text = runTreeText(tree, {
      paint: painter(color),
      now: found.engine.clock.now(),
      columns: isTTY ? columns : 80,
      wrapAt: wrapColumns(context.stdout),
      short: found.short(tree.id),
      command: ownCommand(found.engine.read(found.root).plan, found.root, context),
      ...(tree.file !== undefined && { file: displayPath(tree.file, context.cwd) }),
      ...(tree.fork && { origin: found.short(tree.fork.of) }),
    });
    context.stdout.write(text);
    return exit.done;
  } finally {
    found.close();
  }
}

/** The shape of `--json`, as in `spec/json/show-step.schema.json`. */
interface ShowStepJson {
  version: 1;
  store: string;
  run: string;
  steps: readonly (RunTalk & { node: TreeNode })[];
}

function showStep(tree: RunTree, wanted: string, found: FoundRun, args: Args, { stdout }: Context): void {
  const { engine, root, short } = found;
  const shown: ReadonlySet<TreeNode['kind']> = new Set<TreeNode['kind']>(['step', 'hand', 'approval', 'plugin']);
  const leaves = [...treeNodes(tree.nodes)].filter(({ kind }) => shown.has(kind));
  const nodes = namedSteps(leaves, wanted, tree, short(root));
  const names = nodes.map(({ name }) => name);
  const talks = runTalks(engine.store.events(root), names, engine.store.blob);
  const told = nodes.map((node) => ({ node, talk: talkOf(node, talks.get(node.name), tree) }));
  if (args.switches.json === true) {
    const steps = told.map(({ node, talk }) => ({ node, ...talk }));
    const shape: ShowStepJson = { version: 1, store: engine.store.name, run: tree.id, steps };
    stdout.write(jsonText(shape));
    return;
  }
  const options = {
    paint: painter(stdout.color),
    now: engine.clock.now(),
    columns: stdout.isTTY ? stdout.columns : 80,
  };
  stdout.write(told.map(({ node, talk }) => talkText(node, talk, options)).join('\n'));
}

/** The one step of a run of a thunk was asked what the run was given. */
function talkOf({ kind }: TreeNode, talk: RunTalk = { turns: [] }, { thunk, input }: RunTree): RunTalk {
  return thunk && kind === 'step' && talk.given === undefined && input !== null ? { given: input, ...talk } : talk;
}

export interface RunView {
  readonly tree: RunTree;
  readonly plan: WorkflowPlan;
  /** Stands before the paths of the plan in those of the tree. */
  readonly prefix: string;
}

/** Of a sub-workflow the part of the tree that is its own. */
export function viewOf({ engine, root, row }: FoundRun): RunView {
  const { plan } = engine.read(root);
  const { store } = engine;
  const driven = engine.driver(root) !== undefined;
  const whole = store.run(root) ?? row;
  const tree = runTree({ row: whole, plan, events: store.events(root), driven });
  if (row.id === root) return { tree, plan, prefix: '' };
  const own = [...treeNodes(tree.nodes)].find(({ name }) => name === nameOf(row.node));
  const called = own && calledAt(plan, own.path);
  const file = called && fileOf(called, plan, whole.file);
  const { file: _, error: __, output: ___, endedAt: ____, thunk: _____, ...rest } = tree;
  const inner = own?.children ?? [];
  const child: RunTree = {
    ...rest,
    id: row.id,
    name: row.name,
    ...(file !== undefined && { file }),
    status: row.endedAt === undefined ? (runWords.find((word) => word === own?.status) ?? tree.status) : row.status,
    startedAt: row.startedAt,
    ...(row.endedAt !== undefined && { endedAt: row.endedAt }),
    input: own?.input ?? null,
    ...(row.output !== undefined && { output: row.output }),
    ...(row.error && { error: row.error }),
    usage: usageOf(inner),
    waiting: tree.waiting.filter(({ node }) => node.startsWith(`${row.node}/`)),
    nodes: inner,
  };
  return { tree: child, plan: called ?? plan, prefix: own === undefined ? '' : `${own.path}/` };
}

/** Of a hand that is a workflow the command has attempts in its id. */
function nameOf(node: string | undefined): string | undefined {
  return node === undefined ? undefined : readNodeId(node).name;
}

/** The workflow that the node at a path calls. */
function calledAt(plan: WorkflowPlan, at: string): WorkflowPlan | undefined {
  for (const { node, path, plan: holder } of nodesOf(plan)) {
    if (path === at && node.kind === 'workflow') return holder.workflows[node.use];
  }
  return undefined;
}

/** Places name files as they were seen when the run began, that of the root among them. */
function fileOf(called: WorkflowPlan, plan: WorkflowPlan, file: string | undefined): string | undefined {
  const [from, to] = [plan, called].map(({ children }) => children[0]?.at?.file);
  if (from === undefined || to === undefined || file === undefined) return undefined;
  if (isAbsolute(to)) return to;
  const end = normalize(from);
  return file.endsWith(end) ? resolve(file.slice(0, file.length - end.length), to) : undefined;
}
