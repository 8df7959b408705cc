/** What `model.mjs` measures: our call, and the packages of providers by themselves. */
export { createAnthropic } from '@ai-sdk/anthropic';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { wireAnswer } from '../src/model/call/wire-test-kit.ts';
export { openModel } from '../src/model/index.ts';
