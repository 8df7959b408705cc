/** Plans are data that nobody changes: what is shared by many readers is frozen to its last part. */
export function freeze<T extends object>(value: T): T {
  const todo: object[] = [value];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    // Parts are shared, and some were frozen before.
    if (Object.isFrozen(next)) continue;
    if (Array.isArray(next)) {
      for (const part of next) if (typeof part === 'object' && part !== null) todo.push(part);
    } else {
      for (const key in next) {
        const part: unknown = next[key as keyof typeof next];
        if (typeof part === 'object' && part !== null) todo.push(part);
      }
    }
    Object.freeze(next);
  }
  return value;
}
