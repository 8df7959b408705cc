// The long forms of tests: only the files that have one, so that nothing is run twice. `node scripts/test-deep.mjs`
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes('TOOLANG_DEEP'));
if (files.length === 0) throw new Error('no test has a long form');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const ran = spawnSync(process.execPath, [vitest, 'run', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TOOLANG_DEEP: '1' },
});
process.exitCode = ran.status ?? 1;
