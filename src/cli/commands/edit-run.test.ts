/** A run that goes on otherwise, on the command line: edited, tried again, forked; what is asked, shown and refused. */
import { rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { openSqliteStore } from '../../journal/index.ts';
import { bootId, processStart } from '../../sys/index.ts';
import type { MemoryOptions } from '../memory-context.ts';
import { workflowFiles } from '../project/workflow-files.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const go = (words: readonly string[], options: Partial<MemoryOptions> = {}): Promise<Ran> =>
  s.cli(words, { env: { USER: 'ana' }, ...options });
const idIn = ({ err }: Ran) => / · run (\w+)/.exec(err)?.[1] ?? '';
/** The lines of steps, without what came of them. */
const lines = ({ err }: Ran) =>
  [...err.replace('[Y/n] ', '[Y/n]\n').matchAll(/^ {2}([✓✗⏸=–⊘]) (\S+)/gm)].map(([, mark, name]) => `${mark} ${name}`);

const step = (id: string, js: string, more = '') =>
  `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n${more}`;
const flow = (steps: readonly string[], name = 'flow') =>
  `name: ${name}\ninput:\n  n: number?\nsteps[${steps.length}]:\n${steps.join('')}`;
const a = step('a', 'return "a"');
const b = step('b', 'return a + "b"');
const c = step('c', 'return "c" + (input.n ?? 0)');
const ask = (title: string, more = '') =>
  `  - kind: approval\n    id: ok\n    request:\n      title: ${title}\n${more}`;
const boom = step('boom', 'throw new Error("no luck")');

describe('toolang resume of an edited file', () => {
  it('shows what it means, asks, and goes on', async () => {
    for (const { name, text } of workflowFiles('release')) s.write(name, text);
    const id = idIn(await go(['run', 'release.toon', '-i', 'topic=x']));
    s.write('release.toon', s.read('release.toon').replace('prompt: "Write', 'prompt: "Please write'));
    const said = 'kept 1 · runs again 1 · may run again 4 (if draft changes) · then 2 · at least 168 tokens saved\n';
    const shown = await go(['resume', id], { typed: true, stdin: 'n\n' });
    expect(shown.code).toBe(2);
    expect(shown.err).toContain(`  ${said}    runs again   draft (prompt)\n    may          polish[1]/revise,`);
    expect(shown.err).toMatch(/Go on\? \[Y\/n\] {3}nothing was done\n$/);
    const gone = await go(['resume', id], { typed: true, stdin: '\n' });
    expect(gone.code).toBe(3);
    expect(lines(gone)).toEqual([
      '= research',
      '✓ draft',
      ...[1, 2].flatMap((n) => [`= polish[${n}]/revise`, `= polish[${n}]/review`]),
      '⏸ publish',
    ]);
    const tree = await go(['show', id]);
    expect(tree.out).toContain('  history edited once\n');
    expect(tree.out).toMatch(/^ {2}= research .* kept$/m);
    expect((await go(['graph', id])).out).toMatch(/├─ = research {2}agent writer {2}kept, at most/);
    expect((await go(['logs', id])).out).toMatch(
      / {2}went on with an edited file, with .*\n.*research#1 {2}done \(kept, of 6\)/,
    );
    expect((await go(['approve', id])).code).toBe(0);
  });

  it('does nothing where nobody can be asked, and goes on with --yes', async () => {
    s.write('flow.toon', flow([a, b, c]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('flow.toon', flow([a, b, step('c', 'return "C"')]));
    const refused = await go(['resume', id]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('kept 2 · runs again 1\n    runs again   c (code)\n');
    expect(refused.err).toContain('nobody can be asked here, and nothing was done.\n  To do it unasked: --yes\n');
    expect(await go(['resume', id, '--yes'])).toMatchObject({ code: 0, out: 'C\n' });
  });

  it('only shows with --dry-run, in words and as JSON', async () => {
    s.write('flow.toon', flow([a, b, c]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('flow.toon', flow([step('a', 'return "A"'), b, step('d', 'return String(await sh`date`)')]));
    const { out, code } = await go(['resume', id, '--dry-run']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '  kept 0 · runs again 1 · may run again 1 (if a changes) · new 1 · removed 1',
      '    runs again   a (code)',
      '    may          b (if a changes)',
      '    new          d',
      '    removed      c',
      '    acts outside d (sh)',
      '',
    ]);
    const json = JSON.parse((await go(['resume', id, '--dry-run', '--json'])).out);
    expect(violations(json, 'change.schema.json')).toEqual([]);
    expect(json).toMatchObject({
      why: 'edit',
      same: false,
      change: { again: [{ step: 'a', parts: ['code'] }], new: ['d'], outside: [{ step: 'd', what: 'sh' }] },
    });
    expect((await go(['show', id])).out).not.toContain('edited');
  });

  it('takes what only looks other for the same, and says of a run that has ended how it can go on', async () => {
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('flow.toon', `# A comment.\n\n${flow([a, ask('Go?'), c])}`);
    const same = await go(['resume', id]);
    expect(same.code).toBe(3);
    expect(same.err).not.toContain('kept');
    const dry = await go(['resume', id, '--dry-run', '--json']);
    expect(JSON.parse(dry.out)).toMatchObject({ same: true });
    expect(violations(JSON.parse(dry.out), 'change.schema.json')).toEqual([]);
    await go(['approve', id]);
    const over = await go(['resume', id]);
    expect(over.code).toBe(2);
    expect(over.err).toContain(
      'is done already, and cannot be resumed.\n  To go on, change flow.toon, and resume it\n  or do a part',
    );
    expect((await go(['resume', id, '--as-it-was'])).err).toContain('is done already');
  });

  it('goes on with the stored text by --as-it-was, and where the file is gone', async () => {
    s.write('flow.toon', flow([ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('flow.toon', flow([ask('Really?'), c]));
    expect((await go(['resume', id, '--as-it-was'])).err).toContain('⏸ ok          Go?');
    rmSync(s.at('flow.toon'));
    const gone = await go(['resume', id]);
    expect(gone.err).toContain('  note  flow.toon is gone: the run goes on with the stored text\n');
    expect(gone.code).toBe(3);
    expect((await go(['resume', id, '--keep', '--as-it-was'])).code).toBe(2);
  });

  it('does nothing where the file is there and cannot be read, and says why', async () => {
    s.write('flow.toon', flow([ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('flow.toon', Buffer.from(`${flow([ask('Really?'), c])}# caf\xe9\n`, 'latin1'));
    const latin = await go(['resume', id, '--yes']);
    expect(latin.code).toBe(2);
    expect(latin.err).toContain('is not UTF-8 text');
    expect(latin.err).toContain(
      `nothing was done. To go on with the stored text:\n      toolang resume ${id} --as-it-was\n`,
    );
    rmSync(s.at('flow.toon'));
    s.write('flow.toon/x', '');
    expect(await go(['resume', id])).toMatchObject({ code: 2, err: expect.stringContaining('nothing was done') });
    expect((await go(['resume', id, '--as-it-was'])).code).toBe(3);
  });

  it('says with --dry-run that the file is gone, and never to change one that is', async () => {
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    rmSync(s.at('flow.toon'));
    expect(await go(['resume', id, '--dry-run'])).toEqual({
      code: 0,
      out: '',
      err: '  note  flow.toon is gone: the run goes on with the stored text\n',
    });
    await go(['approve', id]);
    const over = await go(['resume', id]);
    expect(over.err).toContain('cannot be resumed.\n  To do a part again: toolang fork');
    expect(over.err).not.toContain('change flow.toon');
  });

  it('shows nothing of a run that somebody drives: exit 1, as for all that would go on with it', async () => {
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    const root = JSON.parse((await go(['runs', '--json'])).out).runs[0].run;
    const store = openSqliteStore(s.at('.toolang/runs.db'));
    const me = { host: hostname(), boot: bootId(), pid: process.pid, started: processStart(process.pid) ?? '' };
    const from = store.lease(root)?.epoch;
    store.write((w) => {
      w.takeLease(root, me, from, Date.now());
      w.updateRun(root, { status: 'running', waiting: [] });
    });
    store.close();
    s.write('flow.toon', flow([b.replace('a + ', ''), ask('Go?'), c]));
    for (const words of [['resume', '--dry-run'], ['resume', '--dry-run', '--json'], ['resume', '--yes'], ['retry']]) {
      const [verb = '', ...flags] = words;
      const ran = await go([verb, id, ...flags]);
      expect([words, ran]).toEqual([words, expect.objectContaining({ code: 1, out: '' })]);
      expect(ran.err).toContain(`the run ${id} is driven by the process ${process.pid} on `);
    }
  });

  it('plans nothing where no file is another, and sees every one that is', async () => {
    const counted = `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(s.at('loads'))}, '.');\n`;
    s.write('lib.mjs', 'export const word = "w";\n');
    s.write(
      'p.mjs',
      `${counted}import { word } from './lib.mjs';\nexport const p = () => ({ functions: { say: () => word } });\n`,
    );
    const imports = 'imports:\n  plugins[1]{from,use}:\n    ./p.mjs,p\n';
    s.write('flow.toon', flow([ask('Go?'), step('h', 'return say()')]).replace('input:', `${imports}input:`));
    const saved = statSync(s.at('flow.toon')).ctimeMs;
    // A file that was saved in this moment may be another than the one that was read.
    while (Date.now() < saved + 100) await new Promise((done) => setTimeout(done, 5));
    const id = idIn(await go(['run', 'flow.toon']));
    const loads = () => s.read('loads').length;
    const before = loads();
    expect((await go(['resume', id])).code).toBe(3);
    expect(loads()).toBe(before);
    s.write('flow.toon', `# A comment.\n${s.read('flow.toon')}`);
    expect((await go(['resume', id])).code).toBe(3);
    expect(loads()).toBe(before + 1);
    s.write('lib.mjs', 'export const word = "v";\n');
    expect((await go(['resume', id])).err).toContain('was edited');
    rmSync(s.at('lib.mjs'));
    expect((await go(['resume', id])).code).toBe(2);
  });

  it('refuses a file with errors, and another workflow, and an input that does not fit', async () => {
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon', '-i', 'n=1']));
    s.write('flow.toon', flow([a, ask('Go?'), step('c', 'return dd')]));
    const wrong = await go(['resume', id, '--yes']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/flow\.toon:\d+:\d+ {2}error TOO3307/);
    expect(wrong.err).toContain(`toolang resume ${id} --as-it-was\n`);
    s.write('flow.toon', flow([a, ask('Go?'), c], 'other'));
    const other = await go(['resume', id, '--yes']);
    expect(other.code).toBe(2);
    expect(other.err).toContain('flow.toon holds the workflow "other" now, and the run is one of "flow"');
    s.write('flow.toon', flow([a, ask('Go?'), c]).replace('n: number?', 'n: string'));
    const misfit = await go(['resume', id, '--yes']);
    expect(misfit.code).toBe(2);
    expect(misfit.err).toContain('what the run was given does not fit flow.toon any more: "n"');
    expect((await go(['show', id])).out).not.toContain('edited');
  });

  it('keeps what fits by --keep', async () => {
    s.write('flow.toon', flow([a, b, c]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('flow.toon', flow([step('a', 'return "A"'), b, c]));
    const kept = await go(['resume', id, '--keep', '--yes']);
    expect(kept.code).toBe(0);
    expect(lines(kept)).toEqual(['= a', '= b', '= c']);
    expect((await go(['why', id, 'a'])).out).toContain('was kept by --keep, although its code was changed');
  });

  it('sees a changed handler, and counts many that are kept', async () => {
    const many = Array.from({ length: 12 }, (_, i) => step(`s${i}`, `return "${i}"`));
    const handled = '  - id: h\n    handler: ./h.mjs\n    output: string\n';
    s.write('h.mjs', "import { word } from './word.mjs';\nexport default () => word;\n");
    s.write('word.mjs', 'export const word = "one";\n');
    s.write('flow.toon', flow([...many, handled]));
    const id = idIn(await go(['run', 'flow.toon']));
    s.write('word.mjs', 'export const word = "two";\n');
    const ran = await go(['resume', id, '--yes']);
    expect(ran.out).toBe('two\n');
    expect(ran.err).toContain('    acts outside h (handler)\n');
    expect(ran.err).toContain('\n  = kept 12\n  ✓ h ');
    expect((await go(['why', id, 'h'])).out).toContain(
      'ran again: its handler, or a file that this imports, was changed',
    );
    s.write('flow.toon', flow([step('first', 'return "1"'), ...many, handled]));
    const last = await go(['resume', id, '--yes']);
    expect(last.err).toMatch(/\n {2}✓ first .*\n {2}= kept 13\n {2}done/);
  });

  it('sees what the file is made of: prompts from files, imported parts, sub-workflows', async () => {
    const agents = 'agents:\n  w:\n    type: scripted\n';
    const say = (id: string, from: string) => `  - id: ${id}\n    agent: w\n    ${from}\n    output: string\n`;
    s.write('p.md', 'One.\nTwo {input.n}.\n');
    s.write('sub.toon', `name: sub\ninput:\n${agents}steps[2]:\n${say('x', 'prompt: X.')}${say('y', 'prompt: Y.')}`);
    s.write(
      'main.toon',
      `name: main\nimports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\ninput:\n  n: number?\n${agents}steps[2]:\n${say('p', 'promptFrom: ./p.md')}  - kind: workflow\n    id: call\n    use: sub\n`,
    );
    const replies = (names: readonly string[]) =>
      `replies[${names.length}]:\n${names.map((name) => `  - for: ${name}\n    text: ${name}\n`).join('')}`;
    s.write('main.script.toon', replies(['p']));
    s.write('sub.script.toon', replies(['x', 'y']));
    const ran = await go(['run', 'main.toon']);
    expect(ran).toMatchObject({ code: 0, out: 'y\n' });
    const id = idIn(ran);
    s.write('p.md', 'One.\nThree {input.n}.\n');
    const first = await go(['resume', id, '--yes']);
    expect(lines(first)).toEqual(['✓ p', '= call/x', '= call/y', '= call']);
    expect((await go(['why', id, 'p'])).out).toContain(
      '    - p.md:2  Two {input.n}.\n    + p.md:2  Three {input.n}.\n',
    );
    s.write('sub.toon', s.read('sub.toon').replace('Y.', 'Y!'));
    const second = await go(['resume', id, '--yes']);
    expect(lines(second)).toEqual(['= p', '= call/x', '✓ call/y', '✓ call']);
    expect((await go(['why', id, 'y'])).out).toMatch(/call\/y .*\n {2}ran again: its prompt was changed\n/);
    s.write('sub.toon', 'name: sub\n');
    const wrong = await go(['resume', id, '--yes']);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('main.toon:4:5  error TOO4264') });
  });

  it('says of a denial that it stays', async () => {
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    await go(['deny', id]);
    s.write('flow.toon', flow([step('a', 'return "A"'), ask('Go?'), c]));
    const ran = await go(['resume', id, '--yes']);
    expect(ran.err).toContain(`    stays denied ok\n    to be asked again:\n      toolang retry ${id}\n`);
    expect(ran.code).toBe(1);
  });
});

describe('toolang retry', () => {
  it('does again what failed, and asks again what was denied', async () => {
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    await go(['deny', id]);
    const same = await go(['resume', id]);
    expect(same.err).toContain(`  To try again: toolang retry ${id}\n  or change flow.toon, and resume it\n`);
    const again = await go(['retry', id]);
    expect(again.code).toBe(3);
    expect(again.err).toContain(
      'kept 1 · runs again 1 · then 1\n    runs again   ok (it did not succeed)\n    then         c\n',
    );
    expect(lines(again)).toEqual(['= a', '⏸ ok']);
    expect((await go(['why', id, 'ok'])).out).toContain('waits for a person, as it was denied before: "Go?"');
    // What is asked now is open, whatever was said before.
    s.write('flow.toon', flow([step('a', 'return "A"'), ask('Go?'), c]));
    expect((await go(['resume', id, '--dry-run'])).out).toBe(
      '  kept 0 · runs again 1 · then 2\n    runs again   a (code)\n    then         ok (had not ended), c\n',
    );
    s.write('flow.toon', flow([a, ask('Go?'), c]));
    expect(await go(['approve', id])).toMatchObject({ code: 0, out: 'c0\n' });
    expect((await go(['show', id])).out).toContain('  history tried again once\n');
  });

  it('goes on with a run that failed', async () => {
    const flaky = step(
      'once',
      "const { existsSync } = await import('node:fs'); if (!existsSync('there')) throw new Error('not there'); return 'x'",
    );
    s.write('flow.toon', flow([a, flaky, c]));
    const ran = await go(['run', 'flow.toon']);
    expect(ran.code).toBe(1);
    const id = idIn(ran);
    s.write('there', '');
    const again = await go(['retry', id]);
    expect(again).toMatchObject({ code: 0, out: 'c0\n' });
    expect(lines(again)).toEqual(['= a', '✓ once', '✓ c']);
    expect((await go(['why', id, 'once'])).out).toContain('ran again: it had failed');
  });

  it('takes the replies that are there now', async () => {
    s.write(
      'm.toon',
      'name: m\ninput:\nagents:\n  w:\n    type: scripted\nsteps[1]:\n  - id: say\n    agent: w\n    prompt: Say.\n    output: string\n',
    );
    s.write('m.script.toon', 'replies[1]:\n  - for: other\n    text: x\n');
    const id = idIn(await go(['run', 'm.toon']));
    s.write('m.script.toon', 'replies[1]:\n  - for: say\n    text: said\n');
    expect(await go(['retry', id])).toMatchObject({ code: 0, out: 'said\n' });
  });

  it('refuses a run that is done, waits or was left, with the command that helps', async () => {
    s.write('flow.toon', flow([a]));
    const done = idIn(await go(['run', 'flow.toon']));
    const refused = await go(['retry', done]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('is done: nothing in it failed.');
    expect(refused.err).toContain(`toolang fork ${done} --from STEP`);
    s.write('flow.toon', flow([ask('Go?')]));
    const waits = idIn(await go(['run', 'flow.toon']));
    const asked = await go(['retry', waits]);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('has not failed: it waits for an answer.\n') });
    expect(asked.err).toContain(`toolang approve ${waits}`);
  });
});

describe('toolang fork', () => {
  it('shares what was done before a step, and leaves the other run as it is', async () => {
    s.write('flow.toon', flow([a, b, c]));
    const id = idIn(await go(['run', 'flow.toon', '-i', 'n=1']));
    const ran = await go(['fork', id, '--from', 'b']);
    expect(ran).toMatchObject({ code: 0, out: 'c1\n' });
    expect(ran.err).toMatch(/flow · run \w+ {2}fork of \w+ from b\n/);
    expect(lines(ran)).toEqual(['= a', '✓ b', '✓ c']);
    const fork = idIn(ran);
    for (const words of [['show', fork], ['runs']]) {
      const json = JSON.parse((await go([...words, '--json'])).out);
      expect(violations(json, `${words[0]}.schema.json`)).toEqual([]);
    }
    expect((await go(['show', fork])).out).toMatch(/ {2}history fork of \w+ from b\n/);
    expect((await go(['show', id])).out).not.toContain('fork');
    expect((await go(['why', fork, 'b'])).out).toContain('ran again: the fork begins here');
    expect((await go(['why', fork, 'c'])).out).toContain('ran again: the fork begins at b');
  });

  it('takes another input, and does again what reads it', async () => {
    s.write('flow.toon', flow([a, b, c]));
    const id = idIn(await go(['run', 'flow.toon', '-i', 'n=1']));
    const ran = await go(['fork', id, '--input', 'n=2']);
    expect(ran).toMatchObject({ code: 0, out: 'c2\n' });
    expect(lines(ran)).toEqual(['= a', '= b', '✓ c']);
    const why = (await go(['why', idIn(ran), 'c'])).out;
    expect(why).toContain('ran again: input.n is another value now\n');
    expect(why).toContain('    - 1\n    + 2\n');
    const wrong = await go(['fork', id, '--input', 'm=2']);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('"m" is not a field of the input') });
  });

  it('takes another model', async () => {
    writeScripted();
    const id = idIn(await go(['run', 'release.toon', '-i', 'topic=x']));
    const ran = await go(['fork', id, '--model', 'writer=other']);
    expect(ran.code).toBe(3);
    expect(lines(ran)[0]).toBe('✓ research');
    expect((await go(['why', idIn(ran), 'research'])).out).toMatch(
      /agent\n {4}- release\.toon:\d+ {2}no model\n {4}\+ .*model: "other"/,
    );
    const round = await go(['fork', id, '--from', 'polish[2]']);
    expect(lines(round).slice(3, 5)).toEqual(['= polish[1]/review', '✓ polish[2]/revise']);
    expect(round.err).toContain(' from polish[2]/revise\n');
    expect(lines(await go(['fork', id, '--from', 'polish'])).slice(1, 3)).toEqual(['= draft', '✓ polish[1]/revise']);
    // By its id alone it is the first that was begun, as `why` finds it.
    expect((await go(['fork', id, '--from', 'review'])).err).toContain(' from polish[1]/review\n');
    expect((await go(['fork', id, '--from', 'drft'])).err).toContain(
      'Did you mean "draft"?\n  Those that it has begun: research, draft, polish[1]/revise,',
    );
    const wrong = await go(['fork', id, '--model', 'writr=other']);
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('no agent "writr" with a model. Did you mean "writer"?'),
    });
  });

  it('keeps the model that was chosen, whatever goes on with the fork', async () => {
    writeScripted();
    const id = idIn(await go(['run', 'release.toon', '-i', 'topic=x']));
    const fork = idIn(await go(['fork', id, '--model', 'other']));
    const same = await go(['resume', fork]);
    expect(same.code).toBe(3);
    expect(same.err).not.toContain('edited');
    s.write('release.toon', s.read('release.toon').replace('prompt: "Write', 'prompt: "Please write'));
    const edited = await go(['resume', fork, '--yes']);
    expect(edited.err).toContain('kept 1 · runs again 1 ');
    expect(lines(edited).slice(0, 2)).toEqual(['= research', '✓ draft']);
    // Of the fork of a fork both count, and the last for each agent.
    const again = idIn(await go(['fork', fork, '--from', 'draft', '--model', 'writer=third']));
    const agents = JSON.parse(
      (await go(['logs', again, '--json'])).out
        .trimEnd()
        .split('\n')
        .findLast((line) => line.includes('segment.opened')) ?? '',
    );
    expect(agents.body.models).toMatchObject({ writer: 'third' });
    s.write('release.toon', s.read('release.toon').replaceAll(/\bwriter\b/g, 'author'));
    expect((await go(['resume', again, '--yes'])).err).toMatch(/\n {2}kept \d+ · then 2 /);
  });

  it('refuses a step that was not begun, and a fork that changes nothing', async () => {
    s.write('flow.toon', flow([a, b, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    const unknown = await go(['fork', id, '--from', 'bb']);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('has begun no step "bb". Did you mean "b"?\n  Those that it has begun: a, b, ok\n');
    expect((await go(['fork', id, '--from', 'c'])).err).toContain('has begun no step "c".');
    expect(await go(['fork', id])).toMatchObject({ code: 2, err: expect.stringContaining('--from STEP, --input') });
    expect((await go(['runs', '--json'])).out.match(/"run"/g)).toHaveLength(1);
  });
});

describe('toolang why', () => {
  it('says of each step why it is as it is, in words and as JSON', async () => {
    const skipped = step('s', 'return "s"', '    skipIf: "{1 == 1}"\n');
    s.write('flow.toon', flow([a, b, skipped, ask('Go?'), c]));
    const id = idIn(await go(['run', 'flow.toon']));
    const first = (await go(['why', id])).out;
    expect(first).toContain('  ✓ a   ran for the first time\n');
    s.write('flow.toon', flow([step('a', 'return "A"'), b, skipped, ask('Go?'), c]));
    await go(['resume', id, '--yes']);
    const { out } = await go(['why', id]);
    expect(out.split('\n').slice(1)).toEqual([
      '  ✓ a   ran again: its code was changed',
      '  ✓ b   ran again: a is another value now',
      '  – s   was left out: skipIf was true',
      '  ⏸ ok  waits for a person: "Go?"',
      `      toolang approve ${id}`,
      `      toolang deny ${id}`,
      '  · c   was not reached yet: ok comes before it',
      '',
    ]);
    expect((await go(['why', id, 'b'])).out).toContain('    a was, and is\n    - "a"\n    + "A"\n');
    const json = JSON.parse((await go(['why', id, '--json'])).out);
    expect(violations(json, 'why.schema.json')).toEqual([]);
    expect(json).toMatchObject({
      status: 'waiting',
      segment: { why: 'edit' },
      steps: [{ name: 'a', verdict: 'again' }, {}, {}, {}, {}],
    });
    const unknown = await go(['why', id, 'okk']);
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('has no step "okk". Did you mean "ok"?') });
  });

  it('knows a step of a component by its name, by its path, and by its whole id', async () => {
    const inner = step('"{id}-x"', 'return "x"').replace(/^(?=.)/gm, '    ');
    const components = `components:\n  C:\n    params:\n    steps[1]:\n${inner}`;
    s.write('flow.toon', `${components}${flow(['  - kind: component\n    id: u\n    use: C\n'])}`);
    const id = idIn(await go(['run', 'flow.toon']));
    for (const name of ['u/x', 'x', 'u-x']) expect((await go(['why', id, name])).out).toMatch(/^✓ u\/x /);
    expect((await go(['fork', id, '--from', 'u-x'])).err).toContain(`fork of ${id} from u/x`);
  });

  it('says of a run at its limit how much more may be spent', async () => {
    s.write('.toolang/config.toml', '[limits]\nusd = 0.01\n');
    s.write(
      'm.toon',
      'name: m\ninput:\nagents:\n  w:\n    type: scripted\nsteps[1]:\n  - id: say\n    agent: w\n    prompt: Say.\n    output: string\n',
    );
    s.write('m.script.toon', 'replies[1]:\n  - for: say\n    text: said\n    price: 5\n');
    const id = idIn(await go(['run', 'm.toon']));
    const { out } = await go(['why', id]);
    expect(out).toMatch(/ {2}⏸ say {2}waits for more to be spent\n {2}⏸ the run waits: .*limit/);
    expect(out).toContain(`      toolang answer ${id} --add `);
    expect(violations(JSON.parse((await go(['why', id, '--json'])).out), 'why.schema.json')).toEqual([]);
  });

  it('names the step that others were not reached for', async () => {
    s.write('flow.toon', flow([a, boom, c]));
    const id = idIn(await go(['run', 'flow.toon']));
    expect((await go(['why', id])).out).toContain('  · c     was not reached: boom failed before\n');
  });
});

/** Its agents say themselves which model they ask. */
function writeScripted(): void {
  for (const { name, text } of workflowFiles('release')) s.write(name, text);
  const review = '        output:\n          approved: boolean\n          feedback: string\n';
  const text = s
    .read('release.toon')
    .replaceAll(/type: too\n {4}use: .*/g, 'type: scripted')
    .replace(/(?<=agent: critic\n.*\n)/, review);
  s.write('release.toon', text);
}
