/** `toolang new`: what it writes, what it refuses, and that what it writes is right. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSource, renderDiagnostic } from '../../text/index.ts';
import { format, parse } from '../../too/index.ts';
import { memoryContext } from '../memory-context.ts';
import { projectFiles, residentFiles } from '../project/files.ts';
import { nameProblem, suggestName } from '../project/name.ts';
import { workflowFiles } from '../project/workflow-files.ts';
import { runCli } from '../run.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'toolang-new-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function run(argv: string[], env = {}) {
  const context = memoryContext({ cwd, env });
  const code = await runCli(argv, context);
  return { code, out: context.out(), err: context.err() };
}

function cli(argv: string[], env = {}) {
  return run(['new', ...argv], env);
}

const problems = (text: string) =>
  parse(createSource('x.too', text)).diagnostics.map((d) => renderDiagnostic(d, { color: false, columns: 80 }));

describe('toolang new', () => {
  it('makes a folder and says what to do next', async () => {
    const { code, out, err } = await cli(['hello']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(readdirSync(join(cwd, 'hello')).sort()).toEqual([
      ...['.gitignore', 'AGENTS.md', 'README.md', 'hello.script.toon', 'hello.too'],
    ]);
    expect(out).toContain(
      '  cd hello\n  toolang check hello.too\n  toolang explain hello.too\n  toolang hello.too hello\n',
    );
    expect((await cli(['again'], { npm_command: 'exec' })).out).toContain('  npx toolang check again.too\n');
  });

  it('makes an agent that answers at once, without a key, and a resident one too', async () => {
    const env = { HOME: cwd };
    await cli(['hello'], env);
    const ran = await run(['hello/hello.too', 'hello'], env);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('model: scripted (hello/hello.script.toon, no key found)');
    expect(JSON.parse(ran.out).points[0]).toContain('hello.script.toon');
    expect((await run(['hello/hello.too', 'summarize', 'text=long'], env)).code).toBe(0);
    expect((await run(['check', 'hello'], env)).err).toBe('no problems in 2 files\n');
    expect((await run(['fmt', '--check', 'hello'], env)).code).toBe(0);
    expect((await cli(['--agent', 'ada'], env)).code).toBe(0);
    expect(JSON.parse((await run(['invoke', 'ada', 'hello'], env)).out).title).toBe('A script answered');
  });

  it('tells coding agents where the long form of its notes is', () => {
    for (const files of [projectFiles('hello'), residentFiles('hello'), workflowFiles('hello')]) {
      expect(files.find(({ name }) => name === 'AGENTS.md')?.text).toContain('node_modules/toolang/SKILL.md');
    }
  });

  it('makes it elsewhere with --dir, in an empty folder too', async () => {
    mkdirSync(join(cwd, 'my agents', 'hello'), { recursive: true });
    const { code, out } = await cli(['hello', '--dir', 'my agents']);
    expect(code).toBe(0);
    expect(out).toContain("  cd 'my agents/hello'\n");
    expect(readdirSync(join(cwd, 'my agents', 'hello'))).toContain('hello.too');
  });

  it('refuses a folder with something in it, and with --force replaces its own files only', async () => {
    mkdirSync(join(cwd, 'hello'));
    writeFileSync(join(cwd, 'hello', 'mine.txt'), 'mine');
    writeFileSync(join(cwd, 'hello', 'README.md'), 'old');
    const refused = await cli(['hello']);
    expect(refused.code).toBe(2);
    expect(refused.err).toBe(
      'toolang: the folder "hello" is not empty\n  choose another name, or add --force to write into it\n',
    );
    expect(readdirSync(join(cwd, 'hello')).sort()).toEqual(['README.md', 'mine.txt']);
    const forced = await cli(['hello', '--force']);
    expect(forced.code).toBe(0);
    expect(forced.out).toMatch(/README\.md .*\(replaced\)/);
    expect(readFileSync(join(cwd, 'hello', 'mine.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(cwd, 'hello', 'README.md'), 'utf8')).toContain('# hello');
  });

  it('refuses a file in the place of the folder, and a link in the place of a file, writing nothing', async () => {
    writeFileSync(join(cwd, 'hello'), '');
    expect((await cli(['hello'])).err).toContain('"hello" is there and is not a folder');
    expect((await cli(['x', '--dir', 'hello'])).err).toContain('--dir "hello" is there and is not a folder');
    expect(await cli(['x', '--dir', 'hello/deep'])).toMatchObject({ code: 1, out: '' });
    mkdirSync(join(cwd, 'other'));
    writeFileSync(join(cwd, 'precious'), 'keep');
    symlinkSync(join(cwd, 'precious'), join(cwd, 'other', 'README.md'));
    const linked = await cli(['other', '--force']);
    expect(linked.code).toBe(2);
    expect(linked.err).toContain('is not a plain file');
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('keep');
    expect(readdirSync(join(cwd, 'other'))).toEqual(['README.md']);
  });

  it('refuses a name that cannot be one and suggests one that can', async () => {
    const { code, err } = await cli(['My Agent']);
    expect(code).toBe(2);
    expect(err).toBe(
      'toolang: "My Agent" cannot be the name of an agent: a name starts with a lower-case letter\n  write: toolang new my-agent\n',
    );
    expect((await cli(['../evil'])).err).toContain('write: toolang new evil');
    expect((await cli(['..'])).err).toContain('write for example: toolang new reviewer');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('writes an agent that parses without a word of complaint, for any name', () => {
    for (const name of ['hello', 'a', 'thunk', 'input', 'x_y-2']) {
      const text = projectFiles(name)[0]?.text ?? '';
      expect(problems(text)).toEqual([]);
      const source = createSource('x.too', text);
      expect(format(source, parse(source).tokens)).toBe(text);
    }
  });

  it('teaches only what parses', () => {
    for (const file of projectFiles('hello')) {
      expect(file.text).not.toContain('NAME');
      for (const [, sample = ''] of file.text.matchAll(/^```too\n([\s\S]*?)^```$/gm))
        expect(problems(sample)).toEqual([]);
    }
  });
});

describe('names', () => {
  it('follow the rules of the language', () => {
    for (const name of ['a', 'hello', 'a-b', 'a_b', 'a1', 'x_']) expect(nameProblem(name)).toBeUndefined();
    for (const name of ['', 'A', '1a', '-a', '_a', 'a-', 'a b', 'a.too', 'ä', 'a/b', 'agents', 'con', 'a'.repeat(65)]) {
      expect(nameProblem(name)).toBeDefined();
    }
  });

  it('are suggested only if they can be used', () => {
    const cases: [string, string | undefined][] = [
      ['CodeReviewer', 'code-reviewer'],
      ['hello.too', 'hello'],
      ['Ünïcode Ågent!', 'unicode-agent'],
      ['2fast', 'agent-2fast'],
      ['agents', 'my-agents'],
      ['--x--', 'x'],
      ['日本', undefined],
      ['a/b/c/', 'c'],
      ['x'.repeat(100), 'x'.repeat(64)],
    ];
    for (const [name, suggested] of cases) {
      expect(suggestName(name)).toBe(suggested);
      if (suggested !== undefined) expect(nameProblem(suggested)).toBeUndefined();
    }
  });
});
