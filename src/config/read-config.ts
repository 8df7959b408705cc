/** Reads a `config.toml`. One that is not there says nothing; one that cannot be read is an error. */
import { readTextFile } from '../sys/index.ts';
import { createSource } from '../text/index.ts';
import { fileDiagnostic } from './file-problem.ts';
import { type LoadedConfig, loadConfig } from './load.ts';

/** `shown` is the path as people see it. */
export async function readConfig(file: string, shown = file): Promise<LoadedConfig> {
  const read = await readTextFile(file, { maxBytes: 1024 * 1024 });
  if (read.ok) return loadConfig(createSource(shown, read.text));
  const empty = loadConfig(createSource(shown, ''));
  if (read.problem.kind === 'missing') return empty;
  return { ...empty, diagnostics: [fileDiagnostic(shown, read.problem, file)] };
}
