/** A tool as the instructions list it: how it is called, what it does, what its parameters are. */

import { type ParamPlan, showsValues, type ToolPlan } from '../map/plan.ts';
import { plainLine } from './plain-line.ts';
import { createTypeTexts, type TypeTexts } from './type-text.ts';

/** Lines without a break at the end; all but the first are indented. */
export function toolText(plan: ToolPlan): string {
  const types = createTypeTexts(plan.schema);
  const lines = plan.json ? [`${plan.name} | body: JSON ${types.typeOf(plan.schema)}`] : [plan.usage];
  if (plan.description !== undefined) lines.push(plan.description);
  if (plan.json) lines.push(...types.notesOf(plan.schema), ...types.named());
  else for (const param of params(plan)) lines.push(paramText(param, plan, types));
  return lines
    .map(plainLine)
    .filter((line) => line !== '')
    .join('\n  ');
}

function params({ header, body }: ToolPlan): readonly ParamPlan[] {
  return body === undefined ? header : [...header, body];
}

/** Nothing where there is nothing to say. */
function paramText(param: ParamPlan, plan: ToolPlan, types: TypeTexts): string {
  const schema = types.propertyOf(param.name);
  const facts = [typeText(param, plan), types.limitsOf(schema)].filter((fact) => fact !== '').join(', ');
  const words = [facts, param.description ?? ''].filter((part) => part.trim() !== '').join('; ');
  return words === '' ? '' : `${param.name}: ${words}`;
}

/** A text needs no word, and listed values that the usage shows are known already. */
function typeText(param: ParamPlan, plan: ToolPlan): string {
  const { types, values } = param;
  if (values !== undefined) {
    const isShown = param !== plan.body && showsValues(param);
    return isShown ? '' : values.map((value) => JSON.stringify(value)).join('|');
  }
  if (types.length === 1 && types[0] === 'string') return '';
  const all = types.filter((type) => type !== 'integer' || !types.includes('number'));
  return all.map((type) => (type === 'boolean' ? 'true|false' : type)).join('|');
}
