/** The function around the code of a step: async, strict, in a block of its own. Apart from what parses it, which runs do not need. */

const before = '(async function () {"use strict";{\n';
const after = '\n}})';

/** `shift` is what its offsets are too high by. */
export function wrapCode(code: string): { readonly text: string; readonly shift: number } {
  return { text: before + code + after, shift: before.length };
}
