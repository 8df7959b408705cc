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

/** The words of a line, without the quotes around them or around the values of names. */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}

/** Both as they can be compared: what was printed, with its id as the page has it, and up to where the page leaves off. */
export function asShown(printed: string, id: string, shown: string): { printed: string; shown: string } {
  const own = still(id === '' ? printed : printed.replaceAll(id, '7f3a'));
  const page = still(shown);
  const end = page.search(/^ *…\n$/m);
  return end === -1 ? { printed: own, shown: page } : { printed: own.slice(0, end), shown: page.slice(0, end) };
}
