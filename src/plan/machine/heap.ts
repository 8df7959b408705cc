/** A heap of numbers, the smallest first. */
export interface Heap {
  readonly size: () => number;
  readonly push: (number: number) => void;
  readonly peek: () => number | undefined;
  readonly pop: () => number | undefined;
  readonly clear: () => void;
}

export function createHeap(): Heap {
  const items: number[] = [];
  const at = (index: number) => items[index] as number;

  function sink(last: number): void {
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && at(child + 1) < at(child)) child++;
      if (at(child) >= last) break;
      items[index] = at(child);
      index = child;
    }
    items[index] = last;
  }

  return {
    size: () => items.length,
    peek: () => items[0],
    push(number) {
      let index = items.length;
      items.push(number);
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= number) break;
        items[index] = at(parent);
        index = parent;
      }
      items[index] = number;
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (last !== undefined && items.length > 0) sink(last);
      return first;
    },
    clear() {
      items.length = 0;
    },
  };
}
