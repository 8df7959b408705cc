/** The parameters of tools, as providers take them. */
import { isRecord, type JsonSchema } from '../../type/index.ts';
import { withItems } from './plain-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The parameters of a tool: an object with properties, without a choice at its root, which providers refuse. Of a choice the
 * properties of all its objects are offered, and none of them is required; what fits is decided when the tool is called.
 */
export function toolSchema(schema: JsonSchema): Schema {
  const { $schema: _, anyOf, oneOf, allOf, enum: _enum, not: _not, if: _if, ...rest } = schema as unknown as Schema;
  const { then: _then, else: _else, const: _const, ...plain } = rest;
  const parts = [plain, ...[allOf, anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : []))].filter(isRecord);
  const always = [plain, ...(Array.isArray(allOf) ? allOf.filter(isRecord) : [])];
  const properties: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, each] of Object.entries(isRecord(part.properties) ? part.properties : {})) {
      if (!Object.hasOwn(properties, name)) define(properties, name, each);
    }
  }
  const required = new Set(always.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
  return withItems({
    ...plain,
    type: 'object',
    properties,
    ...(required.size > 0 && { required: [...required] }),
    ...(parts.length > 1 && plain.additionalProperties === false && { additionalProperties: true }),
  });
}

/** Also a property `__proto__`. */
function define(into: object, name: string, value: unknown): void {
  Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
}
