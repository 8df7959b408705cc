/** Approvals, denials and answers: finds the question that is meant, leaves the decision, and tells how the run goes on. */
import { userInfo } from 'node:os';
import type { InboxItem, WaitingRow } from '../../journal/index.ts';
import type { Refusal } from '../../run/index.ts';
import { closest, didYouMean, painter, printable } from '../../text/index.ts';
import { questionsOf } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import { refuseOver } from '../commands/resume.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { driveAndTell, followNote, headLine, storyFromNow } from './follow.ts';
import { command, printEnd } from './result.ts';
import { type FoundRun, findRun } from './stores.ts';

export interface DecideWish {
  /** What it does, for messages: `approved`. */
  readonly done: string;
  /** Questions of these kinds. */
  readonly kinds: readonly WaitingRow['kind'][];
  /** The command for the other kinds, by kind. */
  readonly instead: string;
  readonly message: (node: string, hash: string) => InboxItem['message'];
}

export async function decide(args: Args, context: Context, wish: DecideWish): Promise<ExitCode> {
  const [word = '', node] = args.positionals;
  const found = await findRun(word, args, context);
  try {
    const { engine, root, name } = found;
    refuseOver(found, wish.done, context);
    const question = chooseQuestion(found, node, wish, context);
    await found.settings();
    const story = storyFromNow({ runs: found, root, context });
    const refusal = engine.post(root, {
      by: personName(context),
      message: wish.message(question.node, question.hash ?? ''),
    });
    if (refusal !== undefined) return refuse(refusal, question, found, context);
    const short = found.short(root);
    const paint = painter(context.stderr.color);
    context.stderr.write(`${headLine(name, short, '', context)}\n`);
    const mark = wish.done === 'denied' ? paint.red(wish.done) : paint.green(wish.done);
    context.stderr.write(`  ${mark}  ${printable(question.node)}  ${printable(question.title)}\n`);
    followNote(found, root, context);
    const json = args.switches.json === true;
    const ended = await driveAndTell({
      runs: found,
      root,
      context,
      json,
      wait: args.switches.wait === true,
      held: 'follow',
      story,
    });
    return printEnd(ended, context);
  } finally {
    found.close();
  }
}

/** Who decides: the person at the keyboard. */
export function personName({ env }: Context): string {
  const named = env.USER || env.LOGNAME || env.USERNAME;
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    // Containers have users without a name.
    return 'somebody';
  }
}

function chooseQuestion(found: FoundRun, wanted: string | undefined, wish: DecideWish, context: Context): WaitingRow {
  const { engine, root, row, short } = found;
  const id = short(root);
  const all = questionsOf(engine.store.run(root) ?? row).filter((each) => isInside(each, found));
  const questions = all.filter(({ kind }) => wish.kinds.includes(kind));
  const names = questions.map(({ node }) => node);
  const list = `It asks: ${names.map((name) => printable(name)).join(', ')}`;
  if (wanted !== undefined) {
    const matches = questions.filter(({ node }) => node === wanted || node.endsWith(`/${wanted}`));
    if (matches.length === 1 && matches[0]) return matches[0];
    const problem = matches.length === 0 ? `does not wait at "${wanted}"` : `waits at "${wanted}" several times`;
    const near = matches.length === 0 ? didYouMean(closest(wanted, names)) : '';
    const help = names.length === 0 ? `How it is: ${command(context, 'show', id)}` : list;
    throw new UsageError(`the run ${id} ${problem}.${near}`, help);
  }
  const [only, ...more] = questions;
  if (only === undefined) {
    const other = all[0] ? `To answer that: ${command(context, wish.instead, id)}` : undefined;
    const what = all[0] ? `it waits for something else: ${all[0].title}` : 'it asks nothing at the moment';
    throw new UsageError(
      `nothing of the run ${id} can be ${wish.done}: ${what}.`,
      other ?? `How it is: ${command(context, 'show', id)}`,
    );
  }
  if (more.length > 0) throw new UsageError(`the run ${id} waits at several places; name one.`, list);
  return only;
}

/** Of a sub-workflow only its own questions count. */
function isInside({ node }: WaitingRow, { row, root }: FoundRun): boolean {
  return row.id === root || row.node === undefined || node.startsWith(`${row.node}/`);
}

function refuse(refusal: Refusal, { node }: WaitingRow, { root, short }: FoundRun, context: Context): ExitCode {
  const id = short(root);
  const paint = painter(context.stderr.color);
  const why = {
    decided: () => `${printable(node)} was decided by ${printable('by' in refusal ? refusal.by : '')} already`,
    'not-open': () => `${printable(node)} does not wait any more, or asks something else now`,
    over: () => `the run ${id} has ended`,
  };
  context.stderr.write(`${paint.red('toolang:')} ${why[refusal.kind]()}\n  ${command(context, 'show', id)}\n`);
  return exit.failed;
}
