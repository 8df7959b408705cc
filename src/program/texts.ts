/** Context, instruct and message texts: which one a thunk uses, and whether its `{{names}}` exist there. */
import {
  checkTemplate,
  parseTemplate,
  runtimeType,
  type Template,
  type TemplateName,
  type TemplateNode,
  type TemplateProblem,
  type TemplateScope,
} from '../expr/index.ts';
import type { Block, Inline, Reference, Template as TemplateItem, TemplateKind, Thunk } from '../too/index.ts';
import { textMap, toValueName } from '../too/index.ts';
import { printType, type TypeTable } from '../type/index.ts';
import { type Checker, chain, report, reportUnknown } from './checker.ts';
import { declareAll } from './names.ts';
import type { AgentProgram, BlockText, TextChoice, ThunkProgram } from './program.ts';

export function declareTemplates(c: Checker, nodes: readonly TemplateItem[]): AgentProgram['templates'] {
  const of = (kind: TemplateKind) => {
    const named = declareAll(
      c,
      `${kind} template`,
      nodes.filter((node) => node.kind === kind),
      templateName,
    );
    const none = named.get('none');
    if (none) {
      report(
        c,
        'TOO2202',
        templateName(none).span,
        `${kind === 'context' ? 'a' : 'an'} ${kind} template cannot be named "none".`,
        {
          help: `"${kind}: none" says that a thunk has no ${kind}; give the template another name.`,
        },
      );
      named.delete('none');
    }
    return new Map([...named].map(([name, node]) => [name, templateText(node)]));
  };
  return { context: of('context'), instruct: of('instruct') };
}

/** A template without a name is `default`. */
function templateName(node: TemplateItem): { text: string; span: TemplateItem['span'] } {
  return node.name ?? { text: 'default', span: { start: node.span.start, end: node.span.start + node.kind.length } };
}

export function blockText(block: Block): BlockText {
  return { text: block.value?.text ?? '', node: block.value, block: block.block };
}

function templateText(node: TemplateItem): BlockText {
  return { text: node.body?.text ?? '', node: node.body, block: node.kind };
}

/** The text of a thunk's context or instruct: its own, a template's, or none. */
export function chooseText(
  c: Checker,
  node: Thunk,
  kind: TemplateKind,
  templates: AgentProgram['templates'],
): TextChoice {
  const [block, ...others] = node.blocks.filter((b) => b.block === kind);
  for (const other of others) if (other.value?.kind === 'reference') knownTemplate(c, other.value, kind, templates);
  const standard = templates[kind].get('default');
  if (!block) {
    return standard
      ? { from: 'template', name: 'default', why: `no "${kind}:" line`, text: standard }
      : { from: 'none', why: `no "${kind}:" line and no default template` };
  }
  if (block.value?.kind === 'inline') checkLikeness(c, block.value, kind, templates);
  if (block.value?.kind !== 'reference') {
    return block.value
      ? { from: 'thunk', why: 'its own text', text: blockText(block) }
      : { from: 'none', why: `an empty "${kind}:"` };
  }
  const name = block.value.text;
  if (name === 'none') return { from: 'none', why: `"${kind}: none"` };
  const text = templates[kind].get(name);
  if (text) return { from: 'template', name, why: `"${kind}: ${name}"`, text };
  if (name === 'default') return { from: 'none', why: `"${kind}: default", and there is no default template` };
  knownTemplate(c, block.value, kind, templates);
  return { from: 'none', why: 'unknown template' };
}

/** Reports a reference to a template that is not there. */
function knownTemplate(c: Checker, value: Reference, kind: TemplateKind, templates: AgentProgram['templates']): void {
  const { text, span } = value;
  if (text === 'none' || text === 'default' || templates[kind].has(text)) return;
  const help = `Declare "${kind} ${text}:", or put the text on the lines below "${kind}:".`;
  const names = chain(templates[kind].keys(), ['none', 'default']);
  reportUnknown(c, 'TOO2201', span, `${kind} template`, text, names, help);
}

/** `context: Workspace` beside `context workspace:`: a text of one word that was perhaps meant as a name. */
function checkLikeness(c: Checker, value: Inline, kind: TemplateKind, templates: AgentProgram['templates']): void {
  const name = /^\S+$/.test(value.text) ? toValueName(value.text) : undefined;
  if (name === undefined || !templates[kind].has(name)) return;
  report(
    c,
    'TOO2204',
    value.span,
    `"${value.text}" is read as the text itself, not as the ${kind} template "${name}".`,
    {
      help: 'Names are lower-case.',
      fix: { title: `replace with "${name}"`, guess: true, edits: [{ span: value.span, text: name }] },
    },
  );
}

/** The names that the texts of a thunk may use. */
export function scopeOf(thunk: ThunkProgram): TemplateScope {
  const scope = new Map<string, TemplateName>([['runtime', { type: runtimeType, optional: false }]]);
  for (const { name, type, optional } of thunk.params) scope.set(name, { type, optional });
  return scope;
}

/** A template and what has been asked of it so far. */
interface Shared {
  /** Less the tags that are reported already. */
  template: Template;
  /** Of the same tags only the first: enough to know whether anything is wrong. */
  brief: Template;
  /** The parameters it was checked with: thunks that have the same need not ask again. */
  readonly scopes: Set<string>;
}

/** Every text of the program: its braces once, its names for each thunk that uses it. */
export function checkTexts(
  c: Checker,
  templates: AgentProgram['templates'],
  thunks: Iterable<ThunkProgram>,
  types: TypeTable,
): void {
  const shared = new Map<BlockText, Shared>();
  for (const kind of ['context', 'instruct'] as const) {
    for (const text of templates[kind].values()) {
      const template = parseTemplate(text.text);
      reportProblems(c, text, template.problems, undefined);
      shared.set(text, { template, brief: firstOfEach(template), scopes: new Set() });
    }
  }
  for (const thunk of thunks) {
    const scope = scopeOf(thunk);
    const key = thunk.params.map((p) => `${p.name}${p.optional ? '?' : ''}: ${printType(p.type)}`).join();
    // Also that of a second context, which has been reported.
    const own = thunk.node.blocks.filter((block) => block.value?.kind !== 'reference').map(blockText);
    for (const choice of [thunk.context, thunk.instruct]) {
      const entry = choice.from === 'template' ? shared.get(choice.text) : undefined;
      if (choice.from !== 'template' || !entry || entry.scopes.has(key)) continue;
      entry.scopes.add(key);
      if (checkTemplate(entry.brief, scope, types).length === 0) continue;
      const problems = checkTemplate(entry.template, scope, types);
      reportProblems(c, choice.text, problems, thunk);
      entry.template = without(entry.template, new Set(problems.map((p) => p.start)));
      entry.brief = firstOfEach(entry.template);
    }
    for (const text of own) {
      const template = parseTemplate(text.text);
      const found = checkTemplate({ nodes: [...template.nodes, ...template.suspects] }, scope, types);
      // A section whose opening tag is broken has an item all the same.
      const problems = template.problems.length > 0 ? found.filter((p) => p.code !== 'TOO2414') : found;
      reportProblems(c, text, [...template.problems, ...problems], undefined);
    }
  }
}

/** Tags of one path outside of all sections are right or wrong together. */
function firstOfEach(template: Template): Template {
  const seen = new Set<string>();
  const nodes = template.nodes.filter((node) => {
    if (node.kind !== 'value') return node.kind === 'section';
    const path = node.path.map((part) => part.name).join('.');
    return !seen.has(path) && seen.add(path);
  });
  return { nodes };
}

/** The template less the tags at some places, and less the sections they open. */
function without(template: Template, places: ReadonlySet<number>): Template {
  const keep = (nodes: readonly TemplateNode[]): TemplateNode[] =>
    nodes.flatMap((node): TemplateNode[] => {
      if (node.kind === 'text') return [node];
      if (places.has(node.start) || node.path.some((part) => places.has(part.start))) return [];
      return node.kind === 'section' ? [{ ...node, nodes: keep(node.nodes) }] : [node];
    });
  return { nodes: keep(template.nodes) };
}

/** Only the braces: a prompt's names are its arguments. */
export function checkBraces(c: Checker, text: string, toSource: (offset: number) => number): void {
  for (const problem of parseTemplate(text).problems) reportProblem(c, problem, toSource, undefined);
}

function reportProblems(
  c: Checker,
  text: BlockText,
  problems: readonly TemplateProblem[],
  user: ThunkProgram | undefined,
): void {
  if (problems.length === 0 || !text.node) return;
  const toSource = textMap(c.source, text.node);
  for (const problem of problems) reportProblem(c, problem, toSource, user);
}

function reportProblem(
  c: Checker,
  problem: TemplateProblem,
  toSource: (offset: number) => number,
  user: ThunkProgram | undefined,
): void {
  const span = { start: toSource(problem.start), end: toSource(problem.end) };
  report(c, problem.code, span, problem.message, {
    ...(problem.help !== undefined && { help: problem.help }),
    ...(problem.replacement !== undefined && {
      fix: { title: `replace with "${problem.replacement}"`, edits: [{ span, text: problem.replacement }] },
    }),
    ...(user && {
      related: [{ source: c.source, span: user.node.header, message: `thunk "${user.name}" uses this template` }],
    }),
  });
}
