/** Agents that are programs of others, by stand-ins on the PATH: recorded with a repair, and replayed where there is no such program. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import { cliTypes, fakeProgram } from '../cli-agents/fake.ts';
import { idIn, journalOf } from './kit.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const flow = (type: string) => `name: w
input:
agents:
  dev:
    type: ${type}
steps[1]:
  - id: draft
    agent: dev
    prompt: Count the files.
    output:
      n: number
`;

/**
 * Ids of sessions are others each time, and so are the hashes of messages that have them; what programs print meanwhile is for
 * people.
 */
function told(id: string): unknown {
  const text = JSON.stringify(journalOf(s, id)).replaceAll(
    /"(session|id|key)":"[^"]*"|"(add)":\[[^\]]*\]/g,
    '"$1$2":""',
  );
  return Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, { kind: string }[]>).map(([node, events]) => [
      node,
      events.filter(({ kind }) => kind !== 'node.printed'),
    ]),
  );
}

test.each(cliTypes)('%s', async (type) => {
  s.write('w.toon', flow(type));
  let runs = 0;
  const record = async () => {
    const program = fakeProgram(type, s.at(`fake/${++runs}`), { text: 'Five, I think.' }, { text: '{"n":5}' });
    const ran = await s.cli(['run', 'w.toon', '--record'], {
      env: { USER: 'ana', PATH: `${program.bin}:${process.env.PATH}` },
    });
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('2 exchanges recorded in w.record.toon')]);
    return idIn(ran.err);
  };
  const first = await record();
  const written = s.read('w.record.toon');
  const again = await s.cli(['run', 'w.toon', '--replay'], { env: { USER: 'ana' } });
  expect([again.code, JSON.parse(again.out)]).toEqual([0, { n: 5 }]);
  expect(told(idIn(again.err))).toEqual(told(first));
  await record();
  expect(s.read('w.record.toon')).toBe(written);
});
