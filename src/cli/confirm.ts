/** Asks the person at the keyboard before something is done that cannot be undone. */
import { type Args, UsageError } from './command.ts';
import type { Context } from './context.ts';

/**
 * Whether it may be done. `--yes` says so beforehand; where nobody can be asked, nothing is done. `usual`: what an empty
 * answer means. `signal`: of who has taken over Ctrl-C, which then ends the question.
 */
export async function confirm(
  question: string,
  args: Args,
  { stdin, stderr }: Context,
  usual: 'yes' | 'no' = 'no',
  signal?: AbortSignal,
): Promise<boolean> {
  if (args.switches.yes === true) return true;
  if (!stdin.isTTY) throw new UsageError('nobody can be asked here, and nothing was done.', 'To do it unasked: --yes');
  stderr.write(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `);
  let answer = '';
  for await (const chunk of stdin.chunks(signal)) {
    answer += Buffer.from(chunk).toString('utf8');
    if (answer.includes('\n')) break;
  }
  const line = answer.split('\n', 1).join('').trim();
  // Who closes the input has said nothing.
  if (line === '') return usual === 'yes' && answer.includes('\n');
  return /^y(es)?$/i.test(line);
}
