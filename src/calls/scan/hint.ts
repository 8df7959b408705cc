/** What a diagnostic says: what is wrong and what to write instead, for a model and for a person alike. */
import type { CallDiagnosticCode } from '../event.ts';
import { END, START } from '../marker.ts';

export const hints: Readonly<Record<CallDiagnosticCode, string>> = {
  'stray-end': `${END} closes nothing: no call is open here. Start a call with ${START}tool arguments] on a line of its own.`,
  'empty-header': `${START}] names no tool. Write the name of a tool and its arguments between the brackets.`,
  'header-too-long': `The header that starts here is too long, so it is plain text. Put long values in the body.`,
  'header-bracket-suspect':
    'The first "]" ends a header, and here it probably ended too early. Put a value with "[" or "]" in the body, or send all arguments as a JSON body with @json.',
  'nested-start': `A call starts inside the body of another, so it is part of that body. Close each call with ${END} before the next one.`,
  'near-miss-end': `This does not end a call. The end is written exactly ${END}, with nothing between or behind.`,
  'spaced-marker': `A blank stands between the emoji and "[", so this is no marker. Write ${START} without a blank.`,
  'damaged-marker': `The emoji before "[" is damaged or not whole, so this is no marker. Write ${START}, and decode the bytes of a stream as UTF-8 across chunks.`,
  'fabricated-result': `Results come from the tools; this one was made up, so it is plain text. End the message after the calls and wait.`,
  unterminated: `The text ends before this call does, so it does not run. Write the call again, whole, with ${END} behind its body.`,
};

/** A call that the length limit of the model cut off. */
export const cutHint = `The model reached its length limit before this call ended, so it does not run. Write the call again in a new message, with a shorter body or in smaller parts, and with ${END} behind its body.`;

/** An end marker that closes nothing because the header before it was none. */
export function strayAfter(why: string): string {
  return `${END} closes nothing: no call is open, because the header before it ${why}.`;
}
