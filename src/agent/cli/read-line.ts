/** Lines of programs as values. */
import { isRecord } from '../../type/index.ts';

export type Line = Readonly<Record<string, unknown>>;

/** Undefined of what is no object: a banner, a warning. */
export function objectIn(line: string): Line | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Undefined where none of them is a number. */
export function sumOf(...values: readonly unknown[]): number | undefined {
  const numbers = values.map(numberOf).filter((each) => each !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((a, b) => a + b, 0);
}

export function partsOf(value: unknown): readonly Line[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Only what is known. */
export function usageEvent(
  of: 'call' | 'session',
  { inputTokens, outputTokens, cost }: { readonly [K in 'inputTokens' | 'outputTokens' | 'cost']?: number | undefined },
): {
  readonly kind: 'usage';
  readonly of: 'call' | 'session';
  inputTokens?: number;
  outputTokens?: number;
  cost?: number;
} {
  return {
    kind: 'usage',
    of,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cost !== undefined && { cost }),
  };
}
