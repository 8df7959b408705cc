/** Agents of plugins: recorded as they were asked, and replayed without being asked. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import { idIn, journalOf } from './kit.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

/** It answers what stands in a file, so that the module is the same each time. */
const plugin = () => `import { appendFileSync, readFileSync } from 'node:fs';
export default () => ({
  agents: {
    clerk: {
      fields: { mood: 'string?' },
      run: async ({ prompt }) => {
        appendFileSync(${JSON.stringify(s.at('asked.txt'))}, prompt + '\\n');
        return { text: readFileSync(${JSON.stringify(s.at('answer.txt'))}, 'utf8'), usage: { inputTokens: 3, outputTokens: 2 } };
      },
    },
  },
});
`;

const flow = (prompt: string) => `name: w
imports:
  plugins[1]:
    - from: ./desk.mjs
input:
agents:
  desk:
    type: clerk
steps[1]:
  - id: count
    agent: desk
    prompt: ${prompt}
    output:
      n: number
`;

test('their answers come from the recording, with the same journal, and a changed prompt is a loud miss', async () => {
  s.write('desk.mjs', plugin());
  s.write('answer.txt', '{"n":5}');
  s.write('w.toon', flow('Count the files.'));
  const first = await s.cli(['run', 'w.toon', '--record']);
  expect([first.code, JSON.parse(first.out)]).toEqual([0, { n: 5 }]);
  expect(s.read('asked.txt').split('\n')).toHaveLength(2);
  s.write('answer.txt', '{"n":6}');
  const again = await s.cli(['run', 'w.toon', '--replay']);
  expect([again.code, JSON.parse(again.out)]).toEqual([0, { n: 5 }]);
  expect(s.read('asked.txt').split('\n')).toHaveLength(2);
  expect(journalOf(s, idIn(again.err))).toEqual(journalOf(s, idIn(first.err)));
  s.write('w.toon', flow('Count the folders.'));
  const missed = await s.cli(['run', 'w.toon', '--replay']);
  expect([missed.code, missed.err]).toEqual([1, expect.stringMatching(/recorded: .*files.*\n +now: .*folders/)]);
});
