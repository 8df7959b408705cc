import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsAddress, fitsPath, fitsText, fitsWords, mayFitWords } from './pattern.ts';

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
      { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 4000 },
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

  it('may fit a folder on the way', () => {
    const part = fc.constantFrom('a', 'b', '/', '*', '**', '**/');
    const pattern = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 }), (p, names) => {
        const folders = names.map((_, at) => names.slice(0, at + 1).join('/'));
        expect(fitsPath(p, names.join('/'), true)).toBe(folders.some((folder) => fitsPath(p, folder)));
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 3000 : 1000 },
    );
  });

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

describe('texts that file names decide about', () => {
  it.each([
    ['git push', 'git pus?', true],
    ['git push*', 'git pu*', true],
    ['git push', 'git p?sh', true],
    ['git push', 'git *', true],
    ['git push', 'ls *.ts', false],
    ['git push', 'git add src/*', false],
    ['rm -rf', 'rm -* x', true],
    ['rm', '* x', false],
    ['sudo', 'ls *', false],
    ['* push', 'sudo git pu*', false],
    ['git * --force', 'env git push --for*', true],
  ])('%s, %s: %s', (pattern, text, may) => {
    expect(mayFitWords(pattern, text)).toBe(may);
  });

  it('may fit exactly where something that they stand for fits', () => {
    const pattern = fc.stringMatching(/^[ab*]{1,4}$/);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab*?]{0,4}$/), (p, open) => {
        const may = texts(open).some((text) => fitsWords(`c ${p}`, `c ${text}`));
        expect(mayFitWords(`c ${p}`, `c ${open}`), `${p} ${open}`).toBe(may);
      }),
      { numRuns: 500 },
    );
  });

  /** All that it may stand for; a star for up to four letters, which is more than any pattern here tells apart. */
  function texts(open: string): string[] {
    const [first = '', ...rest] = open;
    if (first === '') return [''];
    const letters = ['a', 'b'];
    let own = first === '?' ? letters : [first];
    if (first === '*') {
      own = [''];
      for (let from = 0; own.length < 31; ) {
        const to = own.length;
        for (; from < to; from++) for (const letter of letters) own.push((own[from] ?? '') + letter);
      }
    }
    const behind = texts(rest.join(''));
    return own.flatMap((each) => behind.map((text) => each + text));
  }
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

  it('for rules that refuse a path is what a server may take it for', () => {
    const paths = [
      'admin',
      'Admin',
      '%61dmin',
      '%2561dmin',
      './admin',
      '/admin',
      'x/..%2fadmin',
      'admin;v=1',
      'admin/',
    ];
    for (const path of [...paths, 'admin?x=1', '..%5cadmin', '%2e%2e/admin']) {
      expect(fitsAddress('h.org/admin', `https://h.org/${path}`, false), path).toBe(true);
    }
    expect(fitsAddress('h.org/\u00e9t\u00e9', 'https://h.org/%C3%A9t%C3%A9', false)).toBe(true);
    expect(fitsAddress('h.org/admin', 'https://h.org/administration', false)).toBe(false);
  });

  it('for rules that allow a path must say plainly what it is', () => {
    for (const path of ['open/..%2fadmin', 'open/%2e%2e/admin', 'open/..%5cadmin', 'open/..;/admin', 'open//admin']) {
      expect(fitsAddress('https://h.org/open/*', `https://h.org/${path}`, true), path).toBe(false);
      expect(fitsAddress('https://h.org/*', `https://h.org/${path}`, true), path).toBe(true);
    }
    expect(fitsAddress('https://h.org/open/*', 'https://h.org/open/a%20b?x=a/../b', true)).toBe(true);
  });
});
