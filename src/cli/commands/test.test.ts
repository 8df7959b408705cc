/** `toolang test`: what passes and what fails, where that is told, and that nothing of the user's is touched. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StopSignal } from '../context.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const go = (...words: string[]): Promise<Ran> => s.cli(words, { env: { USER: 'ana', PATH: process.env.PATH ?? '' } });
/** Times are others each time. */
const still = (text: string) => text.replace(/ {2}\d+\.\d+s$/gm, '  T').replace(/in \d+\.\d+s/, 'in T');

const greet = `name: greet
input:
  who: string
agents:
  writer:
    type: scripted
steps[2]:
  - id: draft
    agent: writer
    prompt: "Greet {input.who}"
    output:
      text: string
      words: number
  - id: result
    run: "return { said: draft.text, to: input.who }"
    output:
      said: string
      to: string
`;

const replies = `replies[1]:
  - for: draft
    json:
      text: "Hello, Ada!"
      words: 2
`;

const suite = (cases: string, n = 1) => `target: ./greet.toon\ncases[${n}]:\n${cases}`;
const one = (expected: string) => suite(`  - name: greets\n    input:\n      who: Ada\n${expected}`);

function project(cases: string): void {
  s.write('greet.toon', greet);
  s.write('greet.script.toon', replies);
  s.write('greet.test.toon', cases);
}

describe('what passes and what fails', () => {
  it('tells a line for each case, and all of them in the end', async () => {
    project(
      one(
        '    expect:\n      output:\n        said: "Hello, Ada!"\n        to: Ada\n      modelCalls: 1\n      calls[0]:\n',
      ),
    );
    const ran = await go('test');
    expect(still(ran.out)).toBe('greet.test.toon\n  ✓ greets  T\n');
    expect(still(ran.err)).toBe('1 passed of 1 case in T\n');
    expect(ran.code).toBe(0);
  });

  it.each([
    [
      'an output that is another, at its place',
      'output:\n        said: "Hello, Eve!"\n        to: Ada',
      ['greet.test.toon:8:15  output.said is another', 'expected: "Hello, Eve!"', 'got:      "Hello, Ada!"'],
    ],
    [
      'a field that is missing',
      'outputHas:\n        said: "Hello, Ada!"\n        mood: fine',
      ['greet.test.toon:9:9  output.mood is missing', 'expected: "fine"'],
    ],
    ['a field that was not expected', 'output:\n        to: Ada\n        said: "Hello, Ada!"', []],
    [
      'the result of a step',
      'steps:\n        draft:\n          text: "Hello, Ada!"\n          words: 3',
      ['greet.test.toon:10:18  draft.words is another', 'expected: 3', 'got:      2'],
    ],
    [
      'a step that there is not',
      'steps:\n        drafts: 1',
      ['greet.test.toon:8:9  there is no step "drafts". Did you mean "draft"?'],
    ],
    [
      'a condition that does not hold, with what it reads',
      'assert[1]: "{output.said.length} > 100 && {steps.draft.words} == 2"',
      ['greet.test.toon:7:18  this does not hold', 'output.said: "Hello, Ada!"', 'steps.draft.words: 2'],
    ],
    [
      'calls that are not made',
      'calls[1]:\n        - tool: filesystem/read',
      ['greet.test.toon:8:17  call 1 was not made', 'It called no tool.'],
    ],
    [
      'another number of calls of models',
      'modelCalls: 2',
      ['greet.test.toon:7:19  models are called another number of times', 'expected: 2', 'got:      1'],
    ],
    ['an error that does not come', 'error: denied', ['greet.test.toon:7:7  it did not fail: it is done']],
    [
      'a question that nobody asks',
      'waitsFor: draft',
      ['greet.test.toon:7:17  it does not wait for "draft": it is done.'],
    ],
  ])('%s', async (_, expected, told) => {
    project(one(`    expect:\n      ${expected}\n`));
    const ran = await go('test');
    for (const line of told) expect(ran.out).toContain(line);
    expect(ran.code).toBe(told.length === 0 ? 0 : 1);
  });

  it('a field that nobody expected is told too', async () => {
    const loose = greet.replace('      said: string\n', '      said: string?\n');
    project(one('    expect:\n      output:\n        to: Ada\n'));
    s.write('greet.toon', loose);
    const ran = await go('test');
    expect(ran.out).toContain('greet.test.toon:8:9  output.said was not expected');
    expect(ran.code).toBe(1);
  });

  it('of texts with several lines the first line that differs', async () => {
    s.write(
      't.toon',
      `name: t\ninput:\nsteps[1]:\n  - id: a\n    run: "return 'one\\\\ntwo\\\\nthree'"\n    output: string\n`,
    );
    s.write(
      't.test.toon',
      `cases[1]:\n  - name: lines\n    target: ./t.toon\n    expect:\n      output: "one\\n2\\nthree"\n`,
    );
    const ran = await go('test');
    expect(ran.out).toContain('expected: "2" (line 2)\n        got:      "two"');
  });

  it('an output is held against a JSON Schema, with its limits', async () => {
    project(one('    expect:\n      schema: ./out.schema.json\n'));
    const schema = (minLength: number) =>
      JSON.stringify({ type: 'object', properties: { said: { type: 'string', minLength } }, required: ['said'] });
    s.write('out.schema.json', schema(5));
    expect((await go('test')).code).toBe(0);
    s.write('out.schema.json', schema(50));
    const ran = await go('test');
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/greet\.test\.toon:7:15 {2}output: .*said/);
    s.write('out.schema.json', 'no JSON');
    expect((await go('test')).out).toContain('./out.schema.json is no JSON Schema');
  });

  it('a run that fails is told with its cause, and may be expected to', async () => {
    const fails = `name: f\ninput:\nsteps[1]:\n  - id: a\n    run: "throw new Error('the bridge is out')"\n    output: string\n`;
    s.write('f.toon', fails);
    const cases = (more: string) => `cases[1]:\n  - name: fails\n    target: ./f.toon\n${more}`;
    s.write('f.test.toon', cases(''));
    const ran = await go('test');
    expect(ran.out).toContain('f.test.toon:2:11  it failed (code)');
    expect(ran.out).toContain('the bridge is out');
    s.write('f.test.toon', cases('    expect:\n      error: bridge\n'));
    expect((await go('test')).code).toBe(0);
    s.write('f.test.toon', cases('    expect:\n      error:\n        code: denied\n        message: ferry\n'));
    const other = await go('test');
    expect(other.out).toContain('f.test.toon:6:15  it failed with another code');
    expect(other.out).toContain('f.test.toon:7:18  it failed with other words');
  });

  it('replies in the case answer for models of providers, and what they lack is told at their place', async () => {
    const asks = greet.replace('type: scripted', 'type: anthropic\n    model: claude-sonnet-4-5');
    s.write('greet.toon', asks);
    const inline = '    replies[1]:\n      - for: draft\n        json:\n          text: Hi\n          words: 1\n';
    s.write('greet.test.toon', one(`${inline}    expect:\n      output:\n        said: Hi\n        to: Ada\n`));
    expect((await go('test')).code).toBe(0);
    s.write('greet.test.toon', one(inline.replace('words: 1', 'words: many')));
    expect((await go('test')).out).toContain('no reply is left for "draft" in greet.test.toon: its only one is taken.');
    // Without them nobody is asked, whoever has a key.
    s.write('greet.test.toon', one(''));
    const ran = await s.cli(['test'], {
      env: { ANTHROPIC_API_KEY: 'sk-ant-0123456789abcdef0123', PATH: process.env.PATH ?? '' },
    });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('the agent "writer" (anthropic) would ask a model of a provider, and tests ask none');
    expect(ran.out).toContain('Give the case "script", "replies" or "recording"');
  });
});

describe('people and tools', () => {
  const asks = `name: asks
input:
steps[2]:
  - kind: approval
    id: publish
    request:
      title: Publish?
    onDeny: continue
  - id: result
    run: "return publish.approved ? 'out by ' + publish.decidedBy : 'kept: ' + publish.note"
    output: string
`;
  const cases = (more: string, n = 1) => `target: ./asks.toon\ncases[${n}]:\n${more}`;

  it('decisions are what people say; what is asked and not answered is told with what to add', async () => {
    s.write('asks.toon', asks);
    s.write(
      'asks.test.toon',
      cases(
        '  - name: yes\n    decisions[1]:\n      - for: publish\n        approve: true\n        by: bo\n    expect:\n      output: out by bo\n  - name: no\n    decisions[1]:\n      - for: publish\n        approve: false\n        note: later\n    expect:\n      output: "kept: later"\n',
        2,
      ),
    );
    expect(still((await go('test', '--coverage=100')).out)).toContain('✓ yes  T\n  ✓ no  T\n');
    s.write('asks.test.toon', cases('  - name: forgotten\n'));
    const ran = await go('test', '--coverage');
    expect(ran.out).toContain('asks.test.toon:3:11  it waits for a decision: "publish" asks "Publish?"');
    expect(ran.out).toContain('  - for: publish\n            approve: true');
    expect(ran.out).toContain('publish, approved');
    expect(ran.out).toContain('publish, denied');
    expect(ran.code).toBe(1);
    s.write('asks.test.toon', cases('  - name: waits\n    expect:\n      waitsFor: publish\n'));
    expect((await go('test')).code).toBe(0);
  });

  const agent = `thunk:\n  models = scripted\n  tools = filesystem, shell\n`;
  const calls = (tool: string, args: string, text = 'done') =>
    `    replies[2]:\n      - for: default\n        calls[1]:\n          - tool: ${tool}\n            args:\n              ${args}\n      - for: default\n        text: ${text}\n`;

  it('tools work in a copy: nothing of the user changes, and the copy is gone afterwards', async () => {
    s.write('a.too', agent);
    s.write('notes.md', 'mine');
    s.write(
      'a.test.toon',
      `target: ./a.too\ncases[1]:\n  - name: writes\n    input: go\n    replies[3]:\n      - for: default\n        calls[1]:\n          - tool: filesystem/write\n            args:\n              path: notes.md\n              content: theirs\n      - for: default\n        calls[1]:\n          - tool: filesystem/read\n            args:\n              path: notes.md\n      - for: default\n        text: done\n    expect:\n      output: done\n      calls[2]:\n        - tool: filesystem/write\n          args:\n            path: "*.md"\n            content: theirs\n        - tool: filesystem/read\n          step: default\n      neverCalls: shell\n      assert[1]: "{calls.length} == 2 && {calls[0].status} == 'done'"\n`,
    );
    const before = readdirSync(s.dir).sort();
    const ran = await go('test', '--coverage=100');
    expect(ran.out).toContain('✓ writes');
    expect(ran.code).toBe(0);
    expect(s.read('notes.md')).toBe('mine');
    expect(readdirSync(s.dir).sort()).toEqual(before);
    expect(readdirSync(s.home)).toEqual([]);
  });

  it('what reaches beyond the copy needs an answer in the case; without one the case fails, and says what to write', async () => {
    s.write('a.too', agent);
    const shell = calls('shell/run', 'command: touch made');
    s.write('a.test.toon', `target: ./a.too\ncases[1]:\n  - name: runs\n    input: go\n${shell}`);
    const ran = await go('test');
    expect(ran.out).toContain('it called shell/run, which reaches beyond the copy');
    expect(ran.out).toContain(
      '  - tool: shell/run\n            args:\n              command: touch made\n            result: "…"',
    );
    expect(ran.code).toBe(1);
    const answered = `    tools[1]:\n      - tool: shell/run\n        args:\n          command: "touch *"\n        result: made\n`;
    s.write(
      'a.test.toon',
      `target: ./a.too\ncases[1]:\n  - name: runs\n    input: go\n${shell}${answered}    expect:\n      calls[1]:\n        - tool: shell/run\n`,
    );
    expect((await go('test')).code).toBe(0);
    s.write('a.test.toon', `target: ./a.too\ncases[1]:\n  - name: runs\n    input: go\n${shell}    real: shell\n`);
    expect((await go('test')).code).toBe(0);
    expect(existsSync(s.at('made'))).toBe(false);
  });
});

describe('services', () => {
  const cases = (more: string) =>
    `target: ./a.too\ncases[1]:\n  - name: notes\n    input: go\n    env:\n      NOTES_TOKEN: given\n    replies[2]:\n      - for: default\n        calls[1]:\n          - tool: notes/add\n            args:\n              text: bees\n      - for: default\n        text: done\n${more}`;

  it('are never started: the case says what they answer', async () => {
    const service =
      '---\ndescription: Use this service to keep notes.\ntransport: stdio\ntarget: no-such-program\nenv: NOTES_TOKEN\n---\nShort.\n';
    s.write('.toolang/services/notes.md', service);
    s.write('a.too', 'thunk:\n  models = scripted\n  services = notes\n');
    s.write(
      'a.test.toon',
      cases(
        '    tools[1]:\n      - tool: notes/add\n        result: kept\n    expect:\n      calls[1]:\n        - tool: notes/add\n          args:\n            text: bees\n',
      ),
    );
    const ran = await go('test');
    expect(ran.out).toContain('✓ notes');
    s.write('a.test.toon', cases(''));
    const without = await go('test');
    expect(without.code).toBe(1);
    expect(without.out).toContain(
      'tests start no services. Say in the case what it answers, under "tools", as notes/TOOL',
    );
  });
});

describe('the command', () => {
  const two = suite(
    '  - name: first\n    input:\n      who: Ada\n    expect:\n      outputHas:\n        to: Eve\n  - name: second\n    input:\n      who: Bo\n  - name: third\n    input:\n      who: Cy\n    skip: not yet\n',
    3,
  );

  it('takes names, folders, patterns and --filter; --bail begins no other case', async () => {
    project(two);
    s.write(
      'deep/x.test.toon',
      'cases[1]:\n  - name: other\n    target: ../greet.toon\n    script: ../greet.script.toon\n    input:\n      who: Ada\n',
    );
    mkdirSync(s.at('node_modules/p'), { recursive: true });
    s.write('node_modules/p/p.test.toon', 'nothing');
    expect(still((await go('test')).err)).toBe('2 passed, 1 failed, 1 skipped of 4 cases in T\n');
    expect(still((await go('test', 'deep')).err)).toBe('1 passed of 1 case in T\n');
    expect(still((await go('test', '**/x.*')).err)).toBe('1 passed of 1 case in T\n');
    expect(still((await go('test', '--filter', 'SEC')).err)).toBe('1 passed of 1 case in T\n');
    expect(still((await go('test', 'greet.test.toon', '--bail', '--jobs', '1')).err)).toBe(
      '0 passed, 1 failed of 1 case in T\n',
    );
    for (const [words, told] of [
      [['--filter', 'nope'], 'no case has "nope" in its name.'],
      [['greet.toon'], '"greet.toon" is no test file: those end in .test.toon.'],
      [['nothing*'], 'no test file fits "nothing*".'],
      [['--coverage=much'], '--coverage must be a percentage up to 100, not "much".'],
      [['--out', 'x.test.toon'], '--out is where --from writes the case.'],
    ] as const) {
      const ran = await go('test', ...words);
      expect(ran.err).toContain(told);
      expect(ran.code).toBe(2);
    }
  });

  it('says so where there is nothing to test', async () => {
    s.write('greet.toon', greet);
    const ran = await go('test');
    expect(ran.err).toContain('there is no test file (*.test.toon) here.');
    expect(ran.code).toBe(2);
  });

  it('finds mistakes of test files before anything runs, and so does check', async () => {
    project(one('    expct:\n      output: 1\n'));
    for (const ran of [await go('test'), await go('check', 'greet.test.toon')]) {
      expect(ran.out + ran.err).toContain(
        'greet.test.toon:6:5  error TOO6301  unknown key "expct" of a case. Did you mean "expect"?',
      );
      expect(ran.code).toBe(2);
    }
  });

  it.each([
    [
      'input that does not fit',
      suite('  - name: a\n    input:\n      whom: Ada\n'),
      'greet.test.toon:5:7  error TOO6307  "whom" is not a field of the input. Did you mean "who"?',
    ],
    [
      'an output that can never come',
      one('    expect:\n      output:\n        said: 1\n        to: Ada\n'),
      'greet.test.toon:8:15  error TOO6307  "said" must be string, but it is the number 1',
    ],
    [
      'an assertion about nothing',
      one('    expect:\n      assert: "{output.sayd} == 1"\n'),
      'greet.test.toon:7:24  error',
    ],
    [
      'a decision of nobody',
      one('    decisions[1]:\n      - for: drafd\n        approve: true\n'),
      'error TOO6307  nothing that could ask is called "drafd". Did you mean "draft"?',
    ],
    [
      'a target that is not there',
      'cases[1]:\n  - name: a\n    target: ./gret.toon\n',
      'greet.test.toon:3:13  error TOO6305',
    ],
    ['a script that is not there', one('    script: ./no.script.toon\n'), 'greet.test.toon:6:13  error TOO6305'],
    [
      'two cases of one name',
      suite('  - name: a\n    input:\n      who: A\n  - name: a\n    input:\n      who: B\n', 2),
      'greet.test.toon:6:11  error TOO6306  there is a case "a" already',
    ],
  ])('%s', async (_, text, told) => {
    project(text);
    const ran = await go('check', 'greet.test.toon');
    expect(ran.out).toContain(told);
    expect(ran.code).toBe(2);
  });

  it('formats test files', async () => {
    project(one('    expect:\n      calls[3]:\n').replace('cases[1]', 'cases[2]'));
    expect((await go('fmt', 'greet.test.toon')).code).toBe(0);
    expect(s.read('greet.test.toon')).toContain('cases[1]:');
  });

  it('writes a report for CI, with what differs', async () => {
    project(two);
    await go('test', '--junit', 'out.xml');
    const xml = s.read('out.xml').replace(/time="[\d.]+"/g, 'time="T"');
    expect(xml).toContain('<testsuites tests="3" failures="1" errors="0" skipped="1" time="T">');
    expect(xml).toContain(
      '<testcase name="first" classname="greet.test.toon" time="T">\n      <failure message="output.to is another">greet.test.toon:8:13  output.to is another\n  expected: &quot;Eve&quot;\n  got: &quot;Ada&quot;</failure>',
    );
    expect(xml).toContain('<skipped message="not yet"/>');
    const ran = await go('test', '--junit', 'no/such/out.xml');
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('the report cannot be written');
  });

  it('--update takes the outputs that came, and leaves all else as it is', async () => {
    const before = `# Mine.\n${one('    # The greeting.\n    expect:\n      output:\n        said: old\n        to: Eve\n      modelCalls: 1 \n').replace('1 \n', '1\n')}`;
    project(before);
    const ran = await go('test', '--update');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('1 output written anew');
    expect(s.read('greet.test.toon')).toBe(
      before.replace('said: old', 'said: "Hello, Ada!"').replace('to: Eve', 'to: Ada'),
    );
    expect((await go('test')).code).toBe(0);
  });

  it('Ctrl-C ends it, and what was not run is no failure', async () => {
    s.write(
      'slow.toon',
      `name: slow\ninput:\nsteps[1]:\n  - id: a\n    run: "return await new Promise(() => {})"\n    output: string\n`,
    );
    s.write('slow.test.toon', 'target: ./slow.toon\ncases[2]:\n  - name: first\n  - name: second\n');
    let stop: ((signal: StopSignal) => void) | undefined;
    const running = s.cli(['test', '--jobs', '1'], {
      env: { PATH: process.env.PATH ?? '' },
      onSignal(handler) {
        stop = handler;
        return () => undefined;
      },
    });
    await expect.poll(() => stop).toBeDefined();
    stop?.('SIGINT');
    const ran = await running;
    expect(ran.code).toBe(130);
    expect(still(ran.err)).toBe('0 passed, 2 stopped of 2 cases in T\n');
  });

  it('a case that takes too long fails, and its processes are gone', async () => {
    s.write(
      'slow.toon',
      `name: slow\ninput:\nsteps[1]:\n  - id: a\n    run: "return await new Promise(() => {})"\n    output: string\n`,
    );
    s.write('slow.test.toon', 'target: ./slow.toon\ntimeout: 300ms\ncases[1]:\n  - name: first\n');
    const ran = await go('test');
    expect(ran.out).toContain('it took longer than 0.3s, and was stopped');
    expect(ran.code).toBe(1);
  });

  it('keeps the folder where it is asked to', async () => {
    project(one(''));
    const ran = await go('test', '--keep');
    const [, dir = '', run = '', store = ''] = /kept in (\S+) {3}toolang show (\w+) --store (\S+)/.exec(ran.out) ?? [];
    expect(readFileSync(`${dir}/greet.toon`, 'utf8')).toBe(greet);
    expect((await go('show', run, '--store', store)).out).toContain('greet');
    const { rmSync } = await import('node:fs');
    const { dirname } = await import('node:path');
    rmSync(dirname(dirname(dir)), { recursive: true, force: true });
  });
});
