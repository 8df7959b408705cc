import { describe, expect, it } from 'vitest';
import { cases } from './cases.ts';
import { toolNames, tools } from './install.mjs';
import { readRecordings } from './recordings.ts';

const recordings = readRecordings();

describe('recordings of real CLI agents', () => {
  it.each(toolNames)('has all cases of %s, of the version that is installed', (name) => {
    const made = recordings.filter(({ type }) => type === name);
    expect(made.map((each) => each.case).sort()).toEqual(Object.keys(cases[name]).sort());
    for (const each of made) expect(each.version, `record ${name} anew`).toBe(tools[name].version);
  });

  it('has no folder of the machine that they were made on', () => {
    for (const each of recordings) {
      const text = JSON.stringify(each).replaceAll('/home/you/tmp/', '').replaceAll('/home/you/', '');
      expect(text).not.toMatch(/\/(tmp|root|home|Users)\//);
    }
  });
});
