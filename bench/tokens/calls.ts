/** What the token table measures: bundled at run time, as it is shipped. */
export { planTool } from '../../src/calls/map/plan.ts';
export { toolPrompt } from '../../src/calls/prompt/prompt.ts';
export { estimateTokens } from '../../src/calls/prompt/token-estimate.ts';
export { writeCall, writeResult } from '../../src/calls/write/write.ts';
