import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileDiagnostic } from './file-problem.ts';
import { readConfig } from './read-config.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'toolang-config-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('a config that is not there says nothing; one that cannot be read is an error', async () => {
  expect(await readConfig(join(dir, 'none.toml'))).toMatchObject({ layer: { config: {} }, diagnostics: [] });
  await mkdir(join(dir, 'config.toml'));
  expect(await readConfig(join(dir, 'config.toml'))).toMatchObject({ diagnostics: [{ code: 'TOO5002' }] });
  await writeFile(join(dir, 'latin1.toml'), Buffer.from('# \xe9', 'latin1'));
  expect(await readConfig(join(dir, 'latin1.toml'), 'x.toml')).toMatchObject({
    diagnostics: [{ code: 'TOO5006', source: { name: 'x.toml' } }],
  });
  await writeFile(join(dir, 'right.toml'), '[limits]\nusd = 2\n');
  expect(await readConfig(join(dir, 'right.toml'))).toMatchObject({ layer: { config: { limits: { usd: 2 } } } });
});

test('every problem of reading has its own code', () => {
  const kinds = ['missing', 'directory', 'denied', 'too-large', 'binary', 'not-utf8', 'other'] as const;
  const codes = kinds.map((kind) => fileDiagnostic('a', { kind, message: 'no.' }).code);
  expect(codes).toEqual(['TOO5001', 'TOO5002', 'TOO5003', 'TOO5004', 'TOO5005', 'TOO5006', 'TOO5007']);
});
