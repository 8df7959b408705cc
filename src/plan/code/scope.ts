/**
 * Which names of a piece of code are its own, and which come from outside.
 *
 * 1. Strict mode: a function is visible in the block that declares it; `var` in the whole function; the rest in its block.
 * 2. Parameters do not see what the body of their function declares.
 * 3. Two walks in the same order: the first collects what each scope declares, the second knows what is declared
 *    around each name. Neither recurses, and a look-up costs the same at any depth.
 */
import type { AnyNode, BlockStatement, Identifier, ObjectPattern, ReturnStatement } from 'acorn';

/** A name that is used, and not where it is declared. */
export interface NameUse {
  readonly node: Identifier;
  readonly use: 'read' | 'write' | 'typeof';
  /** `{ name }`, where the name is the key too. */
  readonly shorthand: boolean;
  /** The members that are read through it. */
  readonly path?: Member;
  /** The pattern that takes it apart. */
  readonly taken?: ObjectPattern;
}

/** `.name` or `["name"]`, and what is read through that. */
export interface Member {
  readonly name: string;
  /** The name or the text in brackets. */
  readonly node: AnyNode;
  readonly computed: boolean;
  /** Where the object ends: the dot or the bracket is behind it. */
  readonly objectEnd: number;
  readonly next?: Member;
}

export interface ScopeVisitor {
  /** `isDeclared` answers for the place of the name. */
  readonly use?: (use: NameUse, isDeclared: (name: string) => boolean) => void;
  /** A name that is declared, or the key of an object or class. */
  readonly other?: (node: Identifier, what: 'declare' | 'key' | 'label') => void;
  /** A `return` of the code itself, not of a function in it. */
  readonly return?: (node: ReturnStatement) => void;
}

export function visitScopes(body: BlockStatement, visitor: ScopeVisitor): void {
  const scopes = declarations(body);
  const declared = new Map<string, number>();
  const open: ReadonlySet<string>[] = [];
  const isDeclared = (name: string) => (declared.get(name) ?? 0) > 0;
  let opened = 0;
  let functions = 0;
  walk(body, {
    open(kind) {
      const names = scopes[opened++] ?? new Set();
      for (const name of names) declared.set(name, (declared.get(name) ?? 0) + 1);
      open.push(names);
      if (kind === 'function') functions++;
    },
    close(kind) {
      for (const name of open.pop() ?? []) declared.set(name, (declared.get(name) ?? 0) - 1);
      if (kind === 'function') functions--;
    },
    name({ node, role, path, shorthand, taken }) {
      if (role === 'read' || role === 'write' || role === 'typeof') {
        visitor.use?.({ node, use: role, shorthand, ...(path && { path }), ...(taken && { taken }) }, isDeclared);
      } else visitor.other?.(node, role === 'key' || role === 'label' ? role : 'declare');
    },
    return(node) {
      if (functions === 0) visitor.return?.(node);
    },
  });
}

/** What each scope declares, in the order in which the walk opens them. */
function declarations(body: BlockStatement): ReadonlySet<string>[] {
  const all: Set<string>[] = [];
  const open: Set<string>[] = [];
  const bodies: Set<string>[] = [];
  walk(body, {
    open(kind) {
      const names = new Set<string>();
      all.push(names);
      open.push(names);
      if (kind === 'body') bodies.push(names);
    },
    close(kind) {
      open.pop();
      if (kind === 'body') bodies.pop();
    },
    name({ node, role }) {
      if (role === 'lexical') open.at(-1)?.add(node.name);
      else if (role === 'var') bodies.at(-1)?.add(node.name);
    },
  });
  return all;
}

/** `body`: where `var` ends up. `function`: its parameters and its own name. */
type ScopeKind = 'body' | 'function' | 'block';

/** What a name is for at its place; patterns hand it down. */
type Role = 'read' | 'write' | 'typeof' | 'lexical' | 'var' | 'key' | 'label' | 'body';

interface Named {
  readonly node: Identifier;
  readonly role: Role;
  readonly path?: Member;
  readonly shorthand: boolean;
  readonly taken?: ObjectPattern;
}

interface Walker {
  readonly open: (kind: ScopeKind) => void;
  readonly close: (kind: ScopeKind) => void;
  readonly name: (named: Named) => void;
  readonly return?: (node: ReturnStatement) => void;
}

interface Visit {
  readonly node: AnyNode;
  readonly role: Role;
  readonly path?: Member;
  readonly shorthand?: boolean;
  readonly taken?: ObjectPattern;
}

type Task = Visit | { readonly open: ScopeKind } | { readonly close: ScopeKind };

function walk(body: BlockStatement, walker: Walker): void {
  const todo: Task[] = [{ node: body, role: 'body' }];
  for (let task = todo.pop(); task !== undefined; task = todo.pop()) {
    if ('open' in task) walker.open(task.open);
    else if ('close' in task) walker.close(task.close);
    else if (task.node.type === 'Identifier') walker.name({ shorthand: false, ...task, node: task.node });
    else {
      if (task.node.type === 'ReturnStatement') walker.return?.(task.node);
      const steps = stepsOf(task);
      for (let i = steps.length - 1; i >= 0; i--) {
        const step = steps[i];
        if (step) todo.push(step);
      }
    }
  }
}

/** What is to be done inside a node, in order. */
function stepsOf({ node, role, path }: Visit): Task[] {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return inScope(role === 'body' || node.type === 'StaticBlock' ? 'body' : 'block', each(node.body, 'read'));
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement': {
      const parts = node.type === 'ForStatement' ? [node.test, node.update, node.body] : [node.right, node.body];
      const head = node.type === 'ForStatement' ? node.init : node.left;
      return inScope('block', [...one(head, node.type === 'ForStatement' ? 'read' : 'write'), ...each(parts, 'read')]);
    }
    case 'SwitchStatement':
      return [...one(node.discriminant, 'read'), ...inScope('block', each(node.cases, 'read'))];
    case 'CatchClause':
      return inScope('block', [...one(node.param, 'lexical'), ...one(node.body, 'read')]);
    case 'VariableDeclaration':
      return node.declarations.flatMap((made) => [
        ...one(made.id, node.kind === 'var' ? 'var' : 'lexical'),
        ...takenApart(made.init, made.id),
      ]);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const own = one(node.id, 'lexical');
      const inside = [
        ...each(node.params, 'lexical'),
        ...one(node.body, node.body.type === 'BlockStatement' ? 'body' : 'read'),
      ];
      return node.type === 'FunctionDeclaration'
        ? [...own, ...inScope('function', inside)]
        : inScope('function', [...own, ...inside]);
    }
    case 'ClassDeclaration':
    case 'ClassExpression': {
      const inside = [...one(node.id, 'lexical'), ...one(node.superClass, 'read'), ...one(node.body, 'read')];
      return [...(node.type === 'ClassDeclaration' ? one(node.id, 'lexical') : []), ...inScope('block', inside)];
    }
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return [...one(node.key, node.computed ? 'read' : 'key'), ...one(node.value, 'read')];
    case 'Property': {
      const value: Task = { node: node.value, role, shorthand: node.shorthand };
      return node.shorthand ? [value] : [...one(node.key, node.computed ? 'read' : 'key'), value];
    }
    case 'ObjectPattern':
      return each(node.properties, role);
    case 'ArrayPattern':
      return each(node.elements, role);
    case 'RestElement':
      return one(node.argument, role);
    case 'AssignmentPattern':
      return [...one(node.left, role), ...takenApart(node.right, node.left)];
    case 'AssignmentExpression':
      return [...one(node.left, 'write'), ...takenApart(node.right, node.left)];
    case 'UpdateExpression':
      return one(node.argument, 'write');
    case 'UnaryExpression':
      return one(node.argument, node.operator === 'typeof' ? 'typeof' : 'read');
    case 'LabeledStatement':
      return [...one(node.label, 'label'), ...one(node.body, 'read')];
    case 'BreakStatement':
    case 'ContinueStatement':
      return one(node.label, 'label');
    case 'MetaProperty':
      return [];
    case 'ChainExpression':
      return [{ node: node.expression, role: 'read', ...(path && { path }) }];
    case 'MemberExpression': {
      const member = memberOf(node, path);
      const object: Task = { node: node.object, role: 'read', ...(member && { path: member }) };
      return node.computed ? [object, ...one(node.property, 'read')] : [object];
    }
    default:
      return rest(node);
  }
}

/** Everything that holds no names but those that it reads. */
function rest(node: AnyNode): Task[] {
  const tasks: Task[] = [];
  for (const value of Object.values(node)) {
    if (isNode(value)) tasks.push({ node: value, role: 'read' });
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) tasks.push({ node: item, role: 'read' });
  }
  return tasks;
}

function memberOf(node: AnyNode & { type: 'MemberExpression' }, next: Member | undefined): Member | undefined {
  const { property, computed } = node;
  const name =
    property.type === 'Identifier' && !computed
      ? property.name
      : property.type === 'Literal' && typeof property.value === 'string'
        ? property.value
        : undefined;
  if (name === undefined) return undefined;
  return { name, node: property, computed, objectEnd: node.object.end, ...(next && { next }) };
}

function inScope(kind: ScopeKind, inside: readonly Task[]): Task[] {
  return [{ open: kind }, ...inside, { close: kind }];
}

function one(node: AnyNode | null | undefined, role: Role): Task[] {
  return node ? [{ node, role }] : [];
}

/** A value that is read, and the pattern it goes into. */
function takenApart(value: AnyNode | null | undefined, pattern: AnyNode): Task[] {
  if (!value) return [];
  return [{ node: value, role: 'read', ...(pattern.type === 'ObjectPattern' && { taken: pattern }) }];
}

function each(nodes: readonly (AnyNode | null | undefined)[], role: Role): Task[] {
  return nodes.flatMap((node) => one(node, role));
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
