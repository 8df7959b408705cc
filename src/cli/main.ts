/**
 * The program `toolang`: starts what `process.ts` and all behind it were made into, one text that is read with what V8 knows
 * of it (`code-cache.ts`). It stays tiny, and an older Node can read it too.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { codeCacheFile, readCodeCache, writeCodeCache } from './code-cache.ts';

/** Set by the build: the hash of the program's text. */
declare const __TOOLANG_BUILD__: string;
/** Of the CommonJS file that this becomes. */
declare const __dirname: string;

/** The text of the program is a function of these: what loads what is not in it, and the path that its modules have. */
type Program = (
  require: NodeJS.Require,
  importLater: (id: string) => Promise<unknown>,
  file: string,
) => typeof import('./process.ts');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`toolang: needs Node 20.19 or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  void start(__dirname);
}

function start(dist: string): Promise<void> {
  const filename = join(dist, 'program.cjs');
  const dir = join(dist, 'cache');
  const cache = codeCacheFile(dir, __TOOLANG_BUILD__, process.argv.slice(2));
  const cachedData = readCodeCache(cache);
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    ...(cachedData && { cachedData }),
  });
  const program = script.runInThisContext() as Program;
  const { main, hasOtherFlags } = program(createRequire(filename), (id) => import(id), filename);
  if (!cachedData || script.cachedDataRejected) {
    process.once('exit', (code) => {
      // V8 refuses what it made under other flags.
      if (code === 0 && !hasOtherFlags()) writeCodeCache(dir, cache, script);
    });
  }
  return main();
}
