/** Handoffs: the conversation goes on with another thunk. */
import { describe, expect, test } from 'vitest';
import { booleanType, field, jsonType, messageType, numberType, structOf, type Type, textType } from '../type/index.ts';
import type { ThunkImage } from './image.ts';
import { mostHandoffs } from './talk-machine.ts';
import { answer, calls, done, harness, image, nested, offer, thunk } from './thunk-test-kit.ts';

const pair = (first: Partial<ThunkImage> = {}, second: Partial<ThunkImage> = {}) =>
  image([
    thunk('default', { handoffs: ['billing'], ...first }),
    thunk('billing', { handoffs: ['default'], ...second }),
  ]);

const said = {
  role: 'user',
  content: [
    { type: 'text', text: 'See.' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
  ],
};

describe('a handoff', () => {
  test('is a tool by the name of its target, with what that takes', () => {
    const of = pair({}, { doc: 'Invoices.', params: [{ name: 'order', type: numberType, optional: false }] });
    const [tool] = harness(of).call('model#1').tools ?? [];
    expect(tool).toMatchObject({
      name: 'handoff_to_billing',
      description: 'Passes this conversation on to "billing", which answers in your place. Invoices.',
      parameters: { properties: { order: { type: 'number' } }, required: ['order'] },
    });
    expect(tool?.parameters).not.toHaveProperty('properties.input');
  });

  test('goes on as the target, with its instructions, its tools, and all that was said before', () => {
    const h = harness(
      pair({ tools: ['filesystem', 'shell'] }, { tools: ['filesystem'], instruct: 'You do invoices.' }),
    );
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('filesystem/read'));
    h.send('tool#1', done('paid'));
    h.send('model#2', calls({ tool: 'handoff_to_billing', args: {}, id: 'h' }));
    expect(h.ids()).toEqual(['tools#2']);
    expect(h.command('tools#2').spec).toMatchObject({
      kind: 'tools',
      names: ['filesystem'],
      thunk: 'billing',
      handoff: { from: 'default', to: 'billing' },
    });
    h.send('tools#2', { ok: { tools: [] } });
    const { messages, tools } = h.call('model#3');
    expect(messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('You do invoices.') });
    expect(messages[0]?.content).toContain('You are "billing"');
    expect(messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Hello.'],
      ['assistant', 'I will.'],
      ['tool', 'paid'],
      ['assistant', 'I will.'],
      ['tool', '"billing" goes on from here.'],
      ['user', 'Hello.'],
    ]);
    expect(tools?.map(({ name }) => name)).toEqual(['handoff_to_default']);
    expect(h.command('model#3').spec).toMatchObject({ for: ['go/billing', 'billing', 'helper'] });
    // What was offered to the first is none of the second.
    h.send('model#3', calls('shell/run'));
    expect(h.told('model#4')).toMatch(/^There is no tool "shell\/run" here/);
  });

  test('is noted also where the target has no tools', () => {
    const h = harness(pair());
    expect(h.ids()).toEqual(['model#1']);
    h.send('model#1', calls('handoff_to_billing'));
    expect(h.command('tools#1').spec).toMatchObject({ names: [], handoff: { from: 'default', to: 'billing' } });
  });

  test('gives what the model says, or else what was asked', () => {
    const said = (args: Record<string, string>) => {
      const h = harness(pair());
      h.send('model#1', calls({ tool: 'handoff_to_billing', args }));
      h.send('tools#1', { ok: { tools: [] } });
      return h.told('model#2');
    };
    expect(said({ input: 'Look at order 7.' })).toBe('Look at order 7.');
    expect(said({})).toBe('Hello.');
    expect(said({ input: '' })).toBe('Hello.');
  });

  test('needs no words where the target takes none: the conversation is there', () => {
    const h = harness(pair({}, { params: [] }));
    h.send('model#1', calls('handoff_to_billing'));
    h.send('tools#1', { ok: { tools: [] } });
    expect(h.call('model#2').messages.at(-1)).toMatchObject({ role: 'tool' });
  });

  test('whose arguments do not fit is told, and nothing is passed on', () => {
    const h = harness(pair({}, { params: [{ name: 'order', type: numberType, optional: false }] }));
    h.send('model#1', calls({ tool: 'handoff_to_billing', args: { order: 'many' } }));
    expect(h.told('model#2')).toMatch(/^It is not passed on: "order" of "billing"/);
    h.send('model#2', calls('handoff_to_billing'));
    expect(h.told('model#3')).toContain('needs "order"');
    h.send('model#3', calls({ tool: 'handoff_to_billing', args: { order: 7 } }));
    expect(h.ids()).toEqual(['tools#1']);
  });

  test('says what is wrong with an input that is no answer', () => {
    const item = structOf([field('id', numberType)], { name: 'Item' });
    const h = harness(pair({}, { params: [{ name: 'input', type: item, optional: false }] }));
    h.send('model#1', calls('handoff_to_billing'));
    expect(h.told('model#2')).toMatch(/^It is not passed on: "input" of "billing": it must be JSON .*[^.]\.$/);
  });

  test.each([
    ['a struct', structOf([field('id', numberType)]), { id: 7 }, messageType, '{"id":7}'],
    ['a number', numberType, 7, textType, '7'],
    ['a message with a file', messageType, said, textType, 'See.'],
    ['a message with a file', messageType, said, messageType, [{ type: 'text', text: 'See.' }, said.content[1]]],
    ['a struct', structOf([field('id', numberType)]), { id: 7 }, jsonType, '{"id":7}'],
  ])('left without words says what was asked, as the target takes it: %s', (_, type, input, wanted, expected) => {
    const own = (to: Type) => ({ params: [{ name: 'input', type: to, optional: false }] });
    const h = harness(pair(own(type), own(wanted)), 'default', { input: { input } });
    h.send('model#1', calls('handoff_to_billing'));
    h.send('tools#1', { ok: { tools: [] } });
    expect(h.call('model#2').messages.at(-1)).toEqual({ role: 'user', content: expected });
  });

  test('takes null where that is a value', () => {
    const h = harness(pair({}, { params: [{ name: 'data', type: jsonType, optional: false }] }));
    h.send('model#1', calls({ tool: 'handoff_to_billing', args: { data: null } }));
    expect(h.ids()).toEqual(['tools#1']);
  });

  test('keeps the type of the thunk that was called', () => {
    const output = structOf([field('ok', booleanType)]);
    const h = harness(pair({ output }, { output: textType }));
    h.send('model#1', calls('handoff_to_billing'));
    h.send('tools#1', { ok: { tools: [] } });
    expect(h.call('model#2').output).toMatchObject({ properties: { ok: { type: 'boolean' } } });
    h.send('model#2', answer('Fine.'));
    expect(h.told('model#3')).toMatch(/^This answer does not fit the schema/);
    h.send('model#3', answer('{"ok": true}'));
    expect(h.machine.end).toEqual({ ok: { ok: true } });
  });
});

describe('a handoff is refused, and the model is told why', () => {
  test('beside other calls: those are done', () => {
    const h = harness(pair({ tools: ['filesystem'] }));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('handoff_to_billing', 'filesystem/read', 'handoff_to_billing'));
    expect(h.ids()).toEqual(['tool#1']);
    h.send('tool#1', done('x'));
    expect(
      h
        .call('model#2')
        .messages.slice(-3)
        .map(({ content }) => content),
    ).toEqual([
      'The conversation is not passed on: this must be the only call of an answer.',
      'x',
      'The conversation is not passed on: this must be the only call of an answer.',
    ]);
  });

  test('with arguments that are no JSON', () => {
    const h = harness(pair());
    h.send('model#1', calls({ tool: 'handoff_to_billing', problem: 'The arguments are no JSON.' }));
    expect(h.told('model#2')).toBe('The arguments are no JSON.');
  });

  test('back to who had it, until a person has spoken', () => {
    const h = harness(pair());
    h.send('model#1', calls('handoff_to_billing'));
    h.send('tools#1', { ok: { tools: [] } });
    h.send('model#2', calls('handoff_to_default'));
    expect(h.told('model#3')).toMatch(/^"default" has had this conversation already, and nobody has spoken since/);
    h.say('Please go back.');
    h.send('model#3', calls('handoff_to_default'));
    // It spoke, and the model has not heard it yet.
    expect(h.ids()).toEqual(['model#4']);
    expect(h.told('model#4')).toBe('Please go back.');
    h.send('model#4', calls('handoff_to_default'));
    expect(h.ids()).toEqual(['tools#2']);
    h.send('tools#2', { ok: { tools: [] } });
    h.send('model#5', calls('handoff_to_billing'));
    expect(h.told('model#6')).toMatch(/^"billing" has had this conversation already/);
  });

  test('to itself', () => {
    const h = harness(image([thunk('default', { handoffs: ['default'] })]));
    h.send('model#1', calls('handoff_to_default'));
    expect(h.told('model#2')).toMatch(/^"default" has had this conversation already/);
  });

  test(`more than ${mostHandoffs} times`, () => {
    const names = Array.from({ length: 11 }, (_, at) => `t${at}`);
    const h = harness(image(names.map((name, at) => thunk(name, { handoffs: [names[at + 1] ?? 't0'] }))), 't0');
    for (let n = 1; n <= mostHandoffs; n++) {
      h.send(`model#${n}`, calls(`handoff_to_t${n}`));
      h.send(`tools#${n}`, { ok: { tools: [] } });
    }
    h.send(`model#${mostHandoffs + 1}`, calls('handoff_to_t9'));
    expect(h.told(`model#${mostHandoffs + 2}`)).toMatch(/^The conversation was passed on 8 times already/);
    h.say('Go on.');
    h.send(`model#${mostHandoffs + 2}`, calls('handoff_to_t9'));
    // However often people speak.
    expect(h.call(`model#${mostHandoffs + 3}`).messages.at(-2)?.content).toMatch(/^The conversation was passed on 8/);
  });

  test('to a thunk that is not named, whatever the model writes', () => {
    const h = harness(image([thunk('default', { handoffs: ['billing'] }), thunk('billing'), thunk('admin')]));
    h.send('model#1', calls('handoff_to_admin'));
    expect(h.told('model#2')).toMatch(/^There is no tool "handoff_to_admin" here/);
  });
});

describe('after a handoff', () => {
  test('hands are counted on, and the circle is that of who calls now', () => {
    const of = image([
      thunk('a', { hands: ['look'], handoffs: ['b'] }),
      thunk('b', { hands: ['look', 'b'] }),
      thunk('look', { params: [], messages: [{ role: 'user', text: 'Look.' }] }),
    ]);
    const h = nested(of, 'a');
    h.send('model#1', calls('look'));
    h.send('look[1]#1/model#1', answer('one'));
    h.send('model#2', calls('handoff_to_b'));
    h.send('tools#1', { ok: { tools: [] } });
    h.send('model#3', calls('look', { tool: 'b', args: { input: 'x' } }));
    expect([...h.open.keys()]).toEqual(['look[2]#1/model#1']);
    h.send('look[2]#1/model#1', answer('two'));
    expect(
      h
        .call('model#4')
        .messages.slice(-2)
        .map(({ content }) => content),
    ).toEqual(['two', expect.stringMatching(/^"b" waits for this answer itself \(b → b\)/)]);
  });

  test('what is offered is asked for in what is left of the time', () => {
    const h = harness(pair(), 'default', { timeoutMs: 1000 });
    h.send('model#1', calls('handoff_to_billing'), 400);
    expect(h.command('tools#1').timeoutMs).toBe(600);
  });

  test('a cancel while the tools of the next one are opened ends it', () => {
    const h = harness(pair());
    h.send('model#1', calls('handoff_to_billing'));
    expect(h.send('@cancel', { ok: { reason: 'no' } })).toEqual([{ op: 'cancel', target: 'go#1/tools#1' }]);
    h.send('tools#1', { ok: { tools: [] } });
    expect(h.machine.end).toEqual({ cancelled: 'no' });
  });
});
