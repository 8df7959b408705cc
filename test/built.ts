/** The package that this test run has built. */
import { inject } from 'vitest';

/** The folder that stands for `dist/`. */
export function built(): string {
  const { dist, error } = inject('build');
  if (error !== '') throw new Error(error);
  return dist;
}
