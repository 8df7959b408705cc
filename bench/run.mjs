// Runs benches, each in a process of its own, and fails when one of them does: `npm run bench`, or `node bench/run.mjs NAME…`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bundle.mjs';

/** One after the other; `linear` compares CPU times with each other, so that its halves may run beside each other. */
const steps = [
  ...['start', 'parse', 'toon'].map((name) => [[name]]),
  [
    ['linear', '', '1/2'],
    ['linear', '', '2/2'],
  ],
  ...['calls', 'model', 'store', 'engine', 'caps'].map((name) => [[name]]),
];
const names = steps.flat().map(([name]) => name);
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`there is no bench "${unknown}", but ${[...new Set(names)].join(', ')}`);
/** @type {string[]} */
const failed = [];
for (const step of steps) {
  if (wanted.length > 0 && !step.some(([name = '']) => wanted.includes(name))) continue;
  for (const { name, output, code, seconds } of await Promise.all(step.map(bench))) {
    console.log(`${output}(${name}: ${seconds.toFixed(0)} s)\n`);
    if (code !== 0) failed.push(name);
  }
}
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

/**
 * @param {string[]} words its name and arguments
 * @returns {Promise<{ name: string, output: string, code: number | null, seconds: number }>}
 */
function bench([name = '', ...args]) {
  const flags = name === 'linear' ? ['--max-semi-space-size=256'] : [];
  const child = spawn(process.execPath, [...flags, join(root, 'bench', `${name}.mjs`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const began = performance.now();
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ name, output, code, seconds: (performance.now() - began) / 1000 }));
  });
}
