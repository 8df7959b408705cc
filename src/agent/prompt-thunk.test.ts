import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command, Json, Machine, MachineRef, StepCommand } from '../machine/index.ts';
import type { ModelCall } from '../model/index.ts';
import {
  arrayOf,
  booleanType,
  field,
  literalOf,
  numberType,
  refTo,
  structOf,
  type Type,
  textType,
} from '../type/index.ts';
import { createPromptThunk, thunkMaker } from './thunk-maker.ts';

const review = structOf([field('approved', booleanType), field('why', textType, { optional: true })]);

function ref(output: Type, extra: Record<string, unknown> = {}): MachineRef {
  return {
    kind: 'thunk',
    form: 'prompt',
    agent: { name: 'critic', type: 'scripted', fields: { instructions: 'You judge.' } },
    output: output as unknown as Json,
    types: {},
    prompt: 'Is it good?',
    for: ['polish[2]/review', 'review', 'critic'],
    ...(extra as Record<string, Json>),
  };
}

const init = { runId: 'r', path: 'polish[2]/review#1', input: null, at: 1000 };

function make(output: Type, extra: Record<string, unknown> = {}): Machine {
  return createPromptThunk(ref(output, extra), init);
}

function step(commands: readonly Command[]): StepCommand {
  expect(commands).toHaveLength(1);
  const [command] = commands;
  if (command?.op !== 'step') throw new Error('no step');
  return command;
}

function callOf(command: StepCommand): ModelCall {
  return command.args as unknown as ModelCall;
}

const answer = (text: string, finish = 'stop') => ({ ok: { text, finish } });

test('it begins with one model call', () => {
  const machine = make(review);
  const command = step(machine.start());
  expect(command).toMatchObject({
    id: 'polish[2]/review#1/model#1',
    spec: {
      kind: 'model',
      agent: { name: 'critic', type: 'scripted', fields: {} },
      model: 'scripted',
      for: ['polish[2]/review', 'review', 'critic'],
    },
  });
  expect(command.timeoutMs).toBeUndefined();
  const { messages, output } = callOf(command);
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(messages[0]?.content).toMatch(/^You judge\.\n\nAnswer with one JSON value that fits this JSON Schema/);
  expect(messages[0]?.content).toContain(JSON.stringify(output));
  expect(messages[1]?.content).toBe('Is it good?');
  expect(machine.end).toBeUndefined();
});

test('a text is asked for without a schema, and its value is the raw text', () => {
  const machine = make(textType);
  const call = callOf(step(machine.start()));
  expect(call).toEqual({
    messages: [
      { role: 'system', content: 'You judge.' },
      { role: 'user', content: 'Is it good?' },
    ],
    settings: {},
  });
  expect(machine.deliver({ id: 'polish[2]/review#1/model#1', at: 1001, ...answer(' "as it is"\n') })).toEqual([]);
  expect(machine.end).toEqual({ ok: ' "as it is"\n' });
});

test('an agent without instructions and a text to write get no system message', () => {
  const agent = { name: 'critic', type: 'scripted', fields: {} };
  expect(callOf(step(make(textType, { agent }).start())).messages).toEqual([{ role: 'user', content: 'Is it good?' }]);
});

describe('answers are read leniently into the type', () => {
  test.each<[string, Type, string, Json]>([
    ['a fence and prose', review, 'Here:\n```json\n{"approved": true,}\n```\nDone.', { approved: true }],
    ['null for an optional field', review, '{"approved":false,"why":null}', { approved: false }],
    ['a list', arrayOf(textType), '["a","b"]', ['a', 'b']],
    ['a choice', literalOf('yes', 'no'), 'yes', 'yes'],
  ])('%s', (_, type, text, value) => {
    const machine = make(type);
    machine.start();
    expect(machine.deliver({ id: 'polish[2]/review#1/model#1', at: 1001, ...answer(text) })).toEqual([]);
    expect(machine.end).toEqual({ ok: value });
  });

  test('named types are those of the workflow', () => {
    const machine = make(refTo('Review'), { types: { Review: review } });
    machine.start();
    machine.deliver({ id: 'polish[2]/review#1/model#1', at: 1001, ...answer('{"approved":true}') });
    expect(machine.end).toEqual({ ok: { approved: true } });
  });
});

describe('repair', () => {
  test('an answer that does not fit is sent back with its errors', () => {
    const machine = make(review);
    const first = step(machine.start());
    const second = step(machine.deliver({ id: first.id, at: 1001, ...answer('{"approved":"perhaps"}') }));
    expect(second.id).toBe('polish[2]/review#1/model#2');
    expect(second.key).not.toBe(first.key);
    expect(second.spec.repairs).toEqual(['"/approved" must be boolean, but it is the text "perhaps".']);
    const { messages, output } = callOf(second);
    expect(output).toEqual(callOf(first).output);
    expect(messages.slice(0, 2)).toEqual(callOf(first).messages);
    expect(messages.slice(2)).toEqual([
      { role: 'assistant', content: '{"approved":"perhaps"}' },
      {
        role: 'user',
        content:
          'This answer does not fit the schema:\n- "/approved" must be boolean, but it is the text "perhaps".\n\nAnswer again with the whole value, mended, and with nothing else.',
      },
    ]);
    machine.deliver({ id: second.id, at: 1002, ...answer('{"approved":true}') });
    expect(machine.end).toEqual({ ok: { approved: true } });
  });

  test('names types as workflow files do, to the model and to people', () => {
    const machine = make(structOf([field('title', textType), field('count', numberType, { optional: true })]));
    let command = step(machine.start());
    command = step(machine.deliver({ id: command.id, at: 1001, ...answer('{"count":"few"}') }));
    expect(command.spec.repairs).toEqual([
      '"/title" is missing; it must be string.',
      '"/count" must be number, but it is the text "few".',
    ]);
    command = step(machine.deliver({ id: command.id, at: 1002, ...answer('no') }));
    expect(command.spec.repairs).toEqual([
      'the answer must be JSON for { title: string, count: number? }, but it is text without JSON, "no".',
    ]);
    machine.deliver({ id: command.id, at: 1003, ...answer('no') });
    expect(machine.end && 'err' in machine.end && machine.end.err.message).toContain(
      'does not fit { title: string, count: number? }, also',
    );
  });

  test('after two of them it fails with "schema", retryable, and keeps the last text', () => {
    const machine = make(review);
    let command = step(machine.start());
    command = step(machine.deliver({ id: command.id, at: 1001, ...answer('no') }));
    command = step(machine.deliver({ id: command.id, at: 1002, ...answer('nope') }));
    expect(command.id).toBe('polish[2]/review#1/model#3');
    expect(machine.deliver({ id: command.id, at: 1003, ...answer('never') })).toEqual([]);
    expect(machine.end).toMatchObject({
      err: { code: 'schema', retryable: true, cause: { message: 'the last answer was:\nnever' } },
    });
    expect(machine.end && 'err' in machine.end && machine.end.err.message).toMatch(
      /^the answer of "critic" does not fit .*, also after 2 repairs:\n- the answer must be JSON/,
    );
  });

  test('many errors are not all told', () => {
    const machine = make(arrayOf(booleanType));
    const first = step(machine.start());
    const second = step(machine.deliver({ id: first.id, at: 1001, ...answer(JSON.stringify(Array(100).fill('x'))) }));
    expect(second.spec.repairs).toHaveLength(13);
  });
});

describe('failures', () => {
  test('of the model are those of the thunk, retryable or not', () => {
    for (const retryable of [true, false]) {
      const machine = make(review);
      const { id } = step(machine.start());
      const err = { code: 'model', message: 'the service failed', retryable };
      expect(machine.deliver({ id, at: 1001, err })).toEqual([]);
      expect(machine.end).toEqual({ err });
    }
  });

  test('an answer that was cut off is none, even where it would fit', () => {
    const machine = make(textType);
    const { id } = step(machine.start());
    machine.deliver({ id, at: 1001, ...answer('half of', 'cut') });
    expect(machine.end).toMatchObject({
      err: { code: 'model', retryable: true, cause: { message: 'the last answer was:\nhalf of' } },
    });
  });

  test('a step without an answer is told', () => {
    const machine = make(textType);
    const { id } = step(machine.start());
    machine.deliver({ id, at: 1001, none: true });
    expect(machine.end).toMatchObject({ err: { code: 'model' } });
  });
});

describe('cancel', () => {
  test('the open call is cancelled, its fact awaited, then it ends', () => {
    const machine = make(textType);
    const { id } = step(machine.start());
    expect(machine.deliver({ id: '@cancel', at: 1001, ok: { by: 'ann', reason: 'enough' } })).toEqual([
      { op: 'cancel', target: id },
    ]);
    expect(machine.end).toBeUndefined();
    machine.deliver({ id, at: 1002, err: { code: 'cancelled', message: 'it was cancelled', retryable: false } });
    expect(machine.end).toEqual({ cancelled: 'enough' });
  });

  test('an answer that comes after it is not used, and no repair is begun', () => {
    const machine = make(review);
    const { id } = step(machine.start());
    machine.deliver({ id: '@cancel', at: 1001, ok: { by: 'ann', reason: 'enough' } });
    expect(machine.deliver({ id, at: 1002, ...answer('no JSON') })).toEqual([]);
    expect(machine.end).toEqual({ cancelled: 'enough' });
  });
});

describe('timeouts', () => {
  const agent = { name: 'critic', type: 'scripted', fields: { timeoutMs: 500 } };

  test('the smaller of the agent’s and the step’s', () => {
    expect(step(make(review, { agent }).start()).timeoutMs).toBe(500);
    expect(step(make(review, { agent, timeoutMs: 300 }).start()).timeoutMs).toBe(300);
    expect(step(make(review, { agent, timeoutMs: 900, pool: 'gpu' }).start())).toMatchObject({
      timeoutMs: 500,
      pool: 'gpu',
    });
  });

  test('that of the step is for all calls together', () => {
    const machine = make(review, { agent, timeoutMs: 900 });
    const first = step(machine.start());
    const second = step(machine.deliver({ id: first.id, at: 1450, ...answer('no') }));
    expect(second.timeoutMs).toBe(450);
    // Told to people, who know no other.
    expect([first.spec.stepTimeoutMs, second.spec.stepTimeoutMs]).toEqual([undefined, 900]);
    expect(machine.deliver({ id: second.id, at: 1900, ...answer('no') })).toEqual([]);
    expect(machine.end).toMatchObject({ err: { code: 'timeout', retryable: true } });
  });
});

test('the model is named by its provider', () => {
  const modelOf = (type: string, fields: Record<string, unknown>) =>
    step(make(textType, { agent: { name: 'a', type, fields } }).start()).spec.model;
  expect(modelOf('anthropic', { model: 'm' })).toBe('anthropic/m');
  expect(modelOf('api', { provider: 'openai', model: 'm' })).toBe('openai/m');
  expect(modelOf('claude-code', {})).toBe('claude-code');
  expect(modelOf('too', { use: './a.too#b' })).toBe('too/./a.too#b');
});

test('the key says what the answer depends on', () => {
  const key = (extra: Record<string, unknown>, output: Type = review) => step(make(output, extra).start()).key;
  const agent = (fields: Record<string, unknown>) => ({ agent: { name: 'critic', type: 'scripted', fields } });
  expect(key({})).toBe(key({ for: ['a', 'b', 'c'], timeoutMs: 5, pool: 'gpu' }));
  expect(key(agent({ model: 'm', tools: ['a'] }))).toBe(key(agent({ tools: ['a'], model: 'm', timeoutMs: 1 })));
  expect(key({})).not.toBe(key({ prompt: 'Is it bad?' }));
  expect(key({})).not.toBe(key({}, textType));
  expect(key(agent({}))).not.toBe(key(agent({ model: 'm' })));
  expect(key({})).toMatch(/^[0-9a-f]{32}$/);
});

test('a ref that is no prompt is a bug, and throws', () => {
  expect(() => thunkMaker(2)({ kind: 'workflow' }, init)).toThrow('not a prompt thunk');
  expect(() => thunkMaker(2)({ ...ref(textType), for: [] }, init)).toThrow('without names');
});

test('the same facts give the same commands, and every run ends', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('{"approved":true}', '{"approved":1}', '{', ''));
  const result = fc.oneof(
    text.map((each) => answer(each)),
    text.map((each) => answer(each, 'cut')),
    fc.constant({ err: { code: 'model', message: 'm', retryable: true } }),
  );
  fc.assert(
    fc.property(fc.array(result, { minLength: 3, maxLength: 3 }), fc.nat(3), (results, cancelAt) => {
      const runs = [1, 2].map(() => {
        const machine = make(review);
        const said: unknown[] = [];
        let commands = machine.start();
        for (const [index, each] of results.entries()) {
          said.push(commands);
          const [open] = commands;
          if (machine.end || open?.op !== 'step') break;
          if (index === cancelAt) said.push(machine.deliver({ id: '@cancel', at: 1001, ok: { reason: 'x' } }));
          commands = machine.deliver({ id: open.id, at: 1001 + index, ...each });
        }
        expect(machine.end).toBeDefined();
        return [said, machine.end];
      });
      expect(runs[0]).toEqual(runs[1]);
    }),
  );
});
