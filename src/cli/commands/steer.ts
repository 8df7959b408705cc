/** `toolang steer RUN MESSAGE…`: says something to the agents of a run while they work. */
import { answerCommands, questionsOf } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { headLine } from '../runs/follow.ts';
import { personName } from '../runs/person.ts';
import { remarkText } from '../runs/remark.ts';
import { answerText, command, ownerText, runJson } from '../runs/result.ts';
import { type FoundRun, findRun, refuseReadOnly } from '../runs/stores.ts';
import { refuseOver } from './resume.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', ...words] = args.positionals;
  const found = await findRun(word, args, context, 'steer');
  try {
    const { engine, root, name, short } = found;
    refuseOver(found, 'spoken to', context);
    const message = await messageOf(words, context);
    refuseReadOnly(found);
    const refusal = engine.post(root, { by: personName(context), message: { kind: 'steer', message } });
    // It ended in this very moment.
    if (refusal?.kind === 'over') refuseOver(found, 'spoken to', context);
    if (refusal !== undefined) refuseDeaf(found, context);
    context.stderr.write(`${headLine(name, short(root), '', context)}\n`);
    tell(found, context);
    if (args.switches.json === true) {
      const row = engine.store.run(root) ?? found.row;
      const driven = engine.driver(root) !== undefined;
      context.stdout.write(jsonText(runJson({ row, store: engine.store.name, driven })));
    }
    return exit.done;
  } finally {
    found.close();
  }
}

async function messageOf(words: readonly string[], { stdin }: Context): Promise<string> {
  let text = words.join(' ');
  if (text === '-') {
    const read = await stdin.read();
    if (!read.ok) throw new UsageError(read.problem.message);
    text = read.text;
  }
  if (text.trim() === '') throw new UsageError('nothing is said.', 'Write it behind the run.');
  return text.trim();
}

function refuseDeaf({ root, short }: FoundRun, context: Context): never {
  const id = short(root);
  throw new UsageError(
    `nobody in the run ${id} can hear it: no agent is asked at the moment.`,
    `How it is: ${command(context, 'show', id)}`,
    exit.failed,
  );
}

/** When it will be heard. */
function tell({ engine, root, row, short }: FoundRun, context: Context): void {
  const { stderr } = context;
  const word = 'said';
  const say = (text: string) => stderr.write(remarkText(`${word}  ${text}`, stderr, { word, color: 'green' }));
  const driver = engine.driver(root);
  const now = engine.store.run(root) ?? row;
  const questions = questionsOf(now);
  const id = short(root);
  if (driver !== undefined) {
    say(`it is heard with the next call to a model (the run is driven ${ownerText(driver)})`);
  } else if (questions.length > 0) {
    say('it is heard when the run goes on, which waits for an answer:');
    for (const each of answerCommands(questions)) stderr.write(answerText(each, id, context));
  } else {
    say('it is heard when the run goes on:');
    stderr.write(`      ${command(context, 'resume', id)}\n`);
  }
}
