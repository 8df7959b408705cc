import { expect, test } from 'vitest';
import { providerNames } from '../../src/model/index.ts';
import { apiProviders } from '../../src/plan/index.ts';

test('agents of type api may name every provider that models come from', () => {
  expect([...apiProviders].sort()).toEqual([...providerNames].sort());
});
