/** Sample values, for `explain` and for docs: always the same, and readable. */
import { resolve, type Type, type TypeTable } from './type.ts';
import { setOwn } from './validate.ts';

/** What stands where a sample would grow without end. */
const more = '…';
const maxDepth = 32;
const maxParts = 500;

interface State {
  readonly table: TypeTable;
  /** The structs around the current place. */
  readonly open: Set<Type>;
  parts: number;
}

/**
 * A value of the type; texts are named after where they stand (`<path>`). A struct inside itself is left out where it is
 * optional or an item of a list. A type too big to show ends in "…", so such a sample is for reading, not for running.
 */
export function sampleValue(type: Type, table: TypeTable, name: string): unknown {
  return sample(type, name, 0, { table, open: new Set(), parts: 0 });
}

function sample(type: Type, name: string, depth: number, state: State): unknown {
  const target = resolve(type, state.table);
  state.parts++;
  switch (target.kind) {
    case 'text':
    case 'message':
      return `<${name}>`;
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'literal':
      return target.values[0] ?? more;
    case 'json':
      return { any: 'JSON' };
    case 'array':
      return grows(target.item, depth, state) ? [] : [sample(target.item, itemName(name), depth + 1, state)];
    case 'struct': {
      if (grows(target, depth, state)) return more;
      state.open.add(target);
      const value: Record<string, unknown> = {};
      for (const field of target.fields) {
        if (field.optional && grows(field.type, depth, state)) continue;
        setOwn(value, field.name, sample(field.type, field.name, depth + 1, state));
      }
      state.open.delete(target);
      return value;
    }
  }
}

function grows(type: Type, depth: number, state: State): boolean {
  return depth >= maxDepth || state.parts >= maxParts || state.open.has(resolve(type, state.table));
}

/** `findings` holds a `finding`. */
function itemName(name: string): string {
  return /[a-z]s$/.test(name) && !name.endsWith('ss') ? name.slice(0, -1) : name;
}
