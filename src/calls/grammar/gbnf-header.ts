/**
 * The rules of the arguments in a header: in their order, then by name. Narrower than what is read, so that nothing in a
 * header can be taken for something else: no bracket in any value; no quote, and no backslash at the end, of a bare one;
 * a bare word that looks like `name=value` or like `@json` must stand in quotes.
 */

import type { ParamPlan, ToolPlan } from '../map/plan.ts';
import { plainRule } from './gbnf-json.ts';
import { anyBut, either, isWritable, literal, oneOf, type Rules } from './gbnf-text.ts';

/** What `\s` and `trim` take for white space. */
const white =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
const nameChars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const plainName = /^[A-Za-z0-9_-]+$/;
/** A listed value that a header carries without quotes. */
const plainValue = /^(?!@j|')[^\s"[\]=]*[^\s"[\]=\\]$/;

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
    return only.required ? `" " ${value}` : `(" " ${value})?`;
  }
  if (plan.header.some(({ required }, i) => required && values[i] === undefined)) return undefined;

  /** Those from `i` on by name. */
  const named = (i: number): string => {
    const param = plan.header[i];
    if (param === undefined) return '';
    const value = values[i];
    const pair = value === undefined ? '' : `${literal(` ${param.name}=`)} ${value}`;
    const item = param.required ? pair : pair && `(${pair})?`;
    return rules.define(`${name}-named-${i + 1}`, () => `${item} ${named(i + 1)}`.trim() || '""');
  };
  /** Those from `i` on in their order, as far as there is no gap. */
  const ordered = (i: number): string => {
    const param = plan.header[i];
    if (param === undefined) return '';
    return rules.define(`${name}-args-${i + 1}`, () => {
      const value = values[i];
      const first = value === undefined ? [] : [`" " ${value} ${ordered(i + 1)}`.trimEnd()];
      return [...first, named(i)].join(' | ');
    });
  };
  return ordered(0);
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

/** One word without quotes. */
function wordRule(rules: Rules): string {
  return rules.define('bare', () => {
    const other = otherRule(rules);
    const name = oneOf(nameChars);
    const backslash = '"\\\\" bare-backslash';
    rules.define('bare-name', () => `(${name} bare-name | (${other} | ['\\x40]) bare-more | ${backslash})?`);
    rules.define('bare-more', () => `((${other} | ${name} | ['=\\x40]) bare-more | ${backslash})?`);
    rules.define('bare-backslash', () => `(${other} | ${name} | ['=\\x40]) bare-more | ${backslash}`);
    rules.define('bare-at', () => `((${other} | ${notJ()} | ['=\\x40]) bare-more | ${backslash})?`);
    return `${name} bare-name | (${other} | "=") bare-more | ${backslash} | "@" bare-at`;
  });
}

/**
 * All of the header as one text. Where the parameter of the body could be named in it, every word is like one that stands
 * alone.
 */
function wholeRule(rules: Rules, plan: ToolPlan): string {
  if (plan.body !== undefined) return rules.define('words', () => `${wordRule(rules)} (" " (bare | "'" bare-more))*`);
  return rules.define('rest', () => {
    const other = otherRule(rules);
    const name = oneOf(nameChars);
    const char = rules.define('rest-char', () => `${other} | ${name} | ['=\\x40]`);
    const plain = `${char} rest-more | "\\\\" rest-backslash`;
    const more = `${plain} | " " rest-blank | "\\"" rest-quote`;
    rules.define('rest-more', () => `(${more})?`);
    rules.define('rest-blank', () => more);
    rules.define('rest-backslash', () => more);
    rules.define('rest-quote', () => `${anyBut('[]\n\r"')} rest-quote | "\\"" rest-more`);
    rules.define('rest-at', () => `((${other} | ${notJ()} | ['=\\x40]) rest-more | " " rest-blank)?`);
    // Behind `name=` a quote would have to close at the end.
    rules.define('rest-name', () => {
      const others = `(${other} | ['\\x40]) rest-more | "\\\\" rest-backslash | " " rest-blank | "\\"" rest-quote`;
      return `(${name} rest-name | "=" rest-equal | ${others})?`;
    });
    rules.define('rest-equal', () => `(${plain} | " " rest-gap)?`);
    rules.define('rest-gap', () => `${plain} | " " rest-gap`);
    return `${name} rest-name | (${other} | "=") rest-more | "\\\\" rest-backslash | "@" rest-at`;
  });
}

/** What stands in a word and is neither part of a name nor special. */
function otherRule(rules: Rules): string {
  return rules.define('word-char', () => anyBut(`${white}[]"'=\\@${nameChars}`));
}

/** Behind an `@`, so that a word is not `@json`. */
function notJ(): string {
  return oneOf(nameChars.replace('j', ''));
}
