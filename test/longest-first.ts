/** In which order test files begin: those that take longest first, so that no core waits for one of them in the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes many seconds, longest first. What is missing here begins later, the larger files first. */
const often = [
  'test/engine/processes.test.ts',
  'test/engine/owners.test.ts',
  'test/engine/kill.test.ts',
  'test/engine/approvals.test.ts',
  'src/run/host-pool.test.ts',
  'test/pack.test.ts',
  'src/run/simulate.test.ts',
  'test/cli/streams.test.ts',
  'test/adversarial-workflow.test.ts',
  'src/run/host.test.ts',
  'test/cli/runs.test.ts',
  'test/engine/store.test.ts',
  'test/differential.test.ts',
  'test/json.test.ts',
  'test/fuzz.test.ts',
  'test/process.test.ts',
  'test/demo.test.ts',
  'test/calls/invariants.test.ts',
  'test/examples-run.test.ts',
  'src/journal/sqlite-process.test.ts',
  'src/cli/commands/run.test.ts',
  'src/cli/commands/workflow.test.ts',
  'src/api/workflow/docs.test.ts',
  'src/run/host-schemas.test.ts',
  'src/api/ai/response-property.test.ts',
];

/** The same for the long tests: what takes minutes. */
const deep = [
  'test/engine/kill.test.ts',
  'test/fuzz.test.ts',
  'test/differential.test.ts',
  'src/calls/write/round-trip.test.ts',
  'test/calls/fuzz.test.ts',
  'test/adversarial-workflow.test.ts',
  'test/calls/invariants.test.ts',
  'src/api/ai/response-property.test.ts',
  'src/run/simulate.test.ts',
  'test/adversarial.test.ts',
  'src/journal/sqlite-process.test.ts',
  'src/expr/regexp/regexp.test.ts',
  'src/expr/interpolation.test.ts',
  'src/calls/map/pattern.test.ts',
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
