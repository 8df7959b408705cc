/** Approvals, denials and answers: finds the question that is meant, leaves the decision, and tells how the run goes on. */
import type { InboxItem, WaitingRow } from '../../journal/index.ts';
import type { Refusal } from '../../run/index.ts';
import { closest, didYouMean, printable } from '../../text/index.ts';
import { answerCommands, mostName, pathOf, questionName, questionsOf, shorten, shortenName } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import { refuseOver } from '../commands/resume.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { driveAndTell, followNote, headLine, storyFromNow } from './follow.ts';
import { isOfProgram, ownCommand } from './own-command.ts';
import { personName } from './person.ts';
import { remarkText } from './remark.ts';
import { command, printEnd, quoted, runJson } from './result.ts';
import { lineColumns } from './shown.ts';
import { type FoundRun, findRun, refuseReadOnly } from './stores.ts';

export interface DecideWish {
  /** The command. */
  readonly verb: string;
  /** What it does, for messages: `approved`. */
  readonly done: string;
  /** Questions of these kinds. */
  readonly kinds: readonly WaitingRow['kind'][];
  readonly message: (question: WaitingRow) => InboxItem['message'];
}

/** A title is one line. */
const mostTitle = 200;

export async function decide(args: Args, context: Context, wish: DecideWish): Promise<ExitCode> {
  const [word = '', node] = args.positionals;
  const found = await findRun(word, args, context, wish.verb);
  try {
    const { engine, root, name } = found;
    refuseDecided(found, node, wish, context);
    refuseOver(found, wish.done, context);
    const question = chooseQuestion(found, node, wish, context);
    await found.settings();
    refuseReadOnly(found);
    const wait = args.switches.wait === true;
    const story = storyFromNow({ runs: found, root, context, wait, answered: question.node });
    const refusal = engine.post(root, {
      by: personName(context),
      message: wish.message(question),
    });
    if (refusal !== undefined) refuse(refusal, question, found, context);
    const short = found.short(root);
    const { stderr } = context;
    stderr.write(`${headLine(name, short, '', context)}\n`);
    const columns = lineColumns(stderr) + 2;
    const which = shortenName(questionName(question.node), mostName(columns));
    const about = `${wish.done}  ${which}  ${shorten(question.title, mostTitle)}`;
    stderr.write(
      remarkText(about, stderr, { word: wish.done, color: wish.done === 'denied' ? 'red' : 'green', columns }),
    );
    const json = args.switches.json === true;
    if (isOfProgram(engine.read(root).plan) && engine.driver(root) === undefined) {
      // Only its program has the functions that go on: the decision is left for it.
      const own = ownCommand(engine.read(root).plan, root, context);
      stderr.write(`  kept. It goes on with ${own('resume', root)}\n`);
      const row = engine.store.run(root) ?? found.row;
      if (json) context.stdout.write(jsonText(runJson({ row, store: engine.store.name, driven: false })));
      return exit.done;
    }
    followNote(found, root, context);
    const ended = await driveAndTell({
      runs: found,
      root,
      context,
      json,
      wait,
      held: 'follow',
      story,
    });
    return printEnd(ended, context);
  } finally {
    found.close();
  }
}

function chooseQuestion(found: FoundRun, wanted: string | undefined, wish: DecideWish, context: Context): WaitingRow {
  const { engine, root, row, short } = found;
  const id = short(root);
  const all = questionsOf(engine.store.run(root) ?? row).filter((each) => isInside(each, found));
  const questions = all.filter(({ kind }) => wish.kinds.includes(kind));
  const names = questions.map(({ node }) => questionName(node));
  if (wanted !== undefined) {
    const matches = meant(questions, wanted);
    if (matches.length === 1 && matches[0]) return matches[0];
    const asked = answersTo(all, id, context);
    const [other] = meant(all, wanted);
    if (matches.length === 0 && other !== undefined) {
      const answers = answerCommands(all)[all.indexOf(other)] ?? [];
      throw new UsageError(
        `${questionName(other.node)} cannot be ${wish.done}: ${askedText(other)}.`,
        pasteable(answers, id, context),
      );
    }
    const before = matches.length === 0 ? decisionsIn(found, wanted).at(-1) : undefined;
    if (before !== undefined) throw new UsageError(`${decisionText(before)}.`, asked || showHelp(id, context));
    const problem = matches.length === 0 ? `does not wait at "${wanted}"` : `waits at "${wanted}" several times`;
    const near = matches.length === 0 ? didYouMean(closest(wanted, names)) : '';
    throw new UsageError(`the run ${id} ${problem}.${near}`, asked || showHelp(id, context));
  }
  const [only, ...more] = questions;
  if (only === undefined) {
    // What is asked elsewhere is no matter of a sub-workflow.
    const own = short(row.id);
    const what = all[0] ? askedText(all[0]) : 'it asks nothing at the moment';
    throw new UsageError(
      `nothing of the run ${own} can be ${wish.done}: ${what}.`,
      answersTo(all, id, context) || showHelp(own, context),
    );
  }
  if (more.length > 0) {
    throw new UsageError(`the run ${id} waits at several places; name one.`, answersTo(questions, id, context));
  }
  return only;
}

/** Who comes after the end is told what was decided, if that is what is asked about. */
function refuseDecided(found: FoundRun, wanted: string | undefined, wish: DecideWish, context: Context): void {
  const { engine, root, short } = found;
  if (engine.store.run(root)?.endedAt === undefined) return;
  const decisions = decisionsIn(found, wanted).filter(({ kind }) => wish.kinds.includes(kind));
  const [only, ...more] = decisions;
  if (only === undefined || more.some(({ node }) => node !== only.node)) return;
  throw new UsageError(
    `${decisionText(decisions.at(-1) ?? only)}, and the run has ended.`,
    showHelp(short(root), context),
  );
}

interface Decision {
  readonly node: string;
  readonly kind: WaitingRow['kind'];
  readonly approved: boolean;
  readonly by: string;
}

/** What was decided in the run, in order; `wanted`: at that place. */
function decisionsIn({ engine, root, row }: FoundRun, wanted: string | undefined): readonly Decision[] {
  const decisions: Decision[] = [];
  // What was decided before it went on otherwise counts only where it was kept.
  for (const { node, body } of engine.store.events(root, engine.store.run(root)?.segment)) {
    if (body.kind !== 'approval.decided' && body.kind !== 'limit.answered') continue;
    if (node === undefined) continue;
    if (row.id !== root && row.node !== undefined && !node.startsWith(`${row.node}/`)) continue;
    const kind = body.kind === 'limit.answered' ? 'limit' : 'approval';
    decisions.push({ node, kind, approved: body.approved, by: body.by });
  }
  return wanted === undefined ? decisions : meant(decisions, wanted);
}

function decisionText({ node, kind, approved, by }: Decision): string {
  const word = kind === 'limit' ? 'answered' : approved ? 'approved' : 'denied';
  return `${questionName(node)} was ${word} by ${printable(by)} already`;
}

/** A title may end as a sentence does. */
function askedText({ title }: WaitingRow): string {
  return `it asks "${shorten(title, mostTitle)}"`;
}

/** The commands that answer, a line for each question. */
function answersTo(questions: readonly WaitingRow[], id: string, context: Context): string {
  return answerCommands(questions)
    .map((each) => pasteable(each, id, context))
    .join('\n');
}

function pasteable(answers: readonly (readonly string[])[], id: string, context: Context): string {
  return answers.map(([verb = '', ...rest]) => command(context, verb, id, ...rest.map(quoted))).join('     ');
}

function showHelp(id: string, context: Context): string {
  return `How it is: ${command(context, 'show', id)}`;
}

/** Those that a word means: by the id, by the name as it is shown, by the end of one, and at last without the numbers of rounds and calls. */
function meant<Q extends { readonly node: string }>(questions: readonly Q[], wanted: string): readonly Q[] {
  const ends = (name: string) => name === wanted || name.endsWith(`/${wanted}`);
  const ways: readonly ((node: string) => boolean)[] = [
    (node) => node === wanted || questionName(node) === wanted,
    (node) => ends(node) || ends(questionName(node)),
    (node) => ends(pathOf(questionName(node))),
  ];
  for (const is of ways) {
    const found = questions.filter(({ node }) => is(node));
    if (found.length > 0) return found;
  }
  return [];
}

/** Of a sub-workflow only its own questions count. */
function isInside({ node }: WaitingRow, { row, root }: FoundRun): boolean {
  return row.id === root || row.node === undefined || node.startsWith(`${row.node}/`);
}

/** Somebody was faster, by a moment. */
function refuse(refusal: Refusal, { node }: WaitingRow, { root, short }: FoundRun, context: Context): never {
  const id = short(root);
  const why = {
    decided: () => `${questionName(node)} was decided by ${printable('by' in refusal ? refusal.by : '')} already.`,
    'not-open': () => `${questionName(node)} does not wait any more, or asks something else now.`,
    // Of what is said only.
    deaf: () => `${questionName(node)} does not wait.`,
    over: () => `the run ${id} has ended.`,
  };
  throw new UsageError(why[refusal.kind](), showHelp(id, context));
}
