/** Context, instruct and message texts: which one a thunk uses, and whether its `{{names}}` exist there. */
import {
  checkTemplate,
  parseTemplate,
  runtimeType,
  type TemplateName,
  type TemplateProblem,
  type TemplateScope,
} from '../expr/index.ts';
import type { Block, Template, TemplateKind, Thunk } from '../too/index.ts';
import { textMap } from '../too/index.ts';
import type { TypeTable } from '../type/index.ts';
import { type Checker, report, reportUnknown } from './checker.ts';
import { declareAll } from './names.ts';
import type { AgentProgram, BlockText, TextChoice, ThunkProgram } from './program.ts';

export function declareTemplates(c: Checker, nodes: readonly Template[]): AgentProgram['templates'] {
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
function templateName(node: Template): { text: string; span: Template['span'] } {
  return node.name ?? { text: 'default', span: { start: node.span.start, end: node.span.start + node.kind.length } };
}

export function blockText(block: Block): BlockText {
  return { text: block.value?.text ?? '', node: block.value, block: block.block };
}

function templateText(node: Template): BlockText {
  return { text: node.body?.text ?? '', node: node.body, block: node.kind };
}

/** The text of a thunk's context or instruct: its own, a template's, or none. */
export function chooseText(
  c: Checker,
  node: Thunk,
  kind: TemplateKind,
  templates: AgentProgram['templates'],
): TextChoice {
  const block = node.blocks.find((b) => b.block === kind);
  const standard = templates[kind].get('default');
  if (!block) {
    return standard
      ? { from: 'template', name: 'default', why: `no "${kind}:" line`, text: standard }
      : { from: 'none', why: `no "${kind}:" line and no default template` };
  }
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
  const help = `Declare "${kind} ${name}:", or put the text on the lines below "${kind}:".`;
  reportUnknown(
    c,
    'TOO2201',
    block.value.span,
    `${kind} template`,
    name,
    [...templates[kind].keys(), 'none', 'default'],
    help,
  );
  return { from: 'none', why: 'unknown template' };
}

/** The names that the texts of a thunk may use. */
export function scopeOf(thunk: ThunkProgram): TemplateScope {
  const scope = new Map<string, TemplateName>([['runtime', { type: runtimeType, optional: false }]]);
  for (const { name, type, optional } of thunk.params) scope.set(name, { type, optional });
  return scope;
}

/** Every text of the program: its braces once, its names for each thunk that uses it. */
export function checkTexts(
  c: Checker,
  templates: AgentProgram['templates'],
  thunks: Iterable<ThunkProgram>,
  types: TypeTable,
): void {
  const parsed = new Map<BlockText, ReturnType<typeof parseTemplate>>();
  const parseOnce = (text: BlockText) => {
    let template = parsed.get(text);
    if (!template) {
      template = parseTemplate(text.text);
      parsed.set(text, template);
      reportProblems(c, text, template.problems, undefined);
    }
    return template;
  };
  for (const kind of ['context', 'instruct'] as const) for (const text of templates[kind].values()) parseOnce(text);
  const seen = new Set<string>();
  for (const thunk of thunks) {
    const scope = scopeOf(thunk);
    const texts = [thunk.context, thunk.instruct].flatMap((choice) => (choice.from === 'none' ? [] : [choice.text]));
    for (const text of [...texts, ...thunk.messages.map((message) => message.text)]) {
      const template = parseOnce(text);
      const problems = checkTemplate(template, scope, types).filter((problem) => {
        // A section whose opening tag is broken has an item all the same.
        if (problem.code === 'TOO2414' && template.problems.length > 0) return false;
        const key = `${text.node?.span.start}:${problem.start}:${problem.code}`;
        return !seen.has(key) && seen.add(key);
      });
      reportProblems(c, text, problems, isShared(thunk, text) ? thunk : undefined);
    }
  }
}

/** Only the braces: a prompt's names are its arguments. */
export function checkBraces(c: Checker, text: string, toSource: (offset: number) => number): void {
  for (const problem of parseTemplate(text).problems) reportProblem(c, problem, toSource, undefined);
}

function isShared(thunk: ThunkProgram, text: BlockText): boolean {
  return [thunk.context, thunk.instruct].some((choice) => choice.from === 'template' && choice.text === text);
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
