/** What programs need of the machine of plans, and nothing else of it: what is imported later is imported whole. */
export { hashOfPlan, misfit } from '../../plan/machine/index.ts';
