/** `toolang check`: what it reads, what it says, what it mends. */
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const good = 'thunk:\n  user: hi\n';
const bad = 'thunk:\n  tool = shell\n  user: hi\n';
const warns = 'thunk:\n  tools = shell, shell\n  user: hi\n';

describe('what is checked', () => {
  it('is the files that are named, each once, with its errors under its own name', async () => {
    s.write('a.too', good);
    s.write('b.too', bad);
    const { code, out, err } = await s.cli(['check', 'a.too', 'b.too', './a.too', s.at('b.too')]);
    expect(code).toBe(2);
    expect(out).toMatch(/^b\.too:2:3 {2}error TOO1601 {2}unknown directive "tool"\. Did you mean "tools"\?\n/);
    expect(err).toBe('1 error in 2 files, 1 with a fix (--fix)\n');
  });

  it('is every .too file below a directory, but not in hidden, package and build folders', async () => {
    for (const name of ['z.too', 'a/b/c.TOO', 'a.txt', '.hidden/x.too', 'node_modules/p/x.too', 'dist/x.too']) {
      s.write(name, name.toLowerCase().endsWith('.too') ? bad : 'x');
    }
    const { out } = await s.cli(['check', '.', '--json']);
    const { files } = JSON.parse(out);
    expect(files.map((file: { file: string }) => file.file)).toEqual([join('a', 'b', 'c.TOO'), 'z.too']);
    expect(await s.cli(['check'])).toMatchObject({ code: 2, err: '2 errors in 2 files, 2 with a fix (--fix)\n' });
    expect((await s.cli(['check', '.hidden'])).err).toMatch(/^1 error in 1 file/);
  });

  it('is a linked file too, but not what a linked directory holds', async () => {
    s.write('real/a.too', good);
    symlinkSync(s.at('real/a.too'), s.at('link.too'));
    symlinkSync(s.at('.'), s.at('real/again'));
    symlinkSync(s.at('nowhere'), s.at('dangling.too'));
    const { code, err } = await s.cli(['check']);
    expect(code).toBe(2);
    expect(err).toContain('toolang: "dangling.too" does not exist. (TOO5001)\n');
    expect(err).toContain('no problems in 2 files\n');
  });

  it('is standard input for "-"', async () => {
    expect(await s.cli(['check', '-'], { stdin: bad })).toMatchObject({ code: 2, err: '1 error in 1 file\n' });
    expect((await s.cli(['check', '-'], { stdin: bad })).out).toMatch(/^<stdin>:2:3 {2}error TOO1601/);
    expect(await s.cli(['check', '-', '-'], { stdin: '' })).toEqual({
      code: 0,
      out: '',
      err: 'no problems in 1 file\n',
    });
    expect((await s.cli(['check', '-'], { stdin: '', typed: true })).err).toContain('reading what you type');
  });

  it('may be empty, or hold nothing but a byte order mark', async () => {
    s.write('empty.too', '');
    s.write('mark.too', '\ufeff');
    expect(await s.cli(['check'])).toEqual({ code: 0, out: '', err: 'no problems in 2 files\n' });
  });
});

describe('what it says', () => {
  it('is nothing on standard output when all is well, and nothing at all with --quiet', async () => {
    s.write('a.too', good);
    expect(await s.cli(['check'])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
    expect(await s.cli(['check', '--quiet'])).toEqual({ code: 0, out: '', err: '' });
  });

  it('leaves warnings out with --quiet, but not out of the count of --max-warnings', async () => {
    s.write('a.too', warns);
    expect(await s.cli(['check', '-q'])).toEqual({ code: 0, out: '', err: '' });
    expect(await s.cli(['check', '--max-warnings', '1'])).toMatchObject({ code: 0 });
    const { code, out, err } = await s.cli(['check', '-q', '--max-warnings', '0']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('1 warning in 1 file\ntoolang: 1 warning: more than the 0 of --max-warnings.\n');
  });

  it('is one JSON object with --json, never coloured, and nothing else on standard output', async () => {
    s.write('a.too', warns);
    s.write('b.too', bad);
    const { code, out, err } = await s.cli(['check', '--json', '--color', 'a.too', 'b.too', 'c.too']);
    expect({ code, err }).toEqual({ code: 2, err: '' });
    const shape = JSON.parse(out);
    expect(shape).toMatchObject({ version: 1, errors: 1, warnings: 1 });
    expect(shape.problems).toEqual([
      { code: 'TOO5001', file: 'c.too', message: '"c.too" does not exist.', help: 'Did you mean "a.too"?' },
    ]);
    expect(shape.files[1].diagnostics[0]).toEqual({
      code: 'TOO1601',
      severity: 'error',
      message: 'unknown directive "tool". Did you mean "tools"?',
      file: 'b.too',
      range: { start: { line: 2, column: 3 }, end: { line: 2, column: 7 } },
      related: [],
      help: 'Directives are models, tools, skills, services, psyches, hands, handoffs and recall.',
      fix: {
        title: 'replace with "tools"',
        edits: [{ range: { start: { line: 2, column: 3 }, end: { line: 2, column: 7 } }, text: 'tools' }],
      },
    });
  });

  it('keeps every character that a terminal would obey to itself', async () => {
    s.write('a\u202e\x1b[31m\n.too', 'thunk:\n  user: a\u202eb \u009b31m\n');
    for (const argv of [['check'], ['check', '--fix'], ['check', '--json'], ['fmt'], ['check', 'x\x1b[2J\n.too']]) {
      const { out, err } = await s.cli(argv);
      expect(out + err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });
});

describe('--fix', () => {
  it('mends what can be mended, says so, and leaves the rest', async () => {
    s.write('a.too', 'thunk:\n  tool = shel\n  hands = nobody\n  user: {{inptu}} {{inptu}}\n');
    const { code, out, err } = await s.cli(['check', '--fix', 'a.too']);
    expect(code).toBe(2);
    expect(out).toMatch(/^a\.too:3:11 {2}error TOO2107/);
    expect(out).not.toContain('TOO1601');
    expect(err).toBe('mended 4 problems in a.too\n1 error in 1 file\n');
    expect(s.read('a.too')).toBe('thunk:\n  tools = shell\n  hands = nobody\n  user: {{input}} {{input}}\n');
    expect(JSON.parse((await s.cli(['check', '--fix', '--json'])).out).files[0].fixed).toBe(0);
  });

  it('keeps line ends, byte order mark, mode and link, and leaves no other file behind', async () => {
    s.write('real/a.too', '\ufeffthunk:\r\n  tool = shell\r\n  user: hi\r\n');
    chmodSync(s.at('real/a.too'), 0o640);
    symlinkSync(s.at('real/a.too'), s.at('link.too'));
    expect((await s.cli(['check', '--fix', 'link.too'])).code).toBe(0);
    expect(s.read('real/a.too')).toBe('\ufeffthunk:\r\n  tools = shell\r\n  user: hi\r\n');
    expect(statSync(s.at('real/a.too')).mode & 0o777).toBe(0o640);
    expect(lstatSync(s.at('link.too')).isSymbolicLink()).toBe(true);
    expect(readdirSync(s.at('real'))).toEqual(['a.too']);
  });

  it('does not write a file in which nothing was mended', async () => {
    s.write('a.too', 'thunk:\n  hands = nobody\n  user: hi\n');
    const old = new Date(1_000_000_000_000);
    utimesSync(s.at('a.too'), old, old);
    await s.cli(['check', '--fix']);
    expect(statSync(s.at('a.too')).mtimeMs).toBe(old.getTime());
  });

  it('says so when the file cannot be written, and goes on with the others', async () => {
    s.write('b.too', bad);
    s.write('a.too', bad);
    chmodSync(s.at('a.too'), 0o444);
    const { code, err } = await s.cli(['check', '--fix', 'a.too', 'b.too']);
    // Nothing is closed to the superuser; `input.test.ts` has a way that is.
    if (process.getuid?.() === 0) expect(code).toBe(0);
    else {
      expect(code).toBe(2);
      expect(err).toContain('toolang: "a.too" cannot be written: permission denied.\n  The file is as it was.\n');
      expect(s.read('a.too')).toBe(bad);
    }
    expect(s.read('b.too')).toBe('thunk:\n  tools = shell\n  user: hi\n');
  });

  it('refuses standard input', async () => {
    const { code, err } = await s.cli(['check', '--fix', '-'], { stdin: bad });
    expect(code).toBe(2);
    expect(err).toBe('toolang: --fix cannot change standard input.\n  Name the file instead of "-".\n');
  });
});

describe('what lies around a file', () => {
  const uses = (...lines: string[]) => `thunk:\n${lines.map((line) => `  ${line}\n`).join('')}  user: hi\n`;

  it('gives it the caps of its home: folders, config and agents.too', async () => {
    s.write('.toolang/skills/search/SKILL.md', '---\ndescription: d\n---\nx\n');
    s.write('.toolang/psyches/calm.md', 'Be calm.\n');
    s.write('.toolang/config.toml', '[services]\ngithub = { ref = "openhat/github" }\n');
    s.write('.toolang/agents.too', 'use skill openhat/plan\n');
    s.write('deep/er/a.too', uses('skills = search, plan', 'psyches = calm', 'services = github', 'tools = github/x'));
    expect(await s.cli(['check'])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
    s.write('deep/er/a.too', uses('skills = serch'));
    expect((await s.cli(['check'])).out).toContain('unknown skill "serch". Did you mean "search"?');
  });

  it('gives it the caps of the root, from TOOLANG_ROOT or ~/.toolang', async () => {
    s.write('../home/.toolang/psyches/calm.md', 'Be calm.\n');
    s.write('../root/psyches/wild.md', 'Be wild.\n');
    s.write('calm.too', uses('psyches = calm'));
    s.write('wild.too', uses('psyches = wild'));
    expect((await s.cli(['check', 'calm.too'])).code).toBe(0);
    expect((await s.cli(['check', 'wild.too'])).code).toBe(2);
    const env = { TOOLANG_ROOT: join(s.dir, '..', 'root') };
    expect((await s.cli(['check', 'calm.too'], { env })).code).toBe(2);
    expect((await s.cli(['check', 'wild.too'], { env })).code).toBe(0);
    expect((await s.cli(['check', '-'], { env, stdin: uses('psyches = wild') })).code).toBe(0);
  });

  it('gives it the hands of the config, and the workflows beside it', async () => {
    s.write('.toolang/config.toml', '[hands]\nrelease = "./release.toon"\n');
    s.write('release.toon', '');
    s.write('a.too', uses('hands = release'));
    expect((await s.cli(['check', 'a.too'])).code).toBe(0);
    s.write('a.too', uses('hands = relaese, ./flow.toon'));
    const { out } = await s.cli(['check']);
    expect(out).toContain('unknown hand "relaese". Did you mean "release"?');
    expect(out).toContain('there is no workflow file "./flow.toon"');
    s.write('flow.toon', '');
    s.write('a.too', uses('hands = ./flow.toon'));
    expect((await s.cli(['check', 'a.too'])).code).toBe(0);
  });

  it('tells what is wrong with it once for many files, under its own name', async () => {
    s.write('.toolang/config.toml', '[tool]\ndefault = ["shell"]\n');
    for (const name of ['a.too', 'b.too', 'sub/c.too']) s.write(name, good);
    const { code, out, err } = await s.cli(['check']);
    expect(code).toBe(2);
    expect(out.match(/TOO5103/g)).toHaveLength(1);
    expect(out).toMatch(/^\.toolang[\\/]config\.toml:1:2 {2}error TOO5103/);
    expect(err).toBe('1 error in 4 files\n');
    const { files } = JSON.parse((await s.cli(['check', '--json'])).out);
    for (const { file, diagnostics } of files) {
      for (const d of diagnostics) expect(d.file).toBe(file);
    }
  });

  it('tells when it cannot be read', async () => {
    s.write('a.too', good);
    s.write('.toolang/config.toml', Buffer.from([0xff, 0xfe, 0]));
    s.write('.toolang/agents.too/x', '');
    const { code, out } = await s.cli(['check']);
    expect(code).toBe(2);
    expect(out).toContain('error TOO5006');
    expect(out).toContain('error TOO5002');
    s.write('../root', 'a file');
    expect((await s.cli(['check'], { env: { TOOLANG_ROOT: join(s.dir, '..', 'root') } })).out).toContain(
      'error TOO5121',
    );
  });

  it('may not be the root itself', async () => {
    s.write('.toolang/config.toml', '');
    s.write('a.too', good);
    const { code, out } = await s.cli(['check'], { env: { HOME: s.dir } });
    expect(code).toBe(2);
    expect(out).toMatch(/^a\.too:1:1 {2}error TOO5120/);
  });
});

describe('names of models', () => {
  it('are checked by their providers and by the aliases of the configuration, and asked of nobody', async () => {
    s.write('.toolang/config.toml', '[models.aliases.quick]\nref = "openai/gpt-5-mini"\n');
    s.write('a.too', 'thunk:\n  models = quick, gpt-5, openai/gpt-99, scripted\n  user: hi\n');
    expect(await s.cli(['check', 'a.too'])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
    s.write('a.too', 'thunk:\n  models = quick, opnai/gpt-5, google\n  user: hi\n');
    const { code, out } = await s.cli(['check', 'a.too']);
    expect(code).toBe(2);
    expect(out).toContain(
      'a.too:2:19  error TOO2109  there is no provider "opnai" of models. Did you mean "openai/gpt-5"?',
    );
    expect(out).toContain('a.too:2:32  error TOO2109  "google" names a provider and no model.');
  });

  it('that only a server of one’s own may have are left out, and noted', async () => {
    s.write('a.too', 'thunk:\n  models = my-own-model\n  user: hi\n');
    const { code, out } = await s.cli(['check', 'a.too']);
    expect(code).toBe(0);
    expect(out).toContain('a.too:2:12  note TOO2901  not checked here: models (my-own-model).');
  });
});

describe('names of hands', () => {
  it('cannot be those of tools that the runtime brings, also where a workflow would have them', async () => {
    s.write('w/skill.toon', 'name: w\ninput:\nsteps[1]:\n  - id: a\n    run: return 1\n    output: number\n');
    s.write('a.too', 'thunk:\n  hands = ./w/skill.toon, memory_save\n  user: hi\nthunk memory_save:\n  user: b\n');
    const { code, out } = await s.cli(['check', 'a.too']);
    expect(code).toBe(2);
    expect(out).toContain(
      'a.too:2:11  error TOO2111  "./w/skill.toon" would be called "skill", which is the name of a tool',
    );
    expect(out).toContain('a.too:2:27  error TOO2111  "memory_save" is the name of a tool that the runtime brings');
  });
});

describe('where it looks', () => {
  it('is told by --home and --root', async () => {
    s.write('elsewhere/.toolang/psyches/calm.md', 'Be calm.');
    s.write('root/psyches/wild.md', 'Be wild.');
    s.write('a.too', 'thunk:\n  psyches = calm, wild\n  user: hi\n');
    const unknown = async (...flags: string[]) => {
      const { out } = await s.cli(['check', 'a.too', ...flags]);
      return [...out.matchAll(/unknown psyche "(\w+)"/g)].map((found) => found[1]);
    };
    expect(await unknown()).toEqual(['calm', 'wild']);
    expect(await unknown('--home', 'elsewhere')).toEqual(['wild']);
    expect(await unknown('--root=root')).toEqual(['calm']);
    expect(await unknown('--home', 'elsewhere', '--root', 'root')).toEqual([]);
    expect((await s.cli(['check', 'a.too', '--home', 'nowhere'])).out).toContain('error TOO51');
  });
});

describe('caps that are named', () => {
  const skill = '---\nname: review\nlicense: MIT\ndescription: d\n---\nx\n';
  const files = async (...argv: string[]) => {
    const { out } = await s.cli(['check', '--json', ...argv]);
    const { files } = JSON.parse(out) as { files: { file: string; diagnostics: { code: string }[] }[] };
    return files.map(({ file, diagnostics }) => [file.replaceAll('\\', '/'), ...diagnostics.map((d) => d.code)]);
  };

  it('are checked: a file, a skill, a folder, a home', async () => {
    s.write('.toolang/skills/review/SKILL.md', skill);
    s.write('.toolang/skills/review/assets/a.too', good);
    s.write('.toolang/skills/stray.md', 'x');
    s.write('.toolang/psyches/calm.md', 'Be calm.');
    const review = ['.toolang/skills/review/SKILL.md', 'TOO5222', 'TOO5221'];
    const stray = ['.toolang/skills/stray.md', 'TOO5242'];
    expect(await files('.toolang/psyches/calm.md')).toEqual([['.toolang/psyches/calm.md']]);
    expect(await files('.toolang/skills/review/SKILL.md')).toEqual([review]);
    expect(await files('.toolang/skills/stray.md')).toEqual([stray]);
    expect((await files('.toolang/skills/review')).sort()).toEqual([
      review,
      ['.toolang/skills/review/assets/a.too'],
      stray,
    ]);
    expect((await files('.toolang/skills')).sort()).toEqual([review, ['.toolang/skills/review/assets/a.too'], stray]);
    expect((await files('.toolang')).sort()).toContainEqual(['.toolang/psyches/calm.md']);
  });

  it('may lie in any folder that has the name of a kind', async () => {
    s.write('prompts/rewrite.md', '');
    s.write('services/github.md', 'x');
    expect(await files('prompts/rewrite.md')).toEqual([['prompts/rewrite.md', 'TOO5235']]);
    expect(await files('services')).toEqual([['services/github.md', 'TOO5209']]);
    s.write('services/a.too', good);
    expect(await files('services')).toEqual([['services/a.too']]);
  });

  it('are those of a home that has no files of its own', async () => {
    s.write('.toolang/services/github.md', 'x');
    expect(await files()).toEqual([['.toolang/services/github.md', 'TOO5209']]);
    expect(await files('--root', '.toolang')).toEqual([]);
  });

  it('are mended with --fix, and what is mended is not told again', async () => {
    s.write('a.too', good);
    s.write('.toolang/skills/review/SKILL.md', skill);
    const { code, err } = await s.cli(['check', '--fix', 'a.too', '.toolang/skills']);
    expect({ code, err: err.replaceAll('\\', '/') }).toEqual({
      code: 0,
      err: 'mended 2 problems in .toolang/skills/review/SKILL.md\nno problems in 2 files\n',
    });
    expect(s.read('.toolang/skills/review/SKILL.md')).toBe('---\ndescription: d\n---\nx\n');
  });

  it('may come from standard input, by the name that is given', async () => {
    const piped = async (name: string, stdin: string) =>
      (await s.cli(['check', '-', '--stdin-name', name], { stdin })).out;
    expect(await piped('skills/review/SKILL.md', skill)).toMatch(
      /^skills\/review\/SKILL\.md:2:1 {2}error TOO5222 .*"review"/,
    );
    expect(await piped('psyches/calm.md', 'Be calm.')).toBe('');
  });

  it('that are missing, or no caps, are told as files are', async () => {
    s.write('notes/x.md', 'x');
    expect((await s.cli(['check', 'psyches/x.md'])).err).toContain('"psyches/x.md" does not exist. (TOO5001)');
    expect((await s.cli(['check', 'notes/x.md'])).err).toContain('is not a .too or .toon file');
    s.write('skills/.keep', '');
    expect((await s.cli(['check', 'skills'])).err).toContain('there is no .too or .toon file in "skills"');
  });
});
