import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsAddress, fitsPath, fitsText, fitsWords } from './pattern.ts';

describe('paths', () => {
  it.each([
    ['src/**', 'src', true],
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'srcs', false],
    ['src/**', 'a/src/b', false],
    ['src/*', 'src/a.ts', true],
    ['src/*', 'src/a/b.ts', false],
    ['src/*', 'src', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'x/y/a.ts', true],
    ['**/*.ts', 'x/y/a.tsx', false],
    ['src/**/x', 'src/x', true],
    ['src/**/x', 'src/a/b/x', true],
    ['src/**/x', 'srcx', false],
    ['**/**/x', 'x', true],
    ['**/**/x', 'a/x', true],
    ['**', '.', true],
    ['*', 'a/b', false],
    ['a**b', 'a/x/b', true],
    ['*.md', 'README.md', true],
    ['', '', true],
  ])('%s, %s: %s', (pattern, path, fits) => {
    expect(fitsPath(pattern, path)).toBe(fits);
  });

  it('fit as an expression of the same meaning does', () => {
    const part = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '/**', '.');
    const pattern = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab/.]{0,9}$/), (p, path) => {
        expect(fitsPath(p, path), `${p} ${path}`).toBe(naive(p).test(path));
      }),
      { numRuns: 20_000 },
    );
  });

  function naive(pattern: string): RegExp {
    let source = '';
    for (let at = 0; at < pattern.length; ) {
      const rest = pattern.slice(at);
      if (rest === '/**' && at > 0) {
        source += '(?:/.*)?';
        at += 3;
      } else if (rest.startsWith('**/') && (at === 0 || pattern[at - 1] === '/')) {
        source += '(?:.*/)?';
        at += 3;
      } else if (rest.startsWith('**')) {
        source += '.*';
        at += (/^\*+/.exec(rest)?.[0] ?? '').length;
      } else if (rest.startsWith('*')) {
        source += '[^/]*';
        at++;
      } else {
        source += rest.startsWith('.') ? '\\.' : (rest[0] ?? '');
        at++;
      }
    }
    return new RegExp(`^${source}$`, 's');
  }

  it('take no more time than the pattern and the path are long', () => {
    expect(fitsPath('*a'.repeat(200), 'a'.repeat(4000))).toBe(true);
    expect(fitsPath(`${'**/*a'.repeat(100)}b`, 'a/'.repeat(2000))).toBe(false);
  });
});

describe('texts', () => {
  it('fit as a whole, and a last blank and star may stand for nothing', () => {
    expect(fitsText('git *', 'git status')).toBe(true);
    expect(fitsText('git *', 'git')).toBe(true);
    expect(fitsText('git *', 'gitk')).toBe(false);
    expect(fitsText('git *', 'sudo git status')).toBe(false);
    expect(fitsText('git status', 'git status -s')).toBe(false);
    expect(fitsText('GIT *', 'git x')).toBe(false);
  });

  it('are found word by word for rules that refuse', () => {
    expect(fitsWords('git push', 'sudo git push origin')).toBe(true);
    expect(fitsWords('git push *', 'git push')).toBe(true);
    expect(fitsWords('* push', 'git push')).toBe(true);
    expect(fitsWords('GIT push', 'git  PUSH')).toBe(true);
    expect(fitsWords('git push', 'git pu\u200bsh')).toBe(true);
    expect(fitsWords('rm', 'git rm')).toBe(true);
    expect(fitsWords('rm', 'git format')).toBe(false);
  });
});

describe('addresses', () => {
  it.each([
    ['https://api.github.com/*', 'https://api.github.com/repos?x=1', true],
    ['https://api.github.com', 'https://api.github.com/repos', true],
    ['api.github.com', 'https://api.github.com/repos', true],
    ['https://api.github.com/*', 'http://api.github.com/repos', false],
    ['https://api.github.com/*', 'https://api.github.com:8443/repos', false],
    ['https://api.github.com:8443/*', 'https://api.github.com:8443/repos', true],
    ['https://api.github.com:*', 'https://api.github.com:8443/repos', true],
    ['https://api.github.com/*', 'https://api.github.com.evil.org/', false],
    ['https://api.github.com/*', 'https://evil.org/https://api.github.com/', false],
    ['https://api.github.com/*', 'https://api.github.com@evil.org/', false],
    ['https://api.github.com/*', 'https://u:p@api.github.com/', false],
    ['https://api.github.com/*', 'https://evil.org#@api.github.com/', false],
    ['https://api.github.com/*', 'https:\\\\api.github.com\\x', true],
    ['https://api.github.com*', 'https://api.github.com.evil.org/', false],
    ['https://*.github.com', 'https://api.github.com/x', true],
    ['https://*.github.com', 'https://evil.org/x.github.com', false],
    ['https://*.github.com', 'https://github.com/', false],
    ['https://api.github.com/repos/*', 'https://api.github.com/repos/../user', false],
    ['https://api.github.com/repos/*', 'https://api.github.com/repos/%2e%2e/user', false],
    ['https://API.github.com/*', 'HTTPS://api.GITHUB.com/x', true],
    ['https://bücher.example/*', 'https://xn--bcher-kva.example/a', true],
    ['*', 'https://anything.org/', true],
    ['*', 'ftp://anything.org/', false],
    ['*', 'no address', false],
    ['https://[::1]/*', 'https://[::1]/x', true],
  ])('%s, %s: %s', (pattern, address, fits) => {
    expect(fitsAddress(pattern, address, true)).toBe(fits);
    if (fits) expect(fitsAddress(pattern, address, false)).toBe(true);
  });

  it('for rules that refuse any port, a last dot and a login change nothing', () => {
    for (const address of ['https://evil.org:99/', 'https://evil.org./x', 'https://a:b@evil.org/', 'http://EVIL.org']) {
      expect(fitsAddress('evil.org', address, false), address).toBe(true);
    }
  });
});
