/** Selectors: what they select, and what is said of those that mean nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CapKind, capKinds } from '../../too/index.ts';
import { type Status, statuses } from './effective.ts';
import { type Form, forms, type Scope, scopes } from './scope.ts';
import { readSelector, type Selected } from './selector.ts';

const cap = (kind: CapKind, name: string, scope: Scope, form: Form, status: Status): Selected => {
  return { kind, name, scope, form, status };
};
const caps = [
  cap('skill', 'review', 'here', 'inline', 'active'),
  cap('skill', 'reviewer', 'home', 'file', 'shadowed'),
  cap('service', 'github', 'home', 'wired', 'active'),
  cap('prompt', 'skill', 'root', 'ref', 'hidden'),
];

function selected(text: string): string[] {
  const read = readSelector(text);
  if (!read.ok) throw new Error(read.problem.message);
  return caps.filter(read.selector).map((each) => each.name);
}

describe('a selector', () => {
  it.each([
    ['', ['review', 'reviewer', 'github', 'skill']],
    [' , ', ['review', 'reviewer', 'github', 'skill']],
    ['kind:skill', ['review', 'reviewer']],
    ['kind:skills', ['review', 'reviewer']],
    ['scope:home', ['reviewer', 'github']],
    ['scope:shared', ['reviewer', 'github']],
    ['scope:agent', ['review']],
    ['scope:global', ['skill']],
    ['form:wired', ['github']],
    ['form:local', ['reviewer']],
    ['form:file', ['reviewer']],
    ['status:shadowed', ['reviewer']],
    ['name:rev*', ['review', 'reviewer']],
    ['name:*er', ['reviewer']],
    ['name:review', ['review']],
    ['rev*', ['review', 'reviewer']],
    ['github', ['github']],
    ['skill', ['review', 'reviewer', 'skill']],
    ['name:skill', ['skill']],
    ['kind:skill scope:home', ['reviewer']],
    ['kind:skill,scope:home', ['reviewer']],
    ['kind:skill, scope:root', []],
    ['nothing', []],
  ])('%j', (text, names) => {
    expect(selected(text)).toEqual(names);
  });

  it.each([
    ['kidn:skill', '"kidn:" is not known. Did you mean "kind:"?'],
    ['kind:skil', '"skil" is not a kind of caps. Did you mean "skill"?'],
    ['scope:hom', '"hom" is not a scope of caps. Did you mean "home"?'],
    ['form:wire', '"wire" is not a form of caps. Did you mean "wired"?'],
    ['status:shadow', '"shadow" is not a status of caps. Did you mean "shadowed"?'],
    ['status:x', '"x" is not a status of caps.'],
    ['kind:', '"kind:" is followed by nothing.'],
    ['name:', '"name:" is followed by no name.'],
    [':x', '":" is not known.'],
    ['kind:skill naem:1', '"naem:" is not known. Did you mean "name:"?'],
  ])('%s is refused', (text, message) => {
    const read = readSelector(text);
    if (read.ok) throw new Error('it was read');
    expect(read.problem.code).toBe('TOO5246');
    expect(read.problem.message).toBe(message);
  });
});

it('holds for a cap when all its words do, in any order', () => {
  const one = fc.record({
    kind: fc.constantFrom(...capKinds),
    name: fc.constantFrom('a', 'ab', 'b', 'skill'),
    scope: fc.constantFrom(...scopes),
    form: fc.constantFrom(...forms),
    status: fc.constantFrom(...statuses),
  });
  const word = fc.oneof(
    fc.constantFrom(...capKinds).map((kind) => [`kind:${kind}`, (c: Selected) => c.kind === kind] as const),
    fc.constantFrom(...scopes).map((scope) => [`scope:${scope}`, (c: Selected) => c.scope === scope] as const),
    fc.constantFrom(...forms).map((form) => [`form:${form}`, (c: Selected) => c.form === form] as const),
    fc.constantFrom(...statuses).map((status) => [`status:${status}`, (c: Selected) => c.status === status] as const),
    fc.constantFrom('a', 'b').map((name) => [`name:${name}*`, (c: Selected) => c.name.startsWith(name)] as const),
  );
  const property = fc.property(one, fc.array(word), fc.constantFrom(' ', ',', ', '), (each, words, between) => {
    const text = words.map(([written]) => written);
    for (const order of [text, [...text].reverse()]) {
      const read = readSelector(order.join(between));
      expect(read.ok && read.selector(each)).toBe(words.every(([, holds]) => holds(each)));
    }
  });
  fc.assert(property, { seed: 7 });
});

it('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readSelector(text);
      if (read.ok) for (const each of caps) expect(typeof read.selector(each)).toBe('boolean');
      else expect(read.problem.message).not.toBe('');
    }),
    { seed: 7 },
  );
});
