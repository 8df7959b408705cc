/** What does not fit, in words: alone, because what is imported later is imported whole. */
export { misfit } from '../../plan/machine/index.ts';
