/** Our own words for the interface of the AI SDK say the same as the SDK's. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3Middleware,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3ProviderMetadata,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, expectTypeOf, it } from 'vitest';
import { bracketTools } from '../../src/model/brackets/bracket-tools.ts';
import type { noteData } from '../../src/model/brackets/call-note.ts';
import type * as sdk from '../../src/model/brackets/sdk.ts';

it('is a middleware of the SDK', () => {
  const middleware: LanguageModelV3Middleware = bracketTools();
  expectTypeOf(bracketTools()).toExtend<LanguageModelV3Middleware>();
  expectTypeOf(bracketTools()).toExtend<LanguageModelMiddleware>();
  expect(wrapLanguageModel({ model: new MockLanguageModelV3(), middleware }).specificationVersion).toBe('v3');
});

it('takes what the SDK gives', () => {
  expectTypeOf<LanguageModelV3GenerateResult['finishReason']>().toExtend<sdk.FinishReason>();
  expectTypeOf<LanguageModelV3CallOptions>().toExtend<sdk.CallParams>();
  expectTypeOf<LanguageModelV3GenerateResult>().toExtend<sdk.GenerateResult>();
  expectTypeOf<LanguageModelV3StreamResult>().toExtend<sdk.StreamResult>();
  expectTypeOf<LanguageModelV3Message>().toExtend<sdk.Message>();
  type Given<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: T }>;
  expectTypeOf<Given<'text-start'>>().toExtend<sdk.TextStart>();
  expectTypeOf<Given<'text-delta'>>().toExtend<sdk.TextDelta>();
  expectTypeOf<Given<'text-end'>>().toExtend<sdk.TextEnd>();
  expectTypeOf<Given<'finish'>>().toExtend<sdk.Finish>();
  expectTypeOf<Extract<LanguageModelV3Content, { type: 'text' }>>().toExtend<sdk.TextContent>();
});

it('gives what the SDK takes', () => {
  type Data = { providerMetadata?: SharedV3ProviderMetadata };
  // The data of providers goes through as it came; what we add is JSON.
  expectTypeOf<ReturnType<typeof noteData>>().toExtend<SharedV3ProviderMetadata>();
  expectTypeOf<sdk.TextStart & Data>().toExtend<LanguageModelV3StreamPart>();
  expectTypeOf<sdk.TextDelta & Data>().toExtend<LanguageModelV3StreamPart>();
  expectTypeOf<sdk.TextEnd & Data>().toExtend<LanguageModelV3StreamPart>();
  expectTypeOf<sdk.ToolCall & Data>().toExtend<LanguageModelV3StreamPart & LanguageModelV3Content>();
  expectTypeOf<sdk.TextContent & Data>().toExtend<LanguageModelV3Content>();
  expectTypeOf<sdk.ToolInputStart | sdk.ToolInputDelta | sdk.ToolInputEnd>().toExtend<LanguageModelV3StreamPart>();
  expectTypeOf<sdk.StreamStart>().toExtend<LanguageModelV3StreamPart>();
  expectTypeOf<sdk.Warning>().toExtend<SharedV3Warning>();
  // Our messages may say `undefined` for what is not there, as the SDK's own do at run time.
  type Message = sdk.SystemMessage | sdk.UserMessage | sdk.AssistantMessage | sdk.ToolMessage;
  expectTypeOf<Message['role']>().toEqualTypeOf<LanguageModelV3Message['role']>();
});
