export const Tracker = {
  async open(title: string): Promise<string> {
    return `opened: ${title}`;
  },
};
