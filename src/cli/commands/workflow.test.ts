/** The commands that read agents read workflows too: check, fmt, parse, explain, graph, new. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const head = 'name: x\nagents:\n  w:\n    type: scripted\ninput:\n  q: string\n';
const step = '  - id: a\n    agent: w\n    prompt: "hi {input.q}"\n    output:\n      t: string\n';
const good = `${head}steps[1]:\n${step}`;
const bad = good.replace('agent: w\n', 'agnet: w\n');
const parts = (agent = 'w') =>
  `agents:\n  w:\n    type: scripted\ncomponents:\n  P:\n    params:\n      t: string\n    steps[1]:\n      - id: p\n        agent: ${agent}\n        prompt: "{params.t}"\n        output:\n          t: string\n`;
const uses = `name: x\nimports:\n  components[1]{from,use}:\n    ./parts.toon,P\ninput:\n  q: string\nsteps[1]:\n  - kind: component\n    id: c\n    use: P\n    with:\n      t: "{input.q}"\n`;

describe('check', () => {
  it('reads both languages, also those of a directory', async () => {
    s.write('a.too', 'thunk:\n  user: hi\n');
    s.write('b.toon', good);
    s.write('sub/c.TOON', bad);
    const { code, out, err } = await s.cli(['check']);
    expect(code).toBe(2);
    expect(out).toMatch(/^sub\/c\.TOON:\d+:5 {2}error TOO\d+ {2}.*"agnet"/);
    expect(err).toMatch(/^1 error in 3 files, 1 with a fix/);
  });

  it('takes several plugins from one module, each by its own name, also over several files', async () => {
    s.write(
      'two.mjs',
      'export const one = () => ({ functions: { f1: () => 1 } });\nexport const two = () => ({ functions: { f2: () => 2 } });\n',
    );
    const flow = (uses: readonly string[], code: string) =>
      `name: x\nimports:\n  plugins[${uses.length}]{from,use}:\n${uses.map((use) => `    ./two.mjs,${use}\n`).join('')}input:\nsteps[1]:\n  - id: d\n    run: "${code}"\n    output: number\n`;
    s.write('both.toon', flow(['one', 'two'], 'return f1() + f2()'));
    s.write('last.toon', flow(['two'], 'return f2()'));
    expect(await s.cli(['check', 'both.toon', 'last.toon'])).toMatchObject({ code: 0, out: '' });
    expect(await s.cli(['run', 'both.toon'])).toMatchObject({ code: 0, out: '3\n' });
  });

  it('mends a workflow, and says so', async () => {
    s.write('a.toon', bad.replace('steps[1]', 'steps[4]'));
    const { code, out, err } = await s.cli(['check', '--fix']);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe('mended 2 problems in a.toon\nno problems in 1 file\n');
    expect(s.read('a.toon')).toBe(good);
    expect((await s.cli(['check', '--fix'])).err).toBe('no problems in 1 file\n');
  });

  it('takes standard input for a workflow by its name, and finds its imports from there', async () => {
    s.write('sub/parts.toon', parts());
    const piped = (name: string) => s.cli(['check', '-', '--stdin-name', name], { stdin: uses });
    expect(await piped('sub/x.toon')).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
    expect((await piped('x.toon')).out).toContain('"parts.toon" does not exist\n');
    expect(await s.cli(['check', '--stdin-name', 'x.toon'])).toMatchObject({ code: 2, out: '' });
  });

  it('says so when standard input without a name looks like a workflow', async () => {
    const { code, err } = await s.cli(['check', '-'], { stdin: good });
    expect(code).toBe(2);
    expect(err).toMatch(/^this looks like a workflow; to read it as one: --stdin-name flow\.toon\n/);
  });

  it('tells what is wrong in an imported file under its name, once for all that import it', async () => {
    s.write('parts.toon', parts('nobody'));
    s.write('one.toon', uses);
    s.write('two.toon', uses);
    const { code, out, err } = await s.cli(['check', 'one.toon', 'two.toon']);
    expect(code).toBe(2);
    expect(out.match(/^parts\.toon:.*error/gm)).toHaveLength(1);
    expect(err).toMatch(/^1 error in 3 files/);
    expect((await s.cli(['check'])).out).toBe(out);
    const { files } = JSON.parse((await s.cli(['check', '--json'])).out);
    expect(files.map((file: { file: string }) => file.file).sort()).toEqual(['one.toon', 'parts.toon', 'two.toon']);
  });

  it('changes no file that was not named', async () => {
    const wrong = parts().replace('agent: w', 'agnet: w');
    s.write('parts.toon', wrong);
    s.write('one.toon', uses);
    expect((await s.cli(['check', '--fix', 'one.toon'])).code).toBe(2);
    expect(s.read('parts.toon')).toBe(wrong);
    // Named too, it is mended before anything is reported of the file that imports it.
    expect(await s.cli(['check', '--fix', 'one.toon', 'parts.toon'])).toEqual({
      code: 0,
      out: '',
      err: 'mended 1 problem in parts.toon\nno problems in 2 files\n',
    });
  });

  it('takes a file that is only there to be imported', async () => {
    s.write('parts.toon', parts());
    expect(await s.cli(['check'])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
  });

  it('reads the replies of a scripted model as a script', async () => {
    s.write('x.script.toon', 'replies[1]:\n  - for: a\n    txt: hi\n');
    const { code, out, err } = await s.cli(['check', 'x.script.toon']);
    expect(code).toBe(2);
    expect(out).toMatch(/^x\.script\.toon:3:5 {2}error TOO7001 /);
    expect(err).toContain('1 error in 1 file');
    expect((await s.cli(['check', '--fix'])).code).toBe(0);
    expect(s.read('x.script.toon')).toContain('    text: hi\n');
    s.write('x.script.toon', 'replies[2]:\n  - for: a\n    text: hi\n\n  - for: b\n    text: hi\n');
    expect((await s.cli(['check'])).code).toBe(0);
    expect((await s.cli(['check', '--strict-toon'])).code).toBe(2);
  });

  it('reads a recording as a script', async () => {
    s.write('x.record.toon', 'replies[2]:\n  - for: a\n    text: hi\n');
    const { code, out } = await s.cli(['check']);
    expect(code).toBe(2);
    expect(out.match(/error TOO\d+/g)).toEqual(['error TOO3031']);
  });

  it('does not look into modules with --no-code, and says so', async () => {
    s.write('a.toon', `${good}imports:\n  services[1]{from,use}:\n    ./services.ts,S\n`);
    const { code, out } = await s.cli(['check', '--no-code']);
    expect(code).toBe(0);
    expect(out).toMatch(/note TOO4291 {2}not looked into: "\.\/services\.ts"/);
    expect((await s.cli(['check', '--no-code', '--quiet'])).out).toBe('');
  });

  it('refuses what is not plain TOON with --strict-toon', async () => {
    s.write('a.toon', `${good}  \n`.replace('    prompt', '\n    prompt'));
    expect((await s.cli(['check'])).code).toBe(0);
    expect((await s.cli(['check', '--strict-toon'])).code).toBe(2);
    expect((await s.cli(['fmt', '--strict-toon'])).code).toBe(0);
    expect((await s.cli(['check', '--strict-toon'])).code).toBe(0);
  });

  it('finds the thunks that agents use', async () => {
    s.write('r.too', 'thunk review:\n  user: hi\n');
    s.write('a.toon', good.replace('type: scripted', 'type: too\n    use: "./r.too#reveiw"'));
    expect((await s.cli(['check', 'a.toon'])).out).toContain('has no thunk "reveiw". Did you mean "review"?');
    s.write('a.toon', good.replace('type: scripted', 'type: too\n    use: "./r.too#review"'));
    expect((await s.cli(['check', 'a.toon'])).code).toBe(0);
  });

  it('looks into agent files: what thunks take and give, and what is wrong there', async () => {
    s.write('r.too', 'struct R:\n  ok: Boolean\nthunk review(input: Text, style: Text) -> R:\n  user: {{style}}\n');
    const thunk = (more: string) =>
      `name: x\ninput:\n  q: string\nagents:\n  r:\n    type: too\n    use: ./r.too#review\nsteps[2]:\n  - id: a\n    agent: r\n    prompt: "{input.q}"\n    with:\n      ${more}: dry\n  - id: b\n    run: return a.ok\n    output: boolean\n`;
    s.write('a.toon', thunk('style'));
    expect(await s.cli(['check', 'a.toon'])).toMatchObject({ code: 0, out: '' });
    const { out } = await s.cli(['explain', 'a.toon', 'a']);
    expect(out).toContain('gives    R');
    expect(out).toContain('Prompt\n  {input.q}\n\nGiven\n  {\n    "style": "dry"\n  }\n');
    expect((await s.cli(['graph', 'a.toon'])).out).toContain('a  agent r');
    s.write('a.toon', thunk('styl'));
    expect((await s.cli(['check', 'a.toon'])).out).toContain('the thunk "review" has no "styl". Did you mean "style"?');
    s.write('a.toon', thunk('style'));
    s.write('r.too', 'thunk review(input: Text, style: Txt):\n  user: {{style}}\n');
    const broken = await s.cli(['check', 'a.toon']);
    expect(broken.code).toBe(2);
    expect(broken.out).toContain('a.toon:7:10  error TOO4281  "r.too" has an error at r.too:1:34: ');
    expect(broken.out).toContain('Run "toolang check r.too"');
  });

  it('mends what is surely meant, and reads no other step instead', async () => {
    const steps = (read: string, short: string) =>
      `${head}steps[3]:\n  - id: research\n    run: "return { t: input.q }"\n    output:\n      t: string\n  - id: a2\n    run: "return { t: input.q }"\n    output:\n      t: string\n  - kind: approval\n    id: ask\n    needs: ${short}\n    request:\n      title: "{${read}.t} {${short}.t}"\n`;
    s.write('a.toon', steps('reserch', 'z2'));
    expect((await s.cli(['check', '--fix', 'a.toon'])).code).toBe(2);
    expect(s.read('a.toon')).toBe(steps('research', 'z2'));
  });

  it('mends a prompt in a file of its own', async () => {
    const flow = `${good.replace(/prompt: .*/, 'promptFrom: ./p.md')}`;
    s.write('a.toon', flow);
    s.write('p.md', 'Like {"x": 1}\n');
    const { out } = await s.cli(['check', 'a.toon']);
    expect(out).toMatch(/p\.md:1:6 {2}error TOO3223/);
    expect(out).toContain('fix: replace with {{"x": 1}}');
  });

  describe('--types', () => {
    const typed = (code: string) => `${head}steps[1]:\n  - id: a\n    run: "${code}"\n    output:\n      n: number\n`;

    it('says so when there is no compiler', async () => {
      s.write('a.toon', typed('return { n: 1 }'));
      const { code, err } = await s.cli(['check', '--types']);
      expect(code).toBe(2);
      expect(err).toContain('--types needs TypeScript, and there is none for ".". (TOO3322)\n  Install it there:');
    });

    it("finds what the project's own compiler finds, at its place, and leaves nothing behind", async () => {
      mkdirSync(s.at('node_modules'));
      symlinkSync(
        fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url)),
        s.at('node_modules/typescript'),
      );
      s.write('a.toon', typed("const n: number = 'x'; return { n }"));
      const { code, out } = await s.cli(['check', '--types']);
      expect(code).toBe(2);
      expect(out).toMatch(/^a\.toon:9:17 {2}error TOO3320 {2}type 'string' is not assignable to type 'number'/);
      expect((await s.cli(['check'])).code).toBe(0);
      s.write('a.toon', typed('return { n: input.q.length }'));
      expect(await s.cli(['check', '--types'])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
      expect(existsSync(s.at('.toolang'))).toBe(false);
    });
  });
});

describe('fmt', () => {
  it('writes workflows in the usual layout, with the right lengths', async () => {
    s.write('a.toon', good.replace('steps[1]', 'steps[3]').replace('q: string', 'q:   string'));
    expect(await s.cli(['fmt', '--check'])).toMatchObject({ code: 2, out: 'a.toon\n' });
    expect(await s.cli(['fmt'])).toEqual({ code: 0, out: 'a.toon\n', err: '1 file formatted\n' });
    expect(s.read('a.toon')).toBe(good);
    const piped = await s.cli(['fmt', '-', '--stdin-name', 'x.toon'], { stdin: good.replace('[1]', '[2]') });
    expect(piped).toEqual({ code: 0, out: good, err: '' });
  });

  it('leaves a file with errors as written, but for the lengths', async () => {
    s.write('a.toon', `${good}steps[2]: x\n`);
    const one = await s.cli(['fmt', 'a.toon']);
    expect(one.code).toBe(2);
    expect(one.err).toMatch(/1 file left as written( but for the lengths)?: mend the errors first\n$/);
    s.write('b.toon', `name: x\nname: y\nsteps[4]:\n  - id:   a\n`);
    const { code, err } = await s.cli(['fmt', 'b.toon']);
    expect(code).toBe(2);
    expect(err).toMatch(/error TOO3.*\n(.*\n)*1 file left as written but for the lengths: mend the errors first\n$/);
    expect(s.read('b.toon')).toBe('name: x\nname: y\nsteps[1]:\n  - id:   a\n');
    expect((await s.cli(['fmt', 'b.toon'])).err).toMatch(/1 file left as written: mend the errors first\n$/);
  });
});

describe('parse', () => {
  it('prints the tree', async () => {
    s.write('a.toon', '# c\nname: x\nxs[2]: 1,true\nt[1]{a,"b c"}:\n  null,"q"\nu: "a" | "b"\n');
    expect((await s.cli(['parse', 'a.toon'])).out).toBe(
      [
        'document',
        '  object 2:1',
        '    name: string 2:7 "x"',
        '    xs: array 3:3 inline [2]',
        '      - number 3:8 1',
        '      - boolean 3:10 true',
        '    t: array 4:2 table [1] {a, "b c"}',
        '      - object 5:3',
        '        a: null 5:3',
        '        "b c": string 5:8 "q"',
        '    u: union 6:4 "a" | "b"',
        '  comment 1:1 "c"',
        '',
      ].join('\n'),
    );
    expect(await s.cli(['parse', 'a.toon', '--tokens'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('explain', () => {
  it('tells the order, the types and the keys', async () => {
    s.write('a.toon', good);
    const { code, out } = await s.cli(['explain', 'a.toon']);
    expect(code).toBe(0);
    expect(out).toContain('workflow x\n  input   { q: string }\n  result  { t: string }\n');
    expect(out).toContain('Agents\n  w  scripted\n');
    expect(out).toContain('Order\n  1  a  agent w\n');
    expect(out).toMatch(/reads {4}input\.q {2}string\n {4}gives {4}\{ t: string \}\n {4}key {6}[0-9a-f]{12} {2}of /);
  });

  it('shows a step in full, by id or number', async () => {
    s.write('a.toon', good);
    const { out } = await s.cli(['explain', 'a.toon', 'a']);
    expect(out).toContain('Prompt\n  hi {input.q}\n');
    expect((await s.cli(['explain', 'a.toon', '1'])).out).toBe(out);
    expect((await s.cli(['explain', 'a.toon', 'b'])).err).toBe('toolang: "a.toon" has no step "b".\n  Its steps: a.\n');
  });

  it('has nothing to say of a file with errors, of parts and of data', async () => {
    s.write('a.toon', bad);
    s.write('parts.toon', parts());
    s.write('x.script.toon', 'replies: []\n');
    for (const command of ['explain', 'graph']) {
      const wrong = await s.cli([command, 'a.toon']);
      expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 2, out: '' });
      expect(wrong.err).toMatch(/^a\.toon:.*error(.*\n)*1 error: mend it first\n$/);
      expect((await s.cli([command, 'parts.toon'])).err).toContain('it is there to be imported');
      expect((await s.cli([command, 'x.script.toon'])).err).toContain('is data, not a workflow');
    }
  });
});

describe('graph', () => {
  it('draws text, Mermaid, SVG and JSON, one at a time', async () => {
    s.write('a.toon', good);
    expect((await s.cli(['graph', 'a.toon'])).out).toBe(
      'x  { q: string } → { t: string }\n└─ a  agent w  → { t: string }\n',
    );
    expect((await s.cli(['graph', 'a.toon', '--mermaid'])).out).toMatch(/^flowchart TB\n/);
    expect((await s.cli(['graph', 'a.toon', '--svg'])).out).toMatch(/^<svg xmlns=/);
    expect((await s.cli(['graph', '-', '--json'], { stdin: good })).out).toContain('"file": "<stdin>.toon"');
    expect(await s.cli(['graph', 'a.toon', '--svg', '--mermaid'])).toEqual({
      code: 2,
      out: '',
      err: 'toolang: --mermaid and --svg exclude each other.\n  Choose one.\n',
    });
  });

  it('writes to a file, uncoloured, or says why it cannot', async () => {
    s.write('a.toon', good);
    expect(await s.cli(['graph', 'a.toon', '-o', 'a.txt', '--color'])).toEqual({ code: 0, out: '', err: '' });
    expect(s.read('a.txt')).toMatch(/^x {2}\{/);
    const { code, err } = await s.cli(['graph', 'a.toon', '-o', 'no/where.svg', '--svg']);
    expect(code).toBe(1);
    expect(err).toMatch(/^toolang: "no\/where\.svg" /);
  });

  it('never takes the place of what it draws, or of another workflow', async () => {
    s.write('x.toon', good);
    s.write('other.toon', good);
    symlinkSync(s.at('x.toon'), s.at('link'));
    for (const output of ['x.toon', './x.toon', s.at('x.toon'), 'link', 'other.toon', 'new.too']) {
      const ran = await s.cli(['graph', 'x.toon', '-o', output]);
      expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining('nothing was written') });
    }
    expect([s.read('x.toon'), s.read('other.toon'), existsSync(s.at('new.too'))]).toEqual([good, good, false]);
  });

  it('refuses an agent', async () => {
    s.write('a.too', 'thunk:\n  user: hi\n');
    expect((await s.cli(['graph', 'a.too'])).err).toContain('"a.too" is an agent, not a workflow.');
  });
});

describe('new --workflow', () => {
  it('writes files that are right as they stand, and commands that can be pasted', async () => {
    const { code, out } = await s.cli(['new', '--workflow', 'release']);
    expect(code).toBe(0);
    expect(readdirSync(s.at('release')).sort()).toEqual(
      ['.gitignore', 'AGENTS.md', 'README.md', 'release.script.toon', 'release.toon', 'writer.too'].sort(),
    );
    expect(await s.cli(['check'])).toEqual({ code: 0, out: '', err: 'no problems in 3 files\n' });
    expect((await s.cli(['check', '--max-warnings', '0'])).code).toBe(0);
    expect((await s.cli(['fmt', '--check'])).code).toBe(0);
    const [, ...next] = out.slice(out.indexOf('next\n')).trim().split('\n');
    expect(next.map((line) => line.trim())).toEqual([
      'cd release',
      ...['check', 'graph'].map((command) => `toolang ${command} release.toon`),
      'toolang run release.toon --input topic="durable agents"',
    ]);
    for (const line of next.slice(1)) {
      const [, command = '', file = '', ...more] = line.trim().split(/ (?=\S)(?!agents)/);
      const words = more.map((word) => word.replaceAll('"', ''));
      // A run ends where a person is asked.
      expect((await s.cli([command, join('release', file), ...words])).code).toBe(command === 'run' ? 3 : 0);
    }
  });

  it('shares a script with its agent where they have one name', async () => {
    expect((await s.cli(['new', '--workflow', 'writer'])).code).toBe(0);
    expect((await s.cli(['run', 'writer/writer.toon', '-i', 'topic=tea'])).err).toContain('⏸ publish');
  });

  it('names what it would make when the name cannot be', async () => {
    expect((await s.cli(['new', '--workflow', 'My Flow.toon'])).err).toBe(
      'toolang: "My Flow.toon" cannot be the name of a workflow: a name starts with a lower-case letter\n  write: toolang new --workflow my-flow\n',
    );
  });
});
