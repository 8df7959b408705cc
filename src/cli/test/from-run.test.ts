/** Cases that are made of runs: they pass at once, and a changed prompt fails them, with the line that changed. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workflowFiles } from '../project/workflow-files.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const env = { USER: 'ana', PATH: process.env.PATH ?? '' };
const go = (...words: string[]): Promise<Ran> => s.cli(words, { env });
const idIn = ({ err }: Ran) => / · run (\w+)/.exec(err)?.[1] ?? '';

describe('of a workflow', () => {
  beforeEach(() => {
    for (const { name, text } of workflowFiles('release')) s.write(name, text);
  });

  it('with loops, an approval and its note: it passes at once, without the script', async () => {
    const id = idIn(await go('run', 'release.toon', '--input', 'topic=durable agents'));
    expect((await go('approve', id, '--note', 'fine')).code).toBe(0);
    const made = await go('test', '--from', id);
    expect(made.err).toContain(
      `wrote the case "release, as in the run ${id}" into release.test.toon and release.record.toon`,
    );
    expect(made.out).toContain(`✓ release, as in the run ${id}`);
    expect(made.code).toBe(0);
    const text = s.read('release.test.toon');
    expect(text).toContain(
      '    decisions[1]:\n      - for: publish\n        approve: true\n        by: ana\n        note: fine\n',
    );
    expect(text).toContain(
      '    target: ./release.toon\n    input:\n      topic: durable agents\n    recording: ./release.record.toon\n',
    );
    expect(text).toContain('      output:\n        title: durable agents\n');
    expect(text).toContain('      calls[0]:\n      modelCalls: 6\n');
    const ran = await go('test', '--coverage');
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('publish, denied');
  });

  it('a prompt that was changed fails it, and says which line of which request', async () => {
    const id = idIn(await go('run', 'release.toon', '--input', 'topic=bees'));
    expect((await go('test', '--from', id)).code).toBe(0);
    expect(s.read('release.test.toon')).toContain('      waitsFor: publish\n');
    const flow = s.read('release.toon');
    const prompt = /prompt: "([^"]*)"/.exec(flow)?.[1] ?? '';
    s.write('release.toon', flow.replace(prompt, `${prompt} Please.`));
    const ran = await go('test');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('it failed (replay)');
    expect(ran.out).toMatch(
      /The nearest recording, research#1\/model#1, .* at release\.record\.toon:\d+:\d+, differs at line \d+ of the request/,
    );
    expect(ran.out).toContain('Please.');
  });

  it('a second case goes behind the first, and nothing that was written is lost', async () => {
    const first = idIn(await go('run', 'release.toon', '--input', 'topic=bees'));
    const second = idIn(await go('run', 'release.toon', '--input', 'topic=ants'));
    await go('deny', second, '--note', 'no');
    await go('test', '--from', first);
    s.write('release.test.toon', `# Mine.\n${s.read('release.test.toon')}`);
    const made = await go('test', '--from', second);
    expect(made.code).toBe(0);
    const text = s.read('release.test.toon');
    expect(text).toMatch(/^# Mine\.\n/);
    expect(text).toContain('cases[2]:');
    expect(text).toContain('      error:\n        code: denied\n');
    expect((await go('check', 'release.test.toon', 'release.record.toon')).code).toBe(0);
    const ran = await go('test', '--json');
    expect(JSON.parse(ran.out)).toMatchObject({ passed: 2, failed: 0 });
  });

  it('refuses what cannot be told anew, and writes nothing', async () => {
    const id = idIn(await go('run', 'release.toon', '--input', 'topic=bees'));
    const flow = s.read('release.toon');
    s.write('release.toon', flow.replace('id: draft', 'id: sketch').replaceAll('{draft', '{sketch'));
    const before = readdirSync(s.dir).sort();
    const ran = await go('test', '--from', id);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('the run cannot be told anew, so no case was written');
    expect(readdirSync(s.dir).sort()).toEqual(before);
    for (const [words, told] of [
      [['--from', id, '--out', 'x.toon'], '--out: "x.toon" is no name of a test file.'],
      [['--from', 'zzzz'], 'zzzz'],
    ] as const) {
      const refused = await go('test', ...words);
      expect(refused.err).toContain(told);
      expect(refused.code).toBe(2);
    }
  });
});

describe('of a thunk', () => {
  it('with tools of files and of the shell: what the shell said is said again', async () => {
    s.write(
      'helper.too',
      'thunk:\n  models = scripted\n  tools = filesystem, shell\n\nthunk sum(a: Number, b: Number) -> Number:\n  models = scripted\n  user: What is {{a}} and {{b}}?\n',
    );
    s.write('notes.md', 'bees');
    s.write(
      'helper.script.toon',
      'replies[3]:\n  - for: default\n    calls[2]:\n      - tool: filesystem/read\n        args:\n          path: notes.md\n      - tool: shell/run\n        args:\n          command: echo $((6 * 7))\n  - for: default\n    text: "It says bees, and 42."\n  - for: sum\n    json: 5\n',
    );
    const first = await go('helper.too', 'Look', 'around');
    expect(first.code).toBe(0);
    const made = await go('test', '--from', idIn(first));
    expect(made.out + made.err).toContain('wrote the case');
    expect(made.code).toBe(0);
    const text = s.read('helper.test.toon');
    expect(text).toContain('target: "./helper.too#default"\n    input: Look around\n');
    expect(text).toContain(
      '      - tool: shell/run\n        args:\n          command: "echo $((6 * 7))"\n        result: ',
    );
    expect(text).toContain(
      '      calls[2]:\n        - tool: filesystem/read\n          args:\n            path: notes.md\n        - tool: shell/run\n',
    );
    const second = await go('helper.too', 'sum', 'a=2', 'b=3');
    expect((await go('test', '--from', idIn(second))).code).toBe(0);
    expect(s.read('helper.test.toon')).toContain('    with:\n      a: 2\n      b: 3\n');
    expect((await go('test', '--coverage=100')).code).toBe(0);
  });

  it('leaves no secret in the files', async () => {
    const secret = 'sk-live-0123456789abcdef0123';
    s.write('a.too', 'thunk:\n  models = scripted\n');
    s.write('a.script.toon', 'replies[1]:\n  - for: default\n    text: ok\n');
    const told = { ...env, MY_TOKEN: secret };
    const ran = await s.cli(['a.too', `My key is ${secret}`], { env: told });
    const made = await s.cli(['test', '--from', idIn(ran)], { env: told });
    expect(made.code).toBe(0);
    for (const name of ['a.test.toon', 'a.record.toon']) expect(s.read(name)).not.toContain(secret);
    expect(s.read('a.test.toon')).toContain('[redacted MY_TOKEN]');
  });
});
