/** The tools that agents of a file may name: those that are built in, and the services of its home and of the root. */
import { dirname } from 'node:path';
import type { ToolLookup } from '../plan/index.ts';
import type { Args } from './command.ts';
import type { Context } from './context.ts';
import { homeOptions } from './home-options.ts';

export function toolLookup(args: Args, context: Context): ToolLookup {
  const known = new Map<string, Promise<readonly string[]>>();
  return async () => ({
    builtIn: (await import('../tool/index.ts')).builtinTools,
    services(file) {
      const folder = dirname(file);
      const found = known.get(folder) ?? serviceNames(folder, args, context);
      known.set(folder, found);
      return found;
    },
  });
}

async function serviceNames(folder: string, args: Args, context: Context): Promise<readonly string[]> {
  const [{ servicesIn }, { findRoot, homeOfDirectory, machineHost }] = await Promise.all([
    import('./services/here.ts'),
    import('../config/index.ts'),
  ]);
  const host = machineHost({ cwd: context.cwd, env: context.env });
  const options = homeOptions(args.texts);
  const found = homeOfDirectory(folder, host, options);
  const home = found.ok ? found.places : undefined;
  const { services } = await servicesIn({ root: findRoot(host, options), ...(home && { home }) }, args, context);
  return services.map(({ cap }) => cap.name);
}
