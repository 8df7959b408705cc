/** Caps that a command line names: a file, a skill, a folder of caps, or a directory that holds such folders. */
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import { type CapFolderContents, type Look, listCapFolder, listSkill, lookAround, mostBytes } from '../caps/index.ts';
import { type CapFolders, findRoot, type HomeOptions, homeOfDirectory, machineHost } from '../config/index.ts';
import { displayPath, samePath } from '../sys/index.ts';
import { type CapKind, capKinds } from '../too/index.ts';
import type { Context } from './context.ts';
import type { InputFile, MoreInputs } from './input.ts';

/** The cap that a text would be in a file of that name. */
export function capOfName(name: string): InputFile['cap'] {
  const above = nodePath.dirname(name);
  const isSkill = nodePath.basename(name) === 'SKILL.md';
  const kind = isSkill ? 'skill' : kindOfFolder(above);
  if (kind === undefined || (kind === 'skill' && !isSkill)) return undefined;
  return { kind, name: isSkill ? nodePath.basename(above) : nodePath.basename(name, '.md'), maxBytes: mostBytes };
}

/** A Markdown file that stands where a cap would. */
export function capOfFile(file: string, context: Context, options: HomeOptions): MoreInputs | undefined {
  const above = nodePath.dirname(file);
  if (nodePath.basename(file) === 'SKILL.md') {
    return found(listSkill(above, lookFor(nodePath.dirname(above), context, options)), context);
  }
  const kind = kindOfFolder(above);
  if (kind === undefined) return undefined;
  const look = lookFor(above, context, options);
  const { entries, diagnostics } = listCapFolder(kind, above, look);
  const name = look.shown(file);
  const own = {
    entries: entries.filter((entry) => samePath(entry.file, file)),
    lost: [],
    diagnostics: diagnostics.filter((d) => d.source.name === name),
  };
  return found(own, context);
}

/** `hasFiles` tells whether there are `.too` or `.toon` files below it: then its name alone makes it no folder of caps. */
export function capsOfDirectory(
  dir: string,
  hasFiles: boolean,
  context: Context,
  options: HomeOptions,
): MoreInputs | undefined {
  const machine = machineHost(context);
  const root = findRoot(machine, options);
  const home = homeOfDirectory(dir, machine, options);
  const scopes: { caps: CapFolders; dirs: string[] }[] = [{ caps: root.caps, dirs: [root.dir] }];
  if (home.ok && home.places?.caps) {
    const { caps, dir: top } = home.places;
    // Files of a home bring its caps along.
    scopes.push({ caps, dirs: [nodePath.dirname(caps.skill), ...(hasFiles ? [] : [top])] });
  }
  const list = (kind: CapKind, folder: string) =>
    found(listCapFolder(kind, folder, lookFor(folder, context, options)), context);
  const whole = scopes.find(({ dirs }) => dirs.some((each) => samePath(each, dir)));
  if (whole) {
    const all = capKinds.map((kind) => list(kind, whole.caps[kind]));
    return { files: all.flatMap((each) => each.files), diagnostics: all.flatMap((each) => each.diagnostics) };
  }
  const kind = kindOfFolder(dir);
  if (kind !== undefined && (!hasFiles || scopes.some(({ caps }) => samePath(caps[kind], dir)))) return list(kind, dir);
  const above = nodePath.dirname(dir);
  const isSkill = kindOfFolder(above) === 'skill' && existsSync(nodePath.join(dir, 'SKILL.md'));
  return isSkill ? found(listSkill(dir, lookFor(above, context, options)), context) : undefined;
}

/** The kind of caps that a folder has by its name. */
function kindOfFolder(folder: string): CapKind | undefined {
  const name = nodePath.basename(folder);
  return capKinds.find((kind) => `${kind}s` === name);
}

function lookFor(folder: string, context: Context, options: HomeOptions): Look {
  const root = findRoot(machineHost(context), options);
  const scope = samePath(nodePath.dirname(folder), root.dir) ? 'root' : 'home';
  return lookAround(folder, scope, (path) => displayPath(path, context.cwd));
}

function found(contents: CapFolderContents, { cwd }: Context): MoreInputs {
  const files = contents.entries.map(({ kind, name, file }) => {
    return { path: file, name: displayPath(file, cwd), cap: { kind, name, maxBytes: mostBytes } };
  });
  return { files, diagnostics: contents.diagnostics };
}
