import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mostText } from '../bounded-text.ts';
import { type Bench, contextFor, createBench, secret } from '../filesystem/kit.ts';
import { skillLoadTool } from './load.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.remove());

function load(args: Record<string, unknown>) {
  const skill = (name: string) => ({ name, description: 'd', dir: join(bench.workspace, name) });
  return skillLoadTool([skill('review'), skill('deploy')]).run(args, contextFor(bench.outside));
}

async function text(args: Record<string, unknown>): Promise<string> {
  const result = await load(args);
  if (!result.ok) throw new Error(result.error.message);
  return result.text;
}

async function error(args: Record<string, unknown>): Promise<{ code: string; message: string }> {
  const result = await load(args);
  if (result.ok) throw new Error(result.text);
  return result.error;
}

test('gives what a skill says, without its frontmatter, and its files', async () => {
  bench.file('review/SKILL.md', '---\nname: review\ndescription: d\n---\n# How\n\nRead it.\n');
  bench.file('review/scripts/a.py', 'print(1)\n');
  bench.file('review/notes.md', 'n');
  expect(await text({ name: 'review' })).toBe(
    '# How\n\nRead it.\n\nFiles of this skill (review), to be loaded with file:\nnotes.md\nscripts/a.py',
  );
  expect(await text({ name: 'review', file: 'scripts/a.py' })).toBe('print(1)\n');
  expect(await text({ name: 'review', file: 'SKILL.md' })).toContain('description: d');
});

test('a skill without frontmatter or files is what it says', async () => {
  bench.file('deploy/SKILL.md', 'Just do it.');
  expect(await text({ name: 'deploy' })).toBe('Just do it.');
  bench.file('deploy/SKILL.md', '---\nnever closed\n');
  expect(await text({ name: 'deploy' })).toBe('---\nnever closed');
});

test('only the skills that it was made for can be loaded, with the closest name', async () => {
  bench.file('review/SKILL.md', 'x');
  bench.file('other/SKILL.md', secret);
  expect(await error({ name: 'reviw' })).toEqual({
    code: 'missing',
    message: 'there is no skill "reviw". Did you mean "review"? There are: review, deploy.',
  });
  for (const name of ['other', '../ws/other', 'review/../other', '', '__proto__'])
    expect((await error({ name })).code).toBe('missing');
  expect((await error({})).code).toBe('arguments');
});

const notOne = (file: string) =>
  `there is no file "${file}" of the skill "review". Its files are those that are listed when it is loaded by its name alone.`;

test('nothing outside of its folder is read', async () => {
  bench.file('review/SKILL.md', 'x');
  bench.file('other/SKILL.md', secret);
  symlinkSync('../other', join(bench.workspace, 'review/link'));
  for (const file of [
    '../other/SKILL.md',
    'link/SKILL.md',
    join(bench.workspace, 'other/SKILL.md'),
    '/etc/passwd',
    '~/x',
  ]) {
    expect(await error({ name: 'review', file })).toEqual({ code: 'denied', message: notOne(file) });
  }
  expect(await text({ name: 'review' })).toBe('x');
  expect(await error({ name: 'review', file: 'none.md' })).toEqual({ code: 'missing', message: notOne('none.md') });
  mkdirSync(join(bench.workspace, 'review/docs'));
  expect((await error({ name: 'review', file: 'docs' })).message).toBe(notOne('docs'));
});

test('a file that is left empty is left out', async () => {
  bench.file('review/SKILL.md', 'x');
  for (const file of ['', ' ']) expect(await text({ name: 'review', file })).toBe('x');
});

test('what is large or no text is bounded or told', async () => {
  bench.file('review/SKILL.md', 'y'.repeat(100_000));
  for (let i = 0; i < 300; i++) bench.file(`review/files/f${i}.txt`);
  const all = await text({ name: 'review' });
  expect(all.length).toBeLessThanOrEqual(mostText);
  expect(all).toContain('more characters: load it with file="SKILL.md"');
  expect(all).toContain('[100 more]');
  bench.file('review/a.bin', Buffer.from([0]));
  expect((await error({ name: 'review', file: 'a.bin' })).message).toContain('binary data');
});

test('what a call is about is the skill, or its file', () => {
  const tool = skillLoadTool([]);
  expect(tool.subjects({ name: 'a' }, { workspace: '/' })).toEqual(['a']);
  expect(tool.subjects({ name: 'a', file: 'b' }, { workspace: '/' })).toEqual(['a/b']);
});

test('a skill whose folder is gone is told', async () => {
  mkdirSync(join(bench.workspace, 'deploy'));
  expect((await error({ name: 'deploy' })).code).toBe('missing');
  writeFileSync(join(bench.workspace, 'deploy/x'), '');
  expect((await error({ name: 'review' })).code).toBe('failed');
});
