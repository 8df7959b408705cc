/** What is told of saves: once for several in a moment, whatever an editor does with the file. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock, realClock } from '../../sys/index.ts';
import { type FileWatch, watchFiles } from './watch-files.ts';

let dir: string;
let watch: FileWatch | undefined;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-watch-')));
});
afterEach(() => {
  watch?.close();
  rmSync(dir, { recursive: true, force: true });
});

const never = new AbortController().signal;
const turn = () => new Promise((done) => setImmediate(done));

/** Folders that change when they are told to. */
function faked() {
  const clock = manualClock();
  const folders = new Map<string, (name: string | null) => void>();
  const made = watchFiles(clock, (folder, changed) => {
    folders.set(folder, changed);
    return { close: () => void folders.delete(folder) };
  });
  const state = { told: 0 };
  const next = () => made.saved(never).then(() => void state.told++);
  return { clock, folders, made, state, next };
}

describe('files that are watched', () => {
  it('are quiet until a save, and again when who was told asks for the next', async () => {
    const { clock, folders, made, next } = faked();
    made.follow([join(dir, 'a.toon')]);
    const first = next();
    expect(made.isQuiet()).toBe(true);
    folders.get(dir)?.('a.toon');
    expect(made.isQuiet()).toBe(false);
    await turn();
    await clock.advance(200);
    await first;
    expect(made.isQuiet()).toBe(false);
    void next();
    expect(made.isQuiet()).toBe(true);
  });

  it('lose no save where who asked goes away', async () => {
    const { folders, made } = faked();
    made.follow([join(dir, 'a.toon')]);
    const gone = new AbortController();
    const asked = made.saved(gone.signal);
    folders.get(dir)?.('a.toon');
    await turn();
    gone.abort();
    await expect(asked).rejects.toThrow();
    expect(made.isQuiet()).toBe(false);
  });

  it('are told once when several saves come in a moment, and after that moment', async () => {
    const { clock, folders, made, state, next } = faked();
    made.follow([join(dir, 'a.toon'), join(dir, 'b.md')]);
    expect([...folders.keys()]).toEqual([dir]);
    void next();
    folders.get(dir)?.('a.toon');
    await turn();
    await clock.advance(60);
    folders.get(dir)?.('b.md');
    await clock.advance(60);
    expect(state.told).toBe(0);
    await clock.advance(100);
    expect(state.told).toBe(1);
    void next();
    await clock.advance(1000);
    expect(state.told).toBe(1);
  });

  it('are told alone, and what was saved while nobody waited is told, too', async () => {
    const { clock, folders, made, state, next } = faked();
    made.follow([join(dir, 'a.toon')]);
    folders.get(dir)?.('stranger.md');
    void next();
    await clock.advance(1000);
    expect(state.told).toBe(0);
    folders.get(dir)?.('a.toon');
    await turn();
    await clock.advance(1000);
    expect(state.told).toBe(1);
    folders.get(dir)?.(null);
    void next();
    await turn();
    await clock.advance(1000);
    expect(state.told).toBe(2);
  });

  it('are no others when others are named, and a folder that is not there is waited for', async () => {
    const { folders, made } = faked();
    made.follow([join(dir, 'parts/deep/c.toon')]);
    expect([...folders.keys()]).toEqual([dir]);
    mkdirSync(join(dir, 'parts/deep'), { recursive: true });
    made.follow([join(dir, 'parts/deep/c.toon')]);
    expect([...folders.keys()]).toEqual([join(dir, 'parts/deep')]);
  });

  it('are watched where a link leads', async () => {
    const { folders, made } = faked();
    mkdirSync(join(dir, 'real'));
    writeFileSync(join(dir, 'real/a.toon'), '');
    symlinkSync(join(dir, 'real/a.toon'), join(dir, 'a.toon'));
    made.follow([join(dir, 'a.toon')]);
    expect([...folders.keys()]).toEqual([dir, join(dir, 'real')]);
  });

  it('that were saved while they were read count as saved', async () => {
    const { clock, made, state, next } = faked();
    writeFileSync(join(dir, 'a.toon'), '');
    made.follow([join(dir, 'a.toon')], Date.now() + 10_000);
    void next();
    await clock.advance(1000);
    expect(state.told).toBe(0);
    made.follow([join(dir, 'a.toon')], 0);
    await turn();
    await clock.advance(1000);
    expect(state.told).toBe(1);
  });

  it('are not waited for any more when that is no use', async () => {
    const { made } = faked();
    const stop = new AbortController();
    const waiting = made.saved(stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow();
  });

  it.each([
    ['written', () => writeFileSync(join(dir, 'a.toon'), 'two')],
    [
      'replaced',
      () => {
        writeFileSync(join(dir, '.a.swp'), 'two');
        renameSync(join(dir, '.a.swp'), join(dir, 'a.toon'));
      },
    ],
    ['deleted', () => rmSync(join(dir, 'a.toon'))],
  ])('are seen when they are %s', async (_, save) => {
    writeFileSync(join(dir, 'a.toon'), 'one');
    watch = watchFiles(realClock);
    watch.follow([join(dir, 'a.toon')]);
    const told = watch.saved(never);
    save();
    await told;
    // And when it is made again.
    const again = watch.saved(never);
    writeFileSync(join(dir, 'a.toon'), 'three');
    await again;
  });
});
