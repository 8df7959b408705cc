/** A tracker in memory, so that the example needs no network. */
const titles = ['Login fails', 'Login is slow', 'Dark mode'];

export const tracker = {
  async find(title: string): Promise<{ ids: number[] }> {
    const [first = ''] = title.toLowerCase().split(' ');
    return { ids: titles.flatMap((each, id) => (each.toLowerCase().includes(first) ? [id] : [])) };
  },
  async open(title: string): Promise<number> {
    return titles.push(title) - 1;
  },
};
