/** Text between tags that it cannot close: where it holds the end of its tag, the tag gets a number that it does not hold. */

export function fenced(tag: string, name: string | undefined, text: string): string {
  const own = freeTag(tag, text);
  const head = name === undefined ? own : `${own} name=${JSON.stringify(name)}`;
  return `<${head}>\n${text}\n</${own}>`;
}

function freeTag(tag: string, text: string): string {
  const ends = Array.from(text.matchAll(new RegExp(`/\\s*${tag}(?:-(\\d{1,9}))?`, 'gi')), ([, number]) =>
    Number(number),
  );
  if (ends.length === 0) return tag;
  const taken = new Set(ends);
  let number = 2;
  while (taken.has(number)) number++;
  return `${tag}-${number}`;
}
