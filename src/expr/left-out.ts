/** What JavaScript has and expressions do not, each with its reason. Reading one of these fails and says why. */

const html = 'it makes HTML without escaping anything';
const mutates = 'it changes the prototype or the properties of a value, and values never change';
const prototypes = 'expressions see data and not where it comes from';
const frozen = 'values never change, so there is nothing to freeze or to ask';

/** On values of any kind: what leads from data to code. */
export const hiddenMembers: Readonly<Record<string, string>> = {
  __defineGetter__: mutates,
  __defineSetter__: mutates,
  __lookupGetter__: prototypes,
  __lookupSetter__: prototypes,
  // In brackets, or it would be the prototype of this table.
  ['__proto__']: prototypes,
  constructor: prototypes,
  isPrototypeOf: prototypes,
  prototype: prototypes,
};

export const leftOutMethods: Readonly<Record<'string' | 'regexp', Readonly<Record<string, string>>>> = {
  string: {
    anchor: html,
    big: html,
    blink: html,
    bold: html,
    fixed: html,
    fontcolor: html,
    fontsize: html,
    italics: html,
    link: html,
    small: html,
    strike: html,
    sub: html,
    sup: html,
  },
  regexp: { compile: 'it changes the regular expression, and values never change' },
};

export const leftOutStatics: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Math: { random: 'the same expression must give the same value again' },
  Object: {
    create: prototypes,
    defineProperties: mutates,
    defineProperty: mutates,
    freeze: frozen,
    getOwnPropertyDescriptor: prototypes,
    getOwnPropertyDescriptors: prototypes,
    getOwnPropertyNames: 'Object.keys gives the same',
    getOwnPropertySymbols: 'there are no symbols',
    getPrototypeOf: prototypes,
    isExtensible: frozen,
    isFrozen: frozen,
    isSealed: frozen,
    preventExtensions: frozen,
    seal: frozen,
    setPrototypeOf: mutates,
  },
  String: { raw: 'it is made for tagged templates, which are not part of expressions' },
};

/** Members that no expression reads, when it is parsed or when it runs. */
export function isHiddenMember(name: string): boolean {
  return hidden.has(name);
}

const hidden: ReadonlySet<string> = new Set(Object.keys(hiddenMembers));
