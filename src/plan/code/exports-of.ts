/** What a module exports, found by reading it: nothing of it is executed. */
import type { AnyNode, Pattern, Program } from 'acorn';
import { parseModule } from './parse-module.ts';

export type ModuleExports =
  /** `open`: there may be more (`export * from`, or a module that is not ESM). Types are no exports. */
  | { readonly ok: true; readonly names: readonly string[]; readonly open: boolean }
  | { readonly ok: false; readonly message: string };

export async function exportsOf(moduleText: string): Promise<ModuleExports> {
  const parsed = await parseModule(moduleText);
  return parsed.ok ? namesOf(parsed.program) : parsed;
}

function namesOf(program: Program): ModuleExports {
  const names = new Set<string>();
  let open = false;
  let isModule = false;
  for (const node of program.body) {
    isModule ||= /^(Import|Export)/.test(node.type);
    if (node.type === 'ExportDefaultDeclaration') names.add('default');
    else if (node.type === 'ExportAllDeclaration') {
      if (node.exported) names.add(nameOf(node.exported));
      else open = true;
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const specifier of node.specifiers) names.add(nameOf(specifier.exported));
      if (node.declaration) declaredBy(node.declaration, names);
    }
  }
  return { ok: true, names: [...names], open: open || !isModule };
}

function declaredBy(node: AnyNode, names: Set<string>): void {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
    if (node.id) names.add(node.id.name);
  } else if (node.type === 'VariableDeclaration') {
    const todo: (Pattern | null)[] = node.declarations.map((made) => made.id);
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (next?.type === 'Identifier') names.add(next.name);
      else if (next?.type === 'RestElement') todo.push(next.argument);
      else if (next?.type === 'AssignmentPattern') todo.push(next.left);
      else if (next?.type === 'ArrayPattern') for (const item of next.elements) todo.push(item);
      else if (next?.type === 'ObjectPattern') {
        for (const property of next.properties) todo.push(property.type === 'Property' ? property.value : property);
      }
    }
  }
}

function nameOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '';
}
