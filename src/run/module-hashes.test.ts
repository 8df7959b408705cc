/** What changes when the code of a module changes. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WorkflowPlan } from '../plan/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
import { moduleHashes } from './module-hashes.ts';

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
