/** In which order test files begin: those that take longest first, so that no core waits for one of them in the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes many seconds, longest first: by processor time, with that of the processes they start, as `TOOLANG_TIMES` writes it
 * (`setup.ts`). What is missing here begins later, the larger files first.
 */
const often = [
  'src/run/host/pool.test.ts',
  'test/errors.test.ts',
  'test/engine/kill.test.ts',
  'test/engine/edit.test.ts',
  'src/run/simulate/simulate.test.ts',
  'src/caps/resolve/resolve.test.ts',
  'test/models/conversation.test.ts',
  'src/cli/commands/why.test.ts',
  'test/agents/seed-directives.test.ts',
  'test/models/output.test.ts',
  'src/cli/commands/edit-run.test.ts',
  'src/run/host/module-host.test.ts',
  'src/cli/commands/run.test.ts',
  'test/fake-models/server.test.ts',
  'src/expr/regexp/regexp.test.ts',
  'test/toon/plan.test.ts',
  'test/differential.test.ts',
  'test/models/handover.test.ts',
  'src/tool/permission/shell-read.test.ts',
  'src/calls/map/validate.test.ts',
  'test/models/failures.test.ts',
  'test/examples.test.ts',
  'test/caps/capability-model.test.ts',
  'test/caps/cap-files.test.ts',
  'test/calls/invariants.test.ts',
  'src/run/simulate/edits.test.ts',
  'src/cli/caps/written.test.ts',
  'src/caps/sync/brings.test.ts',
  'test/ai/http.test.ts',
  'test/agents/seed-recall.test.ts',
  'src/cli/commands/run-watch.test.ts',
  'src/run/engine.test.ts',
  'test/docs-workflows.test.ts',
  'src/type/read-json.test.ts',
  'src/run/run-tools.test.ts',
  'test/agents/seed-tool-blocks.test.ts',
  'test/models/accepted.test.ts',
  'test/json.test.ts',
  'src/plan/machine/linear.test.ts',
  'src/plan/code/read-code.property.test.ts',
  'src/journal/sqlite-process.test.ts',
  'test/model-loads.test.ts',
  'test/agents/seed-services.test.ts',
  'src/run/host/schemas.test.ts',
  'src/tool/filesystem/escapes.test.ts',
  'src/expr/template.test.ts',
  'src/expr/evaluate/evaluate-limits.test.ts',
  'src/view/run-skips.test.ts',
  'src/sys/redact.test.ts',
  'src/cli/commands/cache.test.ts',
  'src/caps/sync/odd-places.test.ts',
];

/** The same for the long tests: what takes minutes. */
const deep = [
  'test/engine/kill.test.ts',
  'src/run/simulate/simulate.test.ts',
  'test/caps/sync-kill.test.ts',
  'src/run/simulate/edits.test.ts',
  'src/calls/write/round-trip.test.ts',
  'test/models/accepted.test.ts',
  'test/models/conversation.test.ts',
  'test/adversarial-workflow.test.ts',
  'src/journal/sqlite-process.test.ts',
  'test/adversarial.test.ts',
  'test/agents/outside.test.ts',
  'test/engine/worktree.test.ts',
  'test/engine/owner-deaths.test.ts',
  'test/caps/sync-many.test.ts',
  'src/run/worktree/steps.test.ts',
  'test/fuzz.test.ts',
  'test/calls/invariants.test.ts',
  'src/model/brackets/response-property.test.ts',
  'src/expr/regexp/regexp.test.ts',
  'src/plan/machine/machine.property.test.ts',
  'test/differential.test.ts',
  'src/expr/interpolation.test.ts',
  'src/calls/map/pattern.test.ts',
  'src/expr/expression-parse.test.ts',
  'test/pack.test.ts',
  'test/examples-run.test.ts',
  'test/calls/memory.test.ts',
  'test/calls/fuzz.test.ts',
];

const longest = process.env.TOOLANG_DEEP ? deep : often;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}
