import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './token-estimate.ts';

describe('the estimate', () => {
  // Beside each the real count, by o200k.
  it.each([
    ['closest.ts.txt', 617],
    ['source.ts.txt', 783],
    ['inventory.py.txt', 319],
    ['page.html.txt', 227],
    ['config.json.txt', 131],
    ['report.sql.txt', 133],
    ['test-log.txt', 173],
    ['page-text.txt', 88],
  ])('of %s is less than a fifth off', (file, real) => {
    const text = readFileSync(new URL(`../../../bench/tokens/bodies/${file}`, import.meta.url), 'utf8');
    expect(Math.abs(estimateTokens(text) / real - 1)).toBeLessThan(0.2);
  });

  it.each([
    ['', 0],
    ['word', 1],
    ['two words', 2],
    ['characteristically', 3],
    ['1234', 2],
    ['🛠️', 4],
    ['   ', 0],
  ])('of %j is %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
