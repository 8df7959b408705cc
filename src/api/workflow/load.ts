/** Workflow files as workflow objects. */
import { relative } from 'node:path';
import { readTextFile } from '../../sys/index.ts';
import { createSource, hasErrors, ToolangError } from '../../text/index.ts';
import { checkFile, failed } from './check.ts';
import { type Component, makeComponent } from './component.ts';
import { pathFrom } from './paths.ts';
import { makeWorkflow, type Workflow } from './workflow.ts';

export interface LoadedWorkflow<I, R> extends Workflow<I, R> {
  /** A component of the file. */
  readonly component: <P = unknown, Result = unknown>(name: string) => Component<P, Result>;
}

/**
 * Reads and checks a workflow file; rejects with one ToolangError that has all `diagnostics`. A path is relative to the
 * current folder. What the workflow takes and gives is not known to TypeScript: say it, `load<Input, Result>(path)`.
 */
export async function load<I = unknown, R = unknown>(path: string | URL): Promise<LoadedWorkflow<I, R>> {
  const file = pathFrom(path);
  const found = await readTextFile(file);
  if (!found.ok) throw new ToolangError('TOO4261', found.problem.message);
  const shown = relative(process.cwd(), file).replaceAll('\\', '/');
  const checked = await checkFile(createSource(shown, found.text), file);
  if (hasErrors(checked.diagnostics)) throw failed(shown, checked);
  const name = checked.plan?.name ?? '';
  const component = <P, Result>(wanted: string) => makeComponent<P, Result>({ kind: 'file', name: wanted, file });
  const data = { kind: 'file', name, file, source: found.text } as const;
  return makeWorkflow(data, async () => checked, { functions: new Map(), component });
}
