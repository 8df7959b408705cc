import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeOf, type SyncedCap } from './synced.ts';
import { listTree, sha256 } from './tree.ts';
import { buildView, type Link } from './view.ts';

let dir: string;
let view: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'view-'));
  view = path.join(dir, '.caps');
});
afterEach(() => rmSync(dir, { recursive: true }));

function cap(form: SyncedCap['form'], kind: 'prompt' | 'skill', name: string, text = 'Text.'): SyncedCap {
  const at = path.join(dir, 'sync', ...placeOf({ form, kind, name }));
  const file = kind === 'skill' ? 'SKILL.md' : `${name}.md`;
  mkdirSync(kind === 'skill' ? at : path.dirname(at), { recursive: true });
  writeFileSync(kind === 'skill' ? path.join(at, file) : at, text);
  const facts = kind === 'skill' ? { kind, name, description: 'd', extra: {} } : { kind, name, properties: {} };
  return {
    kind,
    name,
    scope: 'home',
    form,
    file: 'x',
    line: 1,
    column: 1,
    path: at,
    files: { [file]: sha256(text) },
    facts,
  };
}
const shown = () => [...(listTree(view)?.files ?? []), ...(listTree(view)?.odd ?? [])].sort();
/** As Windows does where a user may not make links. */
const noLinks: Link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));

describe('a view', () => {
  test('links what is inline, referenced and wired, and not files, which are there already', async () => {
    await buildView(view, [
      cap('inline', 'prompt', 'a'),
      cap('ref', 'skill', 'b'),
      cap('wired', 'prompt', 'c'),
      cap('file', 'prompt', 'd'),
    ]);
    expect(shown()).toEqual(['inline/prompts/a.md', 'ref/skills/b', 'wired/prompts/c.md']);
    expect(readlinkSync(path.join(view, 'ref/skills/b'))).toBe(
      path.join('..', '..', '..', 'sync', 'ref', 'skills', 'b'),
    );
    expect(readFileSync(path.join(view, 'ref/skills/b/SKILL.md'), 'utf8')).toBe('Text.');
  });

  test('shows the first of two in one place', async () => {
    const here = cap('ref', 'prompt', 'a');
    await buildView(view, [here, { ...here, path: path.join(dir, 'elsewhere') }]);
    expect(readFileSync(path.join(view, 'ref/prompts/a.md'), 'utf8')).toBe('Text.');
  });

  test('loses what is gone, and itself where nothing is left', async () => {
    const a = cap('ref', 'prompt', 'a');
    await buildView(view, [a, cap('ref', 'skill', 'b')]);
    writeFileSync(path.join(view, 'junk'), 'x');
    await buildView(view, [a]);
    expect(shown()).toEqual(['ref/prompts/a.md']);
    await buildView(view, []);
    expect(listTree(view)).toBeUndefined();
    await buildView(view, []);
  });

  test('mends a link that leads elsewhere, and leaves what it led to', async () => {
    const b = cap('ref', 'skill', 'b');
    const mine = path.join(dir, 'mine');
    mkdirSync(mine);
    writeFileSync(path.join(mine, 'keep.md'), 'Mine.');
    mkdirSync(path.join(view, 'ref/skills'), { recursive: true });
    symlinkSync(mine, path.join(view, 'ref/skills/b'));
    await buildView(view, [b]);
    expect(readFileSync(path.join(view, 'ref/skills/b/SKILL.md'), 'utf8')).toBe('Text.');
    expect(readFileSync(path.join(mine, 'keep.md'), 'utf8')).toBe('Mine.');
  });

  test('takes away folders that are links, and leaves what they led to', async () => {
    const mine = path.join(dir, 'mine');
    mkdirSync(mine);
    writeFileSync(path.join(mine, 'keep.md'), 'Mine.');
    mkdirSync(path.join(view, 'ref'), { recursive: true });
    symlinkSync(mine, path.join(view, 'ref/prompts'));
    await buildView(view, [cap('ref', 'prompt', 'a')]);
    expect(listTree(mine)?.files).toEqual(['keep.md']);
    expect(shown()).toEqual(['ref/prompts/a.md']);
  });
});

test.each(['link', 'file'])('a %s in the place of a view is taken away, and what it led to stays', async (what) => {
  const mine = path.join(dir, 'mine');
  mkdirSync(mine);
  writeFileSync(path.join(mine, 'keep.md'), 'Mine.');
  if (what === 'link') symlinkSync(mine, view);
  else writeFileSync(view, 'x');
  await buildView(view, [cap('ref', 'prompt', 'a')]);
  expect(listTree(mine)?.files).toEqual(['keep.md']);
  expect(shown()).toEqual(['ref/prompts/a.md']);
});

describe('where links are not possible', () => {
  test('a view is made of copies, which are made again only when they differ', async () => {
    const caps = [cap('inline', 'prompt', 'a'), cap('ref', 'skill', 'b')];
    await buildView(view, caps, noLinks);
    expect(shown()).toEqual(['inline/prompts/a.md', 'ref/skills/b/SKILL.md']);
    const copy = path.join(view, 'inline/prompts/a.md');
    expect(lstatSync(copy).isFile()).toBe(true);
    const { ino } = lstatSync(copy);
    await buildView(view, caps, noLinks);
    expect(lstatSync(copy).ino).toBe(ino);
    await buildView(view, [cap('inline', 'prompt', 'a', 'Other.')], noLinks);
    expect(readFileSync(copy, 'utf8')).toBe('Other.');
    expect(shown()).toEqual(['inline/prompts/a.md']);
  });

  test('any other trouble is told', async () => {
    const full: Link = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await expect(buildView(view, [cap('ref', 'prompt', 'a')], full)).rejects.toThrow('full');
  });
});
