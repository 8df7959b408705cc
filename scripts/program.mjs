// Makes one text of all modules of the program: `dist/program.cjs`, which `src/cli/main.ts` runs.
//
// Files cost more to find and to open than to read, and V8 can keep what it made of one text. Each module is a function that is
// called when it is first used (`lazy-links.mjs`), so a command runs only the modules that it needs, and none of them is looked
// for on the disk.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { helperText, lazyLinks } from './lazy-links.mjs';

/** @typedef {import('rolldown').OutputChunk} OutputChunk */

/** Gives a module by its number, and one that is not in the text later; no module has such names. */
const load = '__loadModule';
const later = '__importLater';

/** What the output of the bundler must be, so that each of its files is one module. */
export const modules = /** @type {const} */ ({
  format: 'cjs',
  preserveModules: true,
  entryFileNames: '[name].cjs',
});

/**
 * A function that gives the modules by their numbers, the first of which is where it begins. Its first line opens it and the
 * one behind them closes it: between those stand as many modules as are wanted (`src/cli/kept-program.ts`). At the end is said
 * where each of them is (`src/cli/whole-program.ts`).
 * @param {readonly OutputChunk[]} chunks
 * @returns {{ text: string, build: string }} ASCII alone: it is read as it is, without being decoded
 */
export function programText(chunks) {
  const ordered = [...chunks.filter(({ isEntry }) => isEntry), ...chunks.filter(({ isEntry }) => !isEntry)];
  if (ordered.filter(({ isEntry }) => isEntry).length !== 1) throw new Error('build: the program has no single entry');
  const places = new Map(ordered.map(({ fileName }, i) => [fileName, i]));
  const bodies = ordered.map(
    (chunk, i) => `/* ${chunk.fileName} */ ${i}: (exports, module) => {\n${linked(chunk, places)}\n},\n`,
  );
  const open = `(function (require, ${later}, __filename, __dirname, ${load}) { ${helperText} return {\n`;
  return withIndex(open, bodies.map(asciiOf), '};})\n');
}

/**
 * The text, with where its modules are, and its name.
 * @param {string} open one line
 * @param {readonly string[]} bodies
 * @param {string} close
 */
export function withIndex(open, bodies, close) {
  const at = [open.length];
  const lines = [2];
  for (const body of bodies) {
    at.push((at.at(-1) ?? 0) + body.length);
    lines.push((lines.at(-1) ?? 0) + body.split('\n').length - 1);
  }
  const text = [open, ...bodies, close].join('');
  const index = JSON.stringify({ at, lines: lines.slice(0, -1) });
  const build = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { text: `${text}// ${index}\n// ${`${text.length}`.padStart(11, '0')} ${build}\n`, build };
}

/**
 * Its code, with the modules that it requires by their places.
 * @param {OutputChunk} chunk
 * @param {ReadonlyMap<string, number>} places
 */
function linked({ fileName, code, imports, dynamicImports }, places) {
  for (const name of [load, later]) {
    if (code.includes(name)) throw new Error(`build: ${fileName} has a name of its own that is ${name}`);
  }
  // Modules of others may do more than define, when they are loaded; ours are strict, as they are written.
  let text = isOurs(fileName) ? `"use strict"; ${lazyLinks(code, fileName)}` : code;
  for (const name of new Set([...imports, ...dynamicImports])) {
    const place = places.get(name);
    if (place === undefined) {
      // Only a file can import: of a text that is run, Node would warn. What is Node's own is there at once.
      const there = name.startsWith('node:') ? `Promise.resolve(require("${name}"))` : `${later}("${name}")`;
      text = text.replaceAll(`import("${name}")`, there);
      continue;
    }
    const path = posix.relative(posix.dirname(fileName), name);
    const required = `require("${path.startsWith('.') ? path : `./${path}`}")`;
    if (!code.includes(required)) throw new Error(`build: ${fileName} does not say ${required}`);
    text = text.replaceAll(required, `${load}(${place})`);
  }
  const left = /\brequire\("\.[^"]*"\)/.exec(text);
  if (left) throw new Error(`build: ${fileName} still says ${left[0]}`);
  return text;
}

/** @param {string} fileName */
function isOurs(fileName) {
  return fileName.startsWith('src/') || !fileName.includes('/');
}

/**
 * Escapes mean the same in strings, in regular expressions and in names, and something else in raw templates.
 * @param {string} text
 */
function asciiOf(text) {
  const raw = /String\.raw`[^`]*[^\0-\x7f][^`]*`/.exec(text);
  if (raw) throw new Error(`build: a raw template cannot hold ${raw[0]}`);
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
