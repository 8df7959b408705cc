/** Structs that need themselves: no value of such a type is ever finished. */
import type { StructType, Type } from '../type/index.ts';

/** The names of structs that hold themselves through fields that must be there. */
export function endlessTypes(table: ReadonlyMap<string, StructType>): string[] {
  const open = new Set<string>();
  const done = new Set<string>();
  const endless = new Set<string>();
  for (const start of table.keys()) {
    // Without recursion, because a chain of structs may be longer than the stack.
    const stack: { readonly name: string; readonly needs: Iterator<string> }[] = [];
    const visit = (name: string) => {
      if (open.has(name)) endless.add(name);
      if (open.has(name) || done.has(name)) return;
      open.add(name);
      stack.push({ name, needs: neededBy(table.get(name))[Symbol.iterator]() });
    };
    visit(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.needs.next();
      if (!next.done) {
        visit(next.value);
        continue;
      }
      stack.pop();
      open.delete(top.name);
      done.add(top.name);
    }
  }
  return [...endless];
}

/** The structs that must be there in every value of a type. */
function neededBy(type: Type | undefined, found: string[] = []): string[] {
  if (type?.kind === 'ref') found.push(type.name);
  else if (type?.kind === 'struct') for (const field of type.fields) if (!field.optional) neededBy(field.type, found);
  return found;
}
