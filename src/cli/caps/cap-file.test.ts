/** Files of one's own caps, also those that nobody can read. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentText, type Kit, makeKit, skillText } from '../../../test/caps/kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  kit.write('work/agent.too', agentText);
});
afterEach(() => kit.remove());

const broken = 'work/.toolang/skills/look/SKILL.md';

test('a file with a mistake in it can be opened again, and mended', async () => {
  kit.write(broken, 'No frontmatter.\n');
  kit.write('right.md', skillText('Look.'));
  const { code, err } = await kit.cli('skill edit look', { env: { EDITOR: `cp ${kit.at('right.md')}` } });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(kit.read(broken)).toBe(skillText('Look.'));
});

test('that of the home is meant before that of the root, right or wrong', async () => {
  kit.write(broken, 'No frontmatter.\n');
  kit.write('.toolang/skills/look/SKILL.md', skillText('Look.'));
  expect((await kit.cli('skill delete look --yes')).err).toBe('deleted .toolang/skills/look\n');
  expect(kit.has(broken)).toBe(false);
  expect((await kit.cli('skill delete root://skills/look --yes')).code).toBe(0);
  expect(kit.has('.toolang/skills/look')).toBe(false);
  expect((await kit.cli('skill delete look --yes')).code).toBe(2);
});

test('its path is known; what is wrong with it is shown by list', async () => {
  kit.write(broken, 'No frontmatter.\n');
  expect((await kit.cli('skill path look')).out).toBe(`${kit.at('work/.toolang/skills/look')}\n`);
  expect((await kit.cli('skill show look')).err).toContain(
    'toolang skill list shows those that can be read, and what is wrong with others.',
  );
});

test('a new one is not made beside one whose name differs in letter case', async () => {
  await kit.cli('prompt new Look');
  const { code, err } = await kit.cli('prompt new look');
  expect(code).toBe(2);
  expect(err).toContain('".toolang/prompts/Look.md" is there already.');
  expect(kit.list('work/.toolang/prompts')).toEqual(['Look.md']);
});
