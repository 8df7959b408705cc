/** The text of a cap as it counts. */

/** LF line ends, without outer blank lines. */
export function trimBlankLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}
