/**
 * Which names of a piece of code are its own, and which come from outside.
 *
 * 1. Strict mode: a function is visible in the block that declares it; `var` in the whole function; the rest in its block.
 * 2. Parameters do not see what the body of their function declares.
 * 3. Two walks in the same order: the first collects what each scope declares, the second knows what is declared
 *    around each name. Neither recurses, and a look-up costs the same at any depth.
 */
import type { AnyNode, BlockStatement, ForOfStatement, Identifier, Pattern, ReturnStatement } from 'acorn';
import { behindCall, type Member, memberOf, type Taken } from './member.ts';

/** A name that is used, and not where it is declared. */
export interface NameUse {
  readonly node: Identifier;
  readonly use: 'read' | 'write' | 'typeof';
  /** `{ name }`, where the name is the key too. */
  readonly shorthand: boolean;
  /** The members that are read through it. */
  readonly path?: Member;
  /** The variables that it goes into. */
  readonly taken?: Taken;
}

/** The names that the code declares itself, as seen from the place of a use. */
export interface OwnNames {
  readonly has: (name: string) => boolean;
  /** Whether any scope declares it, seen from here or not, or something is assigned to it. */
  readonly isSomewhere: (name: string) => boolean;
  /** Where it is declared, if that is one place and nothing is assigned to it later. */
  readonly constant: (name: string) => Identifier | undefined;
}

export interface ScopeVisitor {
  readonly use?: (use: NameUse, own: OwnNames) => void;
  /** A name that is declared, or the key of an object or class. */
  readonly other?: (node: Identifier, what: 'declare' | 'key' | 'label') => void;
  /** A `return` of the code itself, not of a function in it. */
  readonly return?: (node: ReturnStatement) => void;
  /** Everything that is no name. */
  readonly node?: (node: AnyNode, isWritten: boolean) => void;
}

export function visitScopes(body: BlockStatement, visitor: ScopeVisitor): void {
  const { scopes, written } = declarations(body);
  let all: ReadonlySet<string> | undefined;
  const declared = new Map<string, (Identifier | undefined)[]>();
  const open: Scope[] = [];
  const own: OwnNames = {
    has: (name) => (declared.get(name)?.length ?? 0) > 0,
    isSomewhere: (name) => {
      all ??= new Set([...written, ...scopes.flatMap((scope) => [...scope.keys()])]);
      return all.has(name);
    },
    constant: (name) => (written.has(name) ? undefined : declared.get(name)?.at(-1)),
  };
  let opened = 0;
  let functions = 0;
  walk(body, {
    open(kind) {
      const scope = scopes[opened++] ?? new Map();
      for (const [name, node] of scope) {
        const outer = declared.get(name);
        if (outer) outer.push(node);
        else declared.set(name, [node]);
      }
      open.push(scope);
      if (kind === 'function') functions++;
    },
    close(kind) {
      for (const name of open.pop()?.keys() ?? []) declared.get(name)?.pop();
      if (kind === 'function') functions--;
    },
    name({ node, role, path, shorthand, taken }) {
      if (role === 'read' || role === 'write' || role === 'typeof') {
        visitor.use?.({ node, use: role, shorthand, ...(path && { path }), ...(taken && { taken }) }, own);
      } else visitor.other?.(node, role === 'key' || role === 'label' ? role : 'declare');
    },
    node(node, role) {
      if (node.type === 'ReturnStatement' && functions === 0) visitor.return?.(node);
      visitor.node?.(node, role === 'write');
    },
  });
}

/** What a scope declares, and where, if that is one place. */
type Scope = Map<string, Identifier | undefined>;

/** The scopes in the order in which the walk opens them, and every name that something is assigned to. */
function declarations(body: BlockStatement): { readonly scopes: readonly Scope[]; readonly written: Set<string> } {
  const scopes: Scope[] = [];
  const open: Scope[] = [];
  const bodies: Scope[] = [];
  const written = new Set<string>();
  const add = (scope: Scope | undefined, node: Identifier) =>
    scope?.set(node.name, scope.has(node.name) ? undefined : node);
  walk(body, {
    open(kind) {
      const scope: Scope = new Map();
      scopes.push(scope);
      open.push(scope);
      if (kind === 'body') bodies.push(scope);
    },
    close(kind) {
      open.pop();
      if (kind === 'body') bodies.pop();
    },
    name({ node, role }) {
      if (role === 'lexical') add(open.at(-1), node);
      else if (role === 'var') add(bodies.at(-1), node);
      // `const ; name: string = 1` has a label.
      else if (role === 'write' || role === 'label') written.add(node.name);
    },
  });
  return { scopes, written };
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
  readonly taken?: Taken;
}

interface Walker {
  readonly open: (kind: ScopeKind) => void;
  readonly close: (kind: ScopeKind) => void;
  readonly name: (named: Named) => void;
  readonly node?: (node: AnyNode, role: Role) => void;
}

interface Visit {
  readonly node: AnyNode;
  readonly role: Role;
  readonly path?: Member;
  readonly shorthand?: boolean;
  readonly taken?: Taken;
}

type Task = Visit | { readonly open: ScopeKind } | { readonly close: ScopeKind };

function walk(body: BlockStatement, walker: Walker): void {
  const todo: Task[] = [{ node: body, role: 'body' }];
  for (let task = todo.pop(); task !== undefined; task = todo.pop()) {
    if ('open' in task) walker.open(task.open);
    else if ('close' in task) walker.close(task.close);
    else if (task.node.type === 'Identifier') walker.name({ shorthand: false, ...task, node: task.node });
    else {
      walker.node?.(task.node, task.role);
      const steps = stepsOf(task);
      for (let i = steps.length - 1; i >= 0; i--) {
        const step = steps[i];
        if (step) todo.push(step);
      }
    }
  }
}

/** What is to be done inside a node, in order. */
function stepsOf({ node, role, path, taken }: Visit): Task[] {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return inScope(role === 'body' || node.type === 'StaticBlock' ? 'body' : 'block', each(node.body, 'read'));
    case 'ForStatement':
      return inScope('block', each([node.init, node.test, node.update, node.body], 'read'));
    case 'ForInStatement':
      return inScope('block', [...one(node.left, 'write'), ...each([node.right, node.body], 'read')]);
    case 'ForOfStatement':
      return inScope('block', [
        ...one(node.left, 'write'),
        { node: node.right, role: 'read', path: eachOf(node) },
        ...one(node.body, 'read'),
      ]);
    case 'SwitchStatement':
      return [...one(node.discriminant, 'read'), ...inScope('block', each(node.cases, 'read'))];
    case 'CatchClause':
      return inScope('block', [...one(node.param, 'lexical'), ...one(node.body, 'read')]);
    case 'VariableDeclaration':
      return node.declarations.flatMap((made) => [
        ...one(made.id, node.kind === 'var' ? 'var' : 'lexical'),
        ...takenBy(made.init, made.id, '='),
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
      return [...one(node.left, role), ...takenBy(node.right, node.left, 'default')];
    case 'AssignmentExpression':
      return [...one(node.left, 'write'), ...takenBy(node.right, node.left, node.operator === '=' ? '=' : 'default')];
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
      return [behind(node.expression, path, taken)];
    case 'LogicalExpression': {
      // `x ?? {}` is x as far as it has anything.
      const { right } = node;
      const isEmpty = node.operator !== '&&' && right.type === 'ObjectExpression' && right.properties.length === 0;
      return isEmpty ? [behind(node.left, path, taken)] : each([node.left, right], 'read');
    }
    case 'MemberExpression': {
      const object = behind(node.object, memberOf(node, path, taken));
      return node.computed ? [object, ...one(node.property, 'read')] : [object];
    }
    case 'CallExpression': {
      const { callee, inputs } = behindCall(node, path, taken);
      const given = node.arguments.map((argument, index) => behind(argument, undefined, inputs[index]));
      if (callee && node.callee.type === 'MemberExpression') return [behind(node.callee.object, callee), ...given];
      // A function that is called at once is read when it is known what its parameters are.
      const called = one(node.callee, 'read');
      return inputs.length > 0 ? [...given, ...called] : [...called, ...given];
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

function behind(node: AnyNode, path: Member | undefined, taken?: Taken): Task {
  return { node, role: 'read', ...(path && { path }), ...(taken && { taken }) };
}

/** What is read of each item of a list. */
function eachOf({ left, right }: ForOfStatement): Member {
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
  const taken: Taken | undefined = pattern && { pattern, by: 'of', value: right };
  return {
    name: undefined,
    node: right,
    kind: 'implied',
    objectEnd: right.end,
    called: false,
    items: [],
    next: undefined,
    taken,
  };
}

function inScope(kind: ScopeKind, inside: readonly Task[]): Task[] {
  return [{ open: kind }, ...inside, { close: kind }];
}

function one(node: AnyNode | null | undefined, role: Role): Task[] {
  return node ? [{ node, role }] : [];
}

/** A value that is read, and the pattern it goes into. */
function takenBy(value: AnyNode | null | undefined, pattern: Pattern, by: Taken['by']): Task[] {
  return value ? [{ node: value, role: 'read', taken: { pattern, by, value } }] : [];
}

function each(nodes: readonly (AnyNode | null | undefined)[], role: Role): Task[] {
  return nodes.flatMap((node) => one(node, role));
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
