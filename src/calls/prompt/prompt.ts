/**
 * The instructions that teach a model to call tools: the syntax with an example, the rules, the tools. They are paid with
 * every request, so they are short, and rules that these tools do not need are left out. What the owners of tools wrote is
 * data: it stays on its line, and no marker in it is one.
 */

import type { ToolPlan } from '../map/plan.ts';
import { planTools } from '../map/plan-tools.ts';
import { END, RESULT, START } from '../marker.ts';
import type { ToolSpec } from '../tool.ts';
import { plainLine } from './plain-line.ts';
import { sampleCall } from './sample-call.ts';
import { estimateTokens } from './token-estimate.ts';
import { checkToolChoice, type ToolChoice } from './tool-choice.ts';
import { toolText } from './tool-text.ts';

export interface PromptOptions {
  /** Counts tokens as the model does; without it they are estimated by a rule of thumb. */
  readonly count?: (text: string) => number;
  /** `required`: at least one call; `{ tool }`: that tool. By default the model decides. */
  readonly toolChoice?: ToolChoice;
  /** At most one call in a message. */
  readonly oneCall?: boolean;
}

export interface ToolPrompt {
  readonly text: string;
  /** How many tokens the text has. */
  readonly tokens: number;
  /** Whether that is an estimate, because nobody counted. */
  readonly estimated: boolean;
}

/** The same tools and options give the same text. Without tools it is empty. Throws for tools that no call can name. */
export function toolPrompt(tools: readonly ToolSpec[], options: PromptOptions = {}): ToolPrompt {
  const { count, toolChoice = 'auto', oneCall = false } = options;
  checkToolChoice(toolChoice, tools);
  const plans = planTools(tools);
  const text = plans.length === 0 ? '' : instructions(plans, toolChoice, oneCall);
  return { text, tokens: (count ?? estimateTokens)(text), estimated: count === undefined };
}

function instructions(plans: readonly ToolPlan[], choice: ToolChoice, oneCall: boolean): string {
  const parts = [
    `You can call tools. A call is plain text in your answer, not in a code fence:\n\n${sampleCall(plans)}`,
    rules(plans, oneCall).join('\n'),
    `Tools:\n${plans.map(toolText).join('\n')}`,
  ];
  const must = demand(choice, oneCall);
  if (must !== '') parts.push(must);
  return `${parts.join('\n\n')}\n`;
}

function rules(plans: readonly ToolPlan[], oneCall: boolean): string[] {
  const all: string[] = [];
  const hasHeader = plans.some(({ header }) => header.length > 0);
  if (hasHeader) {
    all.push(
      '- The first line names the tool, then its arguments in the order listed below: <required>, [optional]. Put a value with spaces in "quotes". To skip an optional one, write the next as name=value.',
    );
  }
  if (plans.some(({ body }) => body !== undefined)) {
    all.push(
      '- Then comes the body: the value of the parameter behind "body:", exactly as it is, without quotes, escapes or a fence. A tool without "body:" has no body, only the end marker.',
    );
  }
  if (plans.some(({ json }) => json)) {
    all.push('- "body: JSON" means that the body is one JSON object with all arguments, of the type shown.');
  }
  const hasBody = plans.some(({ body, json }) => body !== undefined || json);
  const inside = hasBody ? ` Inside a body write it ${END.replace('[', '\\[')}.` : '';
  all.push(`- Every call needs its own end marker, ${END}.${inside}`);
  if (hasHeader) {
    all.push(
      `- A value with [ or ] or a line break cannot stand in the first line: write ${START}name @json] instead, and all arguments as one JSON object in the body.`,
    );
  }
  const form = `${START}${RESULT} n tool ok] or ${START}${RESULT} n tool error]`;
  all.push(
    oneCall
      ? `- Make one call, then stop and wait. Its result comes as ${form}. Never write a result yourself.`
      : `- You may make several calls; then stop and wait. Results come as ${form}, n counting the calls from 0. Never write a result yourself.`,
  );
  return all;
}

function demand(choice: ToolChoice, oneCall: boolean): string {
  if (choice === 'auto') return '';
  const any = oneCall ? 'one of these tools' : 'at least one of these tools';
  return `Your answer must call ${typeof choice === 'object' ? plainLine(choice.tool) : any}.`;
}
