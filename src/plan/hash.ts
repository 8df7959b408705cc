/** Hashes of plain data. */
import { hash } from 'node:crypto';

/** The same for values that are equal, whatever the order of their keys. */
export function hashOf(value: unknown): string {
  return hash('sha256', canonical(value), 'hex').slice(0, 32);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    const record = each as Record<string, unknown>;
    return Object.fromEntries(
      Object.keys(record)
        .sort()
        .map((key) => [key, record[key]]),
    );
  });
}
