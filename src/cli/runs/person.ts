/** Who decides: the person at the keyboard. */
import { userInfo } from 'node:os';
import type { Context } from '../context.ts';

export function personName({ env }: Pick<Context, 'env'>): string {
  const named = env.USER || env.LOGNAME || env.USERNAME;
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    // Containers have users without a name.
    return 'somebody';
  }
}
