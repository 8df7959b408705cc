import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { closestNames } from './closest.ts';

const tools = ['create-file', 'read-file', 'run_query', 'search', 'ls'];

describe('closestNames', () => {
  it.each([
    ['create_file', ['create-file']],
    ['CreateFile', ['create-file']],
    ['raed-file', ['read-file']],
    ['run-querry', ['run_query']],
    ['serach', ['search']],
    ['sl', ['ls']],
    ['weather', []],
    ['x', []],
    ['', []],
    ['search', []],
  ])('of %s are %j', (word, names) => {
    expect(closestNames(word, tools)).toEqual(names);
  });

  it('come closest first, the earlier first of two, and at most three', () => {
    expect(closestNames('batch', ['bathe', 'latch', 'batch2', 'match', 'botch'])).toEqual(['latch', 'batch2', 'match']);
  });

  it('are found in bounded time for long names', () => {
    const start = cpuMs();
    closestNames(
      'a'.repeat(1_000_000),
      Array.from({ length: 100 }, (_, i) => 'b'.repeat(1_000_000 - i)),
    );
    expect(cpuMs() - start).toBeLessThan(2000);
  });
});
