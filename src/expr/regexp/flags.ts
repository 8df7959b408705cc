/** The flags of a regular expression. */
import { RegExpSyntaxError } from './error.ts';

export interface Flags {
  /** In the order of `RegExp.prototype.flags`. */
  readonly text: string;
  readonly indices: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly sticky: boolean;
  /** `u` or `v`: the text is a list of code points, not of code units. */
  readonly unicode: boolean;
  /** `v`: classes are sets with operations. */
  readonly sets: boolean;
  /** Those of the flags that decide which characters a class holds. */
  readonly ofClass: string;
}

const known = 'dgimsuvy';

export function readFlags(text: string): Flags {
  for (let at = 0; at < text.length; at++) {
    const flag = text.charAt(at);
    if (!known.includes(flag))
      throw new RegExpSyntaxError(`unknown flag "${flag}". The flags are d, g, i, m, s, u, v and y`, at);
    if (text.indexOf(flag) < at) throw new RegExpSyntaxError(`the flag "${flag}" stands here twice`, at);
  }
  const has = (flag: string): boolean => text.includes(flag);
  if (has('u') && has('v'))
    throw new RegExpSyntaxError(
      'the flags "u" and "v" exclude each other',
      Math.max(text.indexOf('u'), text.indexOf('v')),
    );
  return {
    text: [...known].filter(has).join(''),
    indices: has('d'),
    ignoreCase: has('i'),
    multiline: has('m'),
    dotAll: has('s'),
    sticky: has('y'),
    unicode: has('u') || has('v'),
    sets: has('v'),
    ofClass: [...'iuv'].filter(has).join(''),
  };
}
