/**
 * Which members of its context a handler reads, as far as its text shows: those it takes apart in its parameter list,
 * and those it reads through the parameter. What it hands on to others is not followed.
 */
import type { AnyNode, Function as FunctionNode, Pattern, Program } from 'acorn';
import { parseModule } from './parse-module.ts';

/** The names, and those behind `steps`; empty when the export is no function written there. */
export async function handlerReads(moduleText: string, name: string): Promise<ReadonlySet<string>> {
  const parsed = await parseModule(moduleText);
  const names = new Set<string>();
  const found = parsed.ok ? functionNamed(parsed.program, name) : undefined;
  const [context] = found?.params ?? [];
  if (found && context) takeApart(context, found.body, names);
  return names;
}

function functionNamed(program: Program, name: string): FunctionNode | undefined {
  const declared = new Map<string, AnyNode | null | undefined>();
  let local = name;
  for (const statement of program.body) {
    const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const node: AnyNode | null | undefined = isExport ? statement.declaration : statement;
    if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
      if (statement.declaration.type !== 'Identifier') return asFunction(statement.declaration);
      local = statement.declaration.name;
    }
    if (statement.type === 'ExportNamedDeclaration') {
      for (const { exported, local: inner } of statement.specifiers) {
        if (textOf(exported) === name) local = textOf(inner);
      }
    }
    if (node?.type === 'FunctionDeclaration' && node.id) declared.set(node.id.name, node);
    if (node?.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) if (id.type === 'Identifier') declared.set(id.name, init);
    }
  }
  return asFunction(declared.get(local));
}

function asFunction(node: AnyNode | null | undefined): FunctionNode | undefined {
  if (node?.type === 'FunctionDeclaration' || node?.type === 'FunctionExpression') return node;
  return node?.type === 'ArrowFunctionExpression' ? node : undefined;
}

/** `({ input, draft, steps: { review } })`, or every `context.draft` in the body. */
function takeApart(pattern: Pattern, body: AnyNode, names: Set<string>): void {
  if (pattern.type === 'AssignmentPattern') takeApart(pattern.left, body, names);
  else if (pattern.type === 'Identifier') membersOf(pattern.name, body, names);
  else if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') takeApart(property.argument, body, names);
      else if (!property.computed) {
        const key = textOf(property.key);
        names.add(key);
        if (key === 'steps') takeApart(property.value, body, names);
      }
    }
  }
}

function membersOf(object: string, body: AnyNode, names: Set<string>): void {
  const todo: unknown[] = [body];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const node = next as AnyNode;
    if (node.type === 'MemberExpression') {
      const name = memberName(node);
      if (name !== undefined && isContext(node.object, object)) names.add(name);
    } else if (node.type === 'VariableDeclarator' && node.init && isContext(node.init, object)) keysOf(node.id, names);
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) todo.push(value);
  }
}

/** The parameter itself, or `steps` of it. */
function isContext(node: AnyNode, name: string): boolean {
  if (node.type !== 'MemberExpression') return node.type === 'Identifier' && node.name === name;
  return node.object.type === 'Identifier' && node.object.name === name && memberName(node) === 'steps';
}

/** `const { draft, steps: { review } } = context` */
function keysOf(pattern: Pattern, names: Set<string>): void {
  if (pattern.type !== 'ObjectPattern') return;
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.computed) continue;
    const key = textOf(property.key);
    names.add(key);
    if (key === 'steps') keysOf(property.value, names);
  }
}

function memberName(node: Extract<AnyNode, { type: 'MemberExpression' }>): string | undefined {
  if (!node.computed) return textOf(node.property);
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : undefined;
}

function textOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '';
}
