/**
 * Which run has which folder: a small file for each in the repository's own folder, `.git/toolang/`. It is there before git
 * makes the worktree and goes after git has removed it, so whatever is left by a process that was killed is known to be
 * ours, and how far it was.
 * 1. A claim is made whole or not at all, and of two that claim the same folder at once one gets it.
 * 2. Only the run that has it changes it; who drives that run is one process.
 * 3. A branch is in one folder only: whoever adds a worktree on one holds it meanwhile, in a file of the same kind, and git
 *    knows it from then on.
 */
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LeaseOwner } from '../../journal/index.ts';
import { systemCode } from '../../sys/index.ts';

export interface Claim {
  readonly run: string;
  /** The name of the worktree's node in the run. */
  readonly node: string;
  readonly path: string;
  /** In git's folder of the worktree, too: what is without it was not made for this claim (`own.ts`). */
  readonly mark: string;
  /** `adding`: nobody has worked in it. `removing`: there was nothing in it that would be lost. */
  readonly state: 'adding' | 'ready' | 'removing';
  readonly branch?: string;
  /** Where it began. */
  readonly commit?: string;
  /** Of a folder that was used again: where it began the first time. What came since is in it, whatever it begins with now. */
  readonly first?: string;
  /** What was written in the workflow; the branch may be another one. */
  readonly asked?: Asked;
  /** Which folder it is (`own.ts`). */
  readonly folder?: string;
  /** Why it was left to people at the end of the worktree. */
  readonly left?: string;
  /** The process that made it. */
  readonly owner: LeaseOwner;
}

export interface Asked {
  readonly branch?: string;
  readonly base?: string;
}

export function claimOf(common: string, path: string): Claim | undefined {
  return readClaim(fileOf(common, path));
}

export function claimsIn(common: string): Claim[] {
  let names: string[];
  try {
    names = readdirSync(folderOf(common));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  return names.sort().flatMap((name) => {
    const claim = name.endsWith('.json') ? readClaim(join(folderOf(common), name)) : undefined;
    return claim ? [claim] : [];
  });
}

/** False if somebody has it. */
export function makeClaim(common: string, claim: Claim): boolean {
  return linkClaim(common, fileOf(common, claim.path), claim);
}

export function changeClaim(common: string, claim: Claim): void {
  const file = fileOf(common, claim.path);
  renameSync(writeDraft(common, file, claim), file);
}

export function dropClaim(common: string, path: string): void {
  rmSync(fileOf(common, path), { force: true });
}

/** Whoever else holds it now. `isOver`: the process that held it has left it behind. */
export function holdBranch(
  common: string,
  branch: string,
  claim: Claim,
  isOver: (holder: Claim) => boolean,
): Claim | undefined {
  const file = branchFile(common, branch);
  for (;;) {
    if (linkClaim(common, file, claim)) return undefined;
    const holder = readClaim(file);
    if (holder !== undefined && !isOver(holder)) return holder;
    rmSync(file, { force: true });
  }
}

export function freeBranch(common: string, branch: string): void {
  rmSync(branchFile(common, branch), { force: true });
}

function linkClaim(common: string, file: string, claim: Claim): boolean {
  const draft = writeDraft(common, file, claim);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(systemCode(error) ?? '')) throw error;
    return makeWithoutLinks(file, claim);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(common: string, file: string, claim: Claim): string {
  mkdirSync(folderOf(common), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(claim)}\n`);
  return draft;
}

function makeWithoutLinks(file: string, claim: Claim): boolean {
  try {
    writeFileSync(file, `${JSON.stringify(claim)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim;
  } catch (error) {
    // It has just gone; or it is the beginning of one, of a disk without links: nothing was made for it.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function folderOf(common: string): string {
  return join(common, 'toolang');
}

function fileOf(common: string, path: string): string {
  return join(folderOf(common), `${shortHash(path)}.json`);
}

function branchFile(common: string, branch: string): string {
  return join(folderOf(common), `${shortHash(branch)}.branch`);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
