// Keeps journals of the machine of today in `spec/journals/`: `node scripts/journals.mjs`. What an earlier machine wrote is
// never written again: a machine that decides otherwise has a new number, and a file of its own.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const seeds = 20;
/** In these a sub-workflow that waits gives its slot back, and wakes. */
const also = [223, 228];
/** Rarer words: more runs are kept until each of them was written. */
const rare = new Set(['timer.fired', 'node.cancelled', 'node.failed', 'tool.answered', 'model.skipped', 'handoff']);
/** And what was said in them: a permission that was given, and one that was not. */
const said = new Map([
  ['a permission', /"node":"[^"]*\/permit#\d+","body":\{"kind":"approval.decided","approved":true/],
  ['a denial', /"node":"[^"]*\/permit#\d+","body":\{"kind":"approval.decided","approved":false/],
  ['a call that was allowed', /"node":"[^"]*\/granted#\d+","body":\{"kind":"tool.answered"/],
  ['a hand', /"node":"[^"/]*#\d+\/look\[1\]#1","body":\{"kind":"child.ended","outcome":\{"ok"/],
  ['a second call of a hand', /"node":"[^"]*\/look\[2\]#1","body":\{"kind":"child.started"/],
  ['a hand of a hand', /"node":"[^"]*\/weigh\[\d+\]#1\/look\[1\]#1","body":\{"kind":"child.ended"/],
  ['a workflow as a hand', /"node":"[^"]*\/sub\[\d+\]#1","body":\{"kind":"child.ended"/],
  ['what was recalled', /"node":"[^"]*\/recall#1","body":\{"kind":"node.done"/],
  ['a turn that was kept', /"node":"[^"]*\/turn#1","body":\{"kind":"node.done"/],
  ['a permission in a hand', /"node":"[^"]*\/look\[\d+\]#1\/permit#\d+","body":\{"kind":"approval.decided"/],
]);

const dir = mkdtempSync(join(tmpdir(), 'toolang-journals-'));
try {
  const bundle = await rolldown({
    input: { simulate: join(root, 'src/run/simulate/simulate.ts'), machine: join(root, 'src/plan/machine/index.ts') },
    cwd: root,
    platform: 'node',
    external: [/^node:/, 'jiti', '@swc/wasm-typescript', '@photostructure/sqlite'],
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
  await bundle.close();
  const { journalOf } = await import(pathToFileURL(join(dir, 'simulate.mjs')).href);
  const { machineNumber } = await import(pathToFileURL(join(dir, 'machine.mjs')).href);
  const file = join(root, `spec/journals/machine-${machineNumber}.json`);
  if (existsSync(file)) {
    console.log(
      `spec/journals/machine-${machineNumber}.json is there already: a released journal is never written again`,
    );
  } else {
    /** @type {string[]} */
    const lines = [];
    for (let seed = 1; seed <= seeds || rare.size + said.size > 0; seed++) {
      const journal = JSON.stringify(await journalOf(seed));
      const found = [...rare].filter((kind) => journal.includes(`"kind":"${kind}"`));
      for (const kind of found) rare.delete(kind);
      const heard = [...said].filter(([, words]) => words.test(journal));
      for (const [what] of heard) said.delete(what);
      if (seed <= seeds || found.length + heard.length > 0) lines.push(`${JSON.stringify(String(seed))}:${journal}`);
    }
    for (const seed of also) lines.push(`${JSON.stringify(String(seed))}:${JSON.stringify(await journalOf(seed))}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
    console.log(`kept ${lines.length} journals`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
