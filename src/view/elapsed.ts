/** Times, tokens and money as people read them. */
import type { Usage } from '../machine/index.ts';

/** `0.4s`, `12s`, `3m 05s`, `2h 10m`, `3d 4h`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${two(whole % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** How long ago, or until when: `just now`, `5m ago`, `in 2h`. */
export function whenText(at: number, now: number): string {
  const ms = now - at;
  if (Math.abs(ms) < 1000) return 'just now';
  const words = elapsedText(Math.abs(ms)).split(' ', 1).join('').replace(/\.\d/, '');
  return ms > 0 ? `${words} ago` : `in ${words}`;
}

/** `1234 tokens, $0.02`; empty when nothing is known, or nothing was spent. */
export function usageText({ inputTokens, outputTokens, cost }: Usage): string {
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  const parts = [];
  if (tokens > 0) parts.push(`${tokens} tokens`);
  if (cost !== undefined && cost > 0) parts.push(costText(cost));
  return parts.join(', ');
}

/** In cents; what is less shows its first digits. */
export function costText(cost: number): string {
  if (cost === 0 || cost >= 0.005) return `$${cost.toFixed(2)}`;
  return `$${cost.toPrecision(2)}`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
