import { describe, expect, test } from 'vitest';
import { childEnv, isCommonVariable, variable } from './child-env.ts';

describe('the environment of a child', () => {
  const env = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', OPENAI_API_KEY: 'sk-1', MINE: 'x', EMPTY: '', GONE: undefined };

  test('is what programs need, and nothing else', () => {
    expect(childEnv(env, [], 'linux')).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C' });
  });

  test('has the variables that are named, where they are set', () => {
    const names = ['MINE', 'EMPTY', 'GONE', 'NEVER', 'toString', '__proto__'];
    expect(childEnv(env, names, 'linux')).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C', MINE: 'x', EMPTY: '' });
  });

  test('on Windows letter case does not matter', () => {
    const windows = { Path: 'C:\\x', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'p', HOME: 'no', Token: 't' };
    expect(childEnv(windows, ['TOKEN'], 'win32')).toEqual({
      Path: 'C:\\x',
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'p',
      TOKEN: 't',
    });
    expect(variable(windows, 'token', 'win32')).toBe('t');
    expect(variable(windows, 'token', 'linux')).toBeUndefined();
    expect(isCommonVariable('path', 'linux')).toBe(false);
  });
});
