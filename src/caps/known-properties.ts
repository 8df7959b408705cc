/** Which properties each kind of cap has. Those of psyches and prompts are free. */
import type { CapKind } from '../too/index.ts';

export const knownProperties: Readonly<Record<CapKind, readonly string[]>> = {
  psyche: [],
  skill: ['description'],
  service: ['description', 'transport', 'target', 'headers', 'env'],
  prompt: [],
};

/** Without which a cap is wrong, in whatever form it is written. */
export const requiredProperties: Readonly<Record<CapKind, readonly string[]>> = {
  psyche: [],
  skill: ['description'],
  service: ['transport', 'target'],
  prompt: [],
};

/** What the open Agent Skills standard has besides. */
export const standardProperties: readonly string[] = ['name', 'license', 'compatibility', 'metadata', 'allowed-tools'];
