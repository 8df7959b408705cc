/** `toolang answer RUN`: answers a run that stands at a limit. */
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { decide } from '../runs/decide.ts';

export function run(args: Args, context: Context): Promise<ExitCode> {
  const add = amountOf(args);
  return decide(args, context, {
    verb: 'answer',
    done: 'answered',
    kinds: ['limit'],
    message: ({ node, hash = '', unit }) => {
      if (unit === 'tokens') refuseParts(args.texts.add ?? '');
      return { kind: 'answer', node, hash, approved: add !== undefined, ...(add !== undefined && { add }) };
    },
  });
}

/** Tokens are no dollars, and there are no parts of one. */
function refuseParts(add: string): void {
  if (!/[$.]/.test(add)) return;
  throw new UsageError(`--add must be a number of tokens here, not "${add}".`, 'Write for example: --add 1000');
}

const example = '--add 1.50 for dollars, --add 1000 where tokens are asked for';

/** Undefined: no more is given. */
function amountOf({ texts, switches }: Args): number | undefined {
  const { add } = texts;
  if (switches.no === true) {
    if (add !== undefined) throw new UsageError('--add and --no exclude each other.', 'Choose one.');
    return undefined;
  }
  if (add === undefined) throw new UsageError('answer needs --add or --no.', `Write how much more: ${example}`);
  const amount = /^\$?(\d+(?:\.\d+)?)$/.exec(add)?.[1];
  if (amount === undefined || Number(amount) <= 0) {
    throw new UsageError(`--add must be an amount over 0, not "${add}".`, `Write for example: ${example}`);
  }
  return Number(amount);
}
