/** What the token table measures: bundled at run time, as it is shipped. */
export { planTool } from '../../src/calls/plan.ts';
export { toolPrompt } from '../../src/calls/prompt.ts';
export { estimateTokens } from '../../src/calls/token-estimate.ts';
export { writeCall, writeResult } from '../../src/calls/write.ts';
