import { expect, test } from 'vitest';
import type { Exchange } from '../../model/index.ts';
import { planOf } from '../../plan/plan-test-kit.ts';
import { callOrder, ordered } from './exchange-order.ts';

const flow = `name: w
input:
agents:
  a:
    type: scripted
steps[3]:
  - id: zeta
    agent: a
    prompt: x
    output: string
  - kind: loop
    id: polish
    until: "write == ''"
    maxIterations: 20
    children[2]:
      - id: write
        agent: a
        prompt: x
        output: string
      - id: check
        agent: a
        prompt: x
        output: string
  - id: alpha
    agent: a
    prompt: x
    output: string
`;

/** In the order of the file; rounds, attempts and calls by number; hands behind the conversation that called them. */
const calls = [
  'zeta#1/model#1',
  'zeta#1/model#2',
  'zeta#1/model#10',
  'zeta#1/look[1]#1/model#1',
  'zeta#1/look[2]#1/model#1',
  'zeta#1/look[2]#1/deep[1]#1/model#1',
  'zeta#1/look[10]#1/model#1',
  'zeta#1/see[1]#1/model#1',
  'zeta#2/model#1',
  'polish[1]/write#1/model#1',
  'polish[1]/check#1/model#1',
  'polish[2]/write#1/model#1',
  'polish[10]/write#1/model#1',
  'alpha#1/model#1',
  'gone#1/model#1',
];

test('the order is that of the file, whatever came first', async () => {
  const compare = callOrder(await planOf(flow));
  for (let turn = 0; turn < calls.length; turn++) {
    const mixed = [...calls.slice(turn), ...calls.slice(0, turn)].reverse();
    expect(mixed.sort(compare)).toEqual(calls);
  }
  const exchange = (call: string, input: string) => ({ call, case: input }) as Exchange;
  const two = [exchange('alpha#1/model#1', 'b'), exchange('alpha#1/model#1', 'a'), exchange('zeta#1/model#1', 'b')];
  expect(ordered(two, compare).map((each) => `${each.case} ${each.call}`)).toEqual([
    'b zeta#1/model#1',
    'b alpha#1/model#1',
    'a alpha#1/model#1',
  ]);
});
