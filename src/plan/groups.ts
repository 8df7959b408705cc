/** Groups of what goes round in circles. */

/**
 * A number for each node of a graph that is the same for two of them if each can be reached from the other (Tarjan's
 * way, without recursion). What a group leads to has lower numbers.
 */
export function groupsOf(next: readonly (readonly { readonly to: number }[])[]): Int32Array {
  const groups = new Int32Array(next.length).fill(-1);
  const order = new Int32Array(next.length).fill(-1);
  const low = new Int32Array(next.length);
  const kept: number[] = [];
  let count = 0;
  let found = 0;
  for (let first = 0; first < next.length; first++) {
    if (order[first] !== -1) continue;
    const open: { readonly node: number; edge: number }[] = [];
    const enter = (node: number) => {
      order[node] = low[node] = count++;
      kept.push(node);
      open.push({ node, edge: 0 });
    };
    const lower = (node: number, value: number) => {
      low[node] = Math.min(low[node] ?? value, value);
    };
    enter(first);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { node } = top;
      const to = next[node]?.[top.edge++]?.to;
      if (to !== undefined) {
        if (order[to] === -1) enter(to);
        else if (groups[to] === -1) lower(node, order[to] ?? 0);
        continue;
      }
      open.pop();
      const before = open.at(-1);
      if (before) lower(before.node, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      for (let member = kept.pop(); member !== undefined; member = kept.pop()) {
        groups[member] = found;
        if (member === node) break;
      }
      found++;
    }
  }
  return groups;
}
