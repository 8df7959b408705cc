/** The JSON value of a tree. */
import { unionText } from './scalar.ts';
import type { ToonValue } from './tree.ts';

/** Keys are own properties whatever their name; a union is the text it is in plain TOON. */
export function toPlain(value: ToonValue): unknown {
  switch (value.kind) {
    case 'object': {
      const object: Record<string, unknown> = {};
      for (const { key, value: inner } of value.entries) {
        const plain = toPlain(inner);
        if (key.text !== '__proto__') object[key.text] = plain;
        else {
          Object.defineProperty(object, key.text, {
            value: plain,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
      }
      return object;
    }
    case 'array':
      return value.items.map(toPlain);
    case 'string':
      return value.text;
    case 'union':
      return unionText(value);
    case 'null':
      return null;
    default:
      return value.value;
  }
}
