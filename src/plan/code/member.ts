/** What code reads of a value: chains of members, calls of methods of lists, and the variables that take it apart. */
import type { AnyNode, CallExpression, Function as FunctionNode, MemberExpression, Pattern } from 'acorn';

/** One part of a chain, and what is read through that. */
export interface Member {
  /** Of an item of a list: its index, or nothing for any of them. */
  readonly name: string | undefined;
  /** The name, or what stands in brackets. */
  readonly node: AnyNode;
  /** `.name`, `["name"]`, `[0]`, or an item that goes into a variable without being written as one. */
  readonly kind: 'name' | 'text' | 'item' | 'implied';
  /** Where the object ends: the dot or the bracket is behind it. */
  readonly objectEnd: number;
  /** It is called: what follows is read of its result. */
  readonly called: boolean;
  /** Where a function that it is called with takes the items. */
  readonly items: readonly Taken[];
  readonly next: Member | undefined;
  readonly taken: Taken | undefined;
}

/** A value that goes into variables. */
export interface Taken {
  readonly pattern: Pattern;
  /** `default`: another value may be in its place. */
  readonly by: '=' | 'of' | 'parameter' | 'default';
  /** Absent where it is an item of a list. */
  readonly value?: AnyNode;
}

export function memberOf(
  node: MemberExpression,
  next: Member | undefined,
  taken: Taken | undefined,
): Member | undefined {
  const { property, object, computed } = node;
  const kind = !computed ? 'name' : property.type === 'Literal' && typeof property.value === 'number' ? 'item' : 'text';
  const name = nameIn(property, kind);
  if (name === undefined) return undefined;
  return { name, node: property, kind, objectEnd: object.end, called: false, items: none, next, taken };
}

const none: readonly Taken[] = [];

function nameIn(property: AnyNode, kind: Member['kind']): string | undefined {
  if (kind === 'name') return property.type === 'Identifier' ? property.name : undefined;
  if (kind === 'item') return property.type === 'Literal' ? String(property.value) : undefined;
  return textIn(property);
}

/** A text that is written out. */
export function textIn(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  const [only] = node.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis : [];
  return only?.value.cooked ?? undefined;
}

/** The method that is called, as a member of its object; or, of a function that is called at once, its parameters. */
export function behindCall(
  node: CallExpression,
  next: Member | undefined,
  taken: Taken | undefined,
): { readonly callee?: Member; readonly inputs: readonly (Taken | undefined)[] } {
  const own = functionAt(node.callee);
  if (own) return { inputs: node.arguments.some(isSpread) ? [] : inputsOf(own, node) };
  if (node.callee.type !== 'MemberExpression' || node.callee.computed) return { inputs: [] };
  const member = memberOf(node.callee, next, taken);
  if (member?.name === undefined) return { inputs: [] };
  const [first] = node.arguments;
  const makes = first && functionAt(first);
  const places = makes && itemPlaces.get(member.name);
  const items = places?.flatMap((index): Taken[] => {
    const pattern = makes?.params[index];
    return pattern ? [{ pattern, by: 'parameter' }] : [];
  });
  return { callee: { ...member, called: true, items: items ?? none }, inputs: [] };
}

function inputsOf({ params }: FunctionNode, { arguments: values }: CallExpression): (Taken | undefined)[] {
  return values.map((value, index) => {
    const pattern = params[index];
    return pattern && { pattern, by: 'parameter', value };
  });
}

function isSpread({ type }: AnyNode): boolean {
  return type === 'SpreadElement';
}

/** Which parameters of a function are items of the list whose method it is given to. */
const itemPlaces: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    map: [0],
    filter: [0],
    forEach: [0],
    find: [0],
    findIndex: [0],
    findLast: [0],
    findLastIndex: [0],
    some: [0],
    every: [0],
    flatMap: [0],
    reduce: [1],
    reduceRight: [1],
    sort: [0, 1],
    toSorted: [0, 1],
  }),
);

/** One with a name may call itself with something else. */
function functionAt(node: AnyNode): FunctionNode | undefined {
  if (node.type === 'ArrowFunctionExpression') return node;
  return node.type === 'FunctionExpression' && !node.id ? node : undefined;
}
