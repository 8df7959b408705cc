/** Which folder a case needs: the one that it names, else the home of its target with all that the case names. */
import path from 'node:path';
import type { Case } from '../../cases/index.ts';
import { homeOfFile, machineHost } from '../../config/index.ts';
import type { Context } from '../context.ts';
import { placeFrom, type SuiteFile } from './suite-file.ts';

export function workspaceOf(file: SuiteFile, one: Case, { cwd, env }: Pick<Context, 'cwd' | 'env'>): string {
  const target = placeFrom(file, one.target.file);
  if (one.workspace) return placeFrom(file, one.workspace.text);
  const found = homeOfFile(target, machineHost({ cwd, env }));
  const home = found.ok ? found.places.dir : path.dirname(target);
  const others = [file.folder, path.dirname(target)];
  const { answers } = one;
  if (answers && answers.kind !== 'replies') others.push(path.dirname(placeFrom(file, answers.text)));
  return others.reduce(commonFolder, home);
}

function commonFolder(a: string, b: string): string {
  let at = a;
  while (!isWithin(b, at)) at = path.dirname(at);
  return at;
}

function isWithin(file: string, folder: string): boolean {
  if (path.dirname(folder) === folder) return true;
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
