/** The same as `adversarial.test.ts` for workflow files: also what is made of a plan comes to an end. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { describe, expect, it } from 'vitest';
import { diffPlans, planWorkflow, type WorkflowPlan } from '../src/plan/index.ts';
import { createSource, hasErrors, painter, renderDiagnostic, toJson } from '../src/text/index.ts';
import { formatToon, parseToon } from '../src/toon/index.ts';
import { explainText, explainWorkflow, graphMermaid, graphOf, graphSvg, graphText } from '../src/view/index.ts';
import { hugeWorkflows, readHuge } from './generate/huge-workflow.ts';

/** What may be nested is so, deeper than any limit, always. */
const nesting = /\bin\b|nested|deeper|next|in a ring|brackets|braces|lists|indents|a long sum/;

/** A third of the size in the long run; `bench/linear.mjs` takes the whole. */
function size(name: string, n: number): number {
  const part = 3;
  return Math.min(n, Math.max(nesting.test(name) ? 750 : 60, Math.ceil(n / part)));
}

describe('reading, checking, showing, formatting and drawing a workflow comes to an end with', () => {
  for (const { name, n, write } of hugeWorkflows) {
    it(name, async () => {
      const source = createSource('huge.toon', write(size(name, n)));
      const { diagnostics, plan } = await planWorkflow(source, { file: '/huge.toon', read: readHuge });
      expect(plan === undefined).toBe(hasErrors(diagnostics));
      for (const d of diagnostics) toJson(d);
      for (const d of [...diagnostics.slice(0, 100), ...diagnostics.slice(-100)]) {
        renderDiagnostic(d, { color: false, columns: 80 });
      }
      if (plan) useAll(plan);
      if (hasErrors(parseToon(source, { profile: true }).diagnostics)) return;
      formatToon(source);
    });
  }
});

function useAll(plan: WorkflowPlan): void {
  const { changed, added, removed } = diffPlans(plan, plan);
  expect([changed, added, removed]).toEqual([[], [], []]);
  const graph = graphOf(plan);
  graphText(graph, painter(false));
  graphMermaid(graph);
  graphSvg(graph);
  explainText(explainWorkflow(plan), painter(false));
}
