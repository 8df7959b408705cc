/** What is said to a run from another process, while it works. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inPlace, until } from '../engine/kit.ts';

test(
  'is in the next call to the model',
  inPlace(async (w) => {
    w.write('bob.too', 'thunk:\n  tools = shell\n');
    const wait = 'touch begun; while [ ! -e go ]; do sleep 0.05; done';
    const call = `    calls[1]:\n      - tool: shell/run\n        args:\n          command: ${JSON.stringify(wait)}\n`;
    w.write('bob.script.toon', `replies[2]:\n  - for: default\n${call}  - for: default\n    text: Done.\n`);
    const running = w.start('bob.too', 'Look.');
    const id = await running.id();
    await until(() => existsSync(w.at('begun')), 'the tool');
    const said = await w.finish('steer', id, 'Look', 'at the tests, too');
    expect(said).toMatchObject({ code: 0, out: '' });
    expect(said.err).toContain(
      `it is heard with the next call to a model (the run is driven by the process ${running.pid}`,
    );
    w.write('go', '');
    expect(await running.exit).toMatchObject({ code: 0, out: 'Done.\n' });
    const shown = await w.finish('show', id);
    expect(shown.out).toMatch(/told +ana.*Look at the tests, too/);
    const late = await w.finish('steer', id, 'more');
    expect(late).toMatchObject({ code: 2, err: expect.stringContaining('is done already, and cannot be spoken to') });
  }),
);
