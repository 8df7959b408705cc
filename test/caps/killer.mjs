// Loaded before the program (`--import`): counts what it changes on the disk and the processes it starts, and kills it at
// one of them. `?at=7&when=within` is the seventh; `?at=7&fails=ENOSPC` lets it fail; `?log=FILE` gets the number of all when it ends.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const asked = new URL(import.meta.url).searchParams;
const at = Number(asked.get('at') ?? 0);
const when = asked.get('when');
/** Instead of dying, the change fails with this code. */
const failure = asked.get('fails') ?? undefined;
const { promises } = fs;
const log = asked.get('log');
const { appendFileSync, writeFileSync } = fs;
let count = 0;

/** @returns {never} */
function die() {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

/** @param {string | Uint8Array} data */
function half(data) {
  const bytes = Buffer.from(data);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/**
 * @param {any} holder
 * @param {string} name
 * @param {(...args: any[]) => void} [within] does a part of it
 * @param {(...args: any[]) => boolean} [counts]
 */
function watch(holder, name, within, counts = () => true) {
  const real = holder[name];
  holder[name] = /** @this {unknown} @param {...any} args */ function (...args) {
    if (!counts(...args) || ++count !== at) return real.apply(this, args);
    if (failure !== undefined) {
      const error = Object.assign(new Error(`${failure}: made so`), { code: failure, path: String(args[0]) });
      if (name.endsWith('Sync')) throw error;
      return Promise.reject(error);
    }
    if (when === 'within') within?.apply(this, args);
    if (when !== 'after') die();
    const result = real.apply(this, args);
    return typeof result?.then === 'function' ? result.then(die, die) : die();
  };
}

/** @param {unknown} flags */
function writes(flags) {
  const { O_WRONLY, O_RDWR } = fs.constants;
  return typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR)) !== 0 : flags !== undefined && flags !== 'r';
}

for (const name of ['mkdir', 'rename', 'rm', 'rmdir', 'unlink', 'symlink', 'link', 'cp']) watch(promises, name);
watch(promises, 'writeFile', (file, data, options) => writeFileSync(file, half(data), options));
watch(promises, 'open', undefined, (_file, flags) => writes(flags));
const { open } = promises;
promises.open = async (...args) => {
  const handle = await open(...args);
  watch(
    handle,
    'writeFile',
    (data) => appendFileSync(handle.fd, half(data)),
    () => writes(args[1]),
  );
  return handle;
};
for (const name of ['mkdirSync', 'renameSync', 'rmSync', 'unlinkSync', 'writeFileSync']) watch(fs, name);
if (failure === undefined) watch(childProcess, 'spawn');
syncBuiltinESMExports();
if (log) process.on('exit', () => writeFileSync(log, String(count)));
