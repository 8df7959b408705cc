/** Which cap an activation sees, and what becomes of the others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultVisibility, effectiveCaps, originText, type Scoped } from './effective.ts';
import { type Form, formRank, forms, type Scope, scopes } from './scope.ts';

const cap = (scope: Scope, form: Form, name = 'review', kind: Scoped['kind'] = 'skill') => ({
  kind,
  name,
  scope,
  form,
});
const all = { shared: true, global: true };

const everywhere = [
  cap('root', 'wired'),
  cap('home', 'wired'),
  cap('root', 'file'),
  cap('here', 'ref'),
  cap('root', 'ref'),
  cap('home', 'ref'),
  cap('home', 'file'),
  cap('here', 'inline'),
];

function order(caps: readonly Scoped[], visibility = all): string[] {
  return effectiveCaps(caps, visibility).all.map((each) => {
    const by = each.status === 'shadowed' ? ` by ${each.by.scope} ${each.by.form}` : '';
    return `${each.cap.scope} ${each.cap.form} ${each.status}${by}`;
  });
}

describe('runtime scope precedence', () => {
  it('is here, home, root; within one, inline and file before ref before wired', () => {
    expect(order(everywhere)).toEqual([
      'here inline active',
      'here ref shadowed by here inline',
      'home file shadowed by here inline',
      'home ref shadowed by here inline',
      'home wired shadowed by here inline',
      'root file shadowed by here inline',
      'root ref shadowed by here inline',
      'root wired shadowed by here inline',
    ]);
    expect(order(everywhere.slice(0, 3))[0]).toBe('home wired active');
  });

  it('one activation builds an effective cap set by kind and name', () => {
    const caps = [cap('root', 'file'), cap('home', 'file', 'review', 'prompt'), cap('home', 'file', 'Review')];
    expect(effectiveCaps(caps, all).caps).toHaveLength(3);
    expect(effectiveCaps(caps, all).find('skill', 'review')).toBe(caps[0]);
    expect(effectiveCaps(caps, all).find('service', 'review')).toBeUndefined();
  });

  it('says of a loser what shadows it', () => {
    const home = { ...cap('home', 'file'), file: '/h/.toolang/skills/review/SKILL.md', line: 1 };
    const [, loser] = effectiveCaps([{ ...cap('root', 'wired'), file: '/r/config.toml', line: 4 }, home], all).all;
    if (loser?.status !== 'shadowed') throw new Error('it is not shadowed');
    expect(originText(loser.by, loser.by.file, loser.by.line)).toBe('home file /h/.toolang/skills/review/SKILL.md:1');
  });
});

describe('runtime scope visibility', () => {
  it('always has the caps of the agent itself', () => {
    expect(order(everywhere, { shared: false, global: false }).slice(0, 3)).toEqual([
      'here inline active',
      'here ref shadowed by here inline',
      'home file hidden',
    ]);
  });

  it('hides a scope that is off, which then shadows nothing', () => {
    const caps = [cap('home', 'file'), cap('root', 'file')];
    expect(order(caps, { shared: false, global: true })).toEqual(['home file hidden', 'root file active']);
    expect(order(caps, { shared: true, global: false })).toEqual(['home file active', 'root file hidden']);
    expect(order(caps, { shared: false, global: false })).toEqual(['home file hidden', 'root file hidden']);
  });

  it('by default: resident shared on, global on; roaming shared on, global off; visiting neither', () => {
    expect(defaultVisibility('resident')).toEqual({ shared: true, global: true });
    expect(defaultVisibility('roaming')).toEqual({ shared: true, global: false });
    expect(defaultVisibility('visiting')).toEqual({ shared: false, global: false });
  });
});

it('loses no cap, and has one winner for each kind and name that is visible', () => {
  const one = fc.record({
    kind: fc.constantFrom('skill' as const, 'prompt' as const),
    name: fc.constantFrom('a', 'b'),
    scope: fc.constantFrom(...scopes),
    form: fc.constantFrom(...forms),
  });
  const property = fc.property(fc.array(one), fc.boolean(), fc.boolean(), (caps, shared, global) => {
    const { all: ranked, caps: winners } = effectiveCaps(caps, { shared, global });
    expect(new Set(ranked.map((each) => each.cap))).toEqual(new Set(caps));
    expect(ranked).toHaveLength(caps.length);
    const keys = winners.map((each) => `${each.kind} ${each.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const each of ranked) {
      if (each.status !== 'shadowed') continue;
      expect(winners).toContain(each.by);
      const nearer = scopes.indexOf(each.by.scope) - scopes.indexOf(each.cap.scope);
      expect(nearer < 0 || (nearer === 0 && formRank(each.by.form) <= formRank(each.cap.form))).toBe(true);
    }
  });
  fc.assert(property, { seed: 7 });
});
