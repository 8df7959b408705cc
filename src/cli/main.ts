/**
 * The program `toolang`: starts what `process.ts` and all behind it were made into, one text of many modules, of which it reads
 * what this command used before (`kept-program.ts`). It stays tiny, and an older Node can read it too.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script, type ScriptOptions } from 'node:vm';
import { keptProgramFile, partOfProgram, readKeptProgram, writeKeptProgram } from './kept-program.ts';
import { openWholeProgram, type WholeProgram } from './whole-program.ts';

/** Set by the build: the hash of the program's text. */
declare const __TOOLANG_BUILD__: string;
/** Of the CommonJS file that this becomes. */
declare const __dirname: string;

type Define = (exports: object, module: { exports: object }) => void;
/** By their numbers; a part of the program lacks some. */
type Modules = Readonly<Record<number, Define | undefined>>;
/** The text of the program is a function of these: what loads what is not in it, the path that its modules have, and modules. */
type Program = (
  require: NodeJS.Require,
  importLater: (id: string) => Promise<unknown>,
  file: string,
  directory: string,
  load: (i: number) => object,
) => Modules;

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
  const file = keptProgramFile(dir, __TOOLANG_BUILD__, process.argv.slice(2));
  const require = createRequire(filename);
  const made: { exports: object }[] = [];
  const load = (i: number): object => {
    let module = made[i];
    if (module === undefined) {
      made[i] = module = { exports: {} };
      const define = part?.modules[i] ?? defineOf(i);
      define(module.exports, module);
    }
    return module.exports;
  };
  const compile = (text: string, options: ScriptOptions) => {
    const script = new Script(text, options);
    const program = script.runInThisContext() as Program;
    return { text, script, modules: program(require, (id) => import(id), filename, dist, load) };
  };
  const kept = readKeptProgram(file);
  // Lines are counted as they stand in the file: a place in a report can be looked up.
  const part = kept && compile(kept.text, { filename: file, lineOffset: 1, cachedData: kept.code });
  let whole: WholeProgram | undefined;
  const missing = new Map<number, Define>();
  const opened = (): WholeProgram => {
    try {
      return openWholeProgram(filename, __TOOLANG_BUILD__);
    } catch (error) {
      // Whatever it would say or do now, a part of that is missing. What is being run goes on from where it is.
      process.stderr.write(`toolang: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    }
  };
  const defineOf = (i: number): Define => {
    whole ??= opened();
    const { open, close } = whole;
    const { text, line } = whole.moduleAt(i);
    const define = compile(open + text + close, { filename, lineOffset: line - 2 }).modules[i] as Define;
    missing.set(i, define);
    return define;
  };

  const { main, hasOtherFlags } = load(0) as typeof import('./process.ts');
  process.once('exit', (code) => {
    // V8 refuses what it made under other flags.
    if (code !== 0 || hasOtherFlags()) return;
    if (whole !== undefined) {
      const used = [...Object.entries(part?.modules ?? {}), ...missing];
      const text = partOfProgram(whole, new Map(used.map(([i, define]) => [Number(i), String(define)])));
      writeKeptProgram(dir, file, { text });
    } else if (part && (!kept?.code || part.script.cachedDataRejected)) {
      writeKeptProgram(dir, file, { text: part.text, code: part.script.createCachedData() });
    }
  });
  return main();
}
