/** Runs in processes of their own: killed, stopped, detached, driven by one and approved by another. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask, inPlace, type Place, until } from '../engine/kit.ts';

/** Says when it has begun, and goes on when it may. */
const waitFor = (began: string, go: string) =>
  `const fs = process.getBuiltinModule('node:fs'); fs.appendFileSync('${began}', 'x'); while (!fs.existsSync('${go}')) await new Promise((done) => setTimeout(done, 5));`;
const slow = `name: slow
input:
steps[2]:
  - id: first
    run: "${waitFor('began', 'go')} return 'a'"
    output: string
  - id: second
    run: "return first + 'b'"
    output: string
`;

const began = (w: Place) => until(() => existsSync(w.at('began')), 'the first step');

function given(work: (w: Place) => Promise<void>): ReturnType<typeof inPlace> {
  return inPlace(async (w) => {
    w.write('ask.toon', ask);
    w.write('slow.toon', slow);
    await work(w);
  });
}

describe.concurrent('a run and its processes', () => {
  it(
    'is interrupted when its process is killed, and resume goes on',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await began(w);
      const id = await run.id();
      run.kill('SIGKILL');
      await run.exit;
      const shown = await w.finish('show', id);
      expect(shown.out).toContain(' · interrupted');
      expect(shown.out).toContain('first will be begun again');
      w.write('go', '');
      const resumed = await w.finish('resume', id);
      expect(resumed).toMatchObject({ code: 0, out: 'ab\n' });
      expect((await w.finish('resume', id)).code).toBe(2);
    }),
  );

  it(
    'is driven by one process: a second one is told which',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await began(w);
      const second = await w.finish('resume', await run.id());
      expect(second.code).toBe(1);
      expect(second.err).toContain(`is driven by the process ${run.pid} on `);
      w.write('go', '');
      expect(await run.exit).toMatchObject({ code: 0, out: 'ab\n' });
    }),
  );

  it(
    'is shown to the one who approves, whoever drives it',
    given(async (w) => {
      const run = w.start('run', 'ask.toon', '--wait');
      await until(() => run.err().includes('waiting for you'), 'waiting for you');
      const approved = await w.finish('approve', await run.id(), '--note', 'fine');
      expect(approved).toMatchObject({ code: 0, out: 'by ana\n' });
      expect(approved.err).toContain(`it is driven by the process ${run.pid} on `);
      expect(approved.err).toContain('✓ last');
      expect(await run.exit).toMatchObject({ code: 0, out: 'by ana\n' });
      const late = await w.finish('approve', await run.id());
      expect(late.code).toBe(2);
    }),
  );

  it(
    'lets the one who approves go when it asks again, though its owner stays',
    given(async (w) => {
      const again = '  - kind: approval\n    id: again\n    request:\n      title: And now?\n';
      w.write('twice.toon', ask.replace('steps[2]:', 'steps[3]:').replace('  - id: last', `${again}  - id: last`));
      const run = w.start('run', 'twice.toon', '--wait');
      await until(() => run.err().includes('waiting for you'), 'waiting for you');
      const first = await w.finish('approve', await run.id());
      expect(first.code).toBe(3);
      expect(first.err).toContain('⏸ again');
      const late = await w.finish('approve', await run.id(), 'ok');
      expect(late.code).toBe(2);
      expect(late.err).toContain('ok was approved by ana already');
      expect((await w.finish('approve', await run.id(), 'again')).code).toBe(0);
      expect((await run.exit).code).toBe(0);
    }),
  );

  it.runIf(process.platform === 'linux')(
    'is taken over by the one who approves when its owner dies before it looks',
    given(async (w) => {
      const run = w.start('run', 'ask.toon', '--wait');
      await until(() => run.err().includes('waiting for you'), 'waiting for you');
      await w.freeze(run);
      const approving = w.start('approve', await run.id());
      await until(() => approving.err().includes('it is driven by'), 'it is driven by');
      run.kill('SIGKILL');
      expect(await approving.exit).toMatchObject({ code: 0, out: 'by ana\n' });
    }),
  );

  it(
    'is cancelled from outside, with what it has running',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await began(w);
      const cancelled = await w.finish('cancel', await run.id(), '--reason', 'enough');
      expect(cancelled.code).toBe(0);
      expect((await run.exit).code).toBe(1);
      expect((await w.finish('show', await run.id())).out).toContain('cancelled');
    }),
  );

  it(
    'goes on by itself with --detach, and can be watched',
    given(async (w) => {
      const started = await w.finish('run', 'slow.toon', '--detach');
      expect(started.code).toBe(0);
      expect(started.err).toContain('.log');
      const id = started.out.trim();
      await began(w);
      const watching = w.start('watch', id);
      await until(() => watching.err().includes('run '), 'run ');
      w.write('go', '');
      expect(await watching.exit).toMatchObject({ code: 0, out: 'ab\n' });
    }),
  );

  it(
    'stops after the running steps at the first Ctrl-C',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await began(w);
      run.kill('SIGINT');
      await until(() => run.err().includes('stopping after the running steps'), 'stopping after the running steps');
      w.write('go', '');
      const end = await run.exit;
      expect(end.code).toBe(130);
      expect(end.err).toContain('✓ first');
      expect(end.err).toContain(`toolang resume ${await run.id()}`);
      expect(await w.finish('resume', await run.id())).toMatchObject({ code: 0, out: 'ab\n' });
    }),
  );
});
