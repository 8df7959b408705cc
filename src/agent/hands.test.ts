/** Hands: thunks and workflows as tools of a thunk. */
import { describe, expect, test } from 'vitest';
import type { ChildCommand, StepCommand } from '../machine/index.ts';
import type { ToolMessage } from '../model/index.ts';
import { arrayOf, field, numberType, structOf, textType } from '../type/index.ts';
import type { ThunkImage } from './image.ts';
import { answer, calls, done, failed, harness, image, nested, offer, thunk } from './thunk-test-kit.ts';

const look = (more: Partial<ThunkImage> = {}) =>
  thunk('look', {
    doc: 'Looks it up.',
    params: [
      { name: 'topic', type: textType, optional: false },
      { name: 'pages', type: arrayOf(numberType), optional: true },
    ],
    messages: [{ role: 'user', text: 'Look up {{topic}}.' }],
    ...more,
  });

const two = (more: Partial<ThunkImage> = {}) => image([thunk('default', { hands: ['look'], ...more }), look()]);

const call = (topic: string, id = topic) => ({ tool: 'look', args: { topic }, id });

describe('a hand', () => {
  test('is offered under its own name, with its comment and its signature', () => {
    const h = harness(two());
    expect(h.ids()).toEqual(['model#1']);
    expect(h.call('model#1').tools).toEqual([
      {
        name: 'look',
        description: 'Looks it up.',
        parameters: expect.objectContaining({
          type: 'object',
          properties: expect.objectContaining({ topic: { type: 'string' } }),
          required: expect.arrayContaining(['topic']),
        }),
      },
    ]);
  });

  test('is a machine of its own, by the name of its thunk and the number of the call', () => {
    const h = harness(two(), 'default', { pool: 'gpu' });
    h.send('model#1', calls(call('tea'), call('milk')));
    expect(h.ids()).toEqual(['look[1]#1', 'look[2]#1']);
    const command = h.command<ChildCommand>('look[2]#1');
    expect(command).toMatchObject({ op: 'child', input: { topic: 'milk' }, cwd: '/w' });
    expect(command.ref).toMatchObject({
      kind: 'thunk',
      form: 'thunk',
      thunk: 'look',
      chain: ['default'],
      for: ['go/look[2]', 'look[2]', 'look'],
      pool: 'gpu',
    });
    expect(command).not.toHaveProperty('run');
    h.send('look[2]#1', { ok: 'Milk is white.' });
    h.send('look[1]#1', { ok: 'Tea is hot.' });
    h.send('model#2', calls(call('sugar')));
    expect(h.ids()).toEqual(['look[3]#1']);
  });

  test('gives text as it is, values as JSON, nothing as nothing; in the order of the calls', () => {
    const h = harness(two());
    h.send('model#1', calls(call('a'), call('b'), call('c'), call('d')));
    h.send('look[3]#1', { none: true });
    h.send('look[4]#1', { ok: { role: 'user', content: 'x' } });
    h.send('look[1]#1', { ok: 'Text.' });
    h.send('look[2]#1', { ok: { words: ['x'] } });
    const results = h.call('model#2').messages.slice(-4) as ToolMessage[];
    expect(results.map(({ call: id, content }) => [id, content])).toEqual([
      ['a', 'Text.'],
      ['b', '{"words":["x"]}'],
      ['c', ''],
      // A struct with the fields of a message is a struct.
      ['d', '{"role":"user","content":"x"}'],
    ]);
  });

  test.each([
    [
      { topic: 'x', pages: ['1', '2'] },
      { topic: 'x', pages: [1, 2] },
    ],
    [{ topic: 'x', pages: null }, { topic: 'x' }],
    [{ topic: 5 }, /topic/],
    [{}, /"topic"|topic/],
    [{ topic: 'x', pages: 'many' }, /pages/],
    [{ topic: ['x'] }, /topic/],
  ])('is called with what fits its signature, and told what does not: %j', (args, expected) => {
    const h = harness(two());
    h.send('model#1', calls({ tool: 'look', args }));
    if (expected instanceof RegExp) {
      expect(h.ids()).toEqual(['model#2']);
      expect(h.told('model#2')).toMatch(/^"look" was not called, because its arguments do not fit:/);
      expect(h.told('model#2')).toMatch(expected);
    } else expect(h.command<ChildCommand>('look[1]#1').input).toEqual(expected);
  });

  test('that was not called takes no number', () => {
    const h = harness(two());
    h.send('model#1', calls({ tool: 'look', args: {} }, call('tea')));
    expect(h.ids()).toEqual(['look[1]#1']);
  });

  test('that fails is told to the model, with the code; what ends everything ends the caller', () => {
    const h = harness(two());
    h.send('model#1', calls(call('a'), call('b')));
    h.send('look[1]#1', failed('schema', 'no list'));
    h.send('look[2]#1', failed('timeout', 'too late'));
    const [first, second] = h.call('model#2').messages.slice(-2) as ToolMessage[];
    expect(first).toMatchObject({ content: '"look" failed (schema): no list', isError: true });
    expect(second?.content).toBe('"look" failed (timeout): too late');
    for (const code of ['limit', 'cancelled']) {
      const other = harness(two());
      other.send('model#1', calls(call('a'), call('b')));
      // The other one is told to end, too.
      expect(other.send('look[1]#1', failed(code))).toEqual([{ op: 'cancel', target: 'go#1/look[2]#1', gently: true }]);
      expect(other.machine.end).toBeUndefined();
      other.send('look[2]#1', { ok: 'late' });
      expect(other.machine.end).toMatchObject({ err: { code } });
    }
  });

  test('goes beside tools that change nothing, and not beside others', () => {
    const h = harness(two({ tools: ['filesystem', 'shell'] }));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls(call('a'), 'filesystem/read', 'shell/run', call('b')));
    expect(h.ids()).toEqual(['look[1]#1', 'tool#1']);
    h.send('tool#1', done('x'));
    h.send('look[1]#1', { ok: 'a' });
    expect(h.ids()).toEqual(['tool#2']);
    h.send('tool#2', done('x'));
    expect(h.ids()).toEqual(['look[2]#1']);
  });

  test('has what is left of the time of its caller', () => {
    const h = harness(two(), 'default', { timeoutMs: 100 });
    h.send('model#1', calls(call('a')), 30);
    expect(h.command<ChildCommand>('look[1]#1').ref.timeoutMs).toBe(70);
    h.send('look[1]#1', failed('timeout', 'it took longer'), 70);
    expect(h.machine.end).toMatchObject({ err: { code: 'timeout', message: 'it took longer than 100 ms' } });
  });

  test('is another one as soon as anything that it can reach is', () => {
    const keyOf = (thunks: readonly ThunkImage[], skills = {}) => {
      const h = harness(image([thunk('default', { hands: ['look'] }), ...thunks], { skills }));
      h.send('model#1', calls(call('a')));
      return h.command<ChildCommand>('look[1]#1').key;
    };
    const before = keyOf([look({ hands: ['deeper'] }), thunk('deeper')]);
    expect(keyOf([look({ hands: ['deeper'] }), thunk('deeper')])).toBe(before);
    expect(keyOf([look({ hands: ['deeper'] }), thunk('deeper'), thunk('other')])).toBe(before);
    expect(keyOf([look({ hands: ['deeper'], instruct: 'Be brief.' }), thunk('deeper')])).not.toBe(before);
    expect(keyOf([look({ hands: ['deeper'] }), thunk('deeper', { models: ['openai/gpt-5'] })])).not.toBe(before);
    const skilled = (text: string) =>
      keyOf([look({ hands: ['deeper'] }), thunk('deeper', { skills: ['s'] })], {
        s: { description: 'd', path: '/s', files: { 'SKILL.md': text } },
      });
    expect(skilled('one')).not.toBe(skilled('two'));
  });
});

describe('hands within hands', () => {
  const chain = (depth: number, length: number) =>
    image(
      Array.from({ length }, (_, at) => thunk(`t${at}`, { hands: at + 1 < length ? [`t${at + 1}`] : [] })),
      { depth },
    );
  const down = (at: number) => calls({ tool: `t${at}`, args: { input: 'x' } });

  test('each has its place in the trace', () => {
    const h = nested(chain(8, 3), 't0');
    h.send('model#1', down(1));
    h.send('t1[1]#1/model#1', down(2));
    expect([...h.open.keys()]).toEqual(['t1[1]#1/t2[1]#1/model#1']);
    h.send('t1[1]#1/t2[1]#1/model#1', answer('deep'));
    expect(h.call('t1[1]#1/model#2').messages.at(-1)?.content).toBe('deep');
    h.send('t1[1]#1/model#2', answer('less deep'));
    h.send('model#2', answer('up'));
    expect(h.nest.end()).toEqual({ ok: 'up' });
  });

  test('go no deeper than allowed: the model is told', () => {
    const h = nested(chain(2, 4), 't0');
    h.send('model#1', down(1));
    h.send('t1[1]#1/model#1', down(2));
    h.send('t1[1]#1/t2[1]#1/model#1', down(3));
    expect(h.call('t1[1]#1/t2[1]#1/model#2').messages.at(-1)?.content).toMatch(/^Hands may call hands 2 deep/);
  });

  test('with a depth of none, no hand is called', () => {
    const h = nested(chain(0, 2), 't0');
    h.send('model#1', down(1));
    expect(h.call('model#2').messages.at(-1)?.content).toMatch(/^Hands may call hands 0 deep/);
  });

  test('a circle is refused, and told with the way', () => {
    const of = image([thunk('a', { hands: ['b'] }), thunk('b', { hands: ['a', 'b'] })]);
    const h = nested(of, 'a');
    h.send('model#1', calls({ tool: 'b', args: { input: 'x' } }));
    h.send('b[1]#1/model#1', calls({ tool: 'a', args: { input: 'x' } }, { tool: 'b', args: { input: 'x' } }));
    const told = h.call('b[1]#1/model#2').messages.slice(-2);
    expect(told.map(({ content }) => content)).toEqual([
      '"a" waits for this answer itself (a → b → a): it cannot be called from here.',
      '"b" waits for this answer itself (a → b → b): it cannot be called from here.',
    ]);
  });

  test('nor is a conversation passed on to who waits for it', () => {
    const of = image([thunk('a', { hands: ['b'] }), thunk('b', { handoffs: ['a'] })]);
    const h = nested(of, 'a');
    h.send('model#1', calls({ tool: 'b', args: { input: 'x' } }));
    h.send('b[1]#1/model#1', calls({ tool: 'handoff_to_a' }));
    expect(h.call('b[1]#1/model#2').messages.at(-1)?.content).toMatch(/^"a" waits for this answer itself/);
  });

  test('a cancel reaches what is open in all of them, and is one end', () => {
    const h = nested(chain(8, 3), 't0');
    h.send(
      'model#1',
      calls({ tool: 't1', args: { input: 'x' }, id: 'a' }, { tool: 't1', args: { input: 'y' }, id: 'b' }),
    );
    h.send('t1[1]#1/model#1', down(2));
    h.send('@cancel', { ok: { reason: 'enough' } });
    expect(h.nest.end()).toBeUndefined();
    for (const id of [...h.open.keys()]) h.send(id, failed('cancelled'));
    expect(h.nest.end()).toEqual({ cancelled: 'enough' });
  });

  test('a limit in one of them ends the others when their calls have ended, and the caller with it', () => {
    const h = nested(chain(8, 2), 't0');
    const one = (id: string) => ({ tool: 't1', args: { input: id }, id });
    h.send('model#1', calls(one('a'), one('b'), one('c')));
    h.send('t1[1]#1/model#1', failed('limit', 'no more'));
    expect(h.nest.end()).toBeUndefined();
    h.send('t1[2]#1/model#1', calls({ tool: 'x/y' }));
    h.send('t1[3]#1/model#1', answer('whole'));
    expect(h.open.size).toBe(0);
    expect(h.nest.end()).toMatchObject({ err: { code: 'limit', message: 'no more' } });
  });
});

describe('a hand that asks people', () => {
  const of = image([
    thunk('default', { hands: ['work'] }),
    thunk('work', { tools: ['shell'], params: [{ name: 'input', type: textType, optional: false }] }),
  ]);
  const ask = { ok: { ask: { title: 'May it?', about: 'a1' } } };

  function asking(more = {}) {
    const h = nested(of, 'default', more);
    h.send('model#1', calls({ tool: 'work', args: { input: 'x' } }));
    h.send('work[1]#1/tools#1', { ok: offer });
    h.send('work[1]#1/model#1', calls('shell/run'));
    h.send('work[1]#1/tool#1', ask);
    expect([...h.open.keys()]).toEqual(['work[1]#1/permit#1']);
    return h;
  }

  test('goes on when it was answered', () => {
    const h = asking();
    h.send('work[1]#1/permit#1', { ok: { approved: true } });
    h.send('work[1]#1/granted#1', done('pushed'));
    h.send('work[1]#1/model#2', answer('It is pushed.'));
    expect(h.call('model#2').messages.at(-1)?.content).toBe('It is pushed.');
  });

  test('takes no time of its caller meanwhile', () => {
    const h = asking({ timeoutMs: 1000 });
    h.send('work[1]#1/permit#1', { ok: { approved: true } }, 86_400_000);
    expect(h.open.get('work[1]#1/granted#1')).toMatchObject({ timeoutMs: 996 });
    h.send('work[1]#1/granted#1', done('pushed'));
    h.send('work[1]#1/model#2', answer('It is pushed.'), 100, 100);
    expect(h.open.get('model#2')).toMatchObject({ timeoutMs: 895 });
  });

  test('nor does whoever is asked beside it', () => {
    const h = nested(of, 'default', { timeoutMs: 1000 });
    h.send(
      'model#1',
      calls({ tool: 'work', args: { input: 'x' }, id: 'a' }, { tool: 'work', args: { input: 'y' }, id: 'b' }),
    );
    for (const at of [1, 2]) {
      h.send(`work[${at}]#1/tools#1`, { ok: offer });
      h.send(`work[${at}]#1/model#1`, calls('shell/run'));
      h.send(`work[${at}]#1/tool#1`, ask);
    }
    h.send('work[1]#1/permit#1', { ok: { approved: false } }, 5000);
    h.send('work[2]#1/permit#1', { ok: { approved: false } }, 5000);
    h.send('work[1]#1/model#2', answer('a'));
    h.send('work[2]#1/model#2', answer('b'));
    // Nine steps, each of a millisecond, one after the other.
    expect((h.open.get('model#2') as StepCommand).timeoutMs).toBe(991);
  });

  test('what is done side by side counts once, and what nobody drove not at all', () => {
    const h = nested(of, 'default', { timeoutMs: 1000 });
    const two = ['x', 'y'].map((id) => ({ tool: 'work', args: { input: id }, id }));
    h.send('model#1', calls(...two), 100, 100);
    h.send('work[1]#1/tools#1', { ok: offer }, 50, 50);
    h.send('work[2]#1/tools#1', { ok: offer }, 0, 50);
    // A night has passed, and both calls were begun again.
    h.send('work[1]#1/model#1', answer('a'), 30_000_000, 200);
    h.send('work[2]#1/model#1', answer('b'), 100, 300);
    expect((h.open.get('model#2') as StepCommand).timeoutMs).toBe(1000 - 100 - 50 - 300);
  });

  test('is not asked any more when something else ends the turn', () => {
    const both = image([
      thunk('default', { hands: ['work', 'other'] }),
      thunk('work', { tools: ['shell'] }),
      thunk('other'),
    ]);
    const h = nested(both);
    h.send(
      'model#1',
      calls({ tool: 'work', args: { input: 'x' }, id: 'a' }, { tool: 'other', args: { input: 'x' }, id: 'b' }),
    );
    h.send('work[1]#1/tools#1', { ok: offer });
    h.send('work[1]#1/model#1', calls('shell/run'));
    h.send('work[1]#1/tool#1', ask);
    h.send('other[1]#1/model#1', failed('limit', 'no more'));
    h.send('work[1]#1/permit#1', failed('cancelled'));
    expect(h.nest.end()).toMatchObject({ err: { code: 'limit' } });
  });
});

describe('a workflow as a hand', () => {
  const input = structOf([field('version', textType), field('draft', numberType, { optional: true })]);
  const of = image([thunk('default', { hands: ['release'] })], {
    workflows: { release: { doc: 'Makes a release.', input, types: {}, plan: 'release', name: 'release' } },
  });

  test('is offered with its input, and is a run of its own', () => {
    const h = harness(of, 'default', { plan: 'sub' });
    expect(h.call('model#1').tools?.[0]).toMatchObject({
      name: 'release',
      description: 'Makes a release.',
      parameters: { properties: { version: { type: 'string' } } },
    });
    h.send('model#1', calls({ tool: 'release', args: { version: '1.0' } }));
    expect(h.command<ChildCommand>('release[1]#1')).toMatchObject({
      ref: { kind: 'workflow', plan: 'sub/release' },
      input: { version: '1.0' },
      run: { name: 'release' },
      cwd: '/w',
    });
    h.send('release[1]#1', { ok: { tag: 'v1.0' } });
    expect(h.told('model#2')).toBe('{"tag":"v1.0"}');
  });

  test('that fails is told, and one whose input does not fit is not begun', () => {
    const h = harness(of);
    h.send('model#1', calls({ tool: 'release', args: { draft: 1 } }));
    expect(h.told('model#2')).toMatch(/^"release" was not called/);
    h.send('model#2', calls({ tool: 'release', args: { version: '1.0' } }));
    h.send('release[1]#1', failed('failed', 'the step "tag" failed'));
    expect(h.told('model#3')).toBe('"release" failed (failed): the step "tag" failed');
  });

  test('counts in the depth of hands', () => {
    const h = harness(image([thunk('default', { hands: ['release'] })], { ...of, thunks: of.thunks, depth: 0 }));
    h.send('model#1', calls({ tool: 'release', args: { version: '1.0' } }));
    expect(h.told('model#2')).toMatch(/^Hands may call hands 0 deep/);
  });
});
