/**
 * Texts as people may see them who decide about them: what cannot be seen, or makes a text look like another, is written out.
 * Line ends stay.
 */

/**
 * Controls, what turns the direction of text, what takes no place, blanks that are no blank, halves of characters, and signs
 * that are nothing but white.
 */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/gu;
/** Blanks that push the rest out of sight. */
const wide = / {16,}/g;

export function visibleText(text: string): string {
  return text
    .replace(unseen, (char) => (char === '\n' ? char : escaped(char)))
    .replace(wide, (blanks) => `[${blanks.length} blanks]`);
}

/** On one line, and no longer than that. */
export function visibleLine(text: string, most: number): string {
  const line = visibleText(text).replaceAll('\n', '\\n');
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function escaped(char: string): string {
  return char === '\t' ? '\\t' : char === '\r' ? '\\r' : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
