/** `toolang deny RUN [NODE]`: says no; what that means is for the workflow to say. */
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { decide } from '../runs/decide.ts';

export function run(args: Args, context: Context): Promise<ExitCode> {
  const { note } = args.texts;
  return decide(args, context, {
    verb: 'deny',
    done: 'denied',
    kinds: ['approval', 'permission'],
    message: ({ node, hash = '' }) => ({
      kind: 'decide',
      node,
      hash,
      approved: false,
      ...(note !== undefined && { note }),
    }),
  });
}
