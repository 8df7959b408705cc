import { expect, it } from 'vitest';
import { shellEnvironment } from './environment.ts';

const quiet = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };
const fixed = {
  ...quiet,
  ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.bareRepository', GIT_CONFIG_VALUE_0: 'explicit' },
};

it('is what programs need, and what is fixed', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    LC_TIME: 'C',
    TERM: 'xterm',
    path: 'x',
    AWS_PROFILE: 'p',
    SSH_AUTH_SOCK: '/s',
  };
  expect(shellEnvironment(env, { platform: 'linux' })).toEqual({ PATH: '/bin', HOME: '/h', LC_TIME: 'C', ...fixed });
});

it('has names of the configuration too, and those win over what is fixed', () => {
  const env = { JAVA_HOME: '/j', TERM: 'xterm', NO: undefined };
  const names = ['JAVA_HOME', 'TERM', 'NO', 'MISSING'];
  expect(shellEnvironment(env, { names, platform: 'linux' })).toEqual({ ...fixed, JAVA_HOME: '/j', TERM: 'xterm' });
});

it('leaves settings of git alone that the configuration lets through', () => {
  const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'ana' };
  expect(shellEnvironment(env, { names: Object.keys(env), platform: 'linux' })).toEqual({ ...quiet, ...env });
});

it('on Windows names have no letter case', () => {
  const env = { Path: 'C:\\', SystemRoot: 'C:\\Windows', Secret_Key: 'x', java_home: 'j', 'ProgramFiles(x86)': 'p' };
  expect(shellEnvironment(env, { names: ['JAVA_HOME'], platform: 'win32' })).toEqual({
    ...fixed,
    ...{ Path: 'C:\\', SystemRoot: 'C:\\Windows', java_home: 'j', 'ProgramFiles(x86)': 'p' },
  });
});

it('tells the key of the call', () => {
  expect(shellEnvironment({}, { idempotencyKey: 'k' })).toEqual({ ...fixed, TOOLANG_IDEMPOTENCY_KEY: 'k' });
});
