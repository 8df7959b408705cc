/** JSON on standard output, for programs. A terminal that shows it obeys nothing in it. */

/** What JSON allows to stand as it is, but a terminal or an editor would obey or hide. */
const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** One value, indented, with a line end. Escapes keep it the same value. */
export function jsonText(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return `${JSON.stringify(value, replacer, 2).replace(unsafe, escaped)}\n`;
}

/** One value on one line, for JSON lines. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(unsafe, escaped)}\n`;
}

function escaped(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
