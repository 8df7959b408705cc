/** Lines of runs on terminals, also narrow ones: none is wider, but for commands and paths, which can be pasted. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../text/index.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

const long = 'publish-what-was-written-by-all-of-them-and-checked-by-nobody-so-far';
const title = '发布这个关于持久代理的草稿吗？🎉👩‍👩‍👧 Publish this draft about agents which survive everything?';
const code = (id: string, js: string, more = '', margin = '  ') =>
  `${margin}- id: ${id}\n${margin}  run: ${JSON.stringify(js)}\n${margin}  output: string\n${more}`;
const flow = `name: 関係者全員で書いた長い名前のワークフローのことについて書いた文章を公開するかどうかを決める作業
input:
  topic: string
steps[4]:
${code('facts', "return 'x'", `    skipIf: "{input.topic} == 'tea'"\n`)}  - kind: sequence
    children[2]:
      - kind: approval
        id: ${long}
        request:
          title: ${JSON.stringify(title)}
          summary: ${JSON.stringify(`${title} ${title}`)}
        onDeny: skip
${code(`post-${long}`, "return 'x'", '', '      ')}${code('more', "return '研究'.repeat(50)")}${code('fails', "throw new Error('it is not there, and that is why nothing could be done about it: ' + '研究'.repeat(40))")}`;

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('flow.toon', flow);
});
afterEach(() => s.remove());

function linesOf({ out, err }: Ran): string[] {
  // What is drawn over is not there any more.
  const shown = `${err}\n${out}`.split('\n').map((line) => line.split('\r\x1b[K').at(-1) ?? '');
  return shown.filter((line) => !/^ +(?:[A-Z][\w ]+: )?toolang /.test(line));
}

describe.each([40, 80])('on a terminal of %i columns', (columns) => {
  const go = async (...words: string[]): Promise<Ran> => {
    const ran = await s.cli(words, { env: { USER: 'ana' }, shown: true, columns });
    for (const line of linesOf(ran)) expect.soft(displayWidth(line), line).toBeLessThanOrEqual(columns);
    return ran;
  };

  it('no line is wider, whatever happens in a run', async () => {
    const started = await go('run', 'flow.toon', '--input', 'topic=tea');
    expect(started.code).toBe(3);
    const id = / · run (\w+)/.exec(started.err)?.[1] ?? '';
    expect(started.err).toMatch(/^ {2}– facts +skipped: skipIf/m);
    await go('show', id);
    await go('runs');
    await go('approve', id, 'nowhere');
    const note = 'not now, and not later either, because it would take far too long for all of us';
    const denied = await go('deny', id, '--note', note);
    expect(denied.code).toBe(1);
    expect(denied.err).toMatch(/^ {2}– post-publish.* {2}skipped: pub/m);
    await go('show', id);
    await go('runs');
    await go('watch', id);
    await go('resume', id);
    s.write(
      'flow.toon',
      flow.replace('topic: string', 'topic: string\n  more: string?').replace('prompt: "', 'prompt: "Please: '),
    );
    await go('resume', id, '--yes');
    await go('resume', id, '--dry-run');
    await go('retry', id, '--yes');
    await go('why', id);
    await go('show', id);
    s.write('flow.toon', flow);
    await go('deny', id);
    const second = await go('run', 'flow.toon', '--input', 'topic=tea');
    await go('cancel', / · run (\w+)/.exec(second.err)?.[1] ?? '', '--reason', note);
    await go('show', / · run (\w+)/.exec(second.err)?.[1] ?? '');
  });

  it('what is wrong with a file or with the input is broken at blanks', async () => {
    s.write('bad.toon', flow.replace('topic: string', 'topik: string'));
    expect((await go('check', 'bad.toon')).code).toBe(2);
    expect((await go('run', 'flow.toon')).err).toMatch(/must\s+be\s+string/);
    await go('show', 'x'.repeat(100));
  });
});

it('where there is no terminal sentences stay in one line, for who searches a log', async () => {
  const started = await s.cli(['run', 'flow.toon', '--input', 'topic=tea'], { env: { USER: 'ana' } });
  const id = / · run (\w+)/.exec(started.err)?.[1] ?? '';
  rmSync(s.at('flow.toon'));
  const resumed = await s.cli(['resume', id]);
  expect(resumed.err).toContain('  note  flow.toon is gone: the run goes on with the stored text\n');
  const denied = await s.cli(['deny', id], { env: { USER: 'ana' } });
  expect(denied.err).toContain(`nothing could be done about it: ${'研究'.repeat(40)}`);
  const answered = denied.err.split('\n').slice(0, 4);
  for (const line of answered) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  expect(answered[1]).toMatch(/^ {2}denied {2}publish-what/);
});
