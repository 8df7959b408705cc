/** `&&`, `||`, `??` and `? :`, and what each side may take for granted. */
import type { ConditionalExpression, Expression, LogicalExpression } from '../expression.ts';
import { alwaysTrue } from './condition.ts';
import { type Context, enter, type Fact, type Inferred, leave, whole } from './context.ts';
import { both, either, factsOf, falsy, noFacts, truthy } from './narrow.ts';
import { unite, uniteAll } from './unite.ts';
import { type ValueType, withoutNullish } from './value-type.ts';

/** Long chains lean to the left, and are walked without recursion. */
function operandsOf(node: LogicalExpression): Expression[] {
  const operands: Expression[] = [node.right];
  let left = node.left;
  for (; left.kind === 'logical' && left.op === node.op; left = left.left) operands.push(left.right);
  operands.push(left);
  return operands.reverse();
}

const nothingKnown = () => noFacts;

function inferOrElse(node: LogicalExpression, context: Context): Inferred {
  const operands = operandsOf(node);
  const last = operands.at(-1);
  const types = operands.map((operand) => {
    const type = whole(context.infer(operand));
    return operand === last ? type : withoutNullish(type);
  });
  return { type: uniteAll(types), facts: nothingKnown };
}

export function inferLogical(node: LogicalExpression, context: Context): Inferred {
  if (node.op === '??') return inferOrElse(node, context);
  const operands = operandsOf(node);
  const mark = context.undo.length;
  const types: ValueType[] = [];
  const yes: (readonly Fact[])[] = [];
  const no: (readonly Fact[])[] = [];
  const last = operands.at(-1);
  for (const operand of operands) {
    const inferred = context.infer(operand);
    const type = whole(inferred);
    if (operand === last) types.push(type);
    else types.push(node.op === '&&' ? falsy(type) : truthy(type));
    const facts = factsOf(operand, inferred, context);
    yes.push(facts.yes);
    no.push(facts.no);
    if (operand !== last) enter(context, node.op === '&&' ? facts.yes : facts.no);
  }
  leave(context, mark);
  const type = uniteAll(types);
  return node.op === '&&'
    ? { type, facts: () => ({ yes: yes.reduce(both), no: either(no) }) }
    : { type, facts: () => ({ yes: either(yes), no: no.reduce(both) }) };
}

export function inferConditional(node: ConditionalExpression, context: Context): Inferred {
  const test = context.infer(node.test);
  alwaysTrue(node.test, whole(test), context);
  const { yes, no } = factsOf(node.test, test, context);
  const mark = context.undo.length;
  enter(context, yes);
  const then = context.infer(node.then);
  leave(context, mark);
  enter(context, no);
  const other = context.infer(node.else);
  leave(context, mark);
  return { type: unite(whole(then), whole(other)), facts: nothingKnown };
}
