/** `toolang approve RUN [NODE]`: says yes, and the run goes on. */
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { decide } from '../runs/decide.ts';

export function run(args: Args, context: Context): Promise<ExitCode> {
  const { note } = args.texts;
  return decide(args, context, {
    verb: 'approve',
    done: 'approved',
    kinds: ['approval', 'permission'],
    message: ({ node, hash = '' }) => ({
      kind: 'decide',
      node,
      hash,
      approved: true,
      ...(note !== undefined && { note }),
    }),
  });
}
