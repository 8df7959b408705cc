import { expect, test } from 'vitest';
import { noCeiling, toolCeiling } from './ceiling.ts';

const files = ['read', 'write', 'edit'];

test.each([
  ['a set is its tools', ['filesystem'], 'filesystem', files, ['filesystem']],
  ['of a set of which some are allowed, those', ['filesystem/read'], 'filesystem', files, ['filesystem/read']],
  ['by a pattern', ['filesystem/*e'], 'filesystem', files, ['filesystem/write']],
  ['all by a pattern', ['filesystem/*'], 'filesystem', files, ['filesystem']],
  ['any set', ['*'], 'shell', ['run'], ['shell']],
  ['none', ['web'], 'filesystem', files, []],
  ['one tool of a set that is allowed', ['filesystem'], 'filesystem/read', undefined, ['filesystem/read']],
  ['one tool that is not', ['filesystem/read'], 'filesystem/write', undefined, []],
  ['of a service what is written', ['github/get'], 'github', undefined, ['github/get']],
  ['of a service its patterns', ['github/get_*', 'git*/list'], 'github', undefined, ['github/get_*', 'github/list']],
  ['of a service by any set', ['*/get'], 'github', undefined, ['github/get']],
  ['of another service nothing', ['gitlab/get_*'], 'github', undefined, []],
  ['a name that another begins with is another', ['git'], 'github', undefined, []],
])('%s', (_, patterns, name, members, expected) => {
  expect(toolCeiling(patterns).within(name, members)).toEqual(expected);
});

test('without a ceiling everything is left', () => {
  expect(noCeiling.within('shell', ['run'])).toEqual(['shell']);
});
