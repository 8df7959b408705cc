import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { environmentSecrets } from '../../sys/index.ts';
import { hiddenNamesIn, stepEnvironment } from './step-environment.ts';

function isSeen(name: string, value = 'planted-value'): boolean {
  return name in stepEnvironment({ [name]: value });
}

describe('what steps see', () => {
  it.each([
    ...['GITHUB_TOKEN', 'MY_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID', 'DB_PASSWORD', 'PGPASSWORD'],
    ...['MYSQL_PWD', 'SMTP_PASS', 'KEY_PASSPHRASE', 'AZURE_CREDENTIALS', 'BASIC_AUTH', 'NPM_CONFIG__AUTH', 'API_KEY2'],
    ...['OPENAI_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK', 'openai_api_key', 'npm_authToken'],
  ])('%s is a secret', (name) => {
    expect(isSeen(name)).toBe(false);
  });

  it.each([
    ...['PATH', 'HOME', 'PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'GPG_AGENT_INFO', 'XAUTHORITY', 'SSH_ASKPASS', 'MONKEY'],
    ...['KEYBOARD_LAYOUT', 'AUTHOR', 'GIT_AUTHOR_NAME', 'AWS_SHARED_CREDENTIALS_FILE', 'SSH_KEY_PATH', 'MAX_TOKENS'],
    ...['PASSENGER', 'TOKENIZERS_PARALLELISM', 'DBUS_SESSION_BUS_ADDRESS', 'GIT_CONFIG_KEY_0'],
  ])('%s is none', (name) => {
    expect(isSeen(name)).toBe(true);
  });

  it('an address with a password is a secret, one without is none', () => {
    expect(isSeen('DATABASE_URL', 'postgres://u:plantedpw99@h/db')).toBe(false);
    expect(isSeen('DATABASE_URL', 'postgres://:p@ss@h/db')).toBe(false);
    expect(isSeen('DATABASE_URL', 'postgres://u@h:5432/db')).toBe(true);
    expect(isSeen('HOMEPAGE', 'https://h/a:b@c')).toBe(true);
  });

  it('the configuration names what they see nevertheless, and what else they do not', () => {
    const env = { GITHUB_TOKEN: 'a', OTHER_TOKEN: 'b', LOCAL_MODEL: 'c' };
    expect(stepEnvironment(env, { shown: ['GITHUB_TOKEN'], hidden: ['LOCAL_MODEL'] })).toEqual({ GITHUB_TOKEN: 'a' });
  });
});

describe('where git has its repository', () => {
  const places = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_PREFIX'];

  it('is told to no step: it may work in another folder than git was started in', () => {
    for (const name of places) expect(isSeen(name, '/a/.git'), name).toBe(false);
    for (const name of ['GIT_AUTHOR_NAME', 'GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'GIT_EDITOR']) {
      expect(isSeen(name), name).toBe(true);
    }
  });

  it('all that git itself calls so is left out, but its configuration', () => {
    const { stdout } = spawnSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' });
    const named = stdout.split('\n').filter((name) => name !== '' && !/CONFIG|REPLACE|SUPER_PREFIX/.test(name));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => isSeen(name, '/a/.git'))).toEqual([]);
  });

  it('is seen where the configuration names it, and is no secret', () => {
    const env = { GIT_INDEX_FILE: '/a/.git/index.lock' };
    expect(stepEnvironment(env, { shown: ['GIT_INDEX_FILE'] })).toEqual(env);
    expect(hiddenNamesIn('process.env.GIT_INDEX_FILE', env, stepEnvironment(env))).toEqual([]);
    expect(environmentSecrets(env)).toEqual([]);
  });
});

it('names of hidden variables are found as whole words', () => {
  const env = { MY_TOKEN: 'x', OTHER_TOKEN: 'y', HOME: '/' };
  const shown = stepEnvironment(env, { shown: ['OTHER_TOKEN'] });
  expect(hiddenNamesIn('process.env.MY_TOKEN + process.env["OTHER_TOKEN"] + HOME', env, shown)).toEqual(['MY_TOKEN']);
  expect(hiddenNamesIn('MY_TOKENS', env, shown)).toEqual([]);
});
