/** Reads a list of tools in any of the shapes that APIs have for them; what is not clear is refused in words. */
import type { ToolSchema, ToolSpec } from '../tool.ts';
import { isPropertyTable } from './schema-keywords.ts';
import { isRecord, setOwn, showName } from './value.ts';

export interface ReadTools {
  readonly tools: readonly ToolSpec[];
  /** What is wrong, one sentence each, with the place in the list. */
  readonly problems: readonly string[];
}

/** Where the shapes keep the JSON Schema of the arguments. */
const schemaKeys = ['parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema', 'parameters_json_schema'];
/** Where people keep it too; but in some shapes these are something else. */
const unclearKeys = ['schema', 'json_schema', 'args_schema', 'properties', 'params', 'args', 'arguments'];
/** What Gemini has in capitals. */
const types = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']);
const mostNested = 256;

/**
 * One tool, a list of them, or an object with the list as `tools`, also in the reply of an MCP server. Each has a `name`, a
 * `description`, and a JSON Schema as `parameters` (OpenAI, Gemini and this package), `inputSchema` (MCP and, under `json`,
 * Bedrock) or `input_schema` (Anthropic); or all that under `function`, `toolSpec` or in `functionDeclarations`. A `custom`
 * tool of OpenAI takes one text: its body.
 */
export function readTools(value: unknown): ReadTools {
  const problems: string[] = [];
  const tools: ToolSpec[] = [];
  const names = new Set<string>();
  for (const [i, item] of listOf(value).entries()) {
    const tool = readTool(item, `tool ${i + 1}`, problems);
    if (tool === undefined) continue;
    if (names.has(tool.name))
      problems.push(`tool ${i + 1} has the name "${tool.name}", as one before it; each name once.`);
    else tools.push(tool);
    names.add(tool.name);
  }
  return { tools, problems };
}

function listOf(value: unknown): readonly unknown[] {
  if (isRecord(value)) {
    const holder = [value, value.result, value.toolConfig].find((part) => isRecord(part) && Array.isArray(part.tools));
    if (isRecord(holder)) return listOf(holder.tools);
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => {
    const declared = isRecord(item) ? (item.functionDeclarations ?? item.function_declarations) : undefined;
    return Array.isArray(declared) ? declared.map(inSmallLetters) : [item];
  });
}

/** The description of a tool with its types as JSON Schema writes them. */
function inSmallLetters(tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool.parameters)) return tool;
  return { ...tool, parameters: lower(tool.parameters, 0) };
}

function lower(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth > mostNested ? value : value.map((item) => lower(item, depth + 1));
  if (!isRecord(value) || depth > mostNested) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === 'type' && typeof item === 'string' && types.has(item)) copy.type = item.toLowerCase();
    // These are values, not schemas.
    else
      setOwn(
        copy,
        key,
        ['enum', 'default', 'example'].includes(key) && !isRecord(item) ? item : lower(item, depth + 1),
      );
  }
  return copy;
}

function readTool(item: unknown, place: string, problems: string[]): ToolSpec | undefined {
  const inner = isRecord(item) ? [item.function, item.toolSpec, item.custom].find(isRecord) : undefined;
  const told = inner ?? item;
  if (!isRecord(told)) {
    problems.push(`${place} is not an object; write { "name": …, "description": …, "parameters": … }.`);
    return undefined;
  }
  const { name, description, body } = told;
  const kind = isRecord(item) && typeof item.type === 'string' ? item.type : 'function';
  const isNamed = typeof name === 'string' && name !== '';
  const found = schemaKeys.map((key) => told[key]).find((part) => part !== undefined && part !== null);
  if (found === undefined && kind !== 'function' && kind !== 'custom') {
    const who = isNamed ? `"${name}"` : place;
    const what = `is of the type ${showName(kind)}, which its provider runs; leave it out`;
    problems.push(`${who} ${what}, or write { "name": …, "description": …, "parameters": … } for a tool of your own.`);
    return undefined;
  }
  if (!isNamed) {
    problems.push(`${place} has no "name".`);
    return undefined;
  }
  const schema = isRecord(found) && isRecord(found.json) && Object.keys(found).length === 1 ? found.json : found;
  if (found === undefined && kind === 'custom') return { ...named(name, description), ...oneText };
  const problem = schemaProblem(schema, told, name);
  if (problem !== undefined) {
    problems.push(problem);
    return undefined;
  }
  if (body !== undefined && body !== null && typeof body !== 'string') {
    problems.push(`"body" of "${name}" is not the name of a parameter.`);
    return undefined;
  }
  return {
    ...named(name, description),
    ...(schema !== undefined && { parameters: schema as ToolSchema }),
    ...(body !== undefined && { body }),
  };
}

/** What a custom tool of OpenAI takes. */
const oneText = {
  parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
  body: 'input',
};

function named(name: string, description: unknown): ToolSpec {
  return { name, ...(typeof description === 'string' && { description }) };
}

function schemaProblem(schema: unknown, told: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (schema === undefined) {
    const unclear = unclearKeys.find((key) => isRecord(told[key]));
    if (unclear === undefined) return undefined;
    return `"${name}" has no "parameters", but "${unclear}"; write the JSON Schema of its arguments as "parameters".`;
  }
  if (!isRecord(schema)) return `the parameters of "${name}" are not a JSON Schema of an object.`;
  if (!isPropertyTable(schema)) return undefined;
  return `the parameters of "${name}" look like a table of properties; write { "type": "object", "properties": … } around it.`;
}
