/** Words that others wrote, as data in instructions: on one line, and nothing in them opens or ends a call. */
import { EMOJI } from '../marker.ts';

const blanks = /[\s\u0000-\u001f\u007f-\u009f]+/g;
const marker = new RegExp(`(${EMOJI}[\\ufe0e\\ufe0f]?)\\[`, 'g');

export function plainLine(text: string): string {
  return text.replace(blanks, ' ').trim().replace(marker, '$1\\[');
}
