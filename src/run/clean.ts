/** Takes secrets out of what is kept or told. Most values hold none, and need no copy. */
import type { Redactor } from '../sys/index.ts';

export type Clean = <T>(value: T) => T;

export function cleaner(redactor: Redactor | undefined): Clean {
  if (redactor === undefined) return (value) => value;
  return <T>(value: T) => (isClean(value, redactor) ? value : (redactor.data(value) as T));
}

/** What is nested deep is not looked at here. */
function isClean(value: unknown, redactor: Redactor, deepest = 50): boolean {
  if (typeof value === 'string') return redactor.text(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (deepest === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isClean(item, redactor, deepest - 1)) return false;
    return true;
  }
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    if (redactor.text(key) !== key || !isClean(field, redactor, deepest - 1)) return false;
  }
  return true;
}
