/** The text of the function that runs code. It is compiled with the names it is given as parameters. */
import { wrapCode } from './wrap.ts';

/**
 * An expression whose value is the async function; `code` begins on a line of its own, at its first column, so
 * line N of the code is line N + 1 of this text. A name that the code declares itself may be one of the parameters.
 */
export function compileCode(code: string, parameters: readonly string[]): string {
  return wrapCode(code).text.replace('()', () => `(${parameters.join(', ')})`);
}
