/** A thunk as a machine: what is asked before the first call, how it ends, and what holds whatever happens. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, SignalCommand } from '../machine/index.ts';
import { booleanType, field, numberType, structOf, textType } from '../type/index.ts';
import { mostCalls } from './talk-machine.ts';
import {
  type Answered,
  answer,
  calls,
  done,
  failed,
  harness,
  image,
  nested,
  offer,
  thunk,
  tool,
} from './thunk-test-kit.ts';

describe('before the first call', () => {
  const of = image([thunk('default', { tools: ['filesystem'], optional: [], recall: ['history', 'memory'] })], {
    thread: 't1',
  });
  const found: Json = {
    history: [
      { role: 'user', content: 'Before.' },
      { role: 'assistant', content: 'Yes.' },
    ],
    memories: [{ text: 'Likes tea.', at: 0, run: 'r0', thunk: 'default' }],
  };

  test.each([[['tools#1', 'recall#1']], [['recall#1', 'tools#1']]])(
    'tools and what is recalled are asked for side by side: %j',
    (order) => {
      const h = harness(of);
      expect(h.ids()).toEqual(['tools#1', 'recall#1']);
      expect(h.command('recall#1').spec).toMatchObject({
        kind: 'recall',
        sources: ['history', 'memory'],
        agent: 'helper',
        file: '/w/memory.db',
        thread: 't1',
        query: 'Hello.',
      });
      for (const id of order) h.send(id, { ok: id === 'tools#1' ? offer : found });
      const { messages } = h.call('model#1');
      expect(messages.slice(1, 3).map(({ content }) => content)).toEqual(['Before.', 'Yes.']);
      expect(messages[3]?.content).toContain('Likes tea.');
      expect(messages.at(-1)?.content).toBe('Hello.');
      expect(h.call('model#1').tools).toHaveLength(3);
    },
  );

  test.each([
    ['tools#1', 'recall#1'],
    ['recall#1', 'tools#1'],
  ])('where one of them fails no model is asked, and the other one ends first: %s', (bad, good) => {
    const first = harness(of);
    first.send(bad, failed('tools', 'not there'));
    expect(first.machine.end).toBeUndefined();
    first.send(good, { ok: {} });
    expect(first.machine.end).toMatchObject({ err: { code: 'tools', message: 'not there' } });
    const second = harness(of);
    second.send(good, { ok: {} });
    second.send(bad, failed('memory', 'broken'));
    expect(second.machine.end).toMatchObject({ err: { code: 'memory' } });
  });

  test('a cancel waits for both', () => {
    const h = harness(of);
    expect(h.send('@cancel', { ok: { reason: 'no' } })).toHaveLength(2);
    h.send('recall#1', failed('cancelled'));
    expect(h.machine.end).toBeUndefined();
    h.send('tools#1', { ok: offer });
    expect(h.machine.end).toEqual({ cancelled: 'no' });
  });

  test('without a thread there is no history, and without anything to recall nothing is asked', () => {
    const { thread: _, ...alone } = of;
    expect(harness(alone).command('recall#1').spec.sources).toEqual(['memory']);
    expect(harness(image([thunk('default', { recall: ['history'] })])).ids()).toEqual(['model#1']);
  });

  test('arguments that do not fit end it with what is wrong', () => {
    const typed = image([
      thunk('default', { params: [{ name: 'count', type: numberType, optional: false }] }),
      thunk('named', { params: [{ name: 'constructor', type: textType, optional: true }] }),
    ]);
    expect(harness(typed, 'default', { input: {} }).machine.end).toMatchObject({
      err: { code: 'input', message: '"default" needs "count", and was not given it', retryable: false },
    });
    expect(harness(typed, 'default', { input: { count: 'many' } }).machine.end).toMatchObject({
      err: { code: 'input' },
    });
    expect(harness(image([thunk('default')]), 'default', { input: {} }).machine.end).toMatchObject({
      err: {
        code: 'input',
        message: '"default" has nothing to send: neither its texts nor what it was given say anything',
      },
    });
    // A name that every object has is no argument.
    expect(harness(typed, 'named', { input: {} }).machine.end).toMatchObject({
      err: { message: expect.stringContaining('nothing to send') },
    });
  });
});

describe('the end of a thunk', () => {
  test('its turn is kept where it has a thread: what was asked, all that was said, the answer', () => {
    const h = harness(image([thunk('default', { tools: ['filesystem'] })], { thread: 't1' }));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('filesystem/read'));
    h.send('tool#1', done('x'));
    const asked = h.command('model#2').key;
    h.send('model#2', answer('Done.'));
    const { spec, args, key } = h.command('turn#1');
    expect(spec).toEqual({ kind: 'turn', agent: 'helper', thread: 't1', file: '/w/memory.db' });
    expect((args as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    // It is nothing that a model said.
    expect(key).not.toBe(asked);
    h.send('turn#1', { ok: null });
    expect(h.machine.end).toEqual({ ok: 'Done.' });
  });

  test('its turn has the answer that fits, and nothing of those that were sent back', () => {
    const h = harness(image([thunk('default', { output: numberType })], { thread: 't1' }));
    h.send('model#1', answer('Many.'));
    h.send('model#2', answer('7'));
    expect(h.command('turn#1').args).toEqual([
      { role: 'user', content: 'Hello.' },
      expect.objectContaining({ role: 'assistant', content: '7' }),
    ]);
  });

  test('that cannot be kept is a failure, and a cancel meanwhile is a cancel', () => {
    const of = image([thunk('default')], { thread: 't1' });
    const broken = harness(of);
    broken.send('model#1', answer('Done.'));
    broken.send('turn#1', failed('memory', 'the disk is full'));
    expect(broken.machine.end).toMatchObject({ err: { code: 'memory' } });
    const stopped = harness(of);
    stopped.send('model#1', answer('Done.'));
    stopped.send('@cancel', { ok: { reason: 'no' } });
    stopped.send('turn#1', { ok: null });
    expect(stopped.machine.end).toEqual({ cancelled: 'no' });
  });

  test('hands keep none', () => {
    const h = nested(image([thunk('default', { hands: ['look'] }), thunk('look')], { thread: 't1' }));
    h.send('model#1', calls({ tool: 'look', args: { input: 'x' } }));
    h.send('look[1]#1/model#1', answer('found'));
    h.send('model#2', answer('Done.'));
    h.send('turn#1', { ok: null });
    expect(h.nest.end()).toEqual({ ok: 'Done.' });
  });

  test('an answer that does not fit is sent back between calls of tools, twice in all', () => {
    const output = structOf([field('ok', booleanType)]);
    const h = harness(image([thunk('default', { tools: ['filesystem'], output })]));
    h.send('tools#1', { ok: offer });
    h.send('model#1', answer('one'));
    h.send('model#2', calls('filesystem/read'));
    h.send('tool#1', done('x'));
    h.send('model#3', answer('two'));
    expect(h.command('model#4').spec.repairs).toHaveLength(1);
    h.send('model#4', answer('three'));
    expect(h.machine.end).toMatchObject({
      err: { code: 'schema', cause: { code: 'schema', message: 'the last answer was:\nthree' } },
    });
  });

  test('the type of the step counts where the thunk leaves it open', () => {
    const output = structOf([field('ok', booleanType)]) as unknown as Json;
    const open = harness(image([thunk('default', { output: { kind: 'message' } })]), 'default', { output });
    expect(open.call('model#1').output).toBeDefined();
    expect(harness(image([thunk('default')]), 'default', { output }).call('model#1').output).toBeUndefined();
  });

  test('a model that only calls tools is stopped, and what it costs to say so grows with what was said', () => {
    const h = harness(image([thunk('default', { tools: ['filesystem'] })]));
    h.send('tools#1', { ok: offer });
    const added: unknown[] = [];
    for (let n = 1; n <= mostCalls; n++) {
      added.push(h.command(`model#${n}`).spec.added);
      h.send(`model#${n}`, calls('filesystem/read'));
      h.send(`tool#${n}`, done('x'));
    }
    expect(h.machine.end).toMatchObject({ err: { code: 'model', message: expect.stringContaining('250 times') } });
    expect(added).toEqual([undefined, ...Array.from({ length: mostCalls - 1 }, () => 2)]);
  });

  test('a call that was allowed for something else is asked about again, as another question', () => {
    const h = harness(image([thunk('default', { tools: ['shell'] })]));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('shell/run'));
    h.send('tool#1', { ok: { ask: { title: 'May it?', about: 'a' } } });
    h.send('permit#1', { ok: { approved: true } });
    h.send('granted#1', { ok: { ask: { title: 'May it now?', about: 'b' } } });
    expect(h.ids()).toEqual(['permit#2']);
    expect(h.command<SignalCommand>('permit#2').request).toMatchObject({ about: 'b' });
    h.send('permit#2', { ok: { approved: true } });
    expect(h.command('granted#2').spec).toMatchObject({ granted: 'b' });
    h.send('granted#2', done('x'));
    h.send('model#2', calls('shell/run'));
    expect(h.ids()).toEqual(['tool#3']);
  });

  test('a question is taken back when something else ends the turn', () => {
    const h = harness(image([thunk('default', { tools: ['filesystem'] })]));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('filesystem/read', 'filesystem/grep'));
    h.send('tool#1', { ok: { ask: { title: 'May it?' } } });
    expect(h.send('tool#2', failed('limit', 'no more'))).toEqual([{ op: 'cancel', target: 'go#1/permit#1' }]);
    h.send('permit#1', failed('cancelled'));
    expect(h.machine.end).toMatchObject({ err: { code: 'limit' } });
  });

  test('five hundred calls in one answer are one turn', () => {
    const h = harness(image([thunk('default', { tools: ['filesystem'] })]));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls(...Array.from({ length: 500 }, (_, at) => (at % 2 ? 'filesystem/read' : 'no/such'))));
    expect(h.ids()).toHaveLength(250);
    for (const id of h.ids().reverse()) h.send(id, done(id));
    expect(h.call('model#2').messages.slice(-500)).toHaveLength(500);
  });
});

describe('keys', () => {
  const of = (more = {}) =>
    image(
      [thunk('default', { tools: ['fake'], skills: ['s'], services: ['fake'], handoffs: ['other'] }), thunk('other')],
      {
        services: {
          fake: { name: 'fake', target: 'node a.mjs', env: [], transport: 'stdio', argv: ['node', 'a.mjs'] },
        },
        skills: { s: { description: 'd', path: '/s', files: { 'SKILL.md': '1' } } },
        ...more,
      },
    );
  const tools = { ok: { tools: [tool('fake/echo'), tool('skill')] } };

  const played = (given: ReturnType<typeof of>, asked: readonly string[] = []) => {
    const h = harness(given);
    const keys: Record<string, string> = {};
    const look = (id: string) => {
      const { key } = h.command(id);
      keys[id] = key;
    };
    const maybe = (id: string) => asked.includes(id) && look(id);
    h.send('tools#1', tools);
    maybe('model#1');
    h.send('model#1', calls('fake/echo', 'skill'));
    look('tool#1');
    look('tool#2');
    h.send('tool#1', done('x'));
    h.send('tool#2', done('y'));
    h.say('Go on.');
    maybe('model#2');
    h.send('model#2', calls('handoff_to_other'));
    h.send('tools#2', { ok: { tools: [] } });
    maybe('model#3');
    h.send('model#3', answer('not yet'));
    return keys;
  };

  test('are the same whenever they are asked for: whoever goes on asks for few of them', () => {
    const all = played(of(), ['model#1', 'model#2', 'model#3']);
    for (const asked of [[], ['model#1'], ['model#2'], ['model#3']]) {
      expect(all).toMatchObject(played(of(), asked));
    }
    expect(new Set(Object.values(all)).size).toBe(Object.keys(all).length);
  });

  test('of tools have the cap in them that they are of, and no other', () => {
    const before = played(of());
    const served = played(
      of({ services: { fake: { name: 'fake', target: 'node b.mjs', env: [], transport: 'stdio', argv: ['b'] } } }),
    );
    expect(served['tool#1']).not.toBe(before['tool#1']);
    expect(served['tool#2']).toBe(before['tool#2']);
    const skilled = played(of({ skills: { s: { description: 'd', path: '/s2', files: { 'SKILL.md': '2' } } } }));
    expect(skilled['tool#1']).toBe(before['tool#1']);
    expect(skilled['tool#2']).not.toBe(before['tool#2']);
    // Where it lies is of no matter.
    const moved = played(of({ skills: { s: { description: 'd', path: '/s2', files: { 'SKILL.md': '1' } } } }));
    expect(moved).toEqual(before);
  });
});

/** Agents that lead to each other by hands and handoffs, with tools, types, and a conversation to go on with. */
const anyImage = fc
  .record({
    tools: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    typed: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    hands: fc.array(fc.subarray(['t0', 't1', 't2', 't3']), { minLength: 4, maxLength: 4 }),
    handoffs: fc.array(fc.subarray(['t0', 't1', 't2', 't3']), { minLength: 4, maxLength: 4 }),
    remembers: fc.boolean(),
    thread: fc.boolean(),
    depth: fc.nat(4),
  })
  .map(({ tools, typed, hands, handoffs, remembers, thread, depth }) =>
    image(
      tools.map((has, at) =>
        thunk(`t${at}`, {
          tools: has ? ['filesystem', 'shell'] : [],
          hands: hands[at] ?? [],
          handoffs: handoffs[at] ?? [],
          recall: remembers ? ['history', 'memory'] : [],
          ...(typed[at] && { output: structOf([field('ok', booleanType)]) }),
        }),
      ),
      { depth, ...(thread && { thread: 't' }) },
    ),
  );

const names = fc.constantFrom(
  ...['filesystem/read', 'filesystem/grep', 'shell/run', 'no/such'],
  ...['t0', 't1', 't2', 't3', 'handoff_to_t0', 'handoff_to_t1', 'handoff_to_t2', 'handoff_to_t3'],
);
const choice = fc.record({
  wanted: fc.array(
    fc.record({ tool: names, args: fc.constantFrom<Record<string, Json>>({ input: 'x' }, {}, { input: 5 }) }),
    { minLength: 1, maxLength: 4 },
  ),
  kind: fc.nat(29),
  pick: fc.nat(20),
  after: fc.nat(50),
  speaks: fc.nat(9),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

function outcomeOf(id: string, { wanted, kind }: Choice, isOver: boolean): Answered {
  const name = id.slice(id.lastIndexOf('/') + 1);
  if (isOver) return failed();
  if (name.startsWith('tools')) return kind === 0 ? failed('tools') : { ok: offer };
  if (name.startsWith('recall')) return kind === 0 ? failed('memory') : { ok: { history: [], memories: [] } };
  if (name.startsWith('turn')) return kind === 0 ? failed('memory') : { ok: null };
  if (name.startsWith('permit')) return { ok: { approved: kind > 4 } };
  if (name.startsWith('tool') || name.startsWith('granted')) {
    return kind === 0 ? failed('limit') : kind < 4 ? { ok: { ask: { title: id } } } : done('x');
  }
  if (kind < 2) return failed(kind === 0 ? 'limit' : 'model');
  if (kind < 4) return answer('done');
  return kind === 4 ? answer('{"ok": true}') : calls(...wanted.map((each, at) => ({ ...each, id: `c${at}` })));
}

test('whatever models, tools, people and cancels do: the same facts give the same commands, each has one fact, what models are sent is in order, and it ends', () => {
  fc.assert(
    fc.property(
      anyImage,
      fc.array(choice, { minLength: 60, maxLength: 60 }),
      fc.record({
        cancelAt: fc.nat(120),
        stopAt: fc.nat(120),
        timeoutMs: fc.option(fc.integer({ min: 1, max: 2000 })),
      }),
      (of, choices, { cancelAt, stopAt, timeoutMs }) => {
        const play = () => {
          const h = nested(of, 't0', timeoutMs === null ? {} : { timeoutMs });
          const told: string[] = [];
          const said: string[] = [];
          let begun = Number.POSITIVE_INFINITY;
          for (let n = 0; n < 600 && h.nest.end() === undefined; n++) {
            const made = choices[n % choices.length] as Choice;
            const ids = [...h.open.keys()];
            // A run that has not ended has something to wait for.
            expect(ids.length).toBeGreaterThan(0);
            told.push(ids.join(' '));
            if (n === cancelAt) {
              h.send('@cancel', { ok: { reason: 'x' } });
              begun = h.begun.length;
              if (h.nest.end() !== undefined) break;
            } else if (n === stopAt) {
              h.send('@stop', { ok: null });
              begun = h.begun.length;
            } else if (made.speaks === 0 && n < 200) {
              said.push(`word ${n}`);
              h.send('@steer', { ok: { message: `word ${n}` } });
            }
            const id = ids[made.pick % ids.length] as string;
            const effect = h.open.get(id);
            if (effect?.op === 'step' && effect.spec.kind === 'model' && !id.includes('/'))
              heard(h.call(id).messages, said);
            h.send(id, outcomeOf(id, made, n > 250), made.after);
            expect(h.begun.length).toBeLessThanOrEqual(begun);
          }
          expect(h.nest.end()).toBeDefined();
          expect(h.open.size).toBe(0);
          return [told, h.begun, h.nest.end()];
        };
        expect(play()).toEqual(play());
      },
    ),
    { numRuns: 150 },
  );
});

/** Of what people said, in order, all up to some of it, and each once. */
function heard(messages: readonly { role: string; content: unknown }[], said: readonly string[]): void {
  const got = messages.filter(({ role, content }) => role === 'user' && String(content).startsWith('word '));
  expect(got.map(({ content }) => content)).toEqual(said.slice(0, got.length));
}
