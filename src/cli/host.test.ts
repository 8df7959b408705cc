/** What lies around a file, as `toolang check` tells it: config.toml, agents.too, homes and roots. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostFinder } from './host.ts';
import { memoryContext } from './memory-context.ts';
import { type Scratch, scratch } from './scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('a.too', 'thunk:\n  user: hi\n');
});
afterEach(() => s.remove());

/** `code line:column message` of every report that is not of the file itself. */
async function around(...argv: string[]): Promise<string[]> {
  const { out } = await s.cli(['check', ...(argv.length > 0 ? argv : ['a.too']), '--json']);
  const { files } = JSON.parse(out) as {
    files: { file: string; diagnostics: { code: string; message: string; range: { start: Place } }[] }[];
  };
  return files.flatMap((file) =>
    file.diagnostics.map((d) => `${d.code} ${d.range.start.line}:${d.range.start.column} ${d.message}`),
  );
}

interface Place {
  readonly line: number;
  readonly column: number;
}

const config = '.toolang/config.toml';
const service = '---\ndescription: d\ntransport: http\ntarget: https://x.y/mcp\n---\n';

describe('a config.toml', () => {
  it('names tools that there are', async () => {
    s.write(
      config,
      '[tools]\ndefault = ["shel", "filesystem/read", "read"]\n[permissions]\ndeny = ["shel(rm *)", "web/fetch"]\nallow = [\'filesystem/wirte\']\nask = ["nope"]\n',
    );
    expect(await around()).toEqual([
      'TOO2106 2:13 unknown tool "shel". Did you mean "shell"?',
      'TOO2106 2:40 unknown tool "read". Did you mean "filesystem/read"?',
      'TOO2106 4:10 unknown tool "shel". Did you mean "shell"?',
      'TOO2106 5:11 unknown tool "filesystem/wirte". Did you mean "filesystem/write"?',
      'TOO2106 6:9 unknown tool "nope".',
    ]);
  });

  it('may name the services of every scope, and patterns that fit something', async () => {
    s.write('.toolang/services/github.md', service);
    mkdirSync(join(s.home, '.toolang/services'), { recursive: true });
    writeFileSync(join(s.home, '.toolang/services/linear.md'), service);
    s.write(
      config,
      '[tools]\ndefault = ["github", "linear/list"]\n[permissions]\nallow = ["*", "git*", "linear/*", "filesystem/*", "*/read"]\ndeny = ["x*", "web/x*"]\n',
    );
    expect(await around()).toEqual(['TOO2106 5:10 unknown tool "x*".', 'TOO2106 5:16 unknown tool "web/x*".']);
  });

  it('wires what is remote, by a reference that can be read', async () => {
    s.write(
      config,
      '[skills]\nb = { ref = "./x" }\nc = { ref = "one" }\nd = { ref = "github://a/b/c" }\n[prompts]\ne = { ref = "https://x.y/100%25" }\n',
    );
    expect(await around()).toEqual([
      'TOO5302 2:13 "./x" is local, and "ref" names what is remote.',
      'TOO5303 3:13 "one" does not say whose skill it is.',
      'TOO5305 4:13 "github://a/b/c" does not say which revision.',
    ]);
  });

  it('names files of hands, from the home', async () => {
    s.write('release.toon', '');
    s.write(config, '[hands]\nrelease = "./release.toon"\nr = "./missing.toon"\n');
    expect(await around()).toEqual(['TOO2107 3:5 there is no workflow file "./missing.toon".']);
  });

  it('is told once, whatever the number of files, and with every mistake', async () => {
    s.write('b.too', 'thunk:\n  user: hi\n');
    s.write(config, '[tool]\ndefault = ["shel"]\n[skills]\nc = { reff = "./x" }\n');
    expect((await around('a.too', 'b.too')).map((line) => line.slice(0, 11))).toEqual([
      'TOO5103 1:2',
      'TOO5103 4:7',
      'TOO2106 2:1',
      'TOO5302 4:1',
    ]);
  });
});

describe('the caps of a home and of the root', () => {
  it('are told of once, and are known by their names all the same', async () => {
    s.write('b.too', 'thunk:\n  skills = review\n  services = github\n  user: hi\n');
    s.write('.toolang/skills/review/SKILL.md', '---\nname: x\ndescription: d\n---\nx\n');
    s.write('.toolang/skills/empty/x', '');
    mkdirSync(join(s.home, '.toolang/services'), { recursive: true });
    writeFileSync(join(s.home, '.toolang/services/github.md'), 'x');
    expect((await around('a.too', 'b.too')).sort()).toEqual([
      'TOO5209 1:1 this service has no frontmatter.',
      'TOO5222 2:1 a skill has no property "name": its name comes from its directory, "review".',
      'TOO5240 1:1 this skill has no file "SKILL.md".',
    ]);
  });

  it("stand in nobody's way where they only stand around", async () => {
    s.write('.toolang/services/github.md', 'x');
    const { code, out, err } = await s.cli(['explain', 'a.too']);
    expect(code).toBe(0);
    expect(out).toContain('default');
    expect(err).toContain('TOO5209');
  });
});

describe('an agents.too', () => {
  const uses = '.toolang/agents.too';
  const text = 'use skill home://skills/x\nuse skil a/b\nthunk go:\n  user: {{nope}}\nskill s:\n  Text.\n';

  it('is told of when any file of its home is checked, once', async () => {
    s.write('b.too', 'thunk:\n  user: hi\n');
    s.write(uses, text);
    const lines = await around('a.too', 'b.too');
    expect(lines.map((line) => line.slice(0, 11))).toEqual(
      ['TOO1401 2:5', 'TOO5302 1:1', 'TOO5310 3:1', 'TOO5310 5:1'].sort(byPlace),
    );
    expect(lines).toContain('TOO5310 3:1 thunk "go" stands in an agents.too, which is no agent.');
  });

  it('is told of when it is checked itself, once', async () => {
    s.write(uses, 'use skill home://skills/x\nthunk go:\n  user: hi\n');
    expect((await around(uses)).map((line) => line.slice(0, 11)).sort()).toEqual(['TOO5302 1:1', 'TOO5310 2:1']);
    expect((await around(uses, 'a.too')).map((line) => line.slice(0, 11)).sort()).toEqual([
      'TOO5302 1:1',
      'TOO5310 2:1',
    ]);
  });

  it('is left to its own check when it is among the files', async () => {
    s.write(uses, 'use skill home://skills/x\nthunk go:\n  user: hi\n');
    const context = memoryContext({ cwd: s.dir, env: { HOME: s.home } });
    const files = ['a.too', uses].map((name) => ({ path: s.at(name), name }));
    const find = hostFinder(context, files);
    const found = [];
    for (const file of files) found.push(...(await find(file)).diagnostics);
    expect(found.map((d) => d.code)).toEqual(['TOO5310']);
  });

  it('of the root counts too', async () => {
    mkdirSync(join(s.home, '.toolang'));
    writeFileSync(join(s.home, '.toolang/agents.too'), 'struct A:\n  x: Text\n');
    expect(await around()).toEqual(['TOO5310 1:1 struct "A" stands in an agents.too, which is no agent.']);
  });
});

describe('a place without text', () => {
  it('is shown without a line, and its path once', async () => {
    mkdirSync(join(s.dir, config), { recursive: true });
    const { out } = await s.cli(['check', 'a.too']);
    expect(out).toBe(
      `${join('.toolang', 'config.toml')}:1:1  error TOO5002  this is a directory, not a file.\n   help: Name a file in it.\n`,
    );
  });

  it('even when it is a file in the home of a person, or a root that is none', async () => {
    writeFileSync(join(s.dir, 'root'), '');
    const root = await s.cli(['check', 'a.too'], { env: { TOOLANG_ROOT: s.at('root') } });
    expect(root.out).toContain('root:1:1  error TOO5121  the root is not a directory.\n   help:');
    const home = await s.cli(['check', 'a.too'], { env: { HOME: s.dir } });
    expect(home.out).toContain('a.too:1:1  error TOO5120  this file lies directly in ');
    expect(home.out).not.toContain('1 |');
  });
});

function byPlace(a: string, b: string): number {
  return a.slice(8) < b.slice(8) ? -1 : 1;
}
