/** The tokens of a call, as its service counts them; what it does not say is estimated. */
import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import { callLength, estimateTokens, type ModelCall, type ModelUsage } from '../model.ts';
import { costOf } from '../price.ts';
import type { ModelInfo } from '../resolved.ts';

/** `written`: how many characters came. */
export function usageOf(
  given: LanguageModelV3Usage | undefined,
  call: ModelCall,
  written: number,
  info: ModelInfo | undefined,
): ModelUsage {
  const cacheReadTokens = count(given?.inputTokens.cacheRead);
  const cacheWriteTokens = count(given?.inputTokens.cacheWrite);
  const usage = {
    inputTokens: count(given?.inputTokens.total) ?? estimateTokens(requestLength(call)),
    outputTokens: count(given?.outputTokens.total) ?? estimateTokens(written),
    ...(cacheReadTokens && { cacheReadTokens }),
    ...(cacheWriteTokens && { cacheWriteTokens }),
  };
  return info?.price === undefined ? usage : { ...usage, cost: costOf(usage, info.price) };
}

function count(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0 ? Math.round(tokens) : undefined;
}

function requestLength(call: ModelCall): number {
  return callLength(call) + (call.tools === undefined ? 0 : JSON.stringify(call.tools).length);
}
