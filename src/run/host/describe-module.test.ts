/** What a module exports, however it was compiled. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeModule, loadModule } from './describe-module.ts';
import { importModule } from './import-module.ts';
import { failureAt } from './thrown.ts';
import { createUserLibrary } from './user-library.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-describe-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** As tsc and others write it. */
const compiled = (text: string) =>
  `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n${text}\n`;

async function load(name: string, text: string) {
  writeFileSync(join(dir, name), text);
  const loaded = await loadModule({ specifier: `./${name}`, folder: dir, as: 'module' }, await createUserLibrary());
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.exports;
}

describe('a module of CommonJS', () => {
  it('that was compiled has the default export that its author wrote, and the others', async () => {
    const exports = await load('a.cjs', compiled('exports.other = () => 2; exports.default = () => 1;'));
    expect([(exports.default as () => number)(), (exports.other as () => number)()]).toEqual([1, 2]);
  });

  it('that was compiled without a default export has what Node gives', async () => {
    const exports = await load('b.cjs', compiled('exports.other = () => 2;'));
    expect(exports.other).toBeTypeOf('function');
    expect(exports.default).toBeTypeOf('object');
  });

  it('that was written by hand is its own default export', async () => {
    const whole = await load('c.cjs', 'module.exports = () => 3;');
    expect((whole.default as () => number)()).toBe(3);
    const named = await load('d.cjs', 'exports.default = 4; exports.n = 5;');
    expect([named.default, named.n]).toEqual([{ default: 4, n: 5 }, 5]);
  });

  it('that a module passes on takes nothing of its own exports away', async () => {
    writeFileSync(join(dir, 'e.cjs'), compiled('exports.default = () => 1;'));
    const exports = await load('f.mjs', "export { default } from './e.cjs'; export const own = 6;");
    expect(exports.own).toBe(6);
  });

  it('can be a plugin; and code that imports it gets what Node gives', async () => {
    const text = compiled('exports.default = () => ({ functions: { q: () => 1 } });');
    writeFileSync(join(dir, 'p.cjs'), text);
    const library = await createUserLibrary();
    const answer = await describeModule({ specifier: './p.cjs', folder: dir, as: 'plugin', config: {} }, library);
    expect(answer).toMatchObject({
      ok: true,
      plugin: { functions: ['q'] },
      exports: { default: { kind: 'function' } },
    });
    const imported = (await importModule('./p.cjs', dir, library, failureAt())) as { default: { default: unknown } };
    expect(imported.default.default).toBeTypeOf('function');
  });
});
