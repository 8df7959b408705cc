/** `toolang show RUN`: a run in full. */
import { displayPath } from '../../sys/index.ts';
import { painter } from '../../text/index.ts';
import { type RunTree, runTree, runTreeText, treeNodes } from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { type FoundRun, findRun } from '../runs/stores.ts';
import { programName } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(args.positionals[0] ?? '', args, context);
  try {
    const tree = treeOf(found);
    if (args.switches.json === true) {
      context.stdout.write(jsonText({ version: 1, store: found.engine.store.name, run: tree }));
      return exit.done;
    }
    const { columns, color, isTTY } = context.stdout;
    const text = runTreeText(tree, {
      paint: painter(color),
      now: found.engine.clock.now(),
      columns: isTTY ? columns : 100,
      short: found.short(tree.id),
      program: programName(context.env),
      ...(tree.file !== undefined && { file: displayPath(tree.file, context.cwd) }),
    });
    context.stdout.write(text);
    return exit.done;
  } finally {
    found.close();
  }
}

/** Of a sub-workflow the part of the tree that is its own. */
export function treeOf({ engine, root, row }: FoundRun): RunTree {
  const { plan } = engine.read(root);
  const { store } = engine;
  const driven = engine.driver(root) !== undefined;
  const whole = store.run(root) ?? row;
  const tree = runTree({ row: whole, plan, events: store.events(root), driven });
  if (row.id === root) return tree;
  const own = [...treeNodes(tree.nodes)].find(({ name }) => name === row.node);
  const { file: _, error: __, output: ___, endedAt: ____, ...rest } = tree;
  return {
    ...rest,
    id: row.id,
    name: row.name,
    status: row.endedAt === undefined ? tree.status : row.status,
    startedAt: row.startedAt,
    ...(row.endedAt !== undefined && { endedAt: row.endedAt }),
    ...(row.output !== undefined && { output: row.output }),
    ...(row.error && { error: row.error }),
    waiting: tree.waiting.filter(({ node }) => node.startsWith(`${row.node}/`)),
    nodes: own?.children ?? [],
  };
}
