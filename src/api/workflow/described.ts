/** What exported builder objects are to a workflow file. `describe-export.ts` asks here, in the host of users' modules. */

import { draftToJson } from '../../plan/index.ts';
import { checkCalled } from './check.ts';
import type { ComponentData } from './component-data.ts';
import { draftProgram } from './draft.ts';
import { type Described, markerOf } from './marker.ts';
import { functionsOf, reach } from './reached.ts';
import { describeSchemas } from './schema.ts';

/** Undefined if the value is no workflow or component of a builder. An agent is described as the plain object it is. */
export async function describeBuilder(value: unknown): Promise<Described | undefined> {
  const marker = markerOf(value);
  return marker === undefined || marker.kind === 'agent' ? undefined : await marker.describe();
}

export async function describeComponent(data: ComponentData): Promise<Described> {
  const { name } = data;
  if (data.kind === 'file')
    return { kind: 'other', what: `the component "${name}" of a workflow file; import that file` };
  const reached = reach([], [], [data]);
  const answers = await describeSchemas(reached.schemas);
  const called = await checkCalled(reached);
  const { draft, diagnostics } = draftProgram({ name, reached }, answers, called.plans);
  const wrong = [...called.diagnostics, ...diagnostics].find(({ severity }) => severity === 'error');
  if (wrong) return { kind: 'other', what: `the component "${name}", which is wrong: ${wrong.message}` };
  return {
    kind: 'component',
    name,
    draft: draftToJson(draft),
    functions: [...functionsOf(name, reached).keys()],
  };
}
