/** What changes when the code of a module changes. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowPlan } from '../plan/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
import { fileHash } from './file-hash.ts';
import { moduleHashes, modulesNow } from './module-hashes.ts';
import type { StoredRun } from './runs.ts';

let folder: string;
let plan: WorkflowPlan;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(`${tmpdir()}/toolang-hashes-`));
  const text = 'name: w\ninput:\nsteps[1]:\n  - id: a\n    handler: ./a.ts#go\n    output: string\n';
  plan = await planOf(text, { files: { 'a.ts': '' } });
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'a.ts'), "import { x } from './lib/x.js';\nexport const go = (): number => x;\n");
  writeFileSync(join(folder, 'lib', 'x.ts'), 'export const x = 1;\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a module is all local files that it is made of', async () => {
  const { hashes, files } = await moduleHashes(plan, folder);
  expect(Object.keys(hashes)).toEqual(['./a.ts']);
  expect(files).toEqual([join(folder, 'a.ts'), join(folder, 'lib', 'x.ts')]);
  writeFileSync(join(folder, 'other.ts'), '');
  expect((await moduleHashes(plan, folder)).hashes).toEqual(hashes);
  writeFileSync(join(folder, 'lib', 'x.ts'), 'export const x = 2;\n');
  expect((await moduleHashes(plan, folder)).hashes).not.toEqual(hashes);
});

it('one that is not there is known by that', async () => {
  const { hashes } = await moduleHashes(plan, folder);
  rmSync(join(folder, 'a.ts'));
  const gone = await moduleHashes(plan, folder);
  expect(gone.hashes).not.toEqual(hashes);
  expect(Object.keys(gone.hashes)).toEqual(['./a.ts']);
});

describe('the modules of a run that is taken up', () => {
  const stored = (more: Partial<StoredRun['started']>) => ({ plan, started: more as StoredRun['started'] });

  it('are those of the files as they are', async () => {
    const { hashes } = await moduleHashes(plan, folder);
    expect(await modulesNow(stored({}), folder)).toEqual(hashes);
    expect(await modulesNow(stored({ modules: { './a.ts': 'old' } }), folder)).toEqual(hashes);
  });

  it('are those that it has, where no file is another', async () => {
    const names = ['a.ts', 'lib/x.ts', 'gone.ts', 'lib', 'a.ts/none'].map((name) => join(folder, name));
    const files = Object.fromEntries(names.map((name) => [name, fileHash(name)]));
    const modules = { './a.ts': 'as it was' };
    expect(await modulesNow(stored({ modules, files }), folder)).toEqual(modules);
    // One that was missing is there.
    writeFileSync(join(folder, 'gone.ts'), '');
    expect(await modulesNow(stored({ modules, files }), folder)).not.toEqual(modules);
    rmSync(join(folder, 'gone.ts'));
    writeFileSync(join(folder, 'lib', 'x.ts'), 'export const x = 2;\n');
    expect(await modulesNow(stored({ modules, files }), folder)).not.toEqual(modules);
    expect(await modulesNow(stored({ files }), folder)).toEqual((await moduleHashes(plan, folder)).hashes);
  });

  it('are named by their text, which is read again when it changes back and forth', async () => {
    const [one, two] = ['export const x = 1;\n', "import './y.ts';\nexport const x = 2;\n"];
    const hashOf = async (text: string) => {
      writeFileSync(join(folder, 'lib', 'x.ts'), text);
      return (await moduleHashes(plan, folder)).hashes['./a.ts'];
    };
    const first = await hashOf(one);
    const second = await hashOf(two);
    expect(second).not.toBe(first);
    writeFileSync(join(folder, 'lib', 'y.ts'), '');
    expect(await hashOf(two)).not.toBe(second);
    expect(await hashOf(one)).toBe(first);
  });
});
