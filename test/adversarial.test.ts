/**
 * Texts made to be slow to read. Each is read, checked, shown and formatted, and must come to an end; how the time
 * grows is measured by `bench/linear.mjs`, because a test cannot measure time.
 */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { describe, expect, it } from 'vitest';
import { checkProgram, type Host } from '../src/program/index.ts';
import { createSource, hasErrors, renderDiagnostic, toJson } from '../src/text/index.ts';
import { format, parse } from '../src/too/index.ts';
import { builtinTools } from '../src/tool/index.ts';
import { hugeShapes } from './generate/huge.ts';

/** A third of the size in the long run; what is small is deep, and always as deep as it was meant. */
function size(n: number): number {
  const part = 3;
  return n <= 3000 ? n : Math.max(600, Math.ceil(n / part));
}

const host: Host = { tools: builtinTools, models: ['model-1'], caps: [], hands: [], hasFile: () => false };

describe('reading, checking, showing and formatting comes to an end with', () => {
  for (const { name, n, write } of hugeShapes) {
    it(name, () => {
      const text = write(size(n));
      const source = createSource('huge.too', text);
      const parsed = parse(source);
      expect(parsed.tokens.at(-1)?.end).toBe(text.length);
      const { diagnostics } = checkProgram(parsed, host);
      // All are kept as data; a person looks at the first and the last.
      for (const d of diagnostics) toJson(d);
      for (const d of [...diagnostics.slice(0, 100), ...diagnostics.slice(-100)]) {
        renderDiagnostic(d, { color: false, columns: 80 });
      }
      if (hasErrors(parsed.diagnostics)) return;
      const result = createSource('huge.too', format(source, parsed.tokens));
      expect(hasErrors(parse(result).diagnostics)).toBe(false);
    });
  }
});
