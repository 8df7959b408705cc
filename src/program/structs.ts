/** Structs and types: names resolve, and no value would have to be infinite. */
import { builtinTypes as builtinNames, type Field, type Struct, type TypeNode } from '../too/index.ts';
import { arrayOf, builtinTypes, jsonType, maxNesting, refTo, type StructType, type Type } from '../type/index.ts';
import { type Checker, chain, report, reportUnknown } from './checker.ts';
import { declareAll } from './names.ts';

export interface Structs {
  readonly all: readonly StructType[];
  readonly table: Map<string, StructType>;
  /** The table without structs that could be read only in part: what they lack is no mistake of those who use it. */
  readonly whole: Map<string, StructType>;
}

export function checkStructs(c: Checker, nodes: readonly Struct[]): Structs {
  const named = declareAll(c, 'struct', nodes, (node) => node.name);
  for (const name of builtinNames) {
    const node = named.get(name);
    if (!node) continue;
    report(c, 'TOO2003', node.name.span, `"${name}" is a built-in type and cannot be declared.`, {
      help: 'Give the struct another name.',
    });
    named.delete(name);
  }
  const table = new Map<string, StructType>();
  for (const node of nodes) {
    const fields = declareAll(c, 'field', node.fields, (field) => field.name);
    const struct: StructType = {
      kind: 'struct',
      name: node.name.text,
      ...(node.doc !== undefined && { doc: node.doc }),
      fields: [...fields.values()].map((field) => ({
        name: field.name.text,
        type: resolveType(c, field.type, named),
        optional: field.optional !== undefined,
        ...(field.doc !== undefined && { doc: field.doc }),
      })),
    };
    if (named.get(node.name.text) === node) table.set(node.name.text, struct);
  }
  checkRecursion(c, named);
  const whole = new Map([...table].filter(([name]) => !named.get(name)?.partial));
  return { all: [...table.values()], table, whole };
}

/** The type a node means. A name that is missing or unknown is any value from here on, so that it is reported once. */
export function resolveType(c: Checker, node: TypeNode, structs: ReadonlyMap<string, unknown>): Type {
  const { text, span } = node.name;
  let type: Type = jsonType;
  const builtin = builtinTypes.get(text);
  if (builtin) type = builtin;
  else if (structs.has(text)) type = refTo(text);
  else if (text !== '') {
    reportUnknown(c, 'TOO2002', span, 'type', text, chain(structs.keys(), builtinNames));
  }
  if (node.arrays.length > maxNesting) {
    report(
      c,
      'TOO2005',
      node.span,
      `this type is nested ${node.arrays.length} levels deep; at most ${maxNesting} can be read.`,
      {
        help: 'Values nested so deeply cannot be checked; use "Json" for them.',
      },
    );
    return jsonType;
  }
  for (let i = 0; i < node.arrays.length; i++) type = arrayOf(type);
  return type;
}

/** A struct may contain itself only through an optional field or an array. */
function checkRecursion(c: Checker, structs: ReadonlyMap<string, Struct>): void {
  /** The depth of a struct that is being walked; `done` when all below it has been. */
  const state = new Map<string, number | 'done'>();
  for (const start of structs.keys()) {
    if (state.has(start)) continue;
    const stack: { name: string; next: number }[] = [{ name: start, next: 0 }];
    state.set(start, 0);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const field = structs.get(top.name)?.fields[top.next++];
      if (!field) {
        state.set(top.name, 'done');
        stack.pop();
        continue;
      }
      const target = field.type.name.text;
      if (field.optional || field.type.arrays.length > 0 || !structs.has(target)) continue;
      const seen = state.get(target);
      if (seen === undefined) {
        state.set(target, stack.length);
        stack.push({ name: target, next: 0 });
      } else if (seen !== 'done') reportRecursion(c, field, pathFrom(stack, seen));
    }
  }
}

function reportRecursion(c: Checker, field: Field, path: readonly string[]): void {
  const target = field.type.name.text;
  report(c, 'TOO2004', field.type.span, `struct "${target}" contains itself (${[...path, target].join(' → ')}).`, {
    help: 'Make the field optional ("?") or an array ("[]"), so that a value can end.',
    fix: {
      title: 'make the field optional',
      guess: true,
      edits: [{ span: { start: field.name.span.end, end: field.name.span.end }, text: '?' }],
    },
  });
}

/** The names from a depth on; of a long way its two ends. */
function pathFrom(stack: readonly { name: string }[], depth: number): string[] {
  const length = stack.length - depth;
  const names = (from: number, to: number) => stack.slice(from, to).map(({ name }) => name);
  return length > 7
    ? [...names(depth, depth + 4), '…', ...names(stack.length - 2, stack.length)]
    : names(depth, stack.length);
}
