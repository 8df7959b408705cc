/** What `engine.mjs` measures: runs from their plan to their end, with the store on a disk and hosts for code. */

export { parallel, run, runIdOf, step, workflow } from '../src/api/workflow.ts';
export { openSqliteStore } from '../src/journal/index.ts';
export { planWorkflow } from '../src/plan/index.ts';
export { openEngine, thunkPlan } from '../src/run/index.ts';
export { createSource } from '../src/text/index.ts';
