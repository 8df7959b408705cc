/** Syncs of homes with references that are answered from memory; real repositories are in `test/caps`. */
import {
  existsSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkProgram } from '../../program/index.ts';
import { parse } from '../../too/index.ts';
import type { Compile } from './gather.ts';
import { makePlace, type Place } from './sync-kit.ts';

const compile: Compile = (source, _file, wider) => {
  const caps = wider.flatMap(({ kind, name, scope }) => (scope === 'here' ? [] : [{ kind, name, scope }]));
  const { program, diagnostics } = checkProgram(parse(source), { caps });
  const thunks = [...program.thunks.keys()];
  return { program: { thunks }, caps: program.caps, uses: program.uses, diagnostics };
};

let place: Place;
beforeEach(() => {
  place = makePlace(compile);
});
afterEach(() => place.remove());

const agent = `use skill acme/review

psyche careful:
  Be careful.

thunk go(input: Message) -> Text:
  user: Go.
`;
const review = { 'SKILL.md': '---\ndescription: Reviews.\n---\nLook closely.\n', 'scripts/run.sh': '#!/bin/sh\n' };

function fill(): void {
  place.write('work/agent.too', agent);
  place.write('work/.toolang/prompts/hello.md', 'Say hello.\n');
  place.write('root/services/clock.md', '---\ndescription: Time.\ntransport: stdio\ntarget: clock serve\n---\n');
  place.write('root/config.toml', '[prompts]\nshort = { ref = "acme/short" }\n');
  place.remote.set('acme/review', review);
  place.remote.set('acme/short', { 'short.md': 'Be short.\n' });
}

describe('sync', () => {
  test('materializes three scope roots, each with its forms, and one state file', async () => {
    fill();
    const report = await place.sync();
    expect(report.diagnostics).toEqual([]);
    expect(report.ok).toBe(true);
    expect(place.list('root/sync')).toEqual(['file/services/clock.md', 'wired/prompts/short.md']);
    expect(place.list('work/.toolang/sync')).toEqual(['agent.state.json', 'file/prompts/hello.md']);
    expect(place.list('work/.toolang/agents/agent/sync')).toEqual([
      'inline/psyches/careful.md',
      'ref/skills/review/SKILL.md',
      'ref/skills/review/scripts/run.sh',
    ]);
    const state = JSON.parse(place.read('work/.toolang/sync/agent.state.json'));
    expect(state.program).toEqual({ thunks: ['go'] });
    expect(state.caps.here.map((cap: { ref?: string; name: string }) => cap.name)).toEqual(['review', 'careful']);
    expect(state.caps.here[0].target.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(state.caps.root).toHaveLength(2);
  });

  test('locks what it used, with the hash of every file, in the home and in the root', async () => {
    fill();
    await place.sync();
    const lock = JSON.parse(place.read('work/toolang.lock'));
    expect(lock.caps).toMatchObject([{ kind: 'skill', ref: 'acme/review', usedBy: ['agent.too'] }]);
    expect(Object.keys(lock.caps[0].files)).toEqual(['SKILL.md', 'scripts/run.sh']);
    expect(JSON.parse(place.read('root/toolang.lock')).caps[0].usedBy).toEqual(['root']);
  });

  test('does nothing where nothing has changed', async () => {
    fill();
    await place.sync();
    place.asked.length = 0;
    const state = statSync(path.join(place.dir, 'work/.toolang/sync/agent.state.json')).mtimeMs;
    const again = await place.sync({ compile: () => Promise.reject(new Error('parsed again')) });
    expect(again).toMatchObject({ ok: true, isFresh: true, changes: [] });
    expect(place.asked).toEqual([]);
    expect(statSync(path.join(place.dir, 'work/.toolang/sync/agent.state.json')).mtimeMs).toBe(state);
  });

  test('writes only what has changed', async () => {
    fill();
    await place.sync();
    const careful = path.join(place.dir, 'work/.toolang/agents/agent/sync/inline/psyches/careful.md');
    utimesSync(careful, 1000, 1000);
    place.write('work/.toolang/prompts/hello.md', 'Say good morning.\n');
    const report = await place.sync();
    expect(report.changes).toEqual([{ what: 'updated', scope: 'home', form: 'file', kind: 'prompt', name: 'hello' }]);
    expect(statSync(careful).mtimeMs).toBe(1_000_000);
    expect(place.asked).toHaveLength(2);
  });

  test('removes what is no longer named, from the root and from the lock', async () => {
    fill();
    await place.sync();
    place.write('work/agent.too', agent.replace('use skill acme/review\n', ''));
    const report = await place.sync();
    expect(report.changes).toEqual([{ what: 'removed', scope: 'here', form: 'ref', kind: 'skill', name: 'review' }]);
    expect(place.list('work')).not.toContain('toolang.lock');
  });

  test('keeps in the lock what another agent of the home names', async () => {
    fill();
    place.write('work/other.too', agent);
    await place.sync({ agents: ['agent', 'other'] });
    place.write('work/agent.too', agent.replace('use skill acme/review\n', ''));
    await place.sync();
    expect(JSON.parse(place.read('work/toolang.lock')).caps[0].usedBy).toEqual(['other.too']);
    expect(place.list('work/.toolang/agents/other/sync')).toContain('ref/skills/review/SKILL.md');
    rmSync(path.join(place.dir, 'work/other.too'));
    place.write('work/agent.too', `${agent.replace('use skill acme/review\n', '')}\n`);
    await place.sync();
    expect(place.list('work')).not.toContain('toolang.lock');
  });
});

describe('what was locked', () => {
  test('is taken again, though the reference now leads elsewhere', async () => {
    fill();
    await place.sync();
    rmSync(path.join(place.dir, 'work/.toolang'), { recursive: true });
    await place.sync();
    expect(place.asked.at(-1)?.locked?.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(place.list('work/.toolang/agents/agent/sync')).toContain('ref/skills/review/SKILL.md');
  });

  test('is refused with other content, and nothing is written', async () => {
    fill();
    await place.sync();
    const before = place.read('work/toolang.lock');
    rmSync(path.join(place.dir, 'work/.toolang'), { recursive: true });
    place.remote.set('acme/review', { ...review, 'scripts/run.sh': '#!/bin/sh\nrm -rf /\n' });
    const report = await place.sync();
    expect(report.ok).toBe(false);
    expect(report.diagnostics).toMatchObject([{ code: 'TOO5401', message: expect.stringContaining('run.sh') }]);
    expect(report.diagnostics[0]?.source.name).toBe(path.join('work', 'agent.too'));
    expect(place.read('work/toolang.lock')).toBe(before);
    expect(place.list('work/.toolang').filter((file) => file.includes('skills'))).toEqual([]);
  });

  test.each([
    ['a changed byte', (skill: string) => writeFileSync(path.join(skill, 'SKILL.md'), 'Other.')],
    ['a file too many', (skill: string) => writeFileSync(path.join(skill, 'more.md'), 'More.')],
    ['a file too few', (skill: string) => rmSync(path.join(skill, 'scripts/run.sh'))],
    ['a link', (skill: string) => symlinkSync('/etc/passwd', path.join(skill, 'link'))],
    ['nothing at all', (skill: string) => rmSync(skill, { recursive: true })],
  ])('is put back where somebody has left %s', async (_what, damage) => {
    fill();
    await place.sync();
    damage(path.join(place.dir, 'work/.toolang/agents/agent/sync/ref/skills/review'));
    const report = await place.sync();
    expect(report.changes).toMatchObject([{ what: 'repaired', name: 'review' }]);
    expect(place.list('work/.toolang/agents/agent/sync/ref/skills/review')).toEqual(['SKILL.md', 'scripts/run.sh']);
    expect((await place.sync()).isFresh).toBe(true);
  });

  test('is moved on by an update, which shows the difference', async () => {
    fill();
    await place.sync();
    place.shown.length = 0;
    place.remote.set('acme/review', { ...review, 'SKILL.md': review['SKILL.md'].replace('closely', 'twice') });
    const report = await place.sync({ isUpdated: ({ name }) => name === 'review' });
    expect(report.changes).toMatchObject([{ what: 'updated', name: 'review' }]);
    expect(place.shown).toMatchObject([
      { name: 'review', diff: expect.stringContaining('-Look closely.\n+Look twice.') },
    ]);
    expect(place.read('work/.toolang/agents/agent/sync/ref/skills/review/SKILL.md')).toContain('twice');
  });

  test('is not asked for again in a later commit with the same files', async () => {
    fill();
    await place.sync();
    place.shown.length = 0;
    const was = JSON.parse(place.read('work/toolang.lock')).caps[0].commit;
    place.remote.set('acme/review', { 'scripts/run.sh': review['scripts/run.sh'], 'SKILL.md': review['SKILL.md'] });
    expect((await place.sync({ isUpdated: () => true })).ok).toBe(true);
    expect(place.shown).toEqual([]);
    expect(JSON.parse(place.read('work/toolang.lock')).caps[0].commit).not.toBe(was);
  });

  test('is not changed by --frozen, which says what would', async () => {
    fill();
    await place.sync();
    place.write('work/agent.too', `use prompt acme/short\n${agent}`);
    const report = await place.sync({ frozen: true });
    expect(report).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'TOO5403', message: expect.stringContaining('acme/short') }],
    });
  });
});

describe('what a reference brings', () => {
  test('is shown before it is used for the first time, and not again', async () => {
    fill();
    await place.sync();
    expect(place.shown.map(({ name }) => name).sort()).toEqual(['review', 'short']);
    const skill = place.shown.find(({ name }) => name === 'review');
    expect(skill?.files).toMatchObject([
      { path: 'SKILL.md', isScript: false },
      { path: 'scripts/run.sh', isScript: true },
    ]);
    place.shown.length = 0;
    rmSync(path.join(place.dir, 'work/.toolang'), { recursive: true });
    await place.sync();
    expect(place.shown).toEqual([]);
  });

  test('is not used when it is not accepted, and nothing is written', async () => {
    fill();
    const report = await place.sync({ accept: async () => false });
    expect(report.ok).toBe(false);
    expect(report.refused).toHaveLength(2);
    expect(place.list('work').filter((file) => file.includes('review') || file.endsWith('.lock'))).toEqual([]);
  });

  test('of a skill is materialized with its description alone; the rest is kept in the lock', async () => {
    fill();
    place.remote.set('acme/review', {
      'SKILL.md': '---\nname: review\ndescription: Reviews.\nlicense: MIT\nallowed-tools: Bash\n---\nLook.\n',
    });
    const report = await place.sync();
    expect(report.ok).toBe(true);
    const text = place.read('work/.toolang/agents/agent/sync/ref/skills/review/SKILL.md');
    expect(text).toBe('---\ndescription: Reviews.\n---\nLook.\n');
    expect(JSON.parse(place.read('work/toolang.lock')).caps[0].extra).toMatchObject({ license: 'MIT' });
    expect(place.shown.find(({ name }) => name === 'review')?.allowedTools).toBe('Bash');
  });
});

describe('the prepared view', () => {
  test('links what is inline, referenced and wired into the sync roots', async () => {
    fill();
    await place.sync();
    expect(place.list('root/.caps')).toEqual(['wired/prompts/short.md']);
    const link = readlinkSync(path.join(place.dir, 'root/.caps/wired/prompts/short.md'));
    expect(link).toBe(path.join('..', '..', '..', 'sync', 'wired', 'prompts', 'short.md'));
    expect(place.read('root/.caps/wired/prompts/short.md')).toBe('Be short.\n');
    place.write('root/config.toml', '');
    await place.sync();
    expect(place.list('root')).not.toContain('.caps/wired/prompts/short.md');
  });
});

describe('agents whose sources are gone', () => {
  const stateOf = (name: string) => path.join(place.dir, `work/.toolang/sync/${name}.state.json`);

  test('leave with their sync roots and states, though nothing else has changed', async () => {
    fill();
    place.write('work/other.too', agent);
    await place.sync({ agents: ['agent', 'other'] });
    place.write('work/.toolang/agents/other/notes.txt', 'Mine.');
    rmSync(path.join(place.dir, 'work/other.too'));
    const told = { what: 'removed', scope: 'here', why: 'the agent "other" is gone' };
    const check = await place.sync({ check: true });
    expect(check).toMatchObject({ ok: false, changes: [told, told] });
    expect(existsSync(stateOf('other'))).toBe(true);
    const report = await place.sync();
    expect(report.changes).toMatchObject([
      { ...told, form: 'inline', kind: 'psyche', name: 'careful' },
      { ...told, form: 'ref', kind: 'skill', name: 'review' },
    ]);
    expect(existsSync(stateOf('other'))).toBe(false);
    expect(place.list('work/.toolang/agents/other')).toEqual(['notes.txt']);
    expect((await place.sync()).isFresh).toBe(true);
  });

  test('are told from those that are only not meant', async () => {
    fill();
    place.write('work/other.too', agent);
    await place.sync({ agents: ['agent', 'other'] });
    expect((await place.sync()).isFresh).toBe(true);
    place.write('work/agent.too', `${agent}\n`);
    await place.sync();
    expect(existsSync(stateOf('other'))).toBe(true);
  });

  test('leave also where their states are not readable', async () => {
    fill();
    await place.sync();
    writeFileSync(stateOf('ghost'), 'not a state');
    place.write('work/.toolang/agents/shade/sync/inline/psyches/x.md', 'X.');
    await place.sync();
    expect(place.list('work/.toolang').filter((file) => /ghost|shade/.test(file))).toEqual([]);
  });
});

describe('a change while a sync is at work', () => {
  test('is seen by the next one', async () => {
    fill();
    await place.sync({
      accept: async () => {
        place.write('work/.toolang/prompts/hello.md', 'Say HELLO.\n');
        place.write('work/agent.too', agent.replace('careful.', 'CAREFUL.'));
        return true;
      },
    });
    const report = await place.sync();
    expect(report.changes.map(({ name }) => name).sort()).toEqual(['careful', 'hello']);
    expect(place.read('work/.toolang/agents/agent/sync/inline/psyches/careful.md')).toBe('Be CAREFUL.\n');
  });
});

describe('links in a sync root', () => {
  test.each(['file', 'file/prompts'])(
    'that stand for "%s" are taken away, and what they lead to stays',
    async (where) => {
      fill();
      await place.sync();
      const root = path.join(place.dir, 'work/.toolang/sync');
      const elsewhere = path.join(place.dir, 'elsewhere');
      renameSync(path.join(root, where), elsewhere);
      symlinkSync(elsewhere, path.join(root, where));
      const mine = place.write(where === 'file' ? 'elsewhere/prompts/mine.md' : 'elsewhere/mine.md', 'Mine.\n');
      const report = await place.sync();
      expect(report.changes).toMatchObject([{ what: 'repaired', name: 'hello', why: 'a link leads elsewhere' }]);
      expect(existsSync(mine)).toBe(true);
      expect(lstatSync(path.join(root, where)).isDirectory()).toBe(true);
      expect(place.list('work/.toolang/sync/file')).toEqual(['prompts/hello.md']);
      expect((await place.sync()).isFresh).toBe(true);
    },
  );

  test('files that are no caps are taken away', async () => {
    fill();
    await place.sync();
    place.write('work/.toolang/sync/file/tools/x.md', 'X.');
    place.write('work/.toolang/sync/file/prompts/y.md', 'Y.');
    await place.sync();
    expect(place.list('work/.toolang/sync/file')).toEqual(['prompts/hello.md']);
  });
});

describe('the prepared view, damaged', () => {
  test('is mended, though the sync roots are as they should be', async () => {
    fill();
    await place.sync();
    rmSync(path.join(place.dir, 'root/.caps/wired'), { recursive: true });
    await place.sync();
    expect(place.read('root/.caps/wired/prompts/short.md')).toBe('Be short.\n');
  });
});

describe('a reference that is wired under two names', () => {
  test('is locked once, lies there twice, and may change its name', async () => {
    fill();
    place.write('root/config.toml', '[prompts]\nshort = { ref = "acme/short" }\nbrief = { ref = "acme/short" }\n');
    expect((await place.sync()).ok).toBe(true);
    expect(place.list('root/sync/wired')).toEqual(['prompts/brief.md', 'prompts/short.md']);
    expect(JSON.parse(place.read('root/toolang.lock')).caps).toMatchObject([{ ref: 'acme/short', files: {} }]);
    rmSync(path.join(place.dir, 'root/sync'), { recursive: true });
    place.write('root/config.toml', '[prompts]\nterse = { ref = "acme/short" }\n');
    expect(await place.sync()).toMatchObject({ ok: true, diagnostics: [] });
    expect(place.list('root/sync/wired')).toEqual(['prompts/terse.md']);
  });
});
