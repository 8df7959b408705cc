/** The type of a member that is read through others, in words. */
import { type StepNode, typeText, type WorkflowPlan } from '../plan/index.ts';

type Type = StepNode['output'];

/** Undefined where a member is not one of a struct: of texts and arrays only an evaluator knows. */
export function memberType(
  type: Type | undefined,
  path: readonly string[],
  types: WorkflowPlan['types'],
): string | undefined {
  let at = type;
  let optional = false;
  for (const name of path) {
    const struct: Type | undefined = at?.kind === 'ref' ? types[at.name] : at;
    if (struct?.kind === 'json') return 'any';
    const field = struct?.kind === 'struct' ? struct.fields.find((each) => each.name === name) : undefined;
    at = field?.type;
    optional ||= field?.optional === true;
  }
  return at && `${typeText(at)}${optional ? '?' : ''}`;
}
