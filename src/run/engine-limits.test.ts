/** Limits in a real run: who waits for people holds no slot, and who goes on takes one. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../journal/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
import { openEngine } from './index.ts';

const sub = `name: sub
input:
  who: string
steps[2]:
  - kind: approval
    id: ok
    request:
      title: "Greet {input.who}?"
  - id: greet
    run: "return 'Hello ' + input.who"
    output: string
`;

const call = (id: string) => `
      - kind: workflow
        id: ${id}
        use: sub
        input:
          who: ${id}`;

const both = `name: both
input:
imports:
  workflows[1]{from,as}:
    ./sub.toon,sub
steps[1]:
  - kind: parallel
    maxConcurrency: 1
    children[2]:${call('one')}${call('two')}
`;

it('M4 sub-workflows under a limit of one ask at once, and go on one after the other', async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-limits-')));
  try {
    const store = createMemoryStore();
    const engine = openEngine({ store, cwd });
    const plan = await planOf(both, { files: { 'sub.toon': sub } });
    const { id, epoch } = engine.create({ plan, input: {}, source: both });
    const waiting = await engine.drive(id, { epoch });
    expect(waiting).toMatchObject({ kind: 'waiting', waiting: [{ node: 'one/ok' }, { node: 'two/ok' }] });

    for (const { node, hash = '' } of store.run(id)?.waiting ?? []) {
      engine.post(id, { by: 'ana', message: { kind: 'decide', node, hash, approved: true } });
    }
    expect(await engine.drive(id)).toEqual({ kind: 'ended', end: { ok: ['Hello one', 'Hello two'] } });
    const words = [...store.events(id)].flatMap(({ body, node = '' }) =>
      body.kind === 'node.started' || body.kind === 'node.done' ? [`${body.kind} ${node}`] : [],
    );
    expect(words).toEqual(
      ['one/greet#1', 'two/greet#1'].flatMap((node) => [`node.started ${node}`, `node.done ${node}`]),
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});
