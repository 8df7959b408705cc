/** Who decides, who comes second, and what each is told. */
import { Schema } from 'effect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { approval, run, step, workflow } from '../../api/workflow.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('two.toon', two);
});
afterEach(() => s.remove());

const two = `name: two
input:
steps[2]:
  - kind: parallel
    id: both
    children[2]:
      - kind: approval
        id: a
        request:
          title: "A?"
      - kind: approval
        id: b
        request:
          title: "B?"
        onDeny: continue
  - id: end
    run: "return \`\${a.approved} \${b.approved}\`"
    output: string
`;

const outer = `name: outer
input:
imports:
  workflows[1]{from,as}:
    ./two.toon,two
steps[1]:
  - kind: parallel
    children[2]:
      - kind: workflow
        id: inside
        use: two
      - kind: approval
        id: beside
        request:
          title: "Beside?"
`;

interface Shown {
  readonly run?: string;
  readonly children: readonly Shown[];
}

const go = (...words: string[]): Promise<Ran> => s.cli(words, { env: { USER: 'ana' } });
const idIn = ({ err }: Ran) => / · run (\w+)/.exec(err)?.[1] ?? '';

describe('a decision', () => {
  it('of very many is followed by the first of the others, and by how many there are', async () => {
    const asks = Array.from(
      { length: 60 },
      (_, i) => `      - kind: approval\n        id: q${i}\n        request:\n          title: "Q${i}?"`,
    );
    s.write('many.toon', `name: many\ninput:\nsteps[1]:\n  - kind: parallel\n    children[60]:\n${asks.join('\n')}\n`);
    const id = idIn(await go('run', 'many.toon'));
    const { code, err } = await go('approve', id, 'q0');
    expect(code).toBe(3);
    expect(err).toContain('Q20?');
    expect(err).not.toContain('Q21?');
    expect(err).toContain('and 39 more');
  });

  it('about a run of a program is left for the program, which goes on with it', async () => {
    const flow = workflow({
      name: 'asking',
      steps: () => {
        const ok = approval('ok', { request: { title: 'Go on?' } });
        return [ok, step('last', { run: ({ read }) => String(read(ok.approved)), output: Schema.String })];
      },
    });
    const { runId } = await run(flow, {}, { store: s.at('runs.db') });
    const ran = await go('approve', runId, '--store', s.at('runs.db'), '--json');
    expect(ran.code).toBe(0);
    expect(ran.err).toContain(`kept. It goes on with run(…, { resume: "${runId}" }) in its program`);
    expect(violations(JSON.parse(ran.out), 'run.schema.json')).toEqual([]);
    expect(await run(flow, {}, { store: s.at('runs.db'), resume: runId })).toMatchObject({ output: 'true' });
  });

  it('is made once: whoever comes second is told who decided, and what is still asked', async () => {
    const id = idIn(await go('run', 'two.toon'));
    expect((await go('approve', id, 'a')).code).toBe(3);
    const rest = `  toolang approve ${id}     toolang deny ${id}\n`;
    for (const word of ['approve', 'deny']) {
      const late = await s.cli([word, id, 'a'], { env: { USER: 'ben' } });
      expect(late).toEqual({ code: 2, out: '', err: `toolang: a was approved by ana already.\n${rest}` });
    }
  });

  it('is told after the end too, where one place is meant', async () => {
    const id = idIn(await go('run', 'two.toon'));
    await go('approve', id, 'a');
    expect((await go('deny', id, 'b')).code).toBe(0);
    const late = await go('approve', id, 'b');
    expect(late.code).toBe(2);
    expect(late.err).toBe(
      `toolang: b was denied by ana already, and the run has ended.\n  How it is: toolang show ${id}\n`,
    );
    // Which of the two is meant is not known.
    expect((await go('approve', id)).err).toContain('is done already, and cannot be approved');
  });

  it('of another kind is refused with the commands that do answer, each of which can be pasted', async () => {
    const id = idIn(await go('run', 'two.toon'));
    const lines = ['a', 'b'].map((node) => `  toolang approve ${id} ${node}     toolang deny ${id} ${node}\n`);
    const refused = await go('answer', id, '--no');
    expect(refused).toMatchObject({
      code: 2,
      err: `toolang: nothing of the run ${id} can be answered: it asks "A?".\n${lines.join('')}`,
    });
    expect((await go('answer', id, 'a', '--no')).err).toBe(`toolang: a cannot be answered: it asks "A?".\n${lines[0]}`);
    expect((await go('approve', id)).err).toBe(
      `toolang: the run ${id} waits at several places; name one.\n${lines.join('')}`,
    );
  });

  it('in a workflow that an agent calls is named as it is shown, with the numbers of calls or without', async () => {
    s.write(
      'a.too',
      'thunk -> Text:\n  tools -= filesystem\n  hands = ./one.toon, ask\n\n## Asks.\nthunk ask() -> Text:\n  tools -= filesystem\n  hands = ./one.toon\n  user: Ask.\n',
    );
    s.write(
      'one.toon',
      '# Asks.\nname: one\ninput:\nsteps[1]:\n  - kind: approval\n    id: ok\n    request:\n      title: "Now?"\n',
    );
    const call = (tool: string) => `      - tool: ${tool}\n        args:\n`;
    s.write(
      'a.script.toon',
      `replies[4]:\n  - for: default\n    calls[3]:\n${call('one')}${call('one')}${call('ask')}  - for: ask\n    calls[1]:\n${call('one')}  - for: ask\n    text: Asked.\n  - for: default\n    text: Done.\n`,
    );
    const asked = await go('a.too', 'Go.');
    expect(asked.code).toBe(3);
    const id = idIn(asked);
    const shown = await go('show', id);
    for (const name of ['default/one[1]/ok', 'default/one[2]/ok', 'default/ask[1]/one[1]/ok'])
      expect(shown.out).toContain(`⏸ ${name}`);
    const wrong = await go('approve', id, 'default/one[2]/okay');
    expect(wrong.err).toContain('Did you mean "default/one[2]/ok"?');
    expect((await go('approve', id, 'default/one/ok')).err).toContain('waits at "default/one/ok" several times');
    expect((await go('approve', id, 'default/one[2]/ok')).err).toContain('approved  default/one[2]/ok');
    expect((await go('approve', id, 'default/one[2]/ok')).err).toContain(
      'default/one[2]/ok was approved by ana already.',
    );
    expect((await go('approve', id, 'ask/one/ok')).err).toContain('approved  default/ask[1]/one[1]/ok');
    expect(await go('approve', id)).toMatchObject({ code: 0, out: 'Done.\n' });
  });

  it('of a sub-workflow is not refused for what the run around it asks', async () => {
    s.write('outer.toon', outer);
    const id = idIn(await go('run', 'outer.toon'));
    const shown = JSON.parse((await go('show', id, '--json')).out) as { run: { nodes: Shown[] } };
    const inner = shown.run.nodes[0]?.children.find(({ run }) => run !== undefined)?.run?.slice(0, 4) ?? '';
    expect((await go('approve', inner, 'a')).code).toBe(3);
    expect((await go('approve', inner)).code).toBe(3);
    expect((await go('approve', inner)).err).toBe(
      `toolang: nothing of the run ${inner} can be approved: it asks nothing at the moment.\n  How it is: toolang show ${inner}\n`,
    );
    expect((await go('approve', id)).code).toBe(0);
  });
});
