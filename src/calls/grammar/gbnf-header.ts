/**
 * The rules of the arguments in a header: in their order, then by name. Narrower than what is read, so that nothing in a
 * header can be taken for something else: no bracket in any value; no quote, and no backslash at the end, of a bare one;
 * a bare word that looks like `name=value`, `name:`, `--name` or `@json`, or ends with a comma, must stand in quotes.
 */

import type { ParamPlan, ToolPlan } from '../map/plan.ts';
import { plainRule } from './gbnf-json.ts';
import { anyBut, either, isWritable, literal, oneOf, type Rules } from './gbnf-text.ts';

/** What `\s` and `trim` take for white space. */
const white =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
const nameChars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const letters = nameChars.slice(0, -1);
const plainName = /^[A-Za-z0-9_-]+$/;
/** A listed value that a header carries without quotes. */
const plainValue = /^(?!@[jJ]|')[^\s"[\]=]*[^\s"[\]=\\]$/;

/** The arguments of a tool with their blanks; `undefined` when a header cannot carry them, and JSON must. */
export function headerRule(rules: Rules, plan: ToolPlan, name: string): string | undefined {
  const params = plan.body === undefined ? plan.header : [...plan.header, plan.body];
  if (!params.every((param) => plainName.test(param.name))) return undefined;
  const [only] = plan.header;
  const isWhole = plan.header.length === 1 && only !== undefined && only.types.includes('string');
  const text = () => (isWhole ? wholeRule(rules, plan) : wordRule(rules));
  const values = plan.header.map((param) => valueRule(rules, param, text));
  if (isWhole) {
    const [value] = values;
    if (value === undefined) return only.required ? undefined : '';
    const args = `(" " | ${literal(` ${only.name}=`)}) ${value}`;
    return only.required ? args : `(${args})?`;
  }
  if (plan.header.some(({ required }, i) => required && values[i] === undefined)) return undefined;

  // Those from each on, by name; and in their order, as far as there is no gap. From the last on: there may be many.
  let named = '';
  let ordered = '';
  for (const [i, param] of [...plan.header.entries()].reverse()) {
    const value = values[i];
    const pair = value === undefined ? '' : `${literal(` ${param.name}=`)} ${value}`;
    const item = param.required ? pair : pair && `(${pair})?`;
    const laterNamed = named;
    const laterOrdered = ordered;
    named = rules.define(`${name}-named-${i + 1}`, () => `${item} ${laterNamed}`.trim() || '""');
    const first = value === undefined ? [] : [`" " ${value} ${laterOrdered}`.trimEnd()];
    ordered = rules.define(`${name}-args-${i + 1}`, () => [...first, named].join(' | '));
  }
  return ordered;
}

/** A value by its type; nothing when a header cannot carry it. */
function valueRule(rules: Rules, { types, values }: ParamPlan, text: () => string): string | undefined {
  if (values !== undefined) {
    const forms = values.flatMap(listedForms);
    return forms.length === 0 ? undefined : either([...new Set(forms)]);
  }
  if (types.includes('string')) return either([text(), ...quotedRules(rules)]);
  const scalars = types.filter((type) => type !== 'integer' || !types.includes('number'));
  return either(scalars.map((type) => plainRule(rules, type)));
}

function listedForms(value: unknown): string[] {
  if (typeof value !== 'string') return [literal(JSON.stringify(value))];
  if (!isWritable(value) || /[[\]\n\r]/.test(value)) return [];
  const bare = plainValue.test(value) ? [literal(value)] : [];
  if (!value.includes('"')) return [...bare, literal(`"${value}"`)];
  const isBalanced = value.split('"').length % 2 === 1;
  return value.includes("'") || !isBalanced ? bare : [...bare, literal(`'${value}'`)];
}

function quotedRules(rules: Rules): string[] {
  const char = rules.define('quoted-char', () => anyBut('[]\n\r"\''));
  return [
    rules.define('quoted', () => `"\\"" (${char} | "'")* "\\""`),
    rules.define('single-quoted', () => `"'" (${char} | "\\"" ${char}* "\\"")* "'"`),
  ];
}

/**
 * One word without quotes. It does not start with what makes a model's habit of it (`-`, a backtick, `=`), and does not end
 * with a comma, a colon or a backslash.
 */
function wordRule(rules: Rules): string {
  return rules.define('bare', () => {
    defineWord(rules, 'bare', ',:\\');
    return `${oneOf(letters)} bare-name | (${otherRule(rules)} | "{") bare-more | ${oneOf(',:\\')} bare-joint | "@" bare-at`;
  });
}

/** A word of a text, behind its first: more can stand at its ends. */
function laterWordRule(rules: Rules): string {
  return rules.define('later', () => {
    defineWord(rules, 'later', '\\');
    const other = `${otherRule(rules)} | ${oneOf("'@`{,:")}`;
    return `${oneOf(nameChars)} later-name | (${other}) later-more | "\\\\" later-joint`;
  });
}

/** The rest of a word: its name if it is one so far, more of it, what must follow a joint, what may follow an `@`. */
function defineWord(rules: Rules, word: string, joints: string): void {
  const other = otherRule(rules);
  const name = oneOf(nameChars);
  const special = "'@`{,:".replaceAll(new RegExp(`[${joints.replace('\\', '')}]`, 'g'), '');
  const joint = `${oneOf(joints)} ${word}-joint`;
  rules.define(
    `${word}-name`,
    () => `(${name} ${word}-name | (${other} | ${oneOf(special)}) ${word}-more | ${joint})?`,
  );
  rules.define(`${word}-more`, () => `((${other} | ${name} | ${oneOf(`${special}=`)}) ${word}-more | ${joint})?`);
  rules.define(`${word}-joint`, () => `(${other} | ${name} | ${oneOf(`${special}=`)}) ${word}-more | ${joint}`);
  if (word !== 'bare') return;
  rules.define('bare-at', () => `((${other} | ${notJ()} | ${oneOf(`${special}=`)}) bare-more | ${joint})?`);
}

/**
 * All of the header as one text. Where the parameter of the body could be named in it, every word is like one that stands
 * alone.
 */
function wholeRule(rules: Rules, plan: ToolPlan): string {
  if (plan.body !== undefined) {
    return rules.define('words', () => `${wordRule(rules)} (" " ${laterWordRule(rules)})*`);
  }
  return rules.define('rest', () => {
    const other = otherRule(rules);
    const name = oneOf(nameChars);
    const char = rules.define('rest-char', () => `${other} | ${name} | ${oneOf("'=@`{,:")}`);
    const solid = `${char} rest-more | "\\\\" rest-backslash | "\\"" rest-quote`;
    const more = `${solid} | " " rest-blank`;
    rules.define('rest-more', () => `(${more})?`);
    rules.define('rest-blank', () => more);
    rules.define('rest-backslash', () => more);
    rules.define('rest-quote', () => `${anyBut('[]\n\r"')} rest-quote | "\\"" rest-more`);
    rules.define('rest-at', () => `((${other} | ${notJ()} | ${oneOf("'=@`{,:")}) rest-more | " " rest-blank)?`);
    // No `name=`, `name: ` or `name = `: it could be the name of the parameter.
    rules.define('rest-name', () => {
      const others = `(${other} | ${oneOf("'@`{,")}) rest-more | "\\\\" rest-backslash | "\\"" rest-quote`;
      return `(${name} rest-name | ":" rest-colon | " " rest-gap | ${others})?`;
    });
    rules.define('rest-colon', () => solid);
    rules.define('rest-gap', () => {
      const char = `${other} | ${name} | ${oneOf("'@`{,:")}`;
      return `(${char}) rest-more | "\\\\" rest-backslash | "\\"" rest-quote | " " rest-gap`;
    });
    return `${oneOf(letters)} rest-name | (${other} | ${oneOf('=,:')}) rest-more | "\\\\" rest-backslash | "@" rest-at`;
  });
}

/** What stands in a word and is neither part of a name nor special. */
function otherRule(rules: Rules): string {
  return rules.define('word-char', () => anyBut(`${white}[]"'=\\@\`{,:${nameChars}`));
}

/** Behind an `@`, so that a word is not `@json`. */
function notJ(): string {
  return oneOf(nameChars.replace('j', '').replace('J', ''));
}
