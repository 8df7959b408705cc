/**
 * The rules of what a model writes freely: text between calls, bodies, and the strings of JSON bodies. Each is a small
 * machine, one rule for each state, that goes to the next state with each character; so llama.cpp has only a few
 * stacks to look at, however long the text is.
 *
 * What they leave out is what the scanner would report: an emoji in text, a bare `[/end]`, and in a body a marker that
 * is not its end. A model that forgot an end can only write the end when it starts the next call.
 */

import { EMOJI } from '../marker.ts';
import { anyBut, literal, oneOf, type Rules } from './gbnf-text.ts';

/** Characters, and the rule that goes on after one of them; `undefined` where they cannot stand. */
type Move = readonly [chars: string, next: string | undefined];

const selectors = '\ufe0e\ufe0f';
const replaced = '\ufffd';
/** What a bare `[/end]` is spelled with, behind its bracket; letters in any case. */
const endSteps: readonly (readonly [state: string, chars: string])[] = [
  ['bracket', '/'],
  ['slash', 'eE'],
  ['e', 'nN'],
  ['en', 'dD'],
];

/** Text between calls; it may be empty. No emoji, no bare `[/end]`, no bracket after a replaced character. */
export function textRule(rules: Rules): string {
  const usual: Move[] = [
    ['[', 'text-bracket'],
    [replaced, 'text-replaced'],
    [EMOJI, undefined],
  ];
  // Text may end everywhere.
  const state = (name: string, own: readonly Move[]) => rules.define(name, () => `(${moves('text', usual, own)})?`);
  state('text', []);
  defineEndSteps(state, 'text');
  state('text-replaced', [
    ['[', undefined],
    [selectors, 'text-selector'],
  ]);
  state('text-selector', [['[', undefined]]);
  return 'text';
}

/** A body with the marker that ends it. A backslash before `[/end]` escapes it. */
export function bodyRule(rules: Rules): string {
  const usual: Move[] = [
    ['[', 'body-bracket'],
    ['\\', 'body-backslash'],
    [EMOJI, 'body-emoji'],
  ];
  const state = (name: string, own: readonly Move[]) => rules.define(name, () => moves('body', usual, own));
  state('body', []);
  defineEndSteps(state, 'body');
  state('body-backslash', [['[', 'body']]);
  state('body-emoji', [
    ['[', literal('/end]')],
    [selectors, 'body-selector'],
  ]);
  state('body-selector', [['[', literal('/end]')]]);
  return 'body';
}

/**
 * A JSON string. Behind the emoji a bracket is written `\u005b`; or, where it makes an end marker, with the escape of
 * bodies: a backslash more than the JSON itself has, which has an even number of them.
 */
export function jsonStringRule(rules: Rules): string {
  const usual: Move[] = [
    ['"', ''],
    [controls(), undefined],
    ['\\', 'json-escape'],
    ['[', 'json-bracket'],
    [EMOJI, 'json-emoji'],
  ];
  const state = (name: string, own: readonly Move[]) => rules.define(name, () => moves('json-chars', usual, own));
  rules.define('json-string', () => `"\\"" json-chars`);
  state('json-chars', []);
  const escapes = '(["/bfnrt] | "u" [0-9A-Fa-f]{4}) json-chars';
  rules.define('json-escape', () => `${escapes} | "\\\\" json-backslash`);
  state('json-backslash', [['[', 'json-chars']]);
  defineEndSteps(state, 'json');
  const kept: Move = ['\\', 'json-kept'];
  state('json-emoji', [['[', undefined], [selectors, 'json-selector'], kept]);
  state('json-selector', [['[', undefined], kept]);
  state('json-even', [kept]);
  rules.define('json-kept', () => `${escapes} | "[/end]" json-chars | "\\\\" json-even`);
  return 'json-string';
}

function defineEndSteps(state: (name: string, own: readonly Move[]) => string, prefix: string): void {
  endSteps.forEach(([name, chars], i) => {
    state(`${prefix}-${name}`, [[chars, `${prefix}-${endSteps[i + 1]?.[0] ?? 'end'}`]]);
  });
  state(`${prefix}-end`, [[']', undefined]]);
}

/** All characters that are not spoken of lead to `home`. */
function moves(home: string, usual: readonly Move[], own: readonly Move[]): string {
  const special = own.map(([chars]) => chars).join('');
  const all = [...own, ...usual.filter(([chars]) => !special.includes(chars))];
  const rest = `${anyBut(all.map(([chars]) => chars).join(''))} ${home}`;
  const steps = all.flatMap(([chars, next]) => (next === undefined ? [] : [`${oneOf(chars)} ${next}`.trimEnd()]));
  return [rest, ...steps].join(' | ');
}

function controls(): string {
  return String.fromCharCode(...Array.from({ length: 0x20 }, (_, i) => i));
}
