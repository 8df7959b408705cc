/** Processes of services: whoever leaves a run, in order or by SIGKILL, leaves none of them behind for long. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAlive, rudeFile, stdioFile } from '../fake-services/kit.ts';
import { inPlace, type Place, until } from './kit.ts';

/** A model that calls one tool; then a step that waits until a file is there. */
function flow(w: Place, server: string, tool: string, args: object = {}): void {
  const target = JSON.stringify(`'${process.execPath}' ${server}`);
  w.write('.toolang/services/fake.md', `---\ndescription: d\ntransport: stdio\ntarget: ${target}\n---\nText.\n`);
  w.write(
    'w.toon',
    `name: w
input:
agents:
  dev:
    type: scripted
    tools[1]: fake
steps[2]:
  - id: draft
    agent: dev
    prompt: "Do it."
    output: string
  - id: last
    run: "const { existsSync, appendFileSync } = await import('node:fs'); appendFileSync('begun', '.'); while (!existsSync('go')) await new Promise((done) => setTimeout(done, 10)); return draft"
    output: string
`,
  );
  w.write(
    'w.script.toon',
    `replies[2]:
  - for: draft
    calls[1]:
      - tool: fake/${tool}
        raw: ${JSON.stringify(JSON.stringify(args))}
  - for: draft
    text: Done.
`,
  );
}

/** What the tool said: the id of a process. */
function pidIn(w: Place): number {
  const store = w.store();
  const [run] = store.runs({ roots: true });
  for (const { body } of store.events(run?.id ?? '')) {
    if (body.kind === 'tool.answered') return Number((body.result as { text: string }).text);
  }
  return 0;
}

const begun = (w: Place, times: number) => () =>
  existsSync(w.at('begun')) && readFileSync(w.at('begun'), 'utf8').length >= times;

test.skipIf(process.platform !== 'linux')(
  'a server that outlives the step which needed it is ended with the run',
  inPlace(async (w) => {
    flow(w, `'${rudeFile}' stubborn`, 'echo');
    const running = w.start('run', 'w.toon');
    await until(begun(w, 1), 'the second step');
    const pid = pidIn(w);
    expect(isAlive(pid)).toBe(true);
    w.write('go', '');
    expect(await running.exit).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(isAlive(pid)).toBe(false);
  }),
);

test.skipIf(process.platform !== 'linux')(
  'and when somebody stops it',
  inPlace(async (w) => {
    flow(w, `'${rudeFile}' stubborn`, 'echo');
    const running = w.start('run', 'w.toon');
    await until(begun(w, 1), 'the second step');
    const pid = pidIn(w);
    running.kill('SIGINT');
    await until(() => running.err() !== '' && /again|Ctrl-C|stop/i.test(running.err()), 'the word that it stops');
    running.kill('SIGINT');
    const { code } = await running.exit;
    expect(code).not.toBe(0);
    expect(isAlive(pid)).toBe(false);
    w.write('go', '');
    const id = await running.id();
    expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: 'Done.\n' });
  }),
);

test.skipIf(process.platform !== 'linux')(
  'whoever goes on after a SIGKILL ends it before anything begins',
  inPlace(async (w) => {
    flow(w, `'${rudeFile}' stubborn`, 'echo');
    const running = w.start('run', 'w.toon');
    await until(begun(w, 1), 'the second step');
    const pid = pidIn(w);
    const id = await running.id();
    running.kill('SIGKILL');
    await running.exit;
    expect(isAlive(pid)).toBe(true);
    const again = w.start('resume', id);
    await until(begun(w, 2), 'the second step again');
    expect(isAlive(pid)).toBe(false);
    w.write('go', '');
    expect(await again.exit).toMatchObject({ code: 0, out: 'Done.\n' });
  }),
);

test.skipIf(process.platform !== 'linux')(
  'with what it started and what left its group',
  inPlace(async (w) => {
    flow(w, `'${stdioFile}'`, 'child', { leaves: true });
    const running = w.start('run', 'w.toon');
    await until(begun(w, 1), 'the second step');
    const pid = pidIn(w);
    const id = await running.id();
    running.kill('SIGKILL');
    await running.exit;
    expect(isAlive(pid)).toBe(true);
    w.write('go', '');
    expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(isAlive(pid)).toBe(false);
  }),
);
