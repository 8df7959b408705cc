/** Runs that are killed while they are recorded or replayed: what was paid is in the file, and they go on. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts. In small: workflow.test.ts, and src/run/record/.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createPlace, until } from '../engine/kit.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';

let open: FakeModel[] = [];
afterEach(async () => {
  await Promise.all(open.map((fake) => fake.close()));
  open = [];
});

/** Between two models a step says that it is there, and ends when it may. */
const workflow = `name: w
input:
agents:
  dev:
    type: openai
    model: gpt-5
steps[3]:
  - id: first
    agent: dev
    prompt: "One."
    output: string
  - id: wait
    run: "const fs = await import('node:fs'); fs.writeFileSync('at', ''); while (!fs.existsSync('go')) await new Promise((r) => setTimeout(r, 20)); return 1"
    output: number
  - id: last
    agent: dev
    prompt: "Two: {first} {wait}"
    output: string
`;

async function killedAndResumed(flag: '--record' | '--replay', record?: string) {
  const fake = await startFakeModel('openai-responses', {
    answers: ({ body }) => ({ text: JSON.stringify(body).includes('Two:') ? 'Second.' : 'First.' }),
  });
  open.push(fake);
  const w = createPlace(() => (flag === '--record' ? fake.env : {}));
  onTestFinished(() => w.leave());
  w.write('w.toon', workflow);
  if (record !== undefined) w.write('w.record.toon', record);
  const run = w.start('run', 'w.toon', flag);
  await until(() => existsSync(w.at('at')), 'the step in the middle');
  run.kill('SIGKILL');
  await run.exit;
  const between = readFileSync(w.at('w.record.toon'), 'utf8');
  w.write('go', '');
  const resumed = await w.finish('resume', await run.id());
  expect([resumed.code, resumed.out]).toEqual([0, 'Second.\n']);
  return {
    between,
    text: readFileSync(w.at('w.record.toon'), 'utf8'),
    requests: fake.requests.length,
    again: () => w.finish('run', 'w.toon', '--replay'),
  };
}

test('a recording that was killed in the middle has what was asked, and is completed by whoever resumes the run', async () => {
  const recorded = await killedAndResumed('--record');
  expect(recorded.between).toContain('replies[1]:');
  expect(recorded.text).toContain('replies[2]:');
  expect(recorded.requests).toBe(2);
  expect(await recorded.again()).toMatchObject({ code: 0, out: 'Second.\n' });
  const replayed = await killedAndResumed('--replay', recorded.text);
  expect(replayed.text).toBe(recorded.text);
  expect(replayed.requests).toBe(0);
});
