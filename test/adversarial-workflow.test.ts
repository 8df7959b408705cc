/** The same as `adversarial.test.ts` for workflow files. */
import { describe, expect, it } from 'vitest';
import { planWorkflow } from '../src/plan/index.ts';
import { createSource, hasErrors, renderDiagnostic, toJson } from '../src/text/index.ts';
import { formatToon, parseToon } from '../src/toon/index.ts';
import { hugeWorkflows, readHuge } from './generate/huge-workflow.ts';

/** The whole size in the long run; deep nesting is always as deep as it was meant. */
function size(n: number): number {
  return process.env.TOOLANG_DEEP === undefined ? Math.min(n, Math.max(3000, Math.ceil(n / 5))) : n;
}

describe('reading, checking, showing and formatting a workflow comes to an end with', () => {
  for (const { name, n, write } of hugeWorkflows) {
    it(name, async () => {
      const source = createSource('huge.toon', write(size(n)));
      const { diagnostics, plan } = await planWorkflow(source, { file: '/huge.toon', read: readHuge });
      expect(plan === undefined).toBe(hasErrors(diagnostics));
      for (const d of diagnostics) toJson(d);
      for (const d of [...diagnostics.slice(0, 100), ...diagnostics.slice(-100)]) {
        renderDiagnostic(d, { color: false, columns: 80 });
      }
      if (hasErrors(parseToon(source, { profile: true }).diagnostics)) return;
      formatToon(source);
    });
  }
});
