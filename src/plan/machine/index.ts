/** Runs plans: the workflow machine, and the text of the functions that run code. */
export { compileCode } from '../code/compile.ts';
export { hashOfPlan } from './call.ts';
export { type GenerateOptions, generatedInput, generatedOutput, generatePlan } from './generate-plan.ts';
export { createWorkflowMachine, machineNumber, workflowMaker } from './machine.ts';
export { misfit } from './misfit.ts';
export { withoutLimits } from './without-limits.ts';
