import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Lock, type Locked, lockKey, renderLock } from './lock.ts';
import { changedLock, frozenProblem, keepLock, type LockChange } from './lock-change.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lock-change-'));
  file = path.join(dir, 'toolang.lock');
  for (const name of ['a.too', 'b.too']) writeFileSync(path.join(dir, name), '');
});
afterEach(() => rmSync(dir, { recursive: true }));

function locked(ref: string, ...usedBy: string[]): Locked {
  const target = { ref: `github://${ref}@1`, url: 'https://github.com/x/y', path: `${ref}.md` };
  return { kind: 'prompt', ref, target, files: { 'x.md': 'a'.repeat(64) }, usedBy };
}
const of = (...entries: Locked[]): Lock => new Map(entries.map((each) => [lockKey(each.kind, each.ref), each]));

function change(before: Lock, met: readonly Locked[], users: readonly string[]): LockChange {
  const text = before.size === 0 ? undefined : renderLock(before);
  return changedLock(file, { ok: true, lock: before, text }, met, new Set(users), dir);
}
const usersOf = ({ after }: LockChange) =>
  Object.fromEntries([...after.values()].map(({ ref, usedBy }) => [ref, usedBy]));

describe('what a lock becomes', () => {
  test('has what was met, with all who named it', () => {
    const made = change(of(), [locked('x', 'a.too'), locked('x', 'home')], ['a.too', 'home']);
    expect(usersOf(made)).toEqual({ x: ['a.too', 'home'] });
    expect(made.isSame).toBe(false);
  });

  test('keeps what only others name, and loses what nobody does', () => {
    const made = change(of(locked('x', 'a.too', 'b.too'), locked('y', 'a.too'), locked('z', 'b.too')), [], ['a.too']);
    expect(usersOf(made)).toEqual({ x: ['b.too'], z: ['b.too'] });
  });

  test('loses what only agents name that are gone', () => {
    expect(usersOf(change(of(locked('x', 'gone.too'), locked('y', 'home', 'gone.too')), [], ['a.too']))).toEqual({
      y: ['home'],
    });
  });

  test('keeps the source of a guest', () => {
    const guest: Locked = { ...locked('acme/bob', 'guest'), kind: 'agent' };
    expect([...change(of(guest), [], ['bob.too']).after.keys()]).toEqual(['agent acme/bob']);
  });

  test('is the same where nothing has changed, also where it is empty', () => {
    expect(change(of(locked('x', 'a.too')), [locked('x', 'a.too')], ['a.too']).isSame).toBe(true);
    expect(change(of(), [], ['a.too']).isSame).toBe(true);
  });
});

describe('a changed lock', () => {
  test('is written, or removed where it locks nothing', async () => {
    await keepLock(change(of(), [locked('x', 'a.too')], ['a.too']));
    expect(JSON.parse(readFileSync(file, 'utf8')).caps).toHaveLength(1);
    await keepLock(change(of(locked('x', 'a.too')), [], ['a.too']));
    expect(existsSync(file)).toBe(false);
  });

  test('is not touched where it is the same', async () => {
    await keepLock(change(of(locked('x', 'a.too')), [locked('x', 'a.too')], ['a.too']));
    expect(existsSync(file)).toBe(false);
  });

  test('fails where it is frozen, and says what would come and go', () => {
    const many = Array.from({ length: 7 }, (_, i) => locked(`n${i}`, 'a.too'));
    const problem = frozenProblem(change(of(locked('old', 'a.too')), many, ['a.too']), () => 'toolang.lock');
    expect(problem?.message).toBe(
      'the lock would change: it has no "n0", "n1", "n2", "n3", "n4" and 2 more; nobody names "old".',
    );
    const users = frozenProblem(
      change(of(locked('x', 'a.too')), [locked('x', 'a.too', 'home')], ['a.too', 'home']),
      String,
    );
    expect(users?.message).toContain('what it holds is not what is used');
    expect(frozenProblem(change(of(), [], []), String)).toBeUndefined();
  });
});
