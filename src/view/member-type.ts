/** The type of a member that is read through others, in words. */
import { type StepNode, shortTypeText, type WorkflowPlan } from '../plan/index.ts';

type Type = StepNode['output'];
type Field = Extract<Type, { kind: 'struct' }>['fields'][number];

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
    const field = struct?.kind === 'struct' ? fieldsOf(struct).get(name) : undefined;
    at = field?.type;
    optional ||= field?.optional === true;
  }
  return at && `${shortTypeText(at)}${optional ? '?' : ''}`;
}

/** Every step may read a field of the same long type. */
const fieldMaps = new WeakMap<Type, ReadonlyMap<string, Field>>();

function fieldsOf(struct: Extract<Type, { kind: 'struct' }>): ReadonlyMap<string, Field> {
  let fields = fieldMaps.get(struct);
  if (fields === undefined) {
    fields = new Map(struct.fields.map((each) => [each.name, each]));
    fieldMaps.set(struct, fields);
  }
  return fields;
}
