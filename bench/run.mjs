// Runs all benches, each in a process of its own, and fails when one of them does: `npm run bench`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const failed = ['start', 'parse', 'toon', 'linear', 'calls', 'store', 'engine'].filter((name) => {
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.mjs`)], { stdio: 'inherit' });
  console.log('');
  return status !== 0;
});
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
