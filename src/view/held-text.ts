/** Why steps are not begun by themselves. */
import { printable } from '../text/index.ts';
import { readNodeId } from './node-id.ts';

/** `ids`: of the steps, or their names. */
export function heldText(ids: readonly string[]): string {
  const names = [...new Set(ids.map((id) => readNodeId(id).name))];
  const were = names.length === 1 ? 'was' : 'were';
  return `${names.map(printable).join(', ')} ${were} running each of the last times the process died.`;
}
