/** The names of the caps that a home or a root has, without reading the caps themselves. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type CapFolders, type Config, isCapName } from '../config/index.ts';
import { type CapKind, capKinds } from '../too/index.ts';

export interface NamedCap {
  readonly kind: CapKind;
  readonly name: string;
}

/** The caps in the four folders: `<name>.md`, of skills `<name>/SKILL.md`. A folder that is not there has none. */
export function namesInFolders(folders: CapFolders): NamedCap[] {
  return capKinds.flatMap((kind) => namesInFolder(folders[kind], kind).map((name) => ({ kind, name })));
}

/** The caps that a config wires by reference. */
export function namesInConfig(config: Config): NamedCap[] {
  return capKinds.flatMap((kind) => Object.keys(config[`${kind}s`] ?? {}).map((name) => ({ kind, name })));
}

function namesInFolder(folder: string, kind: CapKind): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const names: string[] = [];
  for (const entry of readdirSync(folder)) {
    const name = kind === 'skill' ? entry : path.basename(entry, '.md');
    const isCap = kind === 'skill' ? existsSync(path.join(folder, entry, 'SKILL.md')) : entry.endsWith('.md');
    if (isCap && isCapName(name)) names.push(name);
  }
  return names.sort();
}
