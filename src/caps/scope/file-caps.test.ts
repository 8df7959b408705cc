/** Caps in folders: what is read, and what is said of everything else that may lie there. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homePlaces, rootPlaces } from '../../config/index.ts';
import { positionAt } from '../../text/index.ts';
import { readCapFolders } from './file-caps.ts';
import { type Temporary, temporary } from './temporary.ts';

let t: Temporary;
beforeEach(() => {
  t = temporary();
});
afterEach(() => t.remove());

const skill = '---\ndescription: Trigger this skill for reviews.\n---\n# Review\n';
const service = '---\ndescription: d\ntransport: http\ntarget: https://x.y/mcp\n---\nText.\n';

function places() {
  const root = rootPlaces(t.at('root'), path);
  return { root, home: homePlaces('roaming', t.dir, root, path), resident: residentOf('bot') };
}

function residentOf(agent: string) {
  const root = rootPlaces(t.at('root'), path);
  return homePlaces('resident', path.join(root.agents, agent), root, path);
}

async function read(scope: 'home' | 'root' = 'root') {
  const { root, home } = places();
  const folders = scope === 'root' ? root.caps : home.caps;
  if (!folders) throw new Error('no folders');
  return readCapFolders(folders, scope, t.shown);
}

/** `code severity file:line:column message`. */
async function problems(scope: 'home' | 'root' = 'root'): Promise<string[]> {
  return (await read(scope)).diagnostics.map((d) => {
    const { line, column } = positionAt(d.source, d.span.start);
    return `${d.code} ${d.severity} ${d.source.name}:${line}:${column} ${d.message}`;
  });
}

describe('Locations', () => {
  it('shared local caps live under the Toolang root', async () => {
    t.write('root/psyches/calm.md', 'Be calm.\n');
    t.write('root/skills/review/SKILL.md', skill);
    t.write('root/services/github.md', service);
    t.write('root/prompts/rewrite.md', 'Rewrite {{input}}.\n');
    const { caps, broken, diagnostics } = await read();
    expect({ broken, diagnostics }).toEqual({ broken: [], diagnostics: [] });
    expect(
      caps.map(({ kind, name, scope, form, file, path: whole, files, line, column }) => ({
        kind,
        name,
        scope,
        form,
        file: t.shown(file),
        whole: t.shown(whole),
        files,
        line,
        column,
      })),
    ).toEqual(
      [
        {
          kind: 'psyche',
          name: 'calm',
          file: 'root/psyches/calm.md',
          whole: 'root/psyches/calm.md',
          files: ['calm.md'],
        },
        {
          kind: 'skill',
          name: 'review',
          file: 'root/skills/review/SKILL.md',
          whole: 'root/skills/review',
          files: ['SKILL.md'],
        },
        {
          kind: 'service',
          name: 'github',
          file: 'root/services/github.md',
          whole: 'root/services/github.md',
          files: ['github.md'],
        },
        {
          kind: 'prompt',
          name: 'rewrite',
          file: 'root/prompts/rewrite.md',
          whole: 'root/prompts/rewrite.md',
          files: ['rewrite.md'],
        },
      ].map((cap) => ({ ...cap, scope: 'root', form: 'file', line: 1, column: 1 })),
    );
    expect(caps[1]?.cap).toMatchObject({ description: 'Trigger this skill for reviews.', body: '# Review' });
  });

  it('private local caps live under one agent home, in .toolang of a home that is not resident', async () => {
    t.write('root/agents/bot/psyches/calm.md', 'Be calm.\n');
    t.write('.toolang/prompts/rewrite.md', 'Rewrite.\n');
    const { resident } = places();
    const inResident = await readCapFolders(resident.caps ?? places().root.caps, 'home', t.shown);
    expect(inResident.caps.map((cap) => [cap.scope, cap.name])).toEqual([['home', 'calm']]);
    expect((await read('home')).caps.map((cap) => [cap.scope, cap.name])).toEqual([['home', 'rewrite']]);
  });

  it('the cap name comes from the file or directory name, not from frontmatter', async () => {
    t.write('root/psyches/calm.md', '---\nname: wild\n---\nBe calm.\n');
    t.write('root/skills/review/SKILL.md', '---\nname: other\ndescription: d\n---\nx\n');
    const { caps, diagnostics, broken } = await read();
    expect(caps.map((cap) => cap.name)).toEqual(['calm']);
    expect(diagnostics).toMatchObject([{ code: 'TOO5222', fix: { title: 'remove "name"' } }]);
    expect(broken).toEqual([{ kind: 'skill', name: 'review' }]);
  });

  it('additional files can live beside SKILL.md, at any depth', async () => {
    for (const name of ['references/a.md', 'scripts/deep/er/run.sh', 'assets/.github/ci.yml', 'SKILL.md']) {
      t.write(`root/skills/review/${name}`, name === 'SKILL.md' ? skill : 'x');
    }
    for (const name of ['.DS_Store', 'a.md~', '.a.md.swp', '.git/config', 'scripts/__pycache__/x.pyc']) {
      t.write(`root/skills/review/${name}`, 'x');
    }
    expect((await read()).caps[0]?.files).toEqual([
      'SKILL.md',
      'assets/.github/ci.yml',
      'references/a.md',
      'scripts/deep/er/run.sh',
    ]);
  });

  it('folders that are not there have no caps', async () => {
    expect(await read()).toEqual({ caps: [], broken: [], diagnostics: [] });
    mkdirSync(t.at('root/skills'), { recursive: true });
    expect(await read()).toEqual({ caps: [], broken: [], diagnostics: [] });
  });
});

describe('one bad file hides no other', () => {
  it('each is told at its line and column', async () => {
    t.write('root/skills/a/SKILL.md', '---\ndescription: d\ncolour: red\n---\nx\n');
    t.write('root/skills/b/SKILL.md', '---\n---\nx\n');
    t.write('root/skills/c/SKILL.md', skill);
    t.write('root/services/d.md', '---\ndescription: d\ntransport: carrier\ntarget: https://x.y\n---\n');
    t.write('root/services/e.md', '---\ndescription: d\ntransport: http\ntarget: https://x.y\nheaders: none\n---\n');
    t.write('root/services/f.md', service);
    expect(await problems()).toEqual([
      'TOO5220 error root/skills/a/SKILL.md:3:1 a skill has no property "colour".',
      'TOO5223 error root/skills/b/SKILL.md:1:1 this skill has no "description".',
      expect.stringMatching(/^TOO5227 error root\/services\/d\.md:3:12 /),
      expect.stringMatching(/^TOO5206 error root\/services\/e\.md:5:10 /),
    ]);
    expect((await read()).caps.map((cap) => cap.name)).toEqual(['c', 'f']);
  });

  it('those that cannot be read, or are no UTF-8 text, or too large', async () => {
    t.write('root/psyches/latin.md', Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
    t.write('root/psyches/nul.md', 'a\0b');
    truncateSync(t.write('root/psyches/huge.md', ''), 10 * 1024 * 1024 + 1);
    truncateSync(t.write('root/skills/big/assets/data.bin', ''), 11 * 1024 * 1024);
    t.write('root/skills/big/SKILL.md', skill);
    t.write('root/psyches/fine.md', 'x');
    expect((await problems()).map((line) => line.replace(/ error /, ' '))).toEqual([
      'TOO5004 root/psyches/huge.md:1:1 this has 10 MB, more than the 10 MB that may be read.',
      'TOO5006 root/psyches/latin.md:1:1 this is not UTF-8 text: byte 0xfc does not belong at line 1, column 3.',
      'TOO5005 root/psyches/nul.md:1:1 this is not a text file: it holds a NUL byte at line 1, column 2.',
      'TOO5004 root/skills/big/assets/data.bin:1:1 this has 11 MB, more than the 10 MB of a file.',
    ]);
    const { caps, broken } = await read();
    expect(caps.map((cap) => cap.name)).toEqual(['fine']);
    expect(broken.map((cap) => cap.name)).toEqual(['huge', 'latin', 'nul', 'big']);
  });

  it.skipIf(process.getuid?.() === 0)('nor does a file or a folder that may not be read', async () => {
    chmodSync(t.write('root/psyches/secret.md', 'x'), 0);
    t.write('root/psyches/fine.md', 'x');
    mkdirSync(t.at('root/skills'));
    chmodSync(t.at('root/skills'), 0);
    expect((await problems()).map((line) => line.slice(0, 7))).toEqual(['TOO5003', 'TOO5003']);
    expect((await read()).caps.map((cap) => cap.name)).toEqual(['fine']);
    chmodSync(t.at('root/skills'), 0o755);
  });

  it('Windows line ends and byte order marks are read', async () => {
    t.write('root/skills/review/SKILL.md', `\ufeff${skill.replaceAll('\n', '\r\n')}`);
    t.write('root/services/github.md', service.replaceAll('\n', '\r\n'));
    const { caps, diagnostics } = await read();
    expect(diagnostics).toEqual([]);
    expect(caps.map(({ cap }) => cap.body)).toEqual(['# Review', 'Text.']);
  });
});

describe('what is no cap', () => {
  it('is warned of where somebody may have meant one, and ignored where nobody did', async () => {
    t.write('root/skills/review.md', skill);
    t.write('root/skills/run.sh', 'x');
    t.write('root/skills/README.md', 'About.');
    t.write('root/psyches/README.md', 'About.');
    t.write('root/psyches/calm/calm.md', 'x');
    t.write('root/prompts/review/SKILL.md', skill);
    t.write('root/prompts/notes.txt', 'x');
    t.write('root/prompts/readme.md', 'Write a readme.');
    for (const name of ['.keep', 'x.md~', '.x.md.swp', 'x.md.bak', '#x.md#', '.gitignore'])
      t.write(`root/prompts/${name}`, 'x');
    t.write('root/services', 'x');
    expect(await problems()).toEqual([
      'TOO5242 warning root/psyches/calm:1:1 this is no psyche: psyches are files.',
      'TOO5242 warning root/skills/review.md:1:1 this is no skill: skills are folders.',
      'TOO5242 warning root/skills/run.sh:1:1 this is no skill: skills are folders.',
      'TOO5242 warning root/services:1:1 this is a file, and no folder of services.',
      'TOO5242 warning root/prompts/notes.txt:1:1 this is no prompt: its name does not end in ".md".',
      'TOO5242 warning root/prompts/review:1:1 this is no prompt: prompts are files.',
    ]);
    expect((await read()).caps.map((cap) => cap.name)).toEqual(['readme']);
    expect((await read()).diagnostics.map((d) => d.help)).toEqual([
      'Write the psyche in psyches/calm.md.',
      'Move it to skills/review/SKILL.md.',
      'Put it into the skill that it belongs to.',
      'Make a folder of that name, with the services in it.',
      'Rename it to "notes.md", or put it elsewhere.',
      'It is a skill: move it to the folder "skills".',
    ]);
  });

  it('is a directory without SKILL.md, with what is likely meant', async () => {
    mkdirSync(t.at('root/skills/empty'), { recursive: true });
    t.write('root/skills/small/skill.md', skill);
    t.write('root/skills/typo/SKIL.md', skill);
    t.write('root/skills/group/review/SKILL.md', skill);
    const { diagnostics, broken } = await read();
    expect(diagnostics.map((d) => `${d.code} ${d.source.name} ${d.help}`)).toEqual([
      'TOO5240 root/skills/empty Write it, with a description in its frontmatter and the instructions below, or remove the folder.',
      'TOO5240 root/skills/group Skills stand side by side: move "review" one folder up.',
      'TOO5240 root/skills/small Rename "skill.md" to "SKILL.md".',
      'TOO5240 root/skills/typo Rename "SKIL.md" to "SKILL.md".',
    ]);
    expect(broken).toHaveLength(4);
  });

  it('has a name that is no name', async () => {
    t.write('root/psyches/be calm.md', 'x');
    t.write('root/skills/prüfen/SKILL.md', skill);
    expect((await problems()).map((line) => line.slice(0, 13))).toEqual(['TOO5233 error', 'TOO5233 error']);
  });

  it('has a name that differs from another only in letter case', async () => {
    t.write('root/psyches/Review.md', 'x');
    t.write('root/psyches/review.md', 'x');
    t.write('root/prompts/REVIEW.md', 'x');
    // On systems where letter case does not count there is only one.
    const { caps, diagnostics } = await read();
    if (caps.length === 2 && diagnostics.length === 0) return;
    expect(diagnostics).toMatchObject([
      {
        code: 'TOO5241',
        source: { name: 'root/psyches/review.md' },
        message: 'the psyches "Review" and "review" differ only in letter case.',
        related: [{ source: { name: 'root/psyches/Review.md' } }],
      },
    ]);
    expect(caps.map((cap) => cap.name)).toEqual(['Review', 'REVIEW']);
  });
});

describe.skipIf(process.platform === 'win32')('links', () => {
  it('are followed inside the scope', async () => {
    t.write('root/psyches/calm.md', 'Be calm.');
    symlinkSync('calm.md', t.at('root/psyches/quiet.md'));
    t.write('root/skills/a/SKILL.md', skill);
    t.write('root/skills/a/references/r.md', 'x');
    symlinkSync('a', t.at('root/skills/b'));
    mkdirSync(t.at('root/skills/c'));
    symlinkSync('../a/SKILL.md', t.at('root/skills/c/SKILL.md'));
    symlinkSync('../a/references', t.at('root/skills/c/more'));
    const { caps, diagnostics } = await read();
    expect(diagnostics).toEqual([]);
    expect(caps.map((cap) => [cap.name, ...cap.files])).toEqual([
      ['calm', 'calm.md'],
      ['quiet', 'quiet.md'],
      ['a', 'SKILL.md', 'references/r.md'],
      ['b', 'SKILL.md', 'references/r.md'],
      ['c', 'SKILL.md', 'more/r.md'],
    ]);
  });

  it('may lead anywhere in a home whose caps lie in .toolang', async () => {
    t.write('docs/review/SKILL.md', skill);
    mkdirSync(t.at('.toolang/skills'), { recursive: true });
    symlinkSync('../../docs/review', t.at('.toolang/skills/review'));
    expect(await read('home')).toMatchObject({ diagnostics: [], caps: [{ name: 'review', files: ['SKILL.md'] }] });
  });

  it('that lead out of the scope are refused', async () => {
    t.write('outside/x.md', 'x');
    t.write('outside/review/SKILL.md', skill);
    t.write('root/skills/a/SKILL.md', skill);
    mkdirSync(t.at('root/psyches'));
    symlinkSync('../../outside/x.md', t.at('root/psyches/x.md'));
    symlinkSync('../../../outside', t.at('root/skills/a/more'));
    symlinkSync('../../outside/review', t.at('root/skills/review'));
    symlinkSync('../outside', t.at('root/prompts'));
    expect(await problems()).toEqual([
      'TOO5243 error root/psyches/x.md:1:1 this link to "../../outside/x.md" leads out of the directory that the cap belongs to.',
      'TOO5243 error root/skills/a/more:1:1 this link to "../../../outside" leads out of the directory that the cap belongs to.',
      'TOO5243 error root/skills/review:1:1 this link to "../../outside/review" leads out of the directory that the cap belongs to.',
      'TOO5243 error root/prompts:1:1 this link to "../outside" leads out of the directory that the cap belongs to.',
    ]);
    const { caps, broken } = await read();
    expect(caps).toEqual([]);
    expect(broken.map((cap) => cap.name)).toEqual(['x', 'review', 'a']);
  });

  it('that lead in a circle or to nothing are told', async () => {
    t.write('root/skills/a/SKILL.md', skill);
    symlinkSync('..', t.at('root/skills/a/up'));
    symlinkSync('.', t.at('root/skills/a/self'));
    symlinkSync('loop', t.at('root/skills/loop'));
    t.write('root/skills/b/x/y/z.md', 'x');
    t.write('root/skills/b/SKILL.md', skill);
    symlinkSync('../../x', t.at('root/skills/b/x/y/again'));
    mkdirSync(t.at('root/psyches'));
    symlinkSync('gone.md', t.at('root/psyches/dead.md'));
    expect((await problems()).sort()).toEqual([
      'TOO5001 error root/psyches/dead.md:1:1 this is a link to "gone.md", which does not exist.',
      'TOO5007 error root/skills/a/self:1:1 this cannot be read: its links lead in a circle.',
      'TOO5007 error root/skills/a/up:1:1 this cannot be read: its links lead in a circle.',
      'TOO5007 error root/skills/b/x/y/again:1:1 this cannot be read: its links lead in a circle.',
      'TOO5007 error root/skills/loop:1:1 this cannot be read: its links lead in a circle.',
    ]);
  });

  it('pipes are no files', async () => {
    t.write('root/psyches/x.md', 'x');
    execFileSync('mkfifo', [t.at('root/psyches/pipe.md')]);
    expect(await problems()).toEqual(['TOO5007 error root/psyches/pipe.md:1:1 this is a pipe, not a file.']);
  });
});

describe('limits', () => {
  it('a skill has at most 2,000 files', async () => {
    t.write('root/skills/a/SKILL.md', skill);
    for (let i = 0; i < 1999; i++) t.write(`root/skills/a/assets/${i % 7}/${i}`, '');
    expect((await read()).caps[0]?.files).toHaveLength(2000);
    t.write('root/skills/a/one-more', '');
    expect(await problems()).toEqual(['TOO5244 error root/skills/a:1:1 this skill has more than 2,000 files.']);
  });

  it.skipIf(process.platform === 'win32')('and ends, whatever links make of few folders', async () => {
    t.write('root/skills/a/SKILL.md', skill);
    for (let i = 0; i < 30; i++) mkdirSync(t.at(`root/skills/a/${i}`));
    for (let i = 0; i < 29; i++) for (const x of 'xy') symlinkSync(`../${i + 1}`, t.at(`root/skills/a/${i}/${x}`));
    expect((await problems()).at(-1)).toMatch(/^TOO5244/);
  });
});
