/** Runs on the command line: started, waiting, approved, resumed, cancelled, shown; and every wrong way to ask for it. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StopSignal } from '../context.ts';
import { workflowFiles } from '../project/workflow-files.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  for (const { name, text } of workflowFiles('release')) s.write(name, text);
});
afterEach(() => s.remove());

const go = (...words: string[]): Promise<Ran> => s.cli(words, { env: { USER: 'ana' } });
const idIn = ({ err }: Ran) => / · run (\w+)/.exec(err)?.[1] ?? '';
/** Times, ids and tokens are another each time. */
const still = (text: string, id: string) =>
  text
    .replaceAll(id, 'ID')
    .replace(/ +\d+(?:\.\d)?s(?= |$)/gm, ' T')
    .replace(/ +\d+ tokens/g, ' N tokens')
    .replace(/ +$/gm, '');
const start = () => go('run', 'release.toon', '--input', 'topic=durable agents');

/** A workflow of `run` steps alone. */
const code = (steps: readonly string[], input = '') =>
  `name: code\ninput:${input}\nsteps[${steps.length}]:\n${steps.join('')}`;
const step = (id: string, js: string, more = '') =>
  `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n${more}`;

describe('toolang run', () => {
  it('goes on until somebody is asked, and says how to answer; a yes goes on to the end', async () => {
    const ran = await start();
    const id = idIn(ran);
    expect(ran.code).toBe(3);
    expect(ran.out).toBe('');
    expect(still(ran.err, id)).toBe(
      [
        '  release · run ID  model: scripted (release.script.toon)',
        '  ✓ research          2 key points T N tokens',
        '  ✓ draft             "A first draft." T N tokens',
        '  ✓ polish[1]/revise  "A better draft." T N tokens',
        '  ✓ polish[1]/review  approved: no, feedback: "Say what ha… T N tokens',
        '  ✓ polish[2]/revise  "A draft that says what happens afte… T N tokens',
        '  ✓ polish[2]/review  approved: yes, feedback: "Good." T N tokens',
        '  ⏸ publish           Publish the text on durable agents?    waiting for you',
        '      toolang approve ID     toolang deny ID',
        '      toolang show ID',
        '',
      ].join('\n'),
    );
    const approved = await go('approve', id, '--note', 'fine');
    expect(approved.code).toBe(0);
    expect(JSON.parse(approved.out)).toEqual({
      title: 'durable agents',
      text: expect.stringContaining('nothing is lost'),
    });
    expect(still(approved.err, id)).toContain('  ✓ publish           approved by ana: fine\n  ✓ post ');
  });

  it('shows a run that waits, with the commands to paste, and one that is done', async () => {
    const id = idIn(await start());
    const waiting = still((await go('show', id)).out, id);
    expect(waiting).toMatch(
      /^release · run ID · waiting for you, since (?:just now|\d+s ago)\n {2}file {4}release.toon\n/,
    );
    expect(waiting).toContain('    ✓ round 2 T\n      ✓ revise  "A draft');
    expect(waiting).toContain('  ⏸ publish     Publish the text on durable agents?');
    expect(waiting).toContain('  · post\n');
    expect(waiting).toContain('      toolang approve ID\n      toolang deny ID\n');
    await go('approve', id);
    expect(still((await go('show', id)).out, id)).toMatch(/^release · run ID · done\n/);
    expect((await go('runs')).out).toMatch(new RegExp(`^${id}  release  done  (just now|\\d+s ago)  \\S+s\n$`));
    expect((await go('logs', id)).out).toMatch(/publish {2}approved by ana\n/);
  });

  it('draws a run, with what became of its steps', async () => {
    const id = idIn(await start());
    const drawn = (await go('graph', id)).out;
    expect(drawn).toMatch(/├─ ✓ research {2}agent writer {2}done \d/);
    expect(drawn).toMatch(/├─ ✓ polish {4}loop {2}done round 2 /);
    expect(drawn).toMatch(/├─ ⏸ publish {3}approval {2}waiting, "Publish/);
    expect(drawn).toMatch(/└─ · post {6}run {2}pending/);
    expect((await go('graph', id, '--mermaid')).out).toMatch(/classDef waiting .*\n {2}class n\d+ waiting\n/);
    expect((await go('graph', id, '--svg')).out).toContain('class="approval is-waiting"');
    expect(JSON.parse((await go('graph', id, '--json')).out).graph.nodes[0]).toMatchObject({ status: 'done' });
  });

  it('prints text as it is, and nothing where there is no value', async () => {
    s.write('text.toon', code([step('a', 'return "one\\ntwo"')]));
    expect(await go('run', 'text.toon')).toMatchObject({ code: 0, out: 'one\ntwo\n' });
    s.write('none.toon', code([step('a', 'return "x"', '    skipIf: "{1 == 1}"\n')]));
    expect(await go('run', 'none.toon')).toMatchObject({ code: 0, out: '' });
  });

  it('fails with the step, its place and the cause, and with exit 1', async () => {
    s.write(
      'bad.toon',
      code([step('a', 'return "x"'), step('boom', 'throw new Error("no luck")'), step('c', 'return "x"')]),
    );
    const ran = await go('run', 'bad.toon');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('  ✗ boom at bad.toon:8:17\n');
    expect(ran.err).toContain('no luck');
    const shown = await go('show', idIn(ran));
    expect(shown.out).toMatch(/ · failed\n/);
    expect(shown.out).toMatch(/\n {2}✗ boom .*\n {2}· c\n/);
    expect(shown.out).toContain('boom at bad.toon:8:17');
  });

  it('prints one object with --json, whatever became of it', async () => {
    const ran = await go('run', 'release.toon', '-i', 'topic=x', '--json');
    const value = JSON.parse(ran.out);
    expect(value).toMatchObject({ version: 1, name: 'release', status: 'waiting', waiting: [{ node: 'publish' }] });
    expect(ran.code).toBe(3);
    const denied = await go('deny', value.run, '--json', '--note', 'no');
    expect(JSON.parse(denied.out)).toMatchObject({ status: 'failed', error: { code: 'denied', node: 'publish' } });
    expect(denied.code).toBe(1);
  });

  it('makes the home with a .gitignore, and keeps to --store and --home', async () => {
    await start();
    expect(s.read('.toolang/.gitignore')).toContain('!/config.toml');
    expect((await go('run', 'release.toon', '-i', 'topic=x', '--store', 'here/own.db')).code).toBe(3);
    expect((await go('runs', '--store', 'here/own.db')).out.split('\n')).toHaveLength(2);
    mkdirSync(s.at('elsewhere'));
    expect((await go('run', 'release.toon', '-i', 'topic=x', '--home', 'elsewhere')).code).toBe(3);
    expect((await go('runs', '--home', 'elsewhere')).out.split('\n')).toHaveLength(2);
    expect((await go('runs')).out.split('\n')).toHaveLength(2);
    expect((await go('runs', '--all')).out.split('\n')).toHaveLength(4);
  });
});

describe('before anything runs', () => {
  const nothing = async (ran: Ran) => {
    expect(ran.code).toBe(2);
    expect(ran.out).toBe('');
    expect((await go('runs')).out).toBe('');
  };

  it('all mistakes of the input are told at once', async () => {
    const ran = await go('run', 'release.toon', '--input', 'topik=x', '--input', 'words=many');
    expect(ran.err).toBe(
      [
        'toolang: "topik" is not a field of the input. Did you mean "topic"?',
        'toolang: "words" must be number, but it is the text "many": write a number such as 42 or -0.5',
        '  toolang run release.toon --input topic=…',
        '',
      ].join('\n'),
    );
    await nothing(ran);
  });

  it('what could not be read is told, and nothing is called missing', async () => {
    const ran = await go('run', 'release.toon', '--input', '@nofile.json');
    expect(ran.err).toBe('toolang: "nofile.json" does not exist\n');
    await nothing(ran);
    const piped = await go('run', '-', '-i', '-');
    expect(piped.code).toBe(2);
  });

  it('errors of the file are told', async () => {
    s.write('wrong.toon', 'name: x\ninput:\nsteps[1]:\n  - id: a\n    prompt: "{nope.x}"\n');
    await nothing(await go('run', 'wrong.toon'));
    await nothing(await go('run', 'missing.toon'));
  });

  it('agents that cannot be asked are refused with their places', async () => {
    s.write(
      'later.toon',
      [
        'name: later\ninput:\nagents:\n  w:\n    type: anthropic\n    model: claude-sonnet-4-5\nsteps[2]:\n',
        '  - id: b\n    run: "return \'x\'"\n    output: string\n    cache:\n      by: "x"\n',
        '  - id: c\n    agent: w\n    prompt: "Hello"\n    output: string\n',
      ].join(''),
    );
    const ran = await go('run', 'later.toon');
    expect(ran.err).toContain('later.toon:4:3: the agent "w": "anthropic/claude-sonnet-4-5" cannot be used');
    expect(ran.err).toContain('ANTHROPIC_API_KEY');
    await nothing(ran);
    s.write('tool.toon', s.read('later.toon').replace('anthropic\n    model: claude-sonnet-4-5', 'kimi'));
    const other = await go('run', 'tool.toon');
    expect(other.err).toContain(
      'tool.toon:4:3: the agent "w" is of type kimi, and there is no program "kimi" on the PATH\n',
    );
    expect(other.err).toContain('To install it: uv tool install kimi-cli. Until then: --script FILE');
    await nothing(other);
  });

  it('a script that is missing or has errors is told', async () => {
    rmSync(s.at('release.script.toon'));
    const missing = await start();
    expect(missing.err).toContain('the agent "writer": no model is named, and none can be used here');
    await nothing(missing);
    s.write('bad.script.toon', 'replies[1]:\n  - for: research\n    jsn: 1\n');
    await nothing(await go('run', 'release.toon', '-i', 'topic=x', '--script', 'bad.script.toon'));
  });

  it('a configuration with errors is told', async () => {
    s.write('.toolang/config.toml', '[limits]\nusdd = 1\n');
    const ran = await start();
    expect(ran.err).toContain('usdd');
    await nothing(ran);
  });
});

describe('a run is found', () => {
  it('by any beginning of its id, from any directory', async () => {
    const id = idIn(await start());
    s.write('other/place.txt', '');
    const cwd = join(s.dir, '..', 'home');
    const shown = await s.cli(['show', id.slice(0, 4)], { env: { USER: 'ana' } });
    expect(shown.code).toBe(0);
    const { runCli } = await import('../run.ts');
    const { memoryContext } = await import('../memory-context.ts');
    const away = memoryContext({ cwd, env: { HOME: s.home } });
    expect(await runCli(['show', id], away)).toBe(0);
    expect(away.out()).toContain('waiting for you');
  });

  it('or the closest id is told, or that there is none', async () => {
    expect(await go('show', '7f3a')).toMatchObject({ code: 2, err: expect.stringContaining('There are no runs yet') });
    const id = idIn(await start());
    const near = `${id.slice(0, 3)}${id[3] === 'z' ? 'y' : 'z'}`;
    const ran = await go('approve', near);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(`there is no run "${near}". Did you mean "${id}"?`);
    expect((await go('show', '!!')).err).toContain('there is no run "!!".\n  The closest: ');
  });

  it('or the candidates are listed', async () => {
    s.write('code.toon', code([step('a', 'return "x"', '    skipIf: "{1 == 1}"\n')]));
    // With 33 ids two begin with the same of 32 letters.
    const ids: string[] = [];
    for (let i = 0; i < 33; i++) ids.push(JSON.parse((await go('run', 'code.toon', '--json')).out).run);
    const shared = ids.map((id) => id[0] ?? '').find((letter, i, all) => all.indexOf(letter) !== i) ?? '';
    const ran = await go('show', shared);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(`"${shared}" is the beginning of several runs`);
    for (const id of ids.filter((each) => each.startsWith(shared)).slice(0, 2))
      expect(ran.err).toContain(`\n  toolang show ${id.slice(0, 4)}`);
  });
});

describe('a store that cannot be used', () => {
  it('is told as such, and left as it is', async () => {
    s.write('.toolang/runs.db', 'this is no database, and long enough to be looked at as one of them');
    const ran = await start();
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^toolang: the store .*runs\.db" .*\n$/);
    expect(s.read('.toolang/runs.db')).toContain('this is no database');
  });

  it('is not looked for where there is none', async () => {
    const ran = await go('show', '7f3a', '--store', 'none.db');
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('no store of runs') });
    expect(existsSync(s.at('none.db'))).toBe(false);
  });
});

describe('a limit', () => {
  beforeEach(() => {
    s.write('.toolang/config.toml', '[limits]\nusd = 0.5\n');
    s.write(
      'release.script.toon',
      s.read('release.script.toon').replaceAll(/^( {2}- for: .*)$/gm, '$1\n    price: 0.3'),
    );
  });

  it('stops a run with exit 4, and an answer lets it go on', async () => {
    const ran = await start();
    const id = idIn(ran);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain('at a limit');
    expect(ran.err).toContain(`toolang answer ${id}`);
    expect((await go('show', id)).out).toContain('waiting at a limit');
    const answered = await go('answer', id, '--add', '5');
    expect(answered.code).toBe(3);
    expect((await go('runs')).out).toContain('$1.80');
  });

  it('in tokens takes whole tokens, and no dollars', async () => {
    s.write('.toolang/config.toml', '[limits]\nusd = 10\ntokens = 50\n');
    const ran = await start();
    const id = idIn(ran);
    expect(ran.code).toBe(4);
    for (const add of ['0.5', '$5'])
      expect(await go('answer', id, '--add', add)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`--add must be a number of tokens here, not "${add}".`),
      });
    expect((await go('answer', id, '--add', '100000')).code).toBe(3);
  });

  it('is not passed when the answer is no: then the run has failed', async () => {
    const id = idIn(await start());
    expect((await go('answer', id, '--no')).code).toBe(1);
    expect((await go('watch', id)).code).toBe(1);
  });

  it('that is still reached after an answer is asked about anew, with commands that can be pasted', async () => {
    const id = idIn(await start());
    const small = await go('answer', id, '--add', '0.01');
    expect(small.code).toBe(4);
    expect(small.err).toMatch(/⏸ limit .*still at a limit\n {6}The limit of \$0\.51 is /);
    expect(small.err).toContain(`      toolang answer ${id} --add 1.00     toolang answer ${id} --no\n`);
    expect((await go('show', id)).out).toContain(
      `      toolang answer ${id} --add 1.00\n      toolang answer ${id} --no\n`,
    );
    expect((await go('answer', id, '--add', '5.00')).code).toBe(3);
  });
});

describe('what cannot be done is said', () => {
  it('a finished run cannot be resumed, approved or cancelled', async () => {
    s.write('code.toon', code([step('a', 'return "x"')]));
    const id = idIn(await go('run', 'code.toon'));
    for (const word of ['resume', 'approve', 'deny', 'cancel']) {
      const ran = await go(word, id);
      expect(ran.code).toBe(2);
      expect(ran.err).toContain(`the run ${id} is done already, and cannot be `);
    }
  });

  it('a question has to be there, and to be of the right kind', async () => {
    const id = idIn(await start());
    expect((await go('approve', id, 'publisch')).err).toContain('Did you mean "publish"?');
    expect((await go('answer', id, '--add', '1')).err).toContain(`\n  toolang approve ${id}     toolang deny ${id}\n`);
    expect((await go('answer', id)).err).toContain('needs --add or --no');
    expect((await go('answer', id, '--add', 'lots')).err).toContain('must be an amount over 0');
    expect((await go('runs', '--status', 'wating')).err).toContain('Did you mean "waiting"?');
  });

  it('a workflow file that is gone does not matter, and that is said', async () => {
    const id = idIn(await start());
    s.write('release.toon', `${s.read('release.toon')}\n# changed\n`);
    const resumed = await go('resume', id);
    expect(resumed.code).toBe(3);
    expect(resumed.err).not.toContain('edited');
    rmSync(s.at('release.toon'));
    expect((await go('resume', id)).err).toContain('note  release.toon is gone: the run goes on with the stored text');
    expect((await go('approve', id)).code).toBe(0);
  });

  it('a no ends the run, with the reason', async () => {
    const id = idIn(await start());
    const ran = await go('deny', id, '--note', 'too long');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('it was denied by ana: too long');
  });

  it('a cancelled run is cancelled, by whom and why', async () => {
    const id = idIn(await start());
    const ran = await go('cancel', id, '--reason', 'wrong topic');
    expect(ran.code).toBe(0);
    expect((await go('show', id)).out).toMatch(/ · cancelled by ana: wrong topic\n/);
  });
});

describe('who is asked', () => {
  const twice = `name: two
input:
steps[2]:
  - kind: parallel
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
${step('end', 'return `${a.approved} ${b.approved}`')}`;

  it('sees the question again when a run that waits is resumed, or one of several was answered', async () => {
    const id = idIn(await start());
    const resumed = await go('resume', id);
    expect(resumed.code).toBe(3);
    expect(resumed.err).toMatch(
      /⏸ publish +Publish the text on durable agents\? +waiting for you\n {6}toolang approve \w+ {5}toolang deny \w+\n/,
    );
    s.write('two.toon', twice);
    const two = idIn(await go('run', 'two.toon'));
    const { err } = await go('approve', two, 'a');
    expect(err).toMatch(/✓ a +approved by ana\n {2}⏸ b +B\? +waiting for you\n {6}toolang approve \w+ {5}/);
    expect(await go('deny', two)).toMatchObject({ code: 0, out: 'true false\n' });
  });

  it('is named the step where several ask', async () => {
    s.write('two.toon', twice);
    const { err } = await go('run', 'two.toon');
    const id = idIn({ err, out: '', code: 0 });
    for (const name of ['a', 'b'])
      expect(err).toContain(`toolang approve ${id} ${name}     toolang deny ${id} ${name}\n`);
    expect((await go('show', id)).out).toContain(`      toolang approve ${id} a\n      toolang deny ${id} a\n`);
  });

  it('is told where the run is, as the command was', async () => {
    const ran = await go('run', 'release.toon', '-i', 'topic=x', '--store', 'own/a b.db', '--root', 'rootx');
    const flags = "--root rootx --store 'own/a b.db'";
    const id = idIn(ran);
    expect(ran.err).toContain(`      toolang approve ${id} ${flags}\n      toolang deny ${id} ${flags}\n`);
    expect(ran.err).toContain(`      toolang show ${id} ${flags}\n`);
    const shown = await go('show', id, '--root', 'rootx', '--store', 'own/a b.db');
    expect(shown.out).toContain(`toolang approve ${id} ${flags}`);
  });
});

describe('a sub-workflow', () => {
  const child = `name: child
input:
  name: string
steps[2]:
${step('hi', 'return input.name')}  - kind: approval
    id: ok
    request:
      title: "Go?"
`;
  const parent = `name: parent
imports:
  workflows[1]{from,as}:
    ./parts/child.toon,hi
input:
steps[2]:
  - kind: workflow
    id: sub
    use: hi
    input:
      name: Ada
${step('z', 'return "z"')}`;

  it('that only waits is shown as waiting, and by itself with its own file, input and drawing', async () => {
    s.write('parts/child.toon', child);
    s.write('parent.toon', parent);
    const id = idIn(await go('run', 'parent.toon'));
    const shown = await go('show', id);
    expect(shown.out).toMatch(/ {2}⏸ sub\n {4}✓ hi .*\n {4}⏸ ok /);
    expect(shown.out).not.toContain('was running');
    expect((await go('graph', id)).out).toMatch(/├─ ⏸ sub {2}workflow hi {2}waiting/);
    const { run: own } = JSON.parse((await go('show', id, '--json')).out).run.nodes[0];
    const alone = await go('show', own);
    expect(alone.out).toMatch(/^child · run \w+ · waiting for you/);
    expect(alone.out).toContain('  file    parts/child.toon\n');
    expect(alone.out).toContain('  input   {"name":"Ada"}\n');
    expect((await go('graph', own)).out).toMatch(/^child .*\n├─ ✓ hi .*\n└─ ⏸ ok /);
  });
});

describe('Ctrl-C', () => {
  const until = (file: string) => `while (!fs.existsSync("${file}")) await new Promise((done) => setTimeout(done, 5));`;
  const slow = code([
    step('first', `const fs = await import("node:fs"); fs.writeFileSync("began", ""); ${until('go')} return "a"`),
    step('second', 'return "b"'),
  ]);

  /** The signals come while the first step runs; after them it may end. */
  async function runWith(signals: readonly StopSignal[], text = slow): Promise<Ran> {
    s.write('slow.toon', text);
    return s.cli(['run', 'slow.toon'], {
      env: { USER: 'ana' },
      onSignal(handler) {
        const timer = setInterval(() => {
          if (!existsSync(s.at('began'))) return;
          clearInterval(timer);
          for (const signal of signals) handler(signal);
          if (signals.length === 1 && signals[0] === 'SIGINT') s.write('go', '');
        }, 5);
        return () => clearInterval(timer);
      },
    });
  }

  it('once: the running steps end, nothing new begins, and resume goes on', async () => {
    const ran = await runWith(['SIGINT']);
    const id = idIn(ran);
    expect(ran.code).toBe(130);
    expect(ran.err).toContain('stopping after the running steps (first); Ctrl-C again stops at once');
    expect(ran.err).toContain('✓ first');
    expect(ran.err).toContain(`toolang resume ${id}`);
    expect((await go('runs', '--status', 'interrupted')).out).toContain(id);
    const resumed = await go('resume', id);
    expect(resumed).toMatchObject({ code: 0, out: 'b\n' });
    expect(resumed.err).not.toContain('first');
  });

  it('twice: now; the step is begun again by resume', async () => {
    const ran = await runWith(['SIGINT', 'SIGINT']);
    expect(ran.code).toBe(130);
    expect(ran.err).not.toContain('✓ first');
    const shown = await go('show', idIn(ran));
    expect(shown.out).toContain(' · interrupted');
    expect(shown.out).toContain('first will be begun again');
    s.write('go', '');
    expect(await go('resume', idIn(ran))).toMatchObject({ code: 0, out: 'b\n' });
  });

  it('once, before a question: the run waits for an answer, not to be resumed', async () => {
    const asks = '  - kind: approval\n    id: ok\n    request:\n      title: "Go on?"\n';
    const ran = await runWith(
      ['SIGINT'],
      slow.replace('steps[2]', 'steps[3]').replace('  - id: second', `${asks}  - id: second`),
    );
    expect(ran.code).toBe(130);
    const id = idIn(ran);
    expect(ran.err).toMatch(
      /⏸ ok +Go on\? +waiting for you\n(?: {6}toolang .*\n)? {2}stopped {2}what is done is kept; the run waits for an answer\n/,
    );
    expect(ran.err).toContain(`toolang approve ${id}     toolang deny ${id}\n`);
    expect(ran.err).not.toContain('toolang resume');
  });

  it('leaves who only watches; the run goes on', async () => {
    s.write('slow.toon', slow);
    const running = go('run', 'slow.toon');
    await expect.poll(() => existsSync(s.at('began'))).toBe(true);
    const [id = ''] = (await go('runs')).out.split(' ');
    const watched = await s.cli(['watch', id], {
      onSignal(handler) {
        queueMicrotask(() => handler('SIGINT'));
        return () => undefined;
      },
    });
    expect(watched.code).toBe(130);
    expect(watched.err).toContain('  left  the run goes on without this command\n');
    s.write('go', '');
    expect((await running).code).toBe(0);
  });

  it('a kill stops at once, with its own exit code, and so does a terminal that is closed', async () => {
    expect((await runWith(['SIGTERM'])).code).toBe(143);
    const ran = await runWith(['SIGHUP']);
    expect(ran.code).toBe(129);
    // It is no death of which three would count against the step.
    expect((await go('logs', idIn(ran))).out).toContain('stopped: what was running is begun again');
  });
});
