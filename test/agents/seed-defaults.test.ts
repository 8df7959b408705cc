/** Seed rules about what is left out, and names that mean something of their own: what is then sent. */
import { describe, expect, it } from 'vitest';
import { useKit } from './kit.ts';
import { finalOf } from './sent.ts';

const kit = useKit();

describe('defaults', () => {
  it('omitted thunk name defaults semantically to default', async () => {
    const { code, sent } = await kit.ask('thunk:\n  user: First.\n\nthunk other:\n  user: Second.\n', ['Hello.']);
    expect(code).toBe(0);
    expect(sent.system).toMatch(/^You are "default", a part of the agent "a"/);
    expect(finalOf(sent)).toBe('First.\n\nHello.');
    const named = await kit.ask('thunk:\n  user: First.\n', ['default', 'Hello.']);
    expect(finalOf(named.sent)).toBe('First.\n\nHello.');
  });

  it('omitted parameters imply (input: Message)', async () => {
    const { sent } = await kit.ask('thunk go:\n  tools -= filesystem\n', ['Say', 'hello.']);
    expect(sent.messages).toEqual([{ user: ['Say hello.'] }]);
    const { code, err, sent: none } = await kit.ask('thunk go:\n  tools -= filesystem\n', []);
    expect([code, none.messages]).toEqual([2, []]);
    expect(err).toContain('the input is missing; it must be Message');
  });

  it('empty parentheses mean no parameters', async () => {
    const source = 'thunk go():\n  user: Do it.\n';
    expect((await kit.ask(source)).sent.messages).toEqual([{ user: ['Do it.'] }]);
    const { code, err, requests } = await kit.ask(source, ['hello']);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('"hello" is an input, and there is none: "go" takes no words');
  });

  it('parentheses mean exact parameters; no implicit input is added', async () => {
    const source = 'thunk go(topic: Text):\n  user: About {{topic}}.\n';
    expect((await kit.ask(source, ['topic=bees'])).sent.messages).toEqual([{ user: ['About bees.'] }]);
    const { code, err, requests } = await kit.ask(source, ['topic=bees', 'and ants']);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('"and ants" is an input, and there is none: "go" takes topic=…');
  });

  it('omitted output type implies Message', async () => {
    const { sent, out } = await kit.ask('thunk:\n  user: Hi.\n', ['x'], { answers: [{ text: '{"a": 1}' }] });
    expect(sent.schema).toBeUndefined();
    expect(sent.system).not.toContain('JSON Schema');
    expect(out).toBe('{"a": 1}\n');
  });

  it.each(['context', 'instruct'])(
    'omitted context and instruct names default semantically to default: %s',
    async (what) => {
      const source = `${what}:\n  Be brief.\n\n${what} other:\n  Be long.\n\nthunk:\n  user: Hi.\n`;
      const { sent } = await kit.ask(source, ['x']);
      const text = what === 'context' ? finalOf(sent) : sent.system;
      expect(text).toContain('Be brief.');
      expect(text).not.toContain('Be long.');
    },
  );

  it('no instruct or context line means default, and default without such a template means none', async () => {
    for (const lines of ['', '  instruct: default\n  context: default\n']) {
      const { sent } = await kit.ask(`thunk:\n  tools -= filesystem\n${lines}  user: Hi.\n`, ['x']);
      expect(sent.messages).toEqual([{ user: ['Hi.\n\nx'] }]);
      expect(sent.system.split('\n\n')).toHaveLength(1);
      const named = `instruct default:\n  Be kind.\n\ncontext default:\n  It rains.\n\nthunk:\n${lines}  user: Hi.\n`;
      const { sent: with_ } = await kit.ask(named, ['x']);
      expect(with_.system).toMatch(/\n\nBe kind\.$/);
      expect(finalOf(with_)).toBe('<context>\nIt rains.\n</context>\n\nHi.\n\nx');
    }
  });
});

describe('reserved names', () => {
  it('none is no template, whatever the default one says', async () => {
    const source =
      'instruct:\n  Be kind.\n\ncontext:\n  It rains.\n\nthunk:\n  instruct: none\n  context: none\n  user: Hi.\n';
    const { sent } = await kit.ask(source, ['x']);
    expect(sent.system).not.toContain('Be kind.');
    expect(finalOf(sent)).toBe('Hi.\n\nx');
  });

  it.each(['instruct none:\n  x\n', 'context none:\n  x\n'])('none names no template: %j', async (item) => {
    const { code, err, requests } = await kit.ask(`${item}\nthunk:\n  user: Hi.\n`, ['x']);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('none');
  });

  it('input is reserved and must be first when declared', async () => {
    const { sent } = await kit.ask('thunk go(input: Text, n: Number):\n  user: {{n}} times.\n', ['n=2', 'Hop.']);
    expect(finalOf(sent)).toBe('2 times.\n\nHop.');
    for (const params of ['n: Number, input: Text', 'input?: Text']) {
      const wrong = await kit.ask(`thunk go(${params}):\n  user: Hi.\n`, ['n=1', 'x']);
      expect([wrong.code, wrong.requests]).toEqual([2, []]);
      expect(wrong.err).toContain('"input"');
    }
  });

  it('parameters require explicit types', async () => {
    const { code, err, requests } = await kit.ask('thunk go(topic):\n  user: Hi.\n', ['topic=x']);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('a.too:1:');
  });

  it('runtime.* tells of the run', async () => {
    const names = ['agent', 'thunk', 'model', 'cwd', 'date', 'run'];
    const text = names.map((name) => `${name}={{runtime.${name}}}`).join(' ');
    const { sent, id } = await kit.ask(`thunk go():\n  instruct: ${text}\n  context: ${text}\n  user: ${text}\n`);
    const line = new RegExp(
      `agent=a thunk=go model=openai/gpt-5 cwd=${kit.s.dir} date=\\d{4}-\\d\\d-\\d\\d run=${id}[a-z0-9]*`,
    );
    expect(sent.system).toMatch(line);
    const [user = ''] = finalOf(sent).split('---');
    expect(user.split('\n').filter((each) => line.test(each))).toHaveLength(2);
  });

  it('a parameter may not be called runtime, nor may an unknown part of it be read', async () => {
    for (const source of ['thunk go(runtime: Text):\n  user: Hi.\n', 'thunk:\n  user: {{runtime.secret}}\n']) {
      const { code, requests, err } = await kit.ask(source, ['runtime=x', 'x']);
      expect([code, requests]).toEqual([2, []]);
      expect(err).toContain('runtime');
    }
  });
});
