/** The files of a skill: everything in its directory, whatever the depth. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../sys/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import { atPath, circle, entryOf, type Look, readProblem, systemProblem } from './look.ts';

export const mostBytes = 10 * 1024 * 1024;
export const mostFiles = 2000;

export interface SkillFiles {
  /** Relative to the skill, with `/`, sorted. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Folder {
  readonly path: string;
  /** Relative to the skill, empty or with a `/` at its end. */
  readonly prefix: string;
  /** The directory itself and those it was reached through, without links, where links were followed. */
  readonly chain: readonly string[];
}

/** `real` is where the directory is, if it was reached by a link. */
export function listSkillFiles(dir: string, look: Look, real = dir): SkillFiles {
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const todo: Folder[] = [{ path: dir, prefix: '', chain: [real] }];
  let folders = 0;
  for (let folder = todo.pop(); folder; folder = todo.pop()) {
    folders++;
    for (const dirent of contents(folder.path, look, diagnostics)) {
      if (isJunk(dirent.name)) continue;
      const full = path.join(folder.path, dirent.name);
      const relative = folder.prefix + dirent.name;
      const entry = entryOf(dirent, full, look);
      if (entry.kind === 'problem') diagnostics.push(entry.diagnostic);
      else if (entry.kind === 'directory') {
        const here = entry.real ?? path.join(folder.chain.at(-1) ?? folder.path, dirent.name);
        // Only a link can lead back to where it was reached from.
        const isCircle = entry.real !== undefined && folder.chain.some((each) => isInside(each, here));
        if (isCircle) diagnostics.push(readProblem(full, circle, look));
        else todo.push({ path: full, prefix: `${relative}/`, chain: [...folder.chain, here] });
      } else {
        files.push(relative);
        // The text of the skill is measured when it is read.
        const large = relative === 'SKILL.md' ? undefined : tooLarge(full, look);
        if (large) diagnostics.push(large);
      }
    }
    if (files.length > mostFiles || folders > mostFiles) {
      diagnostics.push(
        atPath('TOO5244', dir, look, 'this skill has more than 2,000 files.', {
          help: 'Keep what the skill itself needs, and let it fetch the rest when it works.',
        }),
      );
      break;
    }
  }
  return { files: files.sort(), diagnostics };
}

/** What editors, systems and tools leave behind. Other dot files may well be a part of the skill. */
const junk =
  /~$|^#.*#$|^\..*\.(?:swp|swo|tmp)$|^\._|^(?:\.#.*|\.DS_Store|Thumbs\.db|desktop\.ini|\.git|\.hg|\.svn|__pycache__)$/;

function isJunk(name: string): boolean {
  return junk.test(name);
}

function contents(dir: string, look: Look, diagnostics: Diagnostic[]): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    diagnostics.push(readProblem(dir, systemProblem(error), look));
    return [];
  }
}

function tooLarge(full: string, look: Look): Diagnostic | undefined {
  const stats = statSync(full, { throwIfNoEntry: false });
  if (!stats || stats.size <= mostBytes) return undefined;
  const size = `${Math.round((stats.size / 1024 / 1024) * 10) / 10} MB`;
  return readProblem(full, { kind: 'too-large', message: `this has ${size}, more than the 10 MB of a file.` }, look);
}
