/** The commands on a page of the docs, with what they print there. */

/** Each command with its output, in the order of the page. */
export function samplesOf(page: string): [command: string, printed: string][] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part): [string, string] => {
        const end = part.indexOf('\n');
        return [part.slice(0, end), part.slice(end + 1)];
      }),
  );
}

/** Without what is another each time: times, tokens, and the blanks that they leave. */
export function still(text: string): string {
  return text
    .replace(/ *\d+\.\ds/g, ' T')
    .replace(/ *\d+ tokens/g, ' N tokens')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, .*? took/g, 'TIME took')
    .replace(/just now|\d+s ago/g, 'just now')
    .replace(/ +$/gm, '');
}
