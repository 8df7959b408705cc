/** `toolang service logout NAME`: its login is forgotten, whatever address it was for. */
import { findRoot } from '../../config/index.ts';
import { closest, didYouMean, printable } from '../../text/index.ts';
import { listLogins, removeLogins } from '../../tool/index.ts';
import { hostOf } from '../caps/places.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions } from '../home-options.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [name = ''] = args.positionals;
  const { credentials } = findRoot(hostOf(context), homeOptions(args.texts));
  if ((await removeLogins(credentials, name)) === 0) {
    const names = [...new Set((await listLogins(credentials)).map(({ service }) => service))];
    const known = names.length === 0 ? 'There are no logins here.' : `Logged in to: ${names.map(printable).join(', ')}`;
    throw new UsageError(`nobody is logged in to "${printable(name)}".${didYouMean(closest(name, names))}`, known);
  }
  context.stdout.write(`logged out of "${printable(name)}"\n`);
  return exit.done;
}
