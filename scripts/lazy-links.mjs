// Makes a module of the program load what it requires when it first uses it, and not before: a command uses a part of what it
// could use, and every module that is run takes its time at every start.
//
// 1. Only a name that is used as `name.member` alone is made so; what is done otherwise with one stays as it was.
// 2. What is required must do nothing but define: the build says so of all our modules (`treeshake`), and it holds of Node's.
import { parseAst } from 'rolldown/parseAst';

/** Makes a member of another module one of this module; no module has such a name. */
const member = '__memberOf';
/** Makes a module of Node what `import name from` it gives. */
const whole = '__wholeOf';
export const helperText = [
  `const ${member} = (exports, name, get) => Object.defineProperty(exports, name, { enumerable: true, get });`,
  `const ${whole} = (module) => ({ __proto__: module, default: module });`,
].join(' ');

/** @typedef {{ readonly type: string, readonly start: number, readonly end: number, readonly [key: string]: unknown }} Node */
/** @typedef {{ readonly start: number, readonly end: number, readonly text: string }} Edit */
/** @typedef {{ readonly declarator: Node, readonly loads: string, readonly uses: Node[] }} Link */

/**
 * @param {string} code a CommonJS module as the bundler writes it
 * @param {string} file its name, for reports
 */
export function lazyLinks(code, file) {
  for (const name of [member, whole])
    if (code.includes(name)) throw new Error(`build: ${file} has a name of its own that is ${name}`);
  const program = /** @type {Node} */ (/** @type {unknown} */ (parseAst(code)));
  const all = nodes(program.body);
  const wholes = all.filter(isWhole);
  const body = all.filter((statement) => !wholes.includes(statement));
  const links = linksOf(body, code, new Set(wholes.map((statement) => wholeName(statement))));
  for (const statement of body) findUses(statement, links);
  const spared = wholes.filter((statement) => links.has(wholeName(statement)));
  for (const statement of wholes) if (!spared.includes(statement)) findUses(statement, links);
  if (links.size === 0) return code;
  /** @param {Node} use */
  const loaded = (use) => `(${use.name} ??= ${links.get(String(use.name))?.loads})`;
  const edits = [
    { start: 0, end: 0, text: `let ${[...links.keys()].join(', ')}; ` },
    ...spared.map((statement) => ({ ...range(statement), text: '' })),
    ...body.flatMap((statement) => undeclared(statement, links)),
    ...[...links.values()].flatMap(({ uses }) => uses.map((use) => ({ ...range(use), text: loaded(use) }))),
    ...body.flatMap(assignmentsOf).flatMap((each) => reexported(each, links)),
  ];
  return edited(code, edits);
}

/**
 * `path = runtime.__toESM(path, 1)`, by which the bundler copies a module for each module that has `import path from` it.
 * @param {Node} statement
 */
function isWhole(statement) {
  const [assignment, ...others] = assignmentsOf(statement);
  const call = node(assignment?.right);
  const name = node(node(call?.callee)?.property)?.name;
  const [given] = nodes(call?.arguments);
  return others.length === 0 && name === '__toESM' && given?.name === wholeName(statement);
}

/** @param {Node} statement */
function wholeName(statement) {
  return String(node(assignmentsOf(statement)[0]?.left)?.name);
}

/**
 * @param {readonly Node[]} body
 * @param {string} code
 * @param {ReadonlySet<string>} wholes the names of those of which the whole is used
 * @returns {Map<string, Link>}
 */
function linksOf(body, code, wholes) {
  const required = body.flatMap(declaratorsOf).flatMap((declarator) => {
    const init = node(declarator.init);
    const isRequired = init?.type === 'CallExpression' && node(init.callee)?.name === 'require';
    const name = node(declarator.id)?.name;
    if (!isRequired || typeof name !== 'string') return [];
    const required = code.slice(init.start, init.end);
    if (wholes.has(name) && !required.startsWith('require("node:')) return [];
    /** @type {[string, Link]} */
    const entry = [name, { declarator, loads: wholes.has(name) ? `${whole}(${required})` : required, uses: [] }];
    return [entry];
  });
  return new Map(required);
}

/**
 * Where each is used. One that is used otherwise is no link any more.
 * @param {Node} statement
 * @param {Map<string, Link>} links
 */
function findUses(statement, links) {
  /** @param {Node} each @param {Node} [parent] @param {string} [key] */
  const visit = (each, parent, key) => {
    const link = each.type === 'Identifier' ? links.get(String(each.name)) : undefined;
    if (link && parent?.type === 'MemberExpression' && !parent.computed && key === 'object') link.uses.push(each);
    else if (link && parent !== link.declarator && !isOnlyAName(parent, key)) links.delete(String(each.name));
    for (const [name, value] of Object.entries(each)) {
      for (const child of nodes(Array.isArray(value) ? value : [value])) visit(child, each, name);
    }
  };
  visit(statement);
}

/**
 * `x.name`, `{ name: … }`: no variable.
 * @param {Node | undefined} parent
 * @param {string | undefined} key
 */
function isOnlyAName(parent, key) {
  if (parent === undefined || parent.computed || parent.shorthand) return false;
  return (parent.type === 'MemberExpression' && key === 'property') || (key === 'key' && 'value' in parent);
}

/**
 * Takes links out of a declaration.
 * @param {Node} statement
 * @param {ReadonlyMap<string, Link>} links
 * @returns {Edit[]}
 */
function undeclared(statement, links) {
  const all = declaratorsOf(statement);
  const kept = all.filter((declarator) => links.get(String(node(declarator.id)?.name))?.declarator !== declarator);
  if (kept.length === all.length) return [];
  const last = kept.at(-1);
  if (last === undefined) return [{ ...range(statement), text: '' }];
  const until = all.indexOf(last);
  const before = all.slice(0, until).flatMap((each, i) => {
    const next = all[i + 1];
    return kept.includes(each) || next === undefined ? [] : [{ start: each.start, end: next.start, text: '' }];
  });
  return [...before, { start: last.end, end: all.at(-1)?.end ?? last.end, text: '' }];
}

/**
 * `exports.name = link.name` would load it at once.
 * @param {Node} assignment
 * @param {ReadonlyMap<string, Link>} links
 * @returns {Edit[]}
 */
function reexported(assignment, links) {
  const left = node(assignment.left);
  const right = node(assignment.right);
  const name = node(left?.property)?.name;
  const isLink = right?.type === 'MemberExpression' && links.has(String(node(right.object)?.name));
  if (node(left?.object)?.name !== 'exports' || typeof name !== 'string' || !isLink) return [];
  return [
    { start: assignment.start, end: right.start, text: `${member}(exports, "${name}", () => ` },
    { start: right.end, end: right.end, text: ')' },
  ];
}

/** @param {Node} statement */
function assignmentsOf(statement) {
  const expression = node(statement.expression);
  const all =
    expression?.type === 'SequenceExpression' ? nodes(expression.expressions) : expression ? [expression] : [];
  return all.filter(({ type, operator }) => type === 'AssignmentExpression' && operator === '=');
}

/** @param {Node} statement */
function declaratorsOf(statement) {
  return statement.type === 'VariableDeclaration' ? nodes(statement.declarations) : [];
}

/** @param {unknown} value */
function nodes(value) {
  return (Array.isArray(value) ? value : []).flatMap((each) => node(each) ?? []);
}

/** @param {unknown} value @returns {Node | undefined} */
function node(value) {
  return typeof value === 'object' && value !== null && 'type' in value ? /** @type {Node} */ (value) : undefined;
}

/** @param {Node} node */
function range({ start, end }) {
  return { start, end };
}

/**
 * @param {string} code
 * @param {readonly Edit[]} edits none of which overlap
 */
function edited(code, edits) {
  let text = '';
  let at = 0;
  for (const { start, end, text: put } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    text += code.slice(at, start) + put;
    at = end;
  }
  return text + code.slice(at);
}
