/** Workflows whose owners are killed, and what their steps wrote down. */
import { existsSync, readFileSync } from 'node:fs';
import { ask, inPlace, type Place, until } from './kit.ts';

const steps = `import { appendFileSync, existsSync } from 'node:fs';
export async function first({ key, signal }) {
  appendFileSync('began', Date.now() + ' ' + key + '\\n');
  while (!existsSync('go') && !signal.aborted) await new Promise((done) => setTimeout(done, 5));
  return 'a';
}
export function kill() {
  appendFileSync('began', 'x\\n');
  if (!existsSync('calm')) process.kill(process.ppid, 'SIGKILL');
  return existsSync('calm') ? 'alive' : new Promise(() => setTimeout(() => {}, 60000));
}
`;
const slow = `name: slow
input:
steps[2]:
  - id: first
    handler: ./steps.mjs#first
    output: string
  - id: second
    run: "return first + 'b'"
    output: string
`;
export const deadly = `name: deadly
input:
steps[1]:
  - id: bad
    handler: ./steps.mjs#kill
    output: string
`;

/** A line for each step that began. */
export const began = (w: Place) =>
  existsSync(w.at('began')) ? readFileSync(w.at('began'), 'utf8').split('\n').slice(0, -1) : [];
export const begun = (w: Place, steps: number) => until(() => began(w).length === steps, `step ${steps}`);

export function given(work: (w: Place) => Promise<void>): ReturnType<typeof inPlace> {
  return inPlace(async (w) => {
    w.write('steps.mjs', steps);
    w.write('slow.toon', slow);
    w.write('ask.toon', ask);
    w.write('deadly.toon', deadly);
    await work(w);
  });
}

/** A run whose owner was killed in its first step, and how long it took to get there. */
export async function interrupted(w: Place): Promise<{ readonly id: string; readonly ms: number }> {
  const run = w.start('run', 'slow.toon');
  await begun(w, 1);
  run.kill('SIGKILL');
  await run.exit;
  return { id: await run.id(), ms: timeOf(w, 1) - run.at };
}

/** When the step began, in milliseconds since 1970. */
export const timeOf = (w: Place, step: number) => Number(began(w)[step - 1]?.split(' ')[0]);
