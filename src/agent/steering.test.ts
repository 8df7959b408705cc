/** People who speak while a thunk is at work: never lost, never twice. */
import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../model/index.ts';
import { booleanType, field, structOf } from '../type/index.ts';
import { answer, calls, done, harness, image, nested, offer, thunk } from './thunk-test-kit.ts';

const worker = image([thunk('default', { tools: ['filesystem', 'shell'] })]);

function begun() {
  const h = harness(worker);
  h.send('tools#1', { ok: offer });
  return h;
}

const words = (messages: readonly ModelMessage[]) =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => content);

describe('what is said', () => {
  test('before the first call is said with it', () => {
    const h = harness(worker);
    h.say('Be brief.');
    h.send('tools#1', { ok: offer });
    expect(words(h.call('model#1').messages)).toEqual(['Hello.', 'Be brief.']);
  });

  test('during a call of the model is said with the next one, behind what that one came to', () => {
    const h = begun();
    h.say('Stop at three.');
    h.say('And be brief.');
    h.send('model#1', calls('filesystem/read'));
    h.send('tool#1', done('x'));
    expect(
      h
        .call('model#2')
        .messages.slice(-4)
        .map(({ role, content }) => [role, content]),
    ).toEqual([
      ['assistant', 'I will.'],
      ['tool', 'x'],
      ['user', 'Stop at three.'],
      ['user', 'And be brief.'],
    ]);
    expect(h.command('model#2').spec.added).toBe(4);
    h.send('model#2', calls('filesystem/read'));
    h.send('tool#2', done('y'));
    expect(words(h.call('model#3').messages)).toEqual(['Hello.', 'Stop at three.', 'And be brief.']);
  });

  test('during a turn, and while somebody is asked, is said when that has ended', () => {
    const h = begun();
    h.send('model#1', calls('shell/run'));
    h.say('One.');
    h.send('tool#1', { ok: { ask: { title: 'May it?', about: 'a' } } });
    h.say('Two.');
    h.send('permit#1', { ok: { approved: true } });
    h.say('Three.');
    expect(h.ids()).toEqual(['granted#1']);
    h.send('granted#1', done('x'));
    expect(words(h.call('model#2').messages)).toEqual(['Hello.', 'One.', 'Two.', 'Three.']);
  });

  test('during the last call makes it the last but one', () => {
    const h = begun();
    h.say('In French.');
    h.send('model#1', answer('Hello.'));
    expect(h.call('model#2').messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'In French.' },
    ]);
    h.send('model#2', answer('Bonjour.'));
    expect(h.machine.end).toEqual({ ok: 'Bonjour.' });
  });

  test('during a call whose answer does not fit is no repair', () => {
    const h = harness(image([thunk('default', { output: structOf([field('ok', booleanType)]) })]));
    for (let n = 1; n <= 4; n++) {
      h.say(`Word ${n}.`);
      h.send(`model#${n}`, answer('no JSON'));
      expect(h.told(`model#${n + 1}`)).toBe(`Word ${n}.`);
    }
    h.send('model#5', answer('no JSON'));
    expect(h.told('model#6')).toMatch(/^This answer does not fit/);
  });

  test('during a handoff is heard by who has the conversation then', () => {
    const h = harness(image([thunk('default', { handoffs: ['other'] }), thunk('other')]));
    h.say('One.');
    h.send('model#1', calls('handoff_to_other'));
    h.say('Two.');
    h.send('tools#1', { ok: { tools: [] } });
    expect(words(h.call('model#2').messages)).toEqual(['Hello.', 'Hello.', 'One.', 'Two.']);
  });

  test('while the turn is kept is answered, and the turn is kept with it', () => {
    const h = harness(image([thunk('default')], { thread: 't1' }));
    h.send('model#1', answer('One.'));
    expect(h.ids()).toEqual(['turn#1']);
    h.say('And two?');
    h.send('turn#1', { ok: null });
    expect(h.machine.end).toBeUndefined();
    h.send('model#2', answer('Two.'));
    expect(h.command('turn#2').args).toEqual([
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'And two?' },
      { role: 'assistant', content: 'Two.' },
    ]);
    h.send('turn#2', { ok: null });
    expect(h.machine.end).toEqual({ ok: 'Two.' });
  });

  test('is heard by the thunk that people called, not by its hands', () => {
    const of = image([thunk('default', { hands: ['look'] }), thunk('look')]);
    const h = nested(of);
    h.send('model#1', calls({ tool: 'look', args: { input: 'x' } }));
    h.send('@steer', { ok: { message: 'Faster.' } });
    h.send('look[1]#1/model#1', calls({ tool: 'no/such' }));
    expect(words(h.call('look[1]#1/model#2').messages)).toEqual(['x']);
    h.send('look[1]#1/model#2', answer('found'));
    expect(words(h.call('model#2').messages)).toEqual(['Hello.', 'Faster.']);
  });

  test('that is no text is not said', () => {
    const h = begun();
    h.send('@steer', { ok: { message: 5 } });
    h.send('@steer', { ok: null });
    h.send('model#1', answer('done'));
    expect(h.machine.end).toEqual({ ok: 'done' });
  });

  test('after a cancel keeps nothing alive', () => {
    const h = begun();
    h.say('Go on.');
    h.send('@cancel', { ok: { reason: 'enough' } });
    h.say('Or not.');
    h.send('model#1', answer('done'));
    expect(h.machine.end).toEqual({ cancelled: 'enough' });
  });
});

describe('told to end beside a failure', () => {
  test('during a call: an answer is its result, calls are not done', () => {
    const whole = begun();
    whole.say('Wait.');
    expect(whole.send('@stop', { ok: null })).toEqual([]);
    whole.send('model#1', answer('whole'));
    expect(whole.machine.end).toEqual({ ok: 'whole' });
    const calling = begun();
    calling.send('@stop', { ok: null });
    expect(calling.send('model#1', calls('filesystem/read'))).toEqual([]);
    expect(calling.machine.end).toEqual({ cancelled: 'cancelled' });
  });

  test('while tools are opened: no model is asked', () => {
    const h = harness(worker);
    h.send('@stop', { ok: null });
    h.send('tools#1', { ok: offer });
    expect(h.machine.end).toEqual({ cancelled: 'cancelled' });
  });

  test('during a turn: what is done ends, the rest is not begun, and nobody is asked', () => {
    const h = begun();
    h.send('model#1', calls('filesystem/read', 'filesystem/grep', 'shell/run'));
    h.send('tool#1', { ok: { ask: { title: 'May it?' } } });
    expect(h.ids()).toEqual(['tool#2', 'permit#1']);
    expect(h.send('@stop', { ok: null })).toEqual([{ op: 'cancel', target: 'go#1/permit#1' }]);
    h.send('permit#1', { err: { code: 'cancelled', message: 'it was cancelled', retryable: false } });
    h.send('tool#2', done('x'));
    expect(h.machine.end).toMatchObject({ err: { code: 'cancelled' } });
  });

  test('a turn that would be kept is not', () => {
    const h = harness(image([thunk('default')], { thread: 't1' }));
    h.send('@stop', { ok: null });
    h.send('model#1', answer('One.'));
    expect(h.machine.end).toEqual({ ok: 'One.' });
  });

  test('an answer that does not fit is sent back no more', () => {
    const h = harness(image([thunk('default', { output: structOf([field('ok', booleanType)]) })]));
    h.send('@stop', { ok: null });
    h.send('model#1', answer('no JSON'));
    expect(h.machine.end).toEqual({ cancelled: 'cancelled' });
  });
});
