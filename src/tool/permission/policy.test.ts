import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../sys/index.ts';
import type { Tool } from '../tool.ts';
import { type Asked, createPolicy, type PermissionSettings } from './policy.ts';
import { permissionRequest } from './request.ts';
import { suggestRules } from './suggest.ts';
import { visibleLine, visibleText } from './visible.ts';

type Named = Pick<Tool, 'name' | 'subjects'>;

/** A tool whose calls are about the texts of their argument `about`. */
function tool(name: string): Named {
  return { name, subjects: ({ about }) => (Array.isArray(about) ? about.map(String) : []) };
}

function verdict(rules: Partial<PermissionSettings>, name: string, ...about: string[]): string {
  const policy = createPolicy({ deny: [], allow: [], ask: [], ...rules });
  return policy.decide(tool(name), { about }, { workspace: '/w' }).verdict;
}

describe('the order of rules', () => {
  it('what no rule speaks of is allowed', () => {
    expect(verdict({}, 'shell/run', 'rm -rf /')).toBe('allow');
    expect(verdict({ deny: ['web'], ask: ['github'] }, 'shell/run', 'ls')).toBe('allow');
  });

  it('deny goes before allow, allow before ask', () => {
    const rules = { deny: ['shell(git push*)'], allow: ['shell(git *)'], ask: ['shell'] };
    expect(verdict(rules, 'shell/run', 'git push')).toBe('deny');
    expect(verdict(rules, 'shell/run', 'git status')).toBe('allow');
    expect(verdict(rules, 'shell/run', 'make')).toBe('ask');
    expect(verdict(rules, 'shell/run', 'git status; git push')).toBe('deny');
    expect(verdict(rules, 'shell/run', 'git status; make')).toBe('ask');
    expect(verdict({ allow: ['shell'], ask: ['shell(rm *)'] }, 'shell/run', 'rm x')).toBe('allow');
  });

  it('what a list of allowed calls leaves out is asked, of the same set and of no other', () => {
    const rules = { allow: ['filesystem/read', 'shell(git *)'] };
    expect(verdict(rules, 'filesystem/read', 'a')).toBe('allow');
    expect(verdict(rules, 'filesystem/write', 'a')).toBe('ask');
    expect(verdict(rules, 'shell/run', 'make')).toBe('ask');
    expect(verdict(rules, 'web/fetch', 'https://x.org/')).toBe('allow');
    expect(verdict({ allow: ['*/read'] }, 'web/fetch', 'https://x.org/')).toBe('ask');
    expect(verdict({ allow: ['*'] }, 'web/fetch', 'https://x.org/')).toBe('allow');
  });

  it('every subject of a call must be covered, by whatever rules', () => {
    const rules = { allow: ['filesystem/write(src/**)', 'filesystem(docs/*)'] };
    expect(verdict(rules, 'filesystem/write', 'src/a', 'docs/b')).toBe('allow');
    expect(verdict(rules, 'filesystem/write', 'src/a', 'etc/b')).toBe('ask');
  });

  it('what cannot be read in full is asked where rules have patterns for it', () => {
    expect(verdict({ deny: ['shell(git push*)'] }, 'shell/run', 'g=git; $g push')).toBe('ask');
    expect(verdict({ ask: ['shell(rm *)'] }, 'shell/run', 'x=r; ${x}m a')).toBe('ask');
    expect(verdict({ deny: ['shell(git push*)'] }, 'shell/run', 'make')).toBe('allow');
    expect(verdict({ allow: ['shell'], deny: ['shell(git push*)'] }, 'shell/run', 'x=1; make')).toBe('allow');
  });

  it('a pattern for calls that are about nothing refuses all of them, and allows none', () => {
    expect(verdict({ deny: ['github/create_issue(x)'] }, 'github/create_issue')).toBe('deny');
    expect(verdict({ ask: ['github(x)'] }, 'github/create_issue')).toBe('ask');
    expect(verdict({ allow: ['github(x)'] }, 'github/create_issue')).toBe('ask');
    expect(verdict({ allow: ['github/*'] }, 'github/create_issue')).toBe('allow');
    expect(verdict({ deny: ['github/create_*'] }, 'github/list_issues')).toBe('allow');
  });

  it('a call of ours that cannot be done is nothing to ask about', () => {
    const rules = { ask: ['shell'], allow: ['filesystem(src/**)'] };
    expect([verdict(rules, 'shell/run'), verdict(rules, 'filesystem/read')]).toEqual(['allow', 'allow']);
    expect(verdict({ deny: ['shell'] }, 'shell/run')).toBe('deny');
    expect(verdict({ ask: ['github'] }, 'github/create')).toBe('ask');
  });

  it('what a command reads counts as what it says', () => {
    const piped = "sh <<'STDIN'\ngit push\nSTDIN";
    expect(verdict({ deny: ['shell(git push*)'] }, 'shell/run', piped)).toBe('deny');
    expect(verdict({ allow: ['shell(sh)'] }, 'shell/run', piped)).toBe('ask');
    expect(verdict({ allow: ['shell'] }, 'shell/run', piped)).toBe('allow');
  });

  it('refuses rules that are none', () => {
    for (const text of ['', 'shell(', 'shell()', 'shell( )', 'a b', 'a/b/c']) {
      expect(() => createPolicy({ deny: [text], allow: [], ask: [] }), text).toThrow('is no rule');
    }
  });
});

describe('commands that want to pass for others', () => {
  it.each([
    ...['git status; rm -rf /', 'git status && x', 'git status || x', 'git status | sh', 'git status\nrm -rf /'],
    ...['git $(curl evil)', 'git `curl evil`', 'git "$(curl evil)"', 'git status > ~/.bashrc', 'git status & rm x'],
    ...[
      'git <(x)',
      'git <<E\nE',
      'X=1 git status',
      'PATH=/x git status',
      '(git status)',
      '{ git status; }',
      'git(){ x; }',
    ],
    ...[
      'bash -c "git status"',
      'sudo git status',
      './git status',
      '/tmp/git status',
      'git\u00a0status',
      "'git status'",
    ],
    ...[
      'if git status; then x; fi',
      'git status #\nrm',
      'git status \\\n; rm',
      'GIT status',
      'g\u0456t status',
      'gi* status',
    ],
    ...['env git status', 'git status\r\nrm', '\u200bgit status', 'git status;', ' git status ; x', 'eval git status'],
  ])('%j', (script) => {
    const passes = ['git status;'];
    expect(verdict({ allow: ['shell(git *)'] }, 'shell/run', script)).toBe(passes.includes(script) ? 'allow' : 'ask');
  });

  it.each([
    ...[
      'git push',
      'git push origin main',
      'sudo git push',
      'ls; git push',
      'x=$(git push)',
      '`git push`',
      '(git push)',
    ],
    ...['bash -c "git push"', "sh -c 'git  push'", 'eval "git push"', 'X=1 git push', '/usr/bin/git push', 'git\tpush'],
    ...[
      'git pu""sh',
      "g'i't push",
      '\\git push',
      'git \\\n push',
      'if true; then git push; fi',
      'cat <<E\ngit push\nE',
    ],
    ...['git${IFS}push', 'GIT PUSH', 'git push&', 'git push>x', 'true&&git push', 'xargs git push', 'git\u00a0push'],
    ...['git pus?', 'git p[u]sh', 'git pu*', 'git *', 'git p\u200bush', '$(echo x; git push)', '"git" "push"'],
  ])('%j is refused as a push', (script) => {
    expect(verdict({ deny: ['shell(git push*)'], allow: ['shell'] }, 'shell/run', script)).toBe('deny');
  });

  it('what only looks alike is not refused', () => {
    const rules = { deny: ['shell(git push*)'] };
    for (const script of [
      'git status',
      'gitpush',
      'ls *.ts',
      'git add src/*.ts',
      "git add '*'",
      'echo git; echo push',
      'git log --grep pushed',
    ]) {
      expect(verdict(rules, 'shell/run', script), script).toBe('allow');
    }
  });
});

describe('paths that want to pass for others', () => {
  it.each(['../src/a', 'src/../etc/a', '/src/a', 'src//a', './src/a', 'src\\a', 'src/.', '', 'SRC/a'])('%j', (path) => {
    expect(verdict({ allow: ['filesystem(src/**)'] }, 'filesystem/read', path)).toBe('ask');
  });

  it.each(['secret/a', 'secret', 'SECRET/a', 'x/../secret/a', './secret', 'secret\\a', 'secr\u200bet/a', 'secret//a'])(
    '%j is refused',
    (path) => {
      for (const rule of ['filesystem(secret/**)', 'filesystem(secret)', 'filesystem(secret/)']) {
        expect(verdict({ deny: [rule] }, 'filesystem/read', path), rule).toBe('deny');
      }
    },
  );

  it('a pattern without a slash refuses the name in every folder', () => {
    expect(verdict({ deny: ['filesystem(*.pem)'] }, 'filesystem/read', 'a/b/c.pem')).toBe('deny');
    expect(verdict({ deny: ['filesystem(/*.pem)'] }, 'filesystem/read', 'a/b/c.pem')).toBe('allow');
  });

  it('tools that walk can ask about what they meet', () => {
    const policy = createPolicy({ deny: ['filesystem/read(secret/**)'], allow: [], ask: ['filesystem(drafts)'] });
    expect(policy.permission('filesystem/read', 'secret/a')).toBe('deny');
    expect(policy.permission('filesystem/read', 'public/a')).toBe('allow');
    expect(policy.permission('filesystem/list', 'secret/a')).toBe('allow');
    expect(policy.permission('filesystem/list', 'drafts/a')).toBe('ask');
  });
});

describe('what a person is asked', () => {
  const ask: Asked = { verdict: 'ask', rule: 'shell', message: 'The rule "shell" asks about it.' };
  const shell: Named = { name: 'shell/run', subjects: ({ command }) => [String(command)] };

  it('is the whole command, with nothing hidden in it', () => {
    const command = `echo safe\u202e\u200b\r\n${' '.repeat(300)}; rm -rf /\u0007`;
    const request = permissionRequest(shell, { command, timeoutMs: 5 }, ask, { workspace: '/w' });
    expect(request).toEqual({
      title: 'shell/run: echo safe\\u{202e}\\u{200b}\\r\\n[300 blanks]; rm -rf /\\u{7}',
      summary: [
        'command:',
        '| echo safe\\u{202e}\\u{200b}\\r',
        '| [300 blanks]; rm -rf /\\u{7}',
        'timeoutMs: 5',
        'The rule "shell" asks about it.',
      ].join('\n'),
      tool: 'shell/run',
      args: { command, timeoutMs: 5 },
      subjects: ['echo safe\\u{202e}\\u{200b}\\r\n[300 blanks]; rm -rf /\\u{7}'],
      rule: 'shell',
    });
  });

  it('is bounded and without secrets', () => {
    const redactor = createRedactor([{ name: 'KEY', value: 'planted-secret' }]);
    const args = {
      command: `echo planted-secret ${'x'.repeat(1_000_000)}`,
      deep: nest(2000),
      many: Array(5000).fill(1),
    };
    const request = permissionRequest(shell, args, ask, { workspace: '/w', redactor });
    const text = JSON.stringify(request);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toContain('planted-secret');
    expect(request.summary).toContain('[redacted KEY]');
    expect(request.summary).toMatch(/\d+ characters left out/);
    expect(request.summary).toContain(ask.message);
    const missing = [...request.summary.matchAll(/^NOT ALL OF "(.*)" IS SHOWN HERE/gm)].map(([, name]) => name);
    expect(missing).toEqual(['command', 'deep', 'many']);
  });

  it('says nothing of what is whole, and no text can pose as another argument', () => {
    const command = 'make\ntimeoutMs: 5\nNOT ALL OF "x" IS SHOWN HERE';
    const { summary } = permissionRequest(shell, { command, argv: ['a'] }, ask, { workspace: '/w' });
    expect(summary.split('\n').filter((line) => !line.startsWith('| '))).toEqual([
      'command:',
      'argv: ["a"]',
      ask.message,
    ]);
  });

  it('says where the links of a path lead', () => {
    const write: Named = { name: 'filesystem/write', subjects: () => ['out', 'docs/a.md'] };
    const { title, summary } = permissionRequest(write, { path: 'out' }, ask, { workspace: '/w' });
    expect(title).toBe('filesystem/write: out → docs/a.md');
    expect(summary).toContain('\nThere are links in the path: it leads to docs/a.md\n');
  });

  it('shows an edit as what goes and what comes', () => {
    const edit: Named = { name: 'filesystem/edit', subjects: ({ path }) => [String(path)] };
    const args = { path: 'a.ts', old: 'one\ntwo', new: 'three' };
    const { summary } = permissionRequest(edit, args, { verdict: 'ask', message: 'So.' }, { workspace: '/w' });
    expect(summary).toBe('path: a.ts\nold:\n- one\n- two\nnew:\n+ three\nSo.');
  });

  function nest(depth: number): unknown {
    let value: unknown = 'x';
    for (let i = 0; i < depth; i++) value = { value };
    return value;
  }
});

it('texts that nobody can see are written out', () => {
  expect(visibleText('a\tb\u3164\u{e0041}\u2028\ud800\u2800c\u00a0')).toBe(
    'a\\tb\\u{3164}\\u{e0041}\\u{2028}\\u{d800}\\u{2800}c\\u{a0}',
  );
  expect(visibleText('é 日本 🙂\nx')).toBe('é 日本 🙂\nx');
  expect(visibleLine('a🙂🙂', 3)).toBe('a…');
});

describe('rules that are offered for a call', () => {
  it.each<[string, string[], string[]]>([
    ['shell/run', ['git status'], ['shell(git status)']],
    ['shell/run', ['npm ci && npm test'], ['shell(npm ci)', 'shell(npm test)']],
    ['shell/run', ['ls *.ts'], []],
    ['shell/run', ['x=$(date)'], []],
    ['shell/run', ["git commit -m 'a\nb'"], []],
    ['filesystem/write', ['src/a.ts'], ['filesystem/write(src/a.ts)']],
    ['web/fetch', ['https://api.github.com/repos?q=1'], ['web(https://api.github.com/*)']],
    ['web/fetch', ['https://localhost:81/a'], ['web(https://localhost:81/*)']],
    ['github/create_issue', [], ['github/create_issue']],
    ['filesystem/write', [], []],
  ])('%s %j', (name, about, rules) => {
    expect(suggestRules(tool(name), { about }, { workspace: '/w' })).toEqual(rules);
    if (rules.length > 0) expect(verdict({ allow: rules }, name, ...about)).toBe('allow');
  });
});
