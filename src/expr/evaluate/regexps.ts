/** The methods and the fields of regular expressions. */
import { regExpText, toText } from './convert.ts';
import { execute } from './matching.ts';
import type { Methods } from './numbers.ts';
import type { RegExpValue } from './value.ts';

export const regExpMethods: Methods<RegExpValue, 'toString'> = {
  exec: (rt, self, [text]) => execute(rt, self, toText(rt, text)),
  test: (rt, self, [text]) => execute(rt, self, toText(rt, text)) !== null,
  toString: (_, self) => regExpText(self),
};

export const regExpFields: Readonly<Record<string, (self: RegExpValue) => unknown>> = {
  dotAll: (self) => self.flags.includes('s'),
  flags: (self) => self.flags,
  global: (self) => self.flags.includes('g'),
  hasIndices: (self) => self.flags.includes('d'),
  ignoreCase: (self) => self.flags.includes('i'),
  // Values never change, so every search begins at the beginning.
  lastIndex: () => 0,
  multiline: (self) => self.flags.includes('m'),
  source: (self) => self.source,
  sticky: (self) => self.flags.includes('y'),
  unicode: (self) => self.flags.includes('u'),
  unicodeSets: (self) => self.flags.includes('v'),
};
