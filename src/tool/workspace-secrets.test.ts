import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dotenvOf, workspaceSecrets } from './workspace-secrets.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-secrets-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), text);
}

it('finds files of secrets, and what .env files say', () => {
  put('.env', 'API_KEY=planted-0001\nPORT=8080\n');
  put('a/b/.env.production', 'export DB_URL="postgres://u:planted-2@h/x"\n');
  put('.env.example', 'API_KEY=your-key-here\n');
  put('node_modules/x/.env', 'TOKEN=planted-0003\n');
  put('certs/server.pem', 'planted');
  put('.ssh/id_rsa', 'planted');
  put('.toolang/config.toml', '');
  symlinkSync('/nowhere', join(dir, '.env.gone'));
  const found = workspaceSecrets(dir);
  const files = found.files.map((file) => relative(dir, file).split(sep).join('/')).sort();
  expect(files).toEqual(['.env', '.env.gone', '.ssh', 'a/b/.env.production', 'certs/server.pem']);
  expect(found.secrets.map(({ value }) => value).sort()).toEqual([
    'planted-0001',
    'planted-2',
    'planted-2',
    'postgres://u:planted-2@h/x',
  ]);
});

it('what nobody could guess is a secret there, whatever it is called', () => {
  const secrets = ['STRIPE=planted4242424242424242', 'SALT="planted/a1+b2==c3d4e5f6"', 'ID=1f0e2d3c-planted-4b5a-6978'];
  const others = [
    ...[
      'NODE_ENV=development-and-more',
      'SITE=https://planted.example.com/a1b2c3d4',
      'DATA=/var/lib/planted/data2/files',
    ],
    ...[
      'HOST=db-2.internal.planted.example.com',
      'VERSION=12.20.1-rc.4',
      'BIG=12345678901234567890',
      'LOG=a,b,c,d,e,f,g,h,1',
    ],
  ];
  put('prod.env~', [...secrets, ...others].join('\n'));
  const found = workspaceSecrets(dir).secrets.map(({ name }) => name);
  expect(found).toEqual(['STRIPE', 'SALT', 'ID']);
});

it('looks into the nearest folders only, and into nothing that is too large', () => {
  for (let i = 0; i < 400; i++) mkdirSync(join(dir, `f${String(i).padStart(3, '0')}`));
  put('f010/.env', 'TOKEN=planted-near');
  put('f010/deep/.env', 'TOKEN=planted-deep');
  put('.env', `TOKEN=${'x'.repeat(300_000)}`);
  const found = workspaceSecrets(dir);
  expect(found.secrets.map(({ value }) => value)).toEqual(['planted-near']);
  expect(workspaceSecrets(join(dir, 'none'))).toEqual({ files: [], secrets: [] });
});

it('reads .env files as their usual readers do', () => {
  const text = [
    'A=plain # comment',
    'export B = "two\\nlines"',
    "C='single # no comment'",
    '#D=no',
    'E="a',
    'b"',
    'F=`back`',
    'G=a#b',
    'H: yaml',
    'I=',
    'J="unclosed',
    'K=end\r',
  ].join('\n');
  expect(dotenvOf(text)).toEqual({
    ...{ A: 'plain', B: 'two\nlines', C: 'single # no comment', E: 'a\nb', F: 'back', G: 'a#b', H: 'yaml', I: '' },
    ...{ J: '"unclosed', K: 'end' },
  });
});
