/** Caps by reference: `use` lines of an `agents.too` and of a program, entries of a `config.toml`. */
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/index.ts';
import { createSource, type Diagnostic, positionAt } from '../../text/index.ts';
import { parse } from '../../too/index.ts';
import { validateInlineCap } from '../validate.ts';
import { capsOfProgram } from './here-caps.ts';
import { type Temporary, temporary } from './temporary.ts';
import { readUses, usesOf } from './uses.ts';
import { wiredCaps } from './wired-caps.ts';

let t: Temporary;
beforeEach(() => {
  t = temporary();
});
afterEach(() => t.remove());

function places(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map((d) => {
    const { line, column } = positionAt(d.source, d.span.start);
    return `${d.code} ${line}:${column}`;
  });
}

describe('an agents.too', () => {
  it('gives a scope the caps of its use lines, with form ref', async () => {
    const file = t.write('agents.too', '# ours\nuse skill openhat/reviewer\nuse prompt github://a/b/rewrite.md@main\n');
    expect(await readUses(file, 'root', 'agents.too')).toEqual({
      caps: [
        {
          kind: 'skill',
          name: 'reviewer',
          scope: 'root',
          form: 'ref',
          ref: 'openhat/reviewer',
          file,
          line: 2,
          column: 1,
        },
        {
          kind: 'prompt',
          name: 'rewrite',
          scope: 'root',
          form: 'ref',
          ref: 'github://a/b/rewrite.md@main',
          file,
          line: 3,
          column: 1,
        },
      ],
      broken: [],
      diagnostics: [],
      declarations: [],
    });
  });

  it('may be missing, and is told of when it cannot be read', async () => {
    expect(await readUses(t.at('agents.too'), 'home')).toMatchObject({ caps: [], diagnostics: [] });
    mkdirSync(t.at('agents.too'));
    expect((await readUses(t.at('agents.too'), 'home')).diagnostics).toMatchObject([{ code: 'TOO5002' }]);
  });

  it('has every mistake at its place, and each line for itself', () => {
    const text = [
      'use skill home://skills/x',
      'use skil a/b',
      'use skill a/review',
      'use skill b/review',
      'use prompt a/review',
      'use prompt b/Review',
      'thunk go:',
      '  user: hi',
      '',
    ].join('\n');
    const uses = usesOf(createSource('agents.too', text), 'home', '/agents.too');
    expect(places(uses.diagnostics)).toEqual([
      'TOO5302 1:11',
      'TOO1401 2:5',
      'TOO2001 4:11',
      'TOO5241 6:12',
      'TOO5310 7:1',
    ]);
    expect(places(uses.declarations)).toEqual(['TOO5310 7:1']);
    expect(uses.caps.map((cap) => cap.ref)).toEqual(['a/b', 'a/review', 'a/review', 'b/Review']);
    expect(uses.broken).toContainEqual({ kind: 'skill', name: 'x' });
  });
});

describe('a config.toml', () => {
  const wired = (text: string) => {
    const { layer } = loadConfig(createSource('config.toml', text));
    return wiredCaps(layer, 'home', '/home/config.toml');
  };

  it('can wire remote caps by kind, with form wired and the name of the key', () => {
    const text =
      '[skills]\nreviewer = { ref = "github://acme/agents/skills/reviewer@main" }\n[services]\ngithub = { ref = "github://acme/agents/services/github.md@main" }\n';
    const base = { scope: 'home', form: 'wired', file: '/home/config.toml', column: 1 };
    expect(wired(text)).toEqual({
      caps: [
        { ...base, kind: 'skill', name: 'reviewer', ref: 'github://acme/agents/skills/reviewer@main', line: 2 },
        { ...base, kind: 'service', name: 'github', ref: 'github://acme/agents/services/github.md@main', line: 4 },
      ],
      broken: [],
      diagnostics: [],
    });
  });

  it('needs no reference that gives a name', () => {
    expect(wired('[prompts]\nx = { ref = "https://x.y/100%25" }\n').caps).toMatchObject([{ name: 'x' }]);
  });

  it('is looked at no further where its schema has found something', () => {
    for (const entry of ['{ ref = "a b" }', '{ ref = 5 }', '{ ref = "" }', '{}', '"a/b"', '{ reff = "" }']) {
      const text = `[skills]\nx = ${entry}\ny = { ref = "o/y" }\n`;
      expect(loadConfig(createSource('config.toml', text)).diagnostics).not.toEqual([]);
      expect(wired(text)).toMatchObject({ caps: [{ name: 'y' }], broken: [{ name: 'x' }], diagnostics: [] });
    }
    expect(wired('[skills]\n"a.b" = 5\n').broken).toEqual([{ kind: 'skill', name: 'a.b' }]);
    expect(wired('[skill]\n__proto__ = { ref = "o/x" }\n').caps).toMatchObject([{ name: '__proto__', line: 2 }]);
  });

  it('has every mistake at its place', () => {
    const found = wired(
      '[skills]\na = { ref = "./x" }\nb = { ref = "o/b" }\nB = { ref = "o/c" }\n"no name" = { ref = "o/d" }\n[prompts]\nb = { ref = "http://x.y/z.md" }\n',
    );
    expect(places(found.diagnostics)).toEqual(['TOO5302 2:13', 'TOO5241 4:1', 'TOO5306 7:13']);
    expect(found.diagnostics[2]?.fix?.edits).toMatchObject([{ text: '"https://x.y/z.md"' }]);
    expect(found.caps.map((cap) => cap.name)).toEqual(['b', 'B']);
    expect(found.broken).toEqual([
      { kind: 'skill', name: 'a' },
      { kind: 'prompt', name: 'b' },
    ]);
  });
});

describe('here', () => {
  it('has inline caps and use refs from the current .too source', () => {
    const source = createSource('a.too', 'use skill o/review\n\nprompt rewrite:\n  Rewrite {{input}}.\n');
    const [use, node] = parse(source).program.items;
    if (use?.kind !== 'use' || node?.kind !== 'prompt') throw new Error('not as written');
    const { cap } = validateInlineCap(source, node);
    if (!cap) throw new Error('the cap is wrong');
    const uses = [{ kind: use.capKind, name: 'review', ref: use.ref.text, span: use.ref.span }];
    expect(capsOfProgram(source, [cap], uses, '/w/a.too')).toEqual([
      {
        kind: 'skill',
        name: 'review',
        scope: 'here',
        form: 'ref',
        file: '/w/a.too',
        line: 1,
        column: 11,
        ref: 'o/review',
      },
      { kind: 'prompt', name: 'rewrite', scope: 'here', form: 'inline', file: '/w/a.too', line: 3, column: 8, cap },
    ]);
  });
});
