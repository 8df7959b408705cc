import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStableText } from './stable-text.ts';

const folder = join(homedir(), 'projects', 'release');
const stable = createStableText({ runs: ['7f3a0c5e91xw'], folders: [folder, undefined, '/'] });

test.each([
  ['nothing to take out', 'nothing to take out'],
  [`in ${join(folder, 'src', 'a.ts')}:3`, `in ${join('<folder>', 'src', 'a.ts')}:3`],
  [`at ${join(homedir(), 'other')}`, `at ${join('<home>', 'other')}`],
  [`wrote "${join(tmpdir(), 'toolang-x1y2', 'out.md')}"`, `wrote "${join('<tmp>', 'out.md')}"`],
  ['run 7f3a0c5e91xw of two', 'run <run> of two'],
  ['on 2026-04-01, at 2026-04-01T12:30:00.123Z and 2026-04-01T12:30+02:00', 'on <date>, at <time> and <time>'],
  ['not 12026-04-011, nor 1/2/2026', 'not 12026-04-011, nor 1/2/2026'],
])('%s', (text, expected) => {
  expect(stable(text)).toBe(expected);
});
