/** What stands in for the world while a case runs: the answers that it gives for tools, and a loud refusal of all that reaches beyond its copy. */
import { type Case, differences } from '../../cases/index.ts';
import type { Json } from '../../plan/index.ts';
import type { StandIn } from '../../run/index.ts';
import { builtinTools } from '../../tool/index.ts';
import { fieldText } from '../../toon/index.ts';

/** A call that nobody has answered. */
export interface Unanswered {
  readonly tool: string;
  readonly args: Json;
}

export interface CaseStandIn extends StandIn {
  readonly unanswered: readonly Unanswered[];
}

/** Sets of tools that reach beyond the folder. */
const outside = new Set(['shell', 'web']);

export function standInFor({ tools, real }: Pick<Case, 'tools' | 'real'>, howToRecord: string): CaseStandIn {
  const unanswered: Unanswered[] = [];
  const isReal = (name: string) => real.some(({ text }) => name === text || name.startsWith(`${text}/`));
  return {
    unanswered,
    tool(name, given) {
      const args = given as unknown as Json;
      const answer = tools.find((each) => {
        return (
          each.tool === name &&
          (each.args === undefined || differences(each.args.tree, args, 'pattern', 'args').length === 0)
        );
      });
      if (answer) {
        const { text, isError } = answer.result;
        return isError ? { ok: false, error: { code: 'failed', message: text } } : { ok: true, text };
      }
      const [set = ''] = name.split('/', 1);
      const isOwn = builtinTools.has(set) || !name.includes('/');
      if (isReal(name) || (isOwn && !outside.has(set))) return undefined;
      unanswered.push({ tool: name, args });
      return { ok: false, error: { code: 'unavailable', message: `the test has no answer of ${name} for this call` } };
    },
    serviceTools: (service) => [
      ...new Set(tools.flatMap(({ tool }) => (tool.startsWith(`${service}/`) ? [tool] : []))),
    ],
    refuseModel: (agent) => `the agent "${agent}" would ask a model, and tests ask none. ${howToRecord}`,
  };
}

/** What to write into the case. */
export function unansweredNotes({ tool, args }: Unanswered): string[] {
  const isEmpty = typeof args === 'object' && args !== null && Object.keys(args).length === 0;
  return [
    'Add to "tools", and count it in "tools[…]":',
    `  - tool: ${tool}`,
    ...(isEmpty ? [] : fieldText('args', args, 4)),
    '    result: "…"',
  ];
}
