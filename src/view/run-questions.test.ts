import { expect, test } from 'vitest';
import { answerCommands } from './run-questions.ts';

test('one approval needs no name; what a tool may do is always named, so that no later question is meant', () => {
  expect(answerCommands([{ node: 'publish', kind: 'approval' }])).toEqual([[['approve'], ['deny']]]);
  const node = 'draft#1/permit#2';
  expect(answerCommands([{ node, kind: 'permission' }])).toEqual([
    [
      ['approve', node],
      ['deny', node],
    ],
  ]);
});
