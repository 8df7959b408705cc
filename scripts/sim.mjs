// Repeats a run of the simulator, and tells what happens in it.
// `npm run sim -- --seed N [--count K] [--edits]`: with a count, the seeds from N on, and only the first that fails is told;
// `--edits`: runs that are edited while they run.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '1' }, edits: { type: 'boolean' } },
});
const seed = Number(values.seed);
const count = Number(values.count);
if (values.seed === undefined || !Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) {
  console.error('npm run sim -- --seed N [--count K] [--edits]');
  process.exit(2);
}

const built = await rolldown({
  input: { simulate: join(root, 'src/run/simulate/simulate.ts'), edits: join(root, 'src/run/simulate/edits.ts') },
  cwd: root,
  platform: 'node',
  external: [/^node:/, 'jiti', '@swc/wasm-typescript'],
  transform: { target: 'node20' },
});
const dir = join(root, '.cache/sim');
await built.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
await built.close();
/** @type {typeof import('../src/run/simulate/simulate.ts')} */
const { simulate } = await import(pathToFileURL(join(dir, 'simulate.mjs')).href);
/** @type {typeof import('../src/run/simulate/edits.ts')} */
const { simulateEdits } = await import(pathToFileURL(join(dir, 'edits.mjs')).href);

let deaths = 0;
for (let each = seed; each < seed + count; each++) {
  /** @type {string[]} */
  const lines = [];
  try {
    /** @param {string} line */
    const tell = (line) => void lines.push(line);
    const played = await (values.edits ? simulateEdits(each, tell) : simulate(each, undefined, tell));
    deaths += played.deaths;
    if (count === 1) console.log(`seed ${each}\n${lines.join('\n')}\n${JSON.stringify(played.end)}`);
  } catch (error) {
    console.log(`seed ${each}\n${lines.join('\n')}`);
    console.error(error);
    process.exit(1);
  }
}
console.log(`${count} ${count === 1 ? 'seed' : 'seeds'}, ${deaths} deaths, nothing found`);
