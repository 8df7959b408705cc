import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CapKind } from '../too/index.ts';
import { checkUseRef } from './ref.ts';

fc.configureGlobal({ seed: 20 });

describe('references that can be used', () => {
  test.each<[CapKind, string, object]>([
    ['psyche', 'openhat/reviewer', { form: 'shorthand', name: 'reviewer', owner: 'openhat' }],
    [
      'skill',
      'openhat/caps/search@v1.2',
      { form: 'shorthand', name: 'search', owner: 'openhat', repo: 'caps', rev: 'v1.2' },
    ],
    ['prompt', 'a/b.md@feature/x', { form: 'shorthand', name: 'b', owner: 'a', rev: 'feature/x' }],
    ['skill', 'a/b/SKILL.md', { form: 'shorthand', name: 'b', owner: 'a' }],
    [
      'service',
      'github://openhat-ai/caps/services/github@main',
      { form: 'github', name: 'github', owner: 'openhat-ai', repo: 'caps', path: 'services/github', rev: 'main' },
    ],
    [
      'service',
      'github://o/r/services/github.md@main',
      { form: 'github', name: 'github', owner: 'o', repo: 'r', path: 'services/github.md', rev: 'main' },
    ],
    [
      'skill',
      'github://o/r/skills/pdf/SKILL.md@v1',
      { form: 'github', name: 'pdf', owner: 'o', repo: 'r', path: 'skills/pdf/SKILL.md', rev: 'v1' },
    ],
    [
      'skill',
      'github://o/pdf/SKILL.md@v1',
      { form: 'github', name: 'pdf', owner: 'o', repo: 'pdf', path: 'SKILL.md', rev: 'v1' },
    ],
    ['skill', 'github://o/pdf@v1', { form: 'github', name: 'pdf', owner: 'o', repo: 'pdf', path: '', rev: 'v1' }],
    [
      'prompt',
      'github://o/r/@scope/x.md@pkg@1.0.0',
      { form: 'github', name: 'x', owner: 'o', repo: 'r', path: '@scope/x.md', rev: 'pkg@1.0.0' },
    ],
    [
      'prompt',
      'https://github.com/o/r/blob/main/prompts/x.md',
      {
        form: 'github',
        name: 'x',
        owner: 'o',
        repo: 'r',
        path: 'prompts/x.md',
        rev: 'main',
        revAndPath: 'main/prompts/x.md',
      },
    ],
    [
      'skill',
      'https://github.com/o/r/tree/v1/skills/pdf',
      {
        form: 'github',
        name: 'pdf',
        owner: 'o',
        repo: 'r',
        path: 'skills/pdf',
        rev: 'v1',
        revAndPath: 'v1/skills/pdf',
      },
    ],
    [
      'skill',
      'https://github.com/o/pdf/tree/v1',
      { form: 'github', name: 'pdf', owner: 'o', repo: 'pdf', path: '', rev: 'v1', revAndPath: 'v1' },
    ],
    [
      'prompt',
      'https://raw.githubusercontent.com/o/r/refs/heads/main/x.md',
      {
        form: 'github',
        name: 'x',
        owner: 'o',
        repo: 'r',
        path: 'x.md',
        rev: 'main',
        revAndPath: 'refs/heads/main/x.md',
      },
    ],
    ['prompt', 'https://toolang.ai/rewrite', { form: 'url', name: 'rewrite', url: 'https://toolang.ai/rewrite' }],
    ['prompt', 'https://x.y:8080/a/b.md?raw=1', { form: 'url', name: 'b', url: 'https://x.y:8080/a/b.md?raw=1' }],
    ['skill', 'https://x.y/pdf/SKILL.md', { form: 'url', name: 'pdf', url: 'https://x.y/pdf/SKILL.md' }],
  ])('%s %s', (kind, text, ref) => {
    expect(checkUseRef(kind, text)).toEqual({ ok: true, ref });
  });
});

describe('references that cannot', () => {
  test.each<[CapKind, string, string, string?]>([
    ['skill', '', 'TOO5301'],
    ['skill', 'a b/c', 'TOO5301'],
    ['skill', 'inline://skills/x', 'TOO5302'],
    ['skill', 'home://skills/x', 'TOO5302'],
    ['skill', 'root://skills/x', 'TOO5302'],
    ['skill', 'file:///etc/passwd', 'TOO5302'],
    ['skill', './x', 'TOO5302'],
    ['skill', '../x/y', 'TOO5302'],
    ['skill', '/x/y', 'TOO5302'],
    ['skill', '~/x', 'TOO5302'],
    ['skill', 'a\\b', 'TOO5302'],
    ['skill', 'C:/x', 'TOO5302'],
    ['skill', 'reviewer', 'TOO5303'],
    ['skill', 'reviewer@v1', 'TOO5303'],
    ['skill', '@acme/x', 'TOO5304', 'acme/x'],
    ['skill', '@acme', 'TOO5304'],
    ['service', 'github://o/r/x.md', 'TOO5305', 'github://o/r/x.md@main'],
    ['service', 'github://o/r/x.md@', 'TOO5305', 'github://o/r/x.md@main'],
    ['service', 'githbu://o/r/x.md@main', 'TOO5306', 'github://o/r/x.md@main'],
    ['service', 'http://x.y/z', 'TOO5306', 'https://x.y/z'],
    ['service', 'git@github.com:o/r.git', 'TOO5306'],
    ['service', 'npm:thing/x', 'TOO5306'],
    ['service', 'ftp://x/y', 'TOO5306'],
    ['service', 'github://o/r/../../x@main', 'TOO5307'],
    ['service', 'github://o/r//x@main', 'TOO5307'],
    ['service', 'github:///r/x@main', 'TOO5307'],
    ['service', 'o/../x', 'TOO5307'],
    ['service', 'o//x', 'TOO5307'],
    ['service', 'o/x/', 'TOO5307', 'o/x'],
    ['service', 'https://x.y/a/../b', 'TOO5307'],
    ['service', 'https://x.y/a/%2e%2e/b', 'TOO5307'],
    ['service', 'https://x.y/a%5cb', 'TOO5307'],
    ['service', 'https://x.y/a/', 'TOO5307', 'https://x.y/a'],
    ['service', 'https://github.com/o/r/blob/main/%2e%2e/%zz', 'TOO5308'],
    ['service', 'https://github.com/o/r/blob/main/a%2f..%2f..%2fx.md', 'TOO5307'],
    ['service', 'github://o/r@main', 'TOO5308'],
    ['service', 'github://o@main', 'TOO5308'],
    ['service', 'github://o/r/x@-upload-pack=x', 'TOO5308'],
    ['service', 'github://o/r/x@a..b', 'TOO5308'],
    ['service', 'github://o/r/x@a:b', 'TOO5308'],
    ['service', 'github://-o/r/x@main', 'TOO5308'],
    ['service', 'github://o/r/@main', 'TOO5308'],
    ['service', 'a/b/c/d.md@v1', 'TOO5308', 'github://a/b/c/d.md@v1'],
    ['service', 'a/b@', 'TOO5308'],
    ['service', 'https://github.com/o/r', 'TOO5308'],
    ['service', 'https://github.com/o/r/issues/1', 'TOO5308'],
    ['service', 'https://u:p@x.y/z', 'TOO5308'],
    ['service', 'https:///x', 'TOO5308'],
    ['service', 'https://x.y', 'TOO5309'],
    ['service', 'https://x.y/', 'TOO5309'],
    ['skill', 'https://x.y/SKILL.md', 'TOO5309'],
    ['service', 'https://x.y/my%20thing.md', 'TOO5309'],
    ['service', 'o/.md', 'TOO5309'],
  ])('%s %j: %s', (kind, text, code, fix) => {
    const result = checkUseRef(kind, text);
    if (result.ok) throw new Error(`taken as ${JSON.stringify(result.ref)}`);
    expect(result.problem.code).toBe(code);
    expect(result.problem.fix).toBe(fix);
    expect(result.problem.message).toMatch(/\S[.?]$/);
    expect(result.problem.help).not.toBe('');
  });

  test('every fix is a reference that can be used', () => {
    for (const text of ['@acme/x', 'github://o/r/x.md', 'o/x/', 'a/b/c/d', 'http://x.y/z', 'githbu://o/r/x@main']) {
      const result = checkUseRef('service', text);
      expect(!result.ok && result.problem.fix && checkUseRef('service', result.problem.fix).ok).toBe(true);
    }
  });

  test('anything is taken or refused; what is taken stays inside its repository', () => {
    const piece = fc.constantFrom(
      'github://',
      'https://',
      'github.com',
      'x.y',
      '/',
      '.',
      '..',
      '@',
      'a',
      'SKILL.md',
      '.md',
      '%2e',
      ':',
      '?',
      '-',
      '%',
      '~',
      'blob',
      '😀',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom<CapKind[]>('skill', 'prompt'), (pieces, kind) => {
        const result = checkUseRef(kind, pieces.join(''));
        if (!result.ok) return;
        expect(result.ref.name).toMatch(/^\w[\w.-]*$/);
        if (result.ref.form === 'github') {
          expect(result.ref.path.split('/')).not.toContain('..');
          expect(result.ref.rev).not.toMatch(/^-|\.\./);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
