/** A prompt whose agent has tools: what is offered, what is done, who is asked, and how it ends. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command, Fact, Json, Machine, StepCommand } from '../machine/index.ts';
import type { ModelCall, ToolMessage } from '../model/index.ts';
import { booleanType, field, structOf, type Type, textType } from '../type/index.ts';
import { createPromptThunk } from './thunk-maker.ts';

const init = { runId: 'r', path: 'draft#1', input: null, at: 1000, cwd: '/w' };

function tool(name: string, readOnly: boolean): Json {
  return { name, description: `does ${name}`, parameters: { type: 'object', properties: {} }, readOnly };
}

const offer: Json = {
  tools: [tool('filesystem/read', true), tool('filesystem/grep', true), tool('shell/run', false)],
};

/** Runs a thunk by hand: `open` has what was emitted and not answered. */
function harness(extra: Record<string, Json> = {}, output: Type = textType) {
  const machine: Machine = createPromptThunk(
    {
      kind: 'thunk',
      form: 'prompt',
      agent: { name: 'dev', type: 'api', fields: { provider: 'openai', model: 'm', tools: ['filesystem', 'shell'] } },
      output: output as unknown as Json,
      types: {},
      prompt: 'Do it.',
      for: ['draft', 'dev'],
      ...extra,
    },
    init,
  );
  const open = new Map<string, Command>();
  const all: string[] = [];
  let at = init.at;
  const take = (commands: readonly Command[]) => {
    for (const command of commands) {
      if (command.op === 'cancel' || command.op === 'proceed') continue;
      expect(all).not.toContain(command.id);
      all.push(command.id);
      open.set(command.id, command);
    }
    return commands;
  };
  take(machine.start());
  return {
    machine,
    open,
    count: () => all.length,
    ids: () => [...open.keys()].map((id) => id.slice('draft#1/'.length)),
    /** `after`: how many milliseconds after the last one. */
    send(
      id: string,
      outcome: { ok: Json } | { err: { code: string; message: string; retryable: boolean } },
      after = 1,
    ) {
      const full = id.startsWith('@') ? id : `draft#1/${id}`;
      open.delete(full);
      at += after;
      return take(machine.deliver({ id: full, at, ...outcome } as Fact));
    },
    command: (id: string) => open.get(`draft#1/${id}`) as StepCommand,
    call: (id: string) => (open.get(`draft#1/${id}`) as StepCommand).args as unknown as ModelCall,
  };
}

function calls(...names: readonly string[]): { ok: Json } {
  const made = names.map((name, i) => ({ id: `c${i + 1}`, tool: name, args: { n: i } }));
  return { ok: { text: 'I will.', finish: 'calls', calls: made } };
}

const done = (text: string): { ok: Json } => ({ ok: { text } });
const answer = (text: string): { ok: Json } => ({ ok: { text, finish: 'stop' } });

describe('tools', () => {
  test('are asked for once, before the first call, and offered with every call', () => {
    const h = harness();
    expect(h.ids()).toEqual(['tools#1']);
    expect(h.command('tools#1').spec).toEqual({ kind: 'tools', names: ['filesystem', 'shell'] });
    h.send('tools#1', { ok: offer });
    expect(h.call('model#1').tools?.map(({ name }) => name)).toEqual([
      'filesystem/read',
      'filesystem/grep',
      'shell/run',
    ]);
    expect(h.call('model#1').tools?.[0]).not.toHaveProperty('readOnly');
    h.send('model#1', calls('filesystem/read'));
    h.send('tool#1', done('hello'));
    expect(h.call('model#2').tools).toHaveLength(3);
  });

  test('a service that cannot be used ends the thunk before any model is asked', () => {
    const h = harness();
    const err = { code: 'tools', message: 'the service "github" is not there', retryable: false };
    h.send('tools#1', { err });
    expect(h.machine.end).toEqual({ err });
  });

  test('an agent without tools makes its call at once', () => {
    const agent = { name: 'dev', type: 'api', fields: { provider: 'openai', model: 'm' } };
    expect(harness({ agent }).ids()).toEqual(['model#1']);
  });

  test('agents that do tools themselves, and those of plugins, are not offered any', () => {
    for (const agent of [
      { name: 'dev', type: 'claude-code', fields: { tools: ['Bash'] } },
      { name: 'dev', type: 'x/y', fields: { tools: ['a'] }, plugin: { module: 'x' } },
    ]) {
      expect(harness({ agent: agent as unknown as Json }).ids()).toEqual(['model#1']);
    }
  });

  test('the machine that began a run before there were tools goes on without', () => {
    const machine = createPromptThunk(
      {
        kind: 'thunk',
        form: 'prompt',
        agent: { name: 'dev', type: 'scripted', fields: { tools: ['filesystem'] } },
        output: textType as unknown as Json,
        types: {},
        prompt: 'x',
        for: ['x'],
      },
      init,
      false,
    );
    expect(machine.start().map((command) => 'id' in command && command.id)).toEqual(['draft#1/model#1']);
  });
});

describe('a turn', () => {
  function begun(...names: readonly string[]) {
    const h = harness();
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls(...names));
    return h;
  }

  test('calls that change nothing are done side by side, others one after the other', () => {
    const h = begun('filesystem/read', 'filesystem/grep', 'shell/run', 'filesystem/read', 'shell/run');
    expect(h.ids()).toEqual(['tool#1', 'tool#2']);
    h.send('tool#2', done('b'));
    expect(h.ids()).toEqual(['tool#1']);
    h.send('tool#1', done('a'));
    expect(h.ids()).toEqual(['tool#3']);
    h.send('tool#3', done('c'));
    expect(h.ids()).toEqual(['tool#4']);
    h.send('tool#4', done('d'));
    expect(h.ids()).toEqual(['tool#5']);
    h.send('tool#5', done('e'));
    const { messages } = h.call('model#2');
    expect(messages.slice(-5).map((each) => each.content)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(messages.at(-6)).toMatchObject({
      role: 'assistant',
      content: 'I will.',
      calls: [{ id: 'c1' }, {}, {}, {}, {}],
    });
  });

  test('a step has the tool, the call, its arguments, and the place where it works', () => {
    const h = begun('shell/run');
    expect(h.command('tool#1')).toMatchObject({
      spec: { kind: 'tool', tool: 'shell/run', call: 'c1' },
      args: { n: 0 },
      cwd: '/w',
    });
  });

  test('what was not offered is not done, whatever the model writes', () => {
    const h = begun('github/delete_repo', 'filesystem/raed');
    expect(h.ids()).toEqual(['model#2']);
    const told = h.call('model#2').messages.slice(-2) as ToolMessage[];
    expect(told[0]).toMatchObject({ role: 'tool', call: 'c1', tool: 'github/delete_repo', isError: true });
    expect(told[0]?.content).toMatch(/^There is no tool "github\/delete_repo" here/);
    expect(told[1]?.content).toContain('Did you mean "filesystem/read"?');
    // No step tells of them, so the next call does.
    expect(h.command('model#2').spec.refused).toEqual(told.map(({ call, content }) => ({ call, text: content })));
  });

  test('what is wrong with how a call is written is told, and the others are done', () => {
    const h = harness();
    h.send('tools#1', { ok: offer });
    h.send('model#1', {
      ok: {
        text: '',
        finish: 'calls',
        calls: [
          { id: 'c1', tool: 'shell/run', args: {}, problem: 'The arguments are no JSON.' },
          { id: 'c2', tool: 'filesystem/read', args: {} },
        ],
      },
    });
    expect(h.ids()).toEqual(['tool#1']);
    h.send('tool#1', done('x'));
    expect(h.call('model#2').messages.slice(-2)).toEqual([
      { role: 'tool', call: 'c1', tool: 'shell/run', content: 'The arguments are no JSON.', isError: true },
      { role: 'tool', call: 'c2', tool: 'filesystem/read', content: 'x' },
    ]);
  });

  test('a tool that fails is told to the model; one that cannot be done ends the thunk when the others have ended', () => {
    const h = begun('filesystem/read', 'filesystem/grep');
    h.send('tool#1', { ok: { text: 'no such file', isError: true } });
    const err = { code: 'limit', message: 'no more', retryable: false };
    h.send('tool#2', { err });
    expect(h.machine.end).toEqual({ err });
    const other = begun('filesystem/read', 'filesystem/grep');
    other.send('tool#1', { err });
    expect(other.machine.end).toBeUndefined();
    other.send('tool#2', done('x'));
    expect(other.machine.end).toEqual({ err });
  });
});

describe('a permission', () => {
  const ask = { ok: { ask: { title: 'May "dev" run git push?', tool: 'shell/run', about: 'a1' } } };

  function asking() {
    const h = harness();
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('shell/run'));
    h.send('tool#1', ask);
    return h;
  }

  test('is a question, and what was allowed is a step of its own', () => {
    const h = asking();
    expect(h.open.get('draft#1/permit#1')).toEqual({
      op: 'signal',
      id: 'draft#1/permit#1',
      kind: 'permission',
      request: ask.ok.ask,
    });
    h.send('permit#1', { ok: { approved: true, decidedBy: 'ann' } });
    expect(h.command('granted#1')).toMatchObject({ spec: { tool: 'shell/run', granted: 'a1' }, args: { n: 0 } });
    h.send('granted#1', done('pushed'));
    expect(h.call('model#2').messages.at(-1)?.content).toBe('pushed');
  });

  test('that is denied is told to the model, with who and why', () => {
    const h = asking();
    h.send('permit#1', { ok: { approved: false, decidedBy: 'ann', note: 'not on main' } });
    expect(h.call('model#2').messages.at(-1)).toEqual({
      role: 'tool',
      call: 'c1',
      tool: 'shell/run',
      content: 'This call was not allowed by ann: not on main',
      isError: true,
    });
  });

  test('takes nothing of the time of the step, however long people think about it', () => {
    const h = harness({ timeoutMs: 100 });
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('shell/run', 'shell/run'), 9);
    expect(h.command('tool#1')).toMatchObject({ timeoutMs: 90, spec: { stepTimeoutMs: 100 } });
    h.send('tool#1', ask, 10);
    h.send('permit#1', { ok: { approved: true } }, 24 * 3_600_000);
    expect(h.command('granted#1').timeoutMs).toBe(80);
    h.send('granted#1', done('pushed'), 10);
    expect(h.command('tool#2').timeoutMs).toBe(70);
    h.send('tool#2', done('pushed'), 30);
    expect(h.command('model#2').timeoutMs).toBe(40);
    h.send('model#2', calls('shell/run'), 41);
    expect(h.command('tool#3').timeoutMs).toBe(1);
  });

  test('is asked for one at a time', () => {
    const h = harness();
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('filesystem/read', 'filesystem/grep'));
    h.send('tool#1', ask);
    h.send('tool#2', ask);
    expect(h.ids()).toEqual(['permit#1']);
    h.send('permit#1', { ok: { approved: true } });
    expect(h.ids()).toEqual(['granted#1']);
    h.send('granted#1', done('a'));
    expect(h.ids()).toEqual(['permit#2']);
  });

  test.each([
    ['tool#1', 'tool#2'],
    ['tool#2', 'tool#1'],
  ])('has the number of its call, whichever tool is done first: %s', (first, second) => {
    const h = harness();
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('filesystem/read', 'filesystem/grep'));
    h.send(first, ask);
    h.send(second, ask);
    for (let left = 2; left > 0; left--) {
      const [id = ''] = h.ids();
      h.send(id, { ok: { approved: true } });
      expect(h.ids()).toEqual([id.replace('permit', 'granted')]);
      const granted = h.ids()[0] ?? '';
      const tool = granted === 'granted#1' ? 'filesystem/read' : 'filesystem/grep';
      expect(h.command(granted)).toMatchObject({ spec: { tool, granted: 'a1' } });
      h.send(granted, done(granted));
    }
    expect(h.call('model#2').messages.slice(-2)).toMatchObject([{ content: 'granted#1' }, { content: 'granted#2' }]);
  });

  test('that is cancelled ends the thunk', () => {
    const h = asking();
    expect(h.send('@cancel', { ok: { reason: 'enough' } })).toEqual([{ op: 'cancel', target: 'draft#1/permit#1' }]);
    expect(h.machine.end).toBeUndefined();
    h.send('permit#1', { err: { code: 'cancelled', message: 'it was cancelled', retryable: false } });
    expect(h.machine.end).toEqual({ cancelled: 'enough' });
  });
});

describe('the end', () => {
  test('a typed answer behind tools is repaired as any other', () => {
    const h = harness({}, structOf([field('ok', booleanType)]));
    h.send('tools#1', { ok: offer });
    h.send('model#1', calls('filesystem/read'));
    h.send('tool#1', done('x'));
    h.send('model#2', answer('not JSON'));
    expect(h.call('model#3').messages.at(-1)?.content).toMatch(/^This answer does not fit the schema/);
    h.send('model#3', answer('{"ok":true}'));
    expect(h.machine.end).toEqual({ ok: { ok: true } });
  });

  test('a model that only calls tools is stopped', () => {
    const h = harness();
    h.send('tools#1', { ok: offer });
    for (let n = 1; n <= 250; n++) {
      h.send(`model#${n}`, calls('filesystem/read'));
      h.send(`tool#${n}`, done('x'));
    }
    expect(h.machine.end).toMatchObject({ err: { code: 'model' } });
    expect(JSON.stringify(h.machine.end)).toContain('250 times');
  });

  test('keys are the same whenever they are asked for: whoever goes on asks for few of them', () => {
    const keys = (asked: readonly string[]) => {
      const h = harness({}, structOf([field('ok', booleanType)]));
      const look = (id: string) => asked.includes(id) && h.command(id).key;
      h.send('tools#1', { ok: offer });
      look('model#1');
      h.send('model#1', answer('not JSON'));
      look('model#2');
      h.send('model#2', calls('filesystem/read'));
      const tool = h.command('tool#1').key;
      h.send('tool#1', done('x'));
      return [tool, h.command('model#3').key];
    };
    expect(keys([])).toEqual(keys(['model#1', 'model#2']));
    expect(keys(['model#2'])).toEqual(keys(['model#1']));
  });

  test('keys follow the conversation, so that a call is known again and no other is taken for it', () => {
    const keys = (text: string) => {
      const h = harness();
      h.send('tools#1', { ok: offer });
      const first = h.command('model#1').key;
      h.send('model#1', calls('filesystem/read'));
      const tool = h.command('tool#1').key;
      h.send('tool#1', done(text));
      return [first, tool, h.command('model#2').key];
    };
    expect(keys('a')).toEqual(keys('a'));
    expect(keys('a').slice(0, 2)).toEqual(keys('b').slice(0, 2));
    expect(keys('a')[2]).not.toBe(keys('b')[2]);
    expect(new Set(keys('a')).size).toBe(3);
  });

  test('whatever models, tools and people do, the same facts give the same commands, and it ends', () => {
    const names = fc.array(fc.constantFrom('filesystem/read', 'filesystem/grep', 'shell/run', 'no/such'), {
      maxLength: 4,
    });
    const choice = fc.record({ names, kind: fc.nat(9), pick: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(choice, { minLength: 40, maxLength: 40 }), fc.nat(60), (choices, cancelAt) => {
        const play = () => {
          const h = harness();
          const told: string[] = [];
          let begun = Number.POSITIVE_INFINITY;
          for (let n = 0; n < 400 && h.machine.end === undefined; n++) {
            const { names: wanted, kind, pick } = choices[n % choices.length] as (typeof choices)[number];
            const ids = h.ids();
            expect(ids.length).toBeGreaterThan(0);
            expect(ids.filter((id) => id.startsWith('permit')).length).toBeLessThanOrEqual(1);
            const id = ids[pick % ids.length] as string;
            told.push(ids.join(' '));
            if (n === cancelAt) {
              h.send('@cancel', { ok: { reason: 'x' } });
              begun = h.count();
            }
            expect(h.count()).toBeLessThanOrEqual(begun);
            if (h.machine.end !== undefined) break;
            const failed = { err: { code: 'model', message: 'm', retryable: true } };
            if (n > 200) h.send(id, failed);
            else if (id.startsWith('tools')) h.send(id, { ok: offer });
            else if (id.startsWith('permit')) h.send(id, { ok: { approved: kind > 4 } });
            else if (id.startsWith('tool')) h.send(id, kind < 2 ? { ok: { ask: { n } } } : done('x'));
            else h.send(id, kind === 0 ? failed : kind === 1 ? answer('done') : calls(...wanted));
          }
          expect(h.machine.end).toBeDefined();
          expect(h.open.size).toBe(0);
          return [told, h.machine.end];
        };
        expect(play()).toEqual(play());
      }),
      { numRuns: 200 },
    );
  });
});
