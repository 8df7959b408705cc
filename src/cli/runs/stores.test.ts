/** Which store a run is looked for in, and what is said of stores and words that lead nowhere. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../journal/sqlite.ts';
import { memoryContext } from '../memory-context.ts';
import { runCli } from '../run.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('ask.toon', ask);
});
afterEach(() => s.remove());

const ask = `name: ask
input:
steps[1]:
  - kind: approval
    id: ok
    request:
      title: Go on?
`;

const go = (...words: string[]): Promise<Ran> => from(s.dir, ...words);
async function from(cwd: string, ...words: string[]): Promise<Ran> {
  const context = memoryContext({ cwd, env: { HOME: s.home, USER: 'ana' } });
  const code = await runCli(words, context);
  return { code, out: context.out(), err: context.err() };
}
async function begin(...flags: string[]): Promise<string> {
  const { out } = await go('run', 'ask.toon', '--json', ...flags);
  return JSON.parse(out).run;
}
/** Another folder with a run of its own; gives its place. */
async function elsewhere(name: string): Promise<string> {
  const dir = join(s.dir, '..', name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'ask.toon'), ask);
  await from(dir, 'run', 'ask.toon');
  return dir;
}
function makeNewer(file: string): void {
  const db = openDatabase(file, 1000);
  db.exec("UPDATE meta SET value = '999' WHERE key = 'version'; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
/** It opens, and only who reads its runs finds out. */
function spoil(file: string): void {
  const db = openDatabase(file, 1000);
  const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'runs'").get()?.rootpage);
  db.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, (page - 1) * 4096, page * 4096));
}

describe('a run that is in two stores', () => {
  it('is listed from elsewhere with the command for each, and nothing is decided', async () => {
    const id = await begin();
    const copy = join(s.dir, '..', 'copy');
    cpSync(s.dir, copy, { recursive: true });
    expect((await from(copy, 'run', 'ask.toon')).code).toBe(3);
    const short = id.slice(0, 4);
    const top = join(s.dir, '..');
    const refused = await from(top, 'approve', short);
    expect(refused).toEqual({
      code: 2,
      out: '',
      err: [
        `toolang: "${short}" is a run in several stores.`,
        '  Name the one:',
        `  toolang approve ${short} --home ${s.dir}  ask, waiting`,
        `  toolang approve ${short} --home ${copy}  ask, waiting`,
        '',
      ].join('\n'),
    });
    // What else was said is said again.
    const fork = await from(top, 'fork', short, '--from', 'o k', '--input=n=-1', '--no-color', '--wait');
    expect(fork.err).toContain(
      `  toolang fork ${short} --no-color --wait --from='o k' --input=n=-1 --home ${copy}  ask, waiting\n`,
    );
    expect((await from(top, 'why', short, 'ok')).err).toContain(`  toolang why ${short} ok --home ${copy}  ask`);
    expect((await from(top, 'approve', short, '--home', copy)).code).toBe(0);
    expect((await from(top, 'runs', '--home', s.dir)).out).toContain('  waiting  ');
    // In a home its own runs are meant.
    expect((await go('approve', short)).code).toBe(0);
  });
});

describe('a store that cannot be read', () => {
  it('is not empty: exit 1 with the reason, with and without --json, and for a run in it; 2 for who wants to write', async () => {
    const id = await begin();
    makeNewer(s.at('.toolang/runs.db'));
    const looks = [['runs'], ['runs', '--json'], ['show', id], ['why', id], ['runs', '--all']];
    const writes = [
      ...['approve', 'resume', 'retry', 'cancel'].map((verb) => [verb, id]),
      ['fork', id, '--from', 'ok'],
      ['run', 'ask.toon'],
      ['runs', 'prune', '--keep', '0'],
      ['cache', 'clear', '--all'],
    ];
    for (const words of [...looks, ...writes]) {
      const ran = await go(...words);
      expect([words, ran]).toEqual([words, expect.objectContaining({ code: looks.includes(words) ? 1 : 2, out: '' })]);
      const [first, second = ''] = ran.err.trimEnd().split('\n');
      expect(first).toMatch(
        /^toolang: the store ".*runs\.db" has version 999, and this toolang knows versions up to \d/,
      );
      expect(second).toBe(
        words.includes(id) ? `toolang: the run "${id}" is in none of the stores that could be read` : '',
      );
    }
  });

  it('does not hide the others: damaged, or of a newer version', async () => {
    const id = await begin();
    const damaged = await elsewhere('damaged');
    const newer = await elsewhere('newer');
    spoil(join(damaged, '.toolang/runs.db'));
    makeNewer(join(newer, '.toolang/runs.db'));
    const listed = await go('runs', '--all');
    expect(listed.code).toBe(1);
    expect(listed.out).toMatch(new RegExp(`^${id.slice(0, 4)}  ask  waiting .*\n$`));
    expect(listed.err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^toolang: the store ".*newer.*" has version 999/),
      expect.stringMatching(/^toolang: the store ".*damaged.*" .* is damaged/),
    ]);
    const json = JSON.parse((await go('runs', '--all', '--json')).out);
    expect(json).toMatchObject({ runs: [{ run: id }], unread: [expect.any(String), expect.any(String)] });
    expect((await from(join(s.dir, '..'), 'logs', id)).code).toBe(0);
    expect((await go('runs')).err).toBe('');
  });
});

describe('a place for a store', () => {
  it('may be elsewhere, and then no folder is made beside the workflow', async () => {
    expect((await go('run', 'ask.toon', '--store', '../else/where.db')).code).toBe(3);
    expect(existsSync(s.at('.toolang'))).toBe(false);
  });

  it('that is no place for one is told in words, before anything runs', async () => {
    mkdirSync(s.at('folder'));
    const other = '  Name another file: --store FILE\n';
    for (const [store, said] of [
      ['folder', '"folder" is a folder: a store is a file.'],
      ['ask.toon/x.db', '"ask.toon" is a file, not a folder: no store can lie in it.'],
      ['/dev/null', '"/dev/null" is no file that runs can be kept in.'],
    ] as const) {
      expect(await go('run', 'ask.toon', '--store', store)).toEqual({
        code: 2,
        out: '',
        err: `toolang: ${said}\n${other}`,
      });
    }
    expect((await go('runs', '--store', 'folder')).err).toContain('"folder" is a folder');
    expect((await go('runs', '--store', 'no.db')).err).toContain('start a run there: toolang run FILE --store no.db\n');
    rmSync(s.at('folder'), { recursive: true });
    s.write('.toolang', 'x');
    expect(await go('run', 'ask.toon')).toMatchObject({
      code: 2,
      err: 'toolang: ".toolang" is a file, and should be a folder.\n  Keep the run elsewhere: --store FILE, or --home DIR\n',
    });
    const foreign = s.write('foreign.db', 'x'.repeat(5000));
    expect((await go('run', 'ask.toon', '--store', foreign)).code).toBe(2);
  });

  it('is remembered beside what is there, and never over a file that cannot be read', async () => {
    const homes = join(s.home, '.toolang/homes.json');
    mkdirSync(join(s.home, '.toolang'));
    for (const text of ['{broken', '{"version": 2, "stores": []}', '[]']) {
      writeFileSync(homes, text);
      const ran = await go('run', 'ask.toon');
      expect(ran.code).toBe(3);
      expect(ran.err).toMatch(/^the run will be found from its own folder only: ".*homes\.json" /);
      expect(readFileSync(homes, 'utf8')).toBe(text);
    }
    writeFileSync(homes, '{"version": 1, "stores": ["/a.db", {"file": "/b.db"}], "later": true}');
    await go('run', 'ask.toon');
    expect(JSON.parse(readFileSync(homes, 'utf8'))).toEqual({
      version: 1,
      stores: ['/a.db', { file: '/b.db' }, s.at('.toolang/runs.db')],
      later: true,
    });
  });
});

describe('a word that names no run', () => {
  it('gets the ids that are closest, whatever was written', async () => {
    const id = await begin();
    const short = id.slice(0, 4);
    for (const word of [`${id}x`, `${short.slice(0, 3)}u`]) {
      expect((await go('show', word)).err).toBe(
        `toolang: there is no run "${word}". Did you mean "${short}"?\n  All runs: toolang runs --all\n`,
      );
    }
    const far = await go('show', '!!!!');
    expect(far).toMatchObject({ code: 2, out: '' });
    expect(far.err).toBe(`toolang: there is no run "!!!!".\n  The closest: ${short}\n  All runs: toolang runs --all\n`);
  });

  it('and is a file is told so', async () => {
    expect((await go('show', 'ask')).err).toBe(
      [
        'toolang: there is no run "ask".',
        '  "ask.toon" is a file beside, and runs have ids of their own, as 7f3a.',
        '  There are no runs yet: toolang run ask.toon',
        '',
      ].join('\n'),
    );
  });
});

describe('toolang runs', () => {
  it('tells how to get the same list, longer', async () => {
    for (let i = 0; i < 3; i++) await begin('--store', 's.db');
    const next = 'there are more: toolang runs';
    expect((await go('runs', '--store', 's.db', '--limit', '1')).err).toBe(`${next} --store s.db --limit 20\n`);
    expect((await go('runs', '--all', '--status', 'waiting', '--limit', '2')).err).toBe(
      `${next} --all --status waiting --limit 20\n`,
    );
    expect((await go('runs', '--store', 's.db', '--limit', '0')).err).toBe(`${next} --store s.db --limit 20\n`);
  });
});
