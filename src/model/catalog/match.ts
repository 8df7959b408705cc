/**
 * Which row a name means. The rules are those of the published data, and so is what is done with them:
 * 1. Names are compared in small letters and without blanks around them; the first row that fits is meant.
 * 2. A name that none fits is tried once more with its dates as `2025-08-07`, where it has them as `20250807`.
 */
import { fitsPattern } from '../../text/index.ts';
import type { CatalogRow, Rule } from './row.ts';

export function findRow(rows: readonly CatalogRow[], id: string): CatalogRow | undefined {
  const name = id.toLowerCase().trim();
  const found = rows.find((row) => fits(row, name));
  if (found) return found;
  const dashed = withDashes(name);
  return dashed === name ? undefined : rows.find((row) => fits(row, dashed));
}

/**
 * Whether a row has this very name, or it with a date, and not only others that begin like it. A name without a provider is
 * taken for a model only then: many rules would also fit names of models that somebody else made.
 */
export function hasName(row: CatalogRow, id: string): boolean {
  const name = id.toLowerCase().trim();
  const isNamed = (rule: Rule): boolean => {
    if (typeof rule !== 'string') return 'all' in rule ? false : rule.some(isNamed);
    if (isExpression(rule)) return fitsRule(rule, name);
    const star = rule.indexOf('*');
    if (star === -1) return rule === name;
    return star === rule.length - 1 && name.startsWith(rule.slice(0, -1)) && dated.test(name.slice(star));
  };
  return row.id === name || (row.names?.includes(name) ?? false) || (row.match !== undefined && isNamed(row.match));
}

const dated = /^(?:-?20\d{2}-?\d{2}-?\d{2})?$/;

function fits(row: CatalogRow, name: string): boolean {
  return fitsRule(row.match ?? row.id, name);
}

function fitsRule(rule: Rule, name: string): boolean {
  if (typeof rule !== 'string') {
    return 'all' in rule
      ? rule.all.every((each) => fitsRule(each, name))
      : rule.some((each: Rule) => fitsRule(each, name));
  }
  if (isExpression(rule)) return expressionOf(rule).test(name);
  return rule === name || (rule.includes('*') && fitsPattern(rule, name));
}

function isExpression(rule: string): boolean {
  return rule.startsWith('/');
}

const expressions = new Map<string, RegExp>();

function expressionOf(rule: string): RegExp {
  let made = expressions.get(rule);
  if (made === undefined) {
    made = new RegExp(rule.slice(1, -1));
    expressions.set(rule, made);
  }
  return made;
}

function withDashes(name: string): string {
  return name.replace(/-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, (whole, year, month, day) => {
    const dashed = `${year}-${month}-${day}`;
    const made = new Date(`${dashed}T00:00:00Z`);
    const isDay = !Number.isNaN(made.getTime()) && made.toISOString().startsWith(dashed);
    return isDay ? `-${dashed}` : whole;
  });
}
