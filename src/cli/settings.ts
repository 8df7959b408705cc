/** The settings that hold for a directory: those of the root, and of the home that it lies in. */
import { findRoot, homeOfDirectory, machineHost, mergeConfig, readConfig, type Settings } from '../config/index.ts';
import { displayPath } from '../sys/index.ts';
import { hasErrors } from '../text/index.ts';
import { type Args, UsageError } from './command.ts';
import type { Context } from './context.ts';
import { homeOptions } from './home-options.ts';
import { printDiagnostics } from './report.ts';

/** A configuration with errors is told, and ends the command. */
export async function readSettings(dir: string, args: Args, context: Context): Promise<Settings> {
  const { cwd, env } = context;
  const machine = machineHost({ cwd, env });
  const options = homeOptions(args.texts);
  const found = homeOfDirectory(dir, machine, options);
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  const root = await layerOf(findRoot(machine, options).config);
  const home = found.places && (await layerOf(found.places.config));
  return mergeConfig({ root, ...(home && { home }) }).settings;

  async function layerOf(path: string) {
    const { layer, diagnostics } = await readConfig(path, displayPath(path, cwd));
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, context.stderr);
      throw new UsageError('the configuration has errors.', 'Mend them first.');
    }
    return layer;
  }
}
