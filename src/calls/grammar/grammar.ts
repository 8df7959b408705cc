/**
 * A GBNF grammar for llama.cpp, so that a model can write only calls that are well-formed: known names, arguments by
 * their types, each call with its end.
 *
 * Whatever the grammar allows parses without a diagnostic (but for texts that look like an emoji read in a wrong
 * encoding), and its arguments fit their types. What it cannot say is checked later: ranges, lengths, patterns, and the
 * length of a header.
 */

import type { ToolPlan } from '../map/plan.ts';
import { planTools } from '../map/plan-tools.ts';
import { JSON_ARGS } from '../map/tool-name.ts';
import { showName } from '../map/value.ts';
import { END, START } from '../marker.ts';
import { checkToolChoice, type ToolChoice } from '../prompt/tool-choice.ts';
import type { ToolSpec } from '../tool.ts';
import { escapeBody } from '../write/escape.ts';
import { bodyRule, textRule } from './gbnf-free.ts';
import { headerRule } from './gbnf-header.ts';
import { anyObjectRule, createJsonRules } from './gbnf-json.ts';
import { createRules, either, isWritable, literal, type Rules, ruleName } from './gbnf-text.ts';

export interface GrammarOptions {
  /** `required`: at least one call; `{ tool }`: at least one, and only of that tool. By default calls may be left out. */
  readonly toolChoice?: ToolChoice;
  /** At most one call, and nothing behind it. */
  readonly oneCall?: boolean;
}

/** The text of the grammar. Throws for tools that no call can name. */
export function toGbnf(tools: readonly ToolSpec[], options: GrammarOptions = {}): string {
  const { toolChoice = 'auto', oneCall = false } = options;
  checkToolChoice(toolChoice, tools);
  const chosen = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.tool) : tools;
  const plans = planTools(chosen);
  const rules = createRules();
  rules.define('root', () => {
    const text = textRule(rules);
    if (plans.length === 0) return text;
    const call = rules.define(
      'call',
      () => `${literal(START)} ${either(plans.map((plan, i) => callRule(rules, plan, i)))}`,
    );
    const isRequired = toolChoice !== 'auto';
    if (oneCall) return isRequired ? `${text} ${call}` : `${text} ${call}?`;
    return `${text} (${call} ${text})${isRequired ? '+' : '*'}`;
  });
  return rules.text();
}

/** A call behind its start marker. */
function callRule(rules: Rules, plan: ToolPlan, index: number): string {
  const name = ruleName('call', index + 1, plan.name);
  if (!isWritable(plan.name)) throw new TypeError(`the tool ${showName(plan.name)}: its name is no valid Unicode text`);
  return rules.define(name, () => {
    if (plan.json) return `${literal(`${plan.name}]`)} ${jsonBody(rules, plan, name)}`;
    if (plan.header.length === 0 && plan.body === undefined) return `${literal(`${plan.name}]`)} ${rest(rules, plan)}`;
    const args = headerRule(rules, plan, name);
    const forms = args === undefined ? [] : [`${args} "]" ${rest(rules, plan)}`.trimStart()];
    forms.push(`${literal(` ${JSON_ARGS}]`)} ${jsonBody(rules, plan, name)}`);
    return `${literal(plan.name)} ${either(forms)}`;
  });
}

/** The object of all arguments as the body, and its end. */
function jsonBody(rules: Rules, plan: ToolPlan, name: string): string {
  const object = createJsonRules(rules, plan.schema, `${name}-json`)(plan.schema) ?? anyObjectRule(rules);
  return `"\\n" json-space ${object} json-space ${literal(END)}`;
}

/** What follows the header: the body and its end. */
function rest(rules: Rules, plan: ToolPlan): string {
  const { body } = plan;
  if (body === undefined) return `"\\n"? ${literal(END)}`;
  if (body.values === undefined) return `"\\n" ${bodyRule(rules)}`;
  const texts = body.values.filter((value) => typeof value === 'string' && isWritable(value));
  const forms = texts.map((value) => literal(escapeBody(String(value))));
  // Only the values fit, so a line break behind one is not taken for a part of it.
  const lines = forms.map((form) => `${form} "\\n"?`);
  return `"\\n" ${either(body.required ? lines : ['""', ...lines])} ${literal(END)}`;
}
