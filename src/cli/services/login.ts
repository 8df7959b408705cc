/** `toolang service login NAME`: a person says in a browser that a service may be used. */
import { version } from '../../api/index.ts';
import type { HttpService } from '../../caps/index.ts';
import { realClock } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { isTrouble, logIn, serviceLimits } from '../../tool/index.ts';
import { capsNamed } from '../caps/find-cap.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { openBrowser } from '../open-browser.ts';
import { stoppable } from '../stoppable.ts';
import { describe, servicesHere } from './here.ts';

const usualSeconds = 300;

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [name = ''] = args.positionals;
  const { definition, credentials } = await namedService(name, args, context);
  const seconds = args.counts.timeout ?? usualSeconds;
  const { stderr } = context;
  const show = async (url: URL) => {
    stderr.write(`Open this address to log in to "${printable(name)}":\n\n  ${url.href}\n\n`);
    if (args.switches.browser === false) return;
    if (!(await openBrowser(url, context))) stderr.write('no browser could be opened: open the address yourself\n');
  };
  const port = args.counts.port;
  try {
    await stoppable(context, (signal) => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(lateError(seconds)), seconds * 1000);
      return logIn(definition, {
        credentials,
        env: context.env,
        clock: realClock,
        limits: serviceLimits,
        version,
        signal: AbortSignal.any([signal, late.signal]),
        show,
        clientId: args.texts['client-id'],
        port,
      }).finally(() => clearTimeout(timer));
    });
  } catch (error) {
    if (!isTrouble(error)) throw error;
    throw new UsageError(`the login to "${printable(name)}" failed: ${error.message}.`, undefined, exit.failed);
  }
  context.stdout.write(`logged in to "${printable(name)}"\n`);
  return exit.done;
}

async function namedService(
  name: string,
  args: Args,
  context: Context,
): Promise<{ readonly definition: HttpService; readonly credentials: string }> {
  const { here, places } = await servicesHere(args, context);
  const [first] = capsNamed('service', name, here, args);
  const service = first && describe(first.cap, places, here);
  if (service?.wrong !== undefined) throw new UsageError(service.wrong);
  if (!service?.definition) {
    throw new UsageError(`the service "${printable(name)}" was not synced yet.`, 'Run: toolang sync');
  }
  const { definition } = service;
  if (definition.transport !== 'http') {
    throw new UsageError(
      `the service "${printable(name)}" is a command: there is nothing to log in to.`,
      'What it needs is in the variables of its "env".',
    );
  }
  return { definition, credentials: places.root.credentials };
}

function lateError(seconds: number): UsageError {
  return new UsageError(`nobody has logged in within ${seconds} s.`, 'Try again, or give more --timeout.', exit.failed);
}
