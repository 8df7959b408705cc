/** What was reported by the decoder is not judged again by what is made of it. */
import { expect, test } from 'vitest';
import { createSource } from '../../text/index.ts';
import { planWorkflow } from '../plan.ts';

const step = (lines: string) => `name: t
agents:
  w:
    type: codex
input:
  a: string
steps[1]:
  - id: x
${lines}
    output:
      t: string
`;

test.each([
  ['code that was cut off', `    run: "return { t: 'x`, ['TOO3021']],
  ['an empty text', '    run: "', ['TOO3021']],
  ['an expression that was cut off', '    agent: w\n    prompt: "Say {input.a', ['TOO3021']],
  [
    'a condition behind wrong quotes',
    '    run: "return { t: 1 + \'\' }"\n    skipIf: "{input.b}" or "{input.c}"',
    ['TOO3023'],
  ],
  ['a duration', '    run: "return { t: \'\' }"\n    timeout: "5', ['TOO3021']],
  ['a word', '    agent: "w"x\n    prompt: hi', ['TOO3023']],
])('%s', async (_, lines, codes) => {
  const read = async () => ({ ok: false as const, message: 'none' });
  const { diagnostics } = await planWorkflow(createSource('t.toon', step(lines)), { file: '/t.toon', read });
  expect(diagnostics.map((d) => d.code)).toEqual(codes);
});
