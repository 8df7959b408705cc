/** Reads a `config.toml`. One that is not there says nothing; one that cannot be read is an error. */
import { readTextFile } from '../sys/index.ts';
import { createSource } from '../text/index.ts';
import { fileDiagnostic } from './file-problem.ts';
import type { LoadedConfig } from './load.ts';

/** `shown` is the path as people see it. */
export async function readConfig(file: string, shown = file): Promise<LoadedConfig> {
  const read = await readTextFile(file, { maxBytes: 1024 * 1024 });
  // What reads TOML is loaded where there is some: most homes have none.
  if (read.ok) return (await import('./load.ts')).loadConfig(createSource(shown, read.text));
  const layer = { source: createSource(shown, ''), config: {}, places: new Map() };
  const empty: LoadedConfig = { layer, diagnostics: [] };
  if (read.problem.kind === 'missing') return empty;
  return { ...empty, diagnostics: [fileDiagnostic(shown, read.problem, file)] };
}
