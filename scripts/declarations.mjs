// Makes emitted declarations resolve everywhere: our sources import `./x.ts`, but beside `x.d.ts` there is no `x.ts`.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `from './x.ts'`, `import './x.ts'`, `import('./x.ts')`; the compiler writes no other forms. */
const specifier = /(\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]*)\.ts\2/g;

/** @param {string} dir */
export function declarations(dir) {
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(dir, name);
    const text = readFileSync(file, 'utf8').replace(specifier, '$1$2$3.js$2');
    for (const [, , , path] of text.matchAll(/(\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]*)\2/g)) {
      if (path === undefined) continue;
      const target = join(dirname(file), path.replace(/\.js$/, '.d.ts'));
      if (!statSync(target, { throwIfNoEntry: false })) throw new Error(`${name} imports ${path}, which is not there`);
    }
    writeFileSync(file, text);
  }
}
