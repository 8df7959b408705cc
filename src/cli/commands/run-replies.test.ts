/** The replies of a run: which file has them, what is told before anything begins, and that they are kept with it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const go = (words: readonly string[], stdin?: string): Promise<Ran> =>
  s.cli([...words], { env: { USER: 'ana' }, ...(stdin !== undefined && { stdin }) });
const idIn = ({ err }: Ran) => / · run (\w+)/.exec(err)?.[1] ?? '';

const say = (agent: string) => `  - id: say\n    agent: ${agent}\n    prompt: Say it.\n    output: string\n`;
const agents = (type = 'scripted') => `agents:\n  writer:\n    type: ${type}\n`;
const plain = (type?: string) => `name: plain\ninput:\n${agents(type)}steps[1]:\n${say('writer')}`;
/** It asks before it says something. */
const asking = `name: asking\ninput:\n${agents()}steps[2]:\n  - kind: approval\n    id: ok\n    request:\n      title: "ok?"\n${say('writer')}`;
const reply = (answer: string, who = 'say') => `replies[1]:\n  - for: ${who}\n    ${answer}\n`;
const calling = (use: string, file = `./${use}.toon`) =>
  `name: main\nimports:\n  workflows[1]{from,as}:\n    ${file},${use}\ninput:\nsteps[1]:\n  - kind: workflow\n    id: x\n    use: ${use}\n`;

describe('a sub-workflow', () => {
  it('is answered from the script beside its own file, wherever that is', async () => {
    s.write('deep/plain.toon', plain());
    s.write('deep/plain.script.toon', reply('textFrom: ./fine.md'));
    s.write('deep/fine.md', 'fine');
    s.write('between/main.toon', calling('plain', '../deep/plain.toon'));
    s.write('main.toon', calling('main', './between/main.toon'));
    expect(await go(['run', 'main.toon'])).toMatchObject({ code: 0, out: 'fine\n' });
  });

  it('takes replies by the names that its nodes have when it runs by itself', async () => {
    const loop = `  - kind: loop\n    id: polish\n    until: "{say} == 'b'"\n    children[1]:\n${say('writer').replace(/^/gm, '    ').trimEnd()}\n`;
    s.write('loop.toon', `name: loop\ninput:\n${agents()}steps[1]:\n${loop}`);
    s.write('loop.script.toon', 'replies[2]:\n  - for: polish[2]/say\n    text: b\n  - for: say\n    text: a\n');
    s.write('main.toon', calling('loop'));
    for (const file of ['loop.toon', 'main.toon']) {
      expect(await go(['run', file])).toMatchObject({ code: 0, out: 'b\n' });
    }
  });

  it('is answered from the script of the workflow that was run where it has none, and from --script in any case', async () => {
    s.write('plain.toon', plain());
    s.write('main.toon', calling('plain'));
    const none = await go(['run', 'main.toon']);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('"plain.script.toon" does not exist') });
    s.write('main.script.toon', reply('text: of main', 'x/say'));
    expect(await go(['run', 'main.toon'])).toMatchObject({ code: 0, out: 'of main\n' });
    s.write('plain.script.toon', reply('text: its own'));
    expect(await go(['run', 'main.toon'])).toMatchObject({ code: 0, out: 'its own\n' });
    s.write('all.script.toon', reply('text: for all', 'writer'));
    expect(await go(['run', 'main.toon', '--script', 'all.script.toon'])).toMatchObject({ code: 0, out: 'for all\n' });
  });

  it('that asks a program which is not there is told about; only --script answers for it', async () => {
    s.write('plain.toon', plain('kimi'));
    s.write('main.toon', calling('plain'));
    s.write('plain.script.toon', reply('text: stood in'));
    expect(await go(['run', 'main.toon'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'plain.toon:4:3: the agent "writer" is of type kimi, and there is no program "kimi"',
      ),
    });
    const ran = await go(['run', 'main.toon', '--script', 'plain.script.toon']);
    expect(ran).toMatchObject({ code: 0, out: 'stood in\n' });
    expect(ran.err).toContain('model: scripted (plain.script.toon)');
  });
});

describe('before anything begins', () => {
  it('a file of a reply that is missing is told, by check and by run', async () => {
    s.write('plain.toon', plain());
    s.write('plain.script.toon', reply('textFrom: ./nofile.md'));
    const told = 'plain.script.toon:3:15  error TOO7009  "nofile.md" does not exist\n';
    const checked = await go(['check', 'plain.script.toon']);
    expect(checked.code).not.toBe(0);
    expect(checked.out + checked.err).toContain(told);
    const ran = await go(['run', 'plain.toon']);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(told) });
    expect((await go(['runs'])).out).toBe('');
    s.write('nofile.md', 'there');
    expect((await go(['check', 'plain.script.toon'])).code).toBe(0);
    expect(await go(['run', 'plain.toon'])).toMatchObject({ code: 0, out: 'there\n' });
  });

  it('a script that an agent names is looked at, too', async () => {
    s.write('plain.toon', plain('scripted\n    script: own.toon'));
    expect(await go(['run', 'plain.toon'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"own.toon" does not exist'),
    });
  });

  it('a scripted agent of a workflow without a file needs to be told where its replies are', async () => {
    const ran = await go(['run', '-'], plain());
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('is scripted, and no file says its replies') });
  });
});

describe('the replies that a run was begun with', () => {
  it('are kept: a script that is deleted or changed later, and its files, do not matter', async () => {
    s.write('asking.toon', asking);
    s.write('asking.script.toon', reply('textFrom: ./a.md'));
    s.write('a.md', 'as it was');
    const gone = idIn(await go(['run', 'asking.toon']));
    const changed = idIn(await go(['run', 'asking.toon']));
    s.write('a.md', 'as it is');
    s.write('asking.script.toon', reply('text: something else'));
    expect(await go(['approve', changed])).toMatchObject({ code: 0, out: 'as it was\n' });
    for (const name of ['a.md', 'asking.script.toon']) rmSync(join(s.dir, name));
    expect(await go(['approve', gone])).toMatchObject({ code: 0, out: 'as it was\n' });
  });

  it('may come from standard input', async () => {
    s.write('asking.toon', asking);
    s.write('a.md', 'from a pipe');
    const ran = await go(['run', 'asking.toon', '--script', '-'], reply('textFrom: ./a.md'));
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('model: scripted (<stdin>)') });
    expect(await go(['approve', idIn(ran)])).toMatchObject({ code: 0, out: 'from a pipe\n' });
  });

  it('which can be one thing only', async () => {
    s.write('asking.toon', asking);
    expect(await go(['run', '-', '--script', '-'], asking)).toMatchObject({
      code: 2,
      err: expect.stringContaining('standard input is the workflow already'),
    });
    expect(await go(['run', 'asking.toon', '--script', '-', '-i', '-'], reply('text: x'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('standard input is the script already'),
    });
  });
});
