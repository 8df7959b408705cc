/** In which order test files begin: those that take longest first, so that no core waits for one of them in the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes many seconds, longest first. What is missing here begins later, the larger files first. */
const often = [
  'src/run/host/pool.test.ts',
  'src/run/simulate/simulate.test.ts',
  'test/engine/kill.test.ts',
  'test/errors.test.ts',
  'src/caps/resolve/resolve.test.ts',
  'test/engine/owners.test.ts',
  'test/cli/runs.test.ts',
  'src/tool/service/stdio-service.test.ts',
  'test/engine/edit.test.ts',
  'src/cli/commands/edit-run.test.ts',
  'src/cli/commands/why.test.ts',
  'src/run/host/module-host.test.ts',
  'test/process.test.ts',
  'src/journal/sqlite-process.test.ts',
  'test/json.test.ts',
  'src/cli/commands/run.test.ts',
  'src/tool/service/http-service.test.ts',
  'test/differential.test.ts',
  'test/models/conversation.test.ts',
  'test/caps/capability-model.test.ts',
  'test/examples.test.ts',
  'src/tool/permission/shell-read.test.ts',
  'src/tool/sandbox/sandbox.test.ts',
  'src/tool/shell/shell-tool.test.ts',
  'test/toon/plan.test.ts',
  'src/expr/regexp/regexp.test.ts',
  'test/calls/invariants.test.ts',
  'test/engine/approvals.test.ts',
  'test/cli/run-views.test.ts',
  'test/cli/files.test.ts',
  'src/cli/commands/run-watch.test.ts',
  'test/fuzz.test.ts',
  'test/models/accepted.test.ts',
  'test/engine/store.test.ts',
  'src/run/host/schemas.test.ts',
];

/** The same for the long tests: what takes minutes. */
const deep = [
  'test/engine/kill.test.ts',
  'src/calls/write/round-trip.test.ts',
  'test/fuzz.test.ts',
  'src/run/simulate/simulate.test.ts',
  'test/calls/fuzz.test.ts',
  'src/journal/sqlite-process.test.ts',
  'test/cli-agents/gemini.test.ts',
  'test/cli-agents/claude-code.test.ts',
  'test/cli-agents/codex.test.ts',
  'test/adversarial-workflow.test.ts',
  'test/differential.test.ts',
  'test/calls/invariants.test.ts',
  'src/model/brackets/response-property.test.ts',
  'src/expr/interpolation.test.ts',
  'src/expr/regexp/regexp.test.ts',
  'src/calls/map/pattern.test.ts',
  'src/expr/expression-parse.test.ts',
  'test/adversarial.test.ts',
  'test/calls/memory.test.ts',
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
