/** The rules that would let a call through from now on: the narrowest that can be written, and none where none can. */
import type { Tool, ToolArgs, ToolContext } from '../tool.ts';
import { createPolicy } from './policy.ts';
import { nameParts } from './rule.ts';
import { kindOf, readSubject, type SubjectKind } from './subject.ts';
import { visibleText } from './visible.ts';

const mostPattern = 500;

export function suggestRules(
  tool: Pick<Tool, 'name' | 'subjects'>,
  args: ToolArgs,
  context: Pick<ToolContext, 'workspace'>,
): readonly string[] {
  const kind = kindOf(tool.name);
  const texts = tool.subjects(args, context);
  const subject = readSubject(kind, texts);
  if (texts.length === 0) return kind === 'text' ? [tool.name] : [];
  const patterns = new Set(subject.units.map(({ text }) => patternOf(kind, text)));
  const rules = [...patterns].map((pattern) => (pattern === undefined ? '' : `${shortName(tool.name)}(${pattern})`));
  if (rules.length === 0 || rules.includes('')) return [];
  // Nothing is offered that would not do.
  const policy = createPolicy({ deny: [], allow: rules, ask: [] });
  return policy.decide(tool, args, context).verdict === 'allow' ? rules : [];
}

function patternOf(kind: SubjectKind, text: string): string | undefined {
  const pattern = kind === 'address' && URL.canParse(text) ? `${new URL(text).origin}/*` : text;
  // A star would let more in than this call, and what cannot be seen belongs into no file.
  const isExact = kind === 'address' || !pattern.includes('*');
  const fits = pattern.length <= mostPattern && pattern.trim() === pattern && !pattern.includes('\n');
  return isExact && fits && visibleText(pattern) === pattern ? pattern : undefined;
}

/** Sets of one tool go by the name of the set. */
function shortName(name: string): string {
  const [set] = nameParts(name);
  return set === 'shell' || set === 'web' ? set : name;
}
