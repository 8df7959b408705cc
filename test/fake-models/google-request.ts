/** What a request to Gemini is: its fields, and those of the schemas that it knows. Names are taken as JSON has them. */
import {
  anything,
  boolean,
  either,
  integer,
  isObject,
  list,
  map,
  need,
  number,
  type ObjectShape,
  object,
  one,
  type Path,
  type Problem,
  problemOf,
  type Shape,
  text,
} from './shape.ts';

const roleless = (parts: Shape): ObjectShape => object({ role: text(), parts: list(parts) });

const blob = object({ mimeType: need(text()), data: need(text()), displayName: text() });
const file = object({ mimeType: text(), fileUri: need(text()) });

const part = object({
  text: text(),
  thought: boolean,
  thoughtSignature: text(),
  inlineData: blob,
  fileData: file,
  functionCall: object({ id: text(), name: text(), args: map }),
  functionResponse: object({
    id: text(),
    name: text(),
    response: map,
    willContinue: boolean,
    scheduling: text(),
    parts: list(object({ inlineData: blob, fileData: file })),
  }),
  executableCode: map,
  codeExecutionResult: map,
  videoMetadata: map,
  partMetadata: map,
});

const declaration = object({
  name: text(),
  description: text(),
  parameters: map,
  parametersJsonSchema: anything,
  response: map,
  responseJsonSchema: anything,
  behavior: text(),
});

const generation = object({
  stopSequences: list(text()),
  responseMimeType: text(),
  responseSchema: map,
  responseJsonSchema: anything,
  responseModalities: list(text()),
  candidateCount: integer(),
  maxOutputTokens: integer(),
  temperature: number(),
  topP: number(),
  topK: number(),
  seed: integer(),
  presencePenalty: number(),
  frequencyPenalty: number(),
  responseLogprobs: boolean,
  logprobs: integer(),
  enableEnhancedCivicAnswers: boolean,
  speechConfig: map,
  thinkingConfig: object({
    includeThoughts: boolean,
    thinkingBudget: integer(),
    thinkingLevel: one('minimal', 'low', 'medium', 'high', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'),
  }),
  mediaResolution: text(),
  imageConfig: map,
});

export const googleShape = object({
  contents: list(roleless(part)),
  systemInstruction: roleless(part),
  tools: list(
    object({
      functionDeclarations: list(declaration),
      googleSearch: map,
      googleSearchRetrieval: map,
      codeExecution: map,
      urlContext: map,
      googleMaps: map,
      fileSearch: map,
      computerUse: map,
    }),
  ),
  toolConfig: object({
    functionCallingConfig: object({
      mode: one('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'),
      allowedFunctionNames: list(text()),
    }),
    retrievalConfig: map,
    includeServerSideToolInvocations: boolean,
  }),
  safetySettings: list(object({ category: text(), threshold: text() })),
  generationConfig: generation,
  cachedContent: text(),
  serviceTier: text(),
  store: boolean,
});

const types = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];
const count = either(integer(), text());

const schema = object({
  type: one(...types, ...types.map((type) => type.toLowerCase())),
  format: text(),
  title: text(),
  description: text(),
  nullable: boolean,
  enum: list(text()),
  maxItems: count,
  minItems: count,
  properties: map,
  required: list(text()),
  minProperties: count,
  maxProperties: count,
  minLength: count,
  maxLength: count,
  pattern: text(),
  example: anything,
  anyOf: list(map),
  propertyOrdering: list(text()),
  default: anything,
  items: map,
  minimum: number(),
  maximum: number(),
});

type SchemaRecord = Readonly<Record<string, unknown>>;

/** A field or a kind that schemas do not have. */
export function schemaShapeProblem(at: SchemaRecord, path: Path): Problem | undefined {
  const problem = problemOf(schema, at, path);
  if (problem) return problem;
  for (const [where, child] of schemaChildren(at, path, 'index')) {
    const inner = isObject(child) ? schemaShapeProblem(child, where) : problemOf(map, child, where);
    if (inner) return inner;
  }
  return undefined;
}

/** What schemas may not say, though they have the words for it. */
export function schemaRuleProblem(at: SchemaRecord, path: Path, isAnswer: boolean, isRoot = true): string | undefined {
  const type = String(at.type ?? '').toUpperCase();
  const where = pathText(path);
  const names = Object.keys((at.properties ?? {}) as object);
  if (type === 'OBJECT' && names.length === 0 && (isRoot || isAnswer))
    return `${where}.properties: should be non-empty for OBJECT type`;
  if (type !== 'OBJECT' && at.properties !== undefined) return `${where}.properties: only allowed for OBJECT type`;
  if (type !== 'OBJECT' && (at.required as unknown[] | undefined)?.length)
    return `${where}.required: only allowed for OBJECT type`;
  const missing = ((at.required ?? []) as string[]).findIndex((name) => !names.includes(name));
  if (missing !== -1) return `${where}.required[${missing}]: property is not defined`;
  if (type === 'ARRAY' && at.items === undefined) return `${where}.items: missing field.`;
  if (type !== 'ARRAY' && at.items !== undefined) return `${where}.items: only allowed for ARRAY type`;
  const values = (at.enum ?? []) as string[];
  const isNumberEnum = (type === 'INTEGER' || type === 'NUMBER' || type === 'BOOLEAN') && at.format === 'enum';
  if (values.length > 0 && type !== 'STRING' && !isNumberEnum) return `${where}.enum: only allowed for STRING type`;
  const empty = values.indexOf('');
  if (empty !== -1) return `${where}.enum[${empty}]: cannot be empty`;
  const format = at.format === undefined || isNumberEnum ? undefined : formatProblem(type, String(at.format));
  if (format !== undefined) return `${where}.format: ${format}`;
  if (type === '' && at.anyOf === undefined) return `${where}.type: must be specified`;
  for (const [inner, child] of schemaChildren(at, path, 'name')) {
    const found = schemaRuleProblem(child as SchemaRecord, inner, isAnswer, false);
    if (found !== undefined) return found;
  }
  return undefined;
}

function formatProblem(type: string, format: string): string | undefined {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    STRING: ['enum', 'date-time'],
    NUMBER: ['float', 'double'],
    INTEGER: ['int32', 'int64'],
  };
  const known = allowed[type] ?? [];
  if (known.includes(format)) return undefined;
  return `only ${known.map((name) => `'${name}'`).join(' and ')} are supported for ${type} type`;
}

/** One reader counts the entries of maps, the other names them. */
function schemaChildren(at: SchemaRecord, path: Path, by: 'index' | 'name'): [Path, unknown][] {
  const properties = Object.entries((at.properties ?? {}) as object).map(([name, child], nth): [Path, unknown] => [
    by === 'index' ? [...path, 'properties', nth, 'value'] : [...path, `properties[${name}]`],
    child,
  ]);
  const any = ((at.anyOf ?? []) as unknown[]).map((child, nth): [Path, unknown] => [[...path, 'any_of', nth], child]);
  return [
    ...properties,
    ...any,
    ...(at.items === undefined ? [] : [[[...path, 'items'], at.items] as [Path, unknown]]),
  ];
}

/** `tools[0].function_declarations[0].parameters`. */
export function pathText(path: Path): string {
  return path.reduce<string>((all, part) => {
    if (typeof part === 'number') return `${all}[${part}]`;
    const name = part.includes('[') ? part : part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return all === '' ? name : `${all}.${name}`;
  }, '');
}
