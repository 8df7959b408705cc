/** Homes are made once and remembered, whatever lies there already. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homePlaces, knownStores, prepareHome, rememberStore, rootPlaces } from './index.ts';

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-homes-')));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe('homes', () => {
  it('are made with a .gitignore, which is left alone when it is there', async () => {
    const places = homePlaces('roaming', join(top, 'work'), rootPlaces(join(top, 'root'), path), path);
    await prepareHome(places);
    expect(readFileSync(places.ignore, 'utf8')).toContain('/*\n!/.gitignore\n!/config.toml\n');
    writeFileSync(places.ignore, 'mine');
    await prepareHome(places);
    expect(readFileSync(places.ignore, 'utf8')).toBe('mine');
  });

  it('are remembered once each, in the order in which they came', async () => {
    const root = rootPlaces(join(top, 'root'), path);
    expect(await knownStores(root.homes)).toEqual({ stores: [] });
    for (const store of ['/b/runs.db', '/a/runs.db', '/b/runs.db']) await rememberStore(root, store);
    expect(await knownStores(root.homes)).toEqual({ stores: ['/b/runs.db', '/a/runs.db'] });
  });

  it('are all remembered when several processes remember at once', async () => {
    const root = rootPlaces(join(top, 'root'), path);
    const many = Array.from({ length: 40 }, (_, i) => `store-${i}`);
    await Promise.all(many.map((store) => rememberStore(root, store)));
    expect([...(await knownStores(root.homes)).stores].sort()).toEqual([...many].sort());
    expect(readdirSync(join(top, 'root'))).toEqual(['homes.json']);
  });

  it('are remembered though somebody died while remembering', async () => {
    const root = rootPlaces(join(top, 'root'), path);
    mkdirSync(join(top, 'root'));
    const lock = `${root.homes}.lock`;
    writeFileSync(lock, '1');
    utimesSync(lock, 1000, 1000);
    await rememberStore(root, 'a');
    expect((await knownStores(root.homes)).stores).toEqual(['a']);
  });

  it('are not guessed from a file that is broken', async () => {
    mkdirSync(join(top, 'root'));
    const { homes } = rootPlaces(join(top, 'root'), path);
    for (const text of ['{', '[]', '{"stores": 1}']) {
      writeFileSync(homes, text);
      expect(await knownStores(homes)).toMatchObject({ stores: [], problem: expect.stringContaining('homes.json') });
    }
  });
});
