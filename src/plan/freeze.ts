/** Plans are data that nobody changes: what is shared by many readers is frozen to its last part. */
export function freeze<T extends object>(value: T): T {
  const todo: object[] = [value];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    // Parts are shared, and some were frozen before.
    if (Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) todo.push(part);
  }
  return value;
}
