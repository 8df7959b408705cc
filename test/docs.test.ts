/** Pages that are made from the code are as new as the code. */
import { expect, it } from 'vitest';
import { makePages, oldPages } from '../scripts/docs.mjs';

it('has the generated pages that the code makes now', async () => {
  const old = oldPages(await makePages());
  expect(old.map((page) => `${page.file} is old: run \`npm run docs\``)).toEqual([]);
});
