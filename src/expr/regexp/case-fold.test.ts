import { describe, expect, it } from 'vitest';
import { canonical, isCaseless } from './case-fold.ts';

describe('canonical', () => {
  it('is the same as in the native engine, for all characters that have a case', () => {
    const cased = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => !isCaseless(code));
    for (const unicode of [true, false]) {
      const codes = unicode ? cased : cased.filter((code) => code < 0x10000);
      const text = codes.map((code) => String.fromCodePoint(code)).join('');
      const classes = new Map<number, string>();
      for (const code of codes) {
        const own = canonical(code, unicode);
        classes.set(own, (classes.get(own) ?? '') + String.fromCodePoint(code));
      }
      const different = codes.filter((code) => {
        const source = unicode ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
        const same = text.match(new RegExp(source, unicode ? 'giu' : 'gi'))?.join('');
        return same !== classes.get(canonical(code, unicode));
      });
      expect(different).toEqual([]);
    }
  });
});
