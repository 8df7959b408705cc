/** Several syncs at once, in processes of their own, and large ones: what comes of it is what one sync of one process makes. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSyncHome, leftoversIn, pictureOf, type SyncHome } from './sync-home.ts';

let place: SyncHome;
beforeEach(() => {
  place = createSyncHome();
});
afterEach(() => place.close());

const thunk = 'thunk go(input: Message) -> Text:\n  user: Go.\n';

describe('eight syncs at once', () => {
  function fill(): void {
    const skill = '---\ndescription: Reviews.\n---\nLook.\n';
    place.hub.commit('acme/skills', { 'skills/review/SKILL.md': skill, 'skills/review/a/b.md': 'B.\n' });
    place.hub.commit('acme/prompts', { 'short.md': 'Be short.\n' });
    const agent = `use skill acme/review\nuse prompt acme/short\n\npsyche calm:\n  Be calm.\n\n${thunk}`;
    place.write({
      'config.toml': '[prompts]\nshort = { ref = "acme/short" }\n',
      'psyches/kind.md': 'Be kind.\n',
      'agents/bob/agent.too': agent,
      'agents/bob/other.too': agent,
      'agents/bob/prompts/hello.md': 'Hello.\n',
      'agents/eve/agent.too': agent,
      'agents/eve/skills/own/SKILL.md': skill,
    });
  }

  test.each([
    ['in one home', ['bob']],
    ['in two homes that share the root', ['bob', 'eve']],
  ])('%s come to what one comes to', async (_where, homes) => {
    fill();
    const homeOf = (i: number) => join(place.root, 'agents', homes[i % homes.length] ?? '');
    const made = join(place.root, 'agents');
    for (let i = 0; i < homes.length; i++) {
      const { code, said } = await place.sync({ cwd: homeOf(i) });
      expect(code, said).toBe(0);
    }
    const wanted = pictureOf(place.root);
    for (const name of ['sync', '.caps', 'toolang.lock', 'cache']) rmSync(join(place.root, name), { recursive: true });
    for (const home of homes)
      for (const name of ['.toolang', '.caps', 'toolang.lock']) rmSync(join(made, home, name), { recursive: true });
    place.hub.commands();
    const ends = await Promise.all(Array.from({ length: 8 }, (_, i) => place.sync({ cwd: homeOf(i) })));
    for (const { code, said } of ends) expect(code, said).toBe(0);
    expect(pictureOf(place.root)).toEqual(wanted);
    expect(leftoversIn(place.root)).toEqual([]);
    // Of each repository the list of its files, and then those that are wanted.
    expect(place.hub.commands().filter((command) => / fetch /.test(command))).toHaveLength(4);
  });
});

describe('a sync of 200 references', () => {
  test('from 20 repositories fetches each once, several at the same time', async () => {
    const uses: string[] = [];
    for (let r = 0; r < 20; r++) {
      const files: Record<string, string> = {};
      for (let i = 0; i < 10; i++) {
        files[`prompts/p${r}x${i}.md`] = `Say ${r} ${i}.\n`;
        uses.push(`use prompt team/repo${r}/p${r}x${i}`);
      }
      place.hub.commit(`team/repo${r}`, files);
    }
    place.write({ 'agents/bob/agent.too': `${uses.join('\n')}\n\n${thunk}` });
    // Nobody gets an answer before four have asked: one after the other would wait for ever.
    const git = join(place.hub.top, 'bin/git');
    const begun = join(place.hub.top, 'begun');
    const wait = `case " $* " in *" ls-remote "*) echo >> '${begun}'; until [ "$(wc -l < '${begun}')" -ge 4 ]; do sleep 0.02; done;; esac`;
    writeFileSync(git, readFileSync(git, 'utf8').replace('\n', `\n${wait}\n`));
    place.hub.commands();
    const { code, said } = await place.sync();
    expect(code, said.slice(-500)).toBe(0);
    const asked = new Map<string, string[]>();
    for (const command of place.hub.commands()) {
      const [, verb = ''] = / (ls-remote|fetch) /.exec(command) ?? [];
      const [repository] = /team\/repo\d+/.exec(command) ?? [];
      if (repository !== undefined && verb !== '') asked.set(repository, [...(asked.get(repository) ?? []), verb]);
    }
    // Of each the list of its files, and then those that are wanted, all in one go.
    expect(asked.size).toBe(20);
    for (const verbs of asked.values()) expect(verbs).toEqual(['ls-remote', 'fetch', 'fetch']);
    expect(readdirSync(join(place.home, '.toolang/agents/bob/sync/ref/prompts'))).toHaveLength(200);
  });
});

describe('a home of 1,000 caps', () => {
  test('is made once; one that changes is made alone', async () => {
    for (let i = 0; i < 1000; i++) {
      const dir = join(place.home, i % 2 === 0 ? `skills/s${i}` : 'prompts');
      mkdirSync(dir, { recursive: true });
      if (i % 2 === 0) writeFileSync(join(dir, 'SKILL.md'), `---\ndescription: Number ${i}.\n---\nLook ${i}.\n`);
      else writeFileSync(join(dir, `p${i}.md`), `Say ${i}.\n`);
    }
    place.write({ 'agents/bob/agent.too': thunk });
    const whole = await place.sync();
    expect(whole.code, whole.said.slice(-500)).toBe(0);
    const before = timesIn(join(place.home, '.toolang'));
    expect(Object.keys(before).length).toBeGreaterThan(1500);
    expect(await place.sync()).toMatchObject({ code: 0, said: expect.stringContaining('up to date') });
    expect(timesIn(join(place.home, '.toolang'))).toEqual(before);
    writeFileSync(join(place.home, 'skills/s500/SKILL.md'), '---\ndescription: Another.\n---\nLook away.\n');
    const one = await place.sync();
    expect(one.said).toMatch(/^~ updated +skill s500 .*\n.*1 change\n$/);
    const after = timesIn(join(place.home, '.toolang'));
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(changed).toEqual([
      'sync',
      'sync/bob.state.json',
      'sync/file/skills',
      'sync/file/skills/s500',
      'sync/file/skills/s500/SKILL.md',
    ]);
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });

  function timesIn(dir: string): Record<string, bigint> {
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
    return Object.fromEntries(names.map((name) => [name, lstatSync(join(dir, name), { bigint: true }).mtimeNs]));
  }
});
