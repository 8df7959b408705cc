/** Reads a list of tools in any of the shapes that APIs have for them. */
import type { ToolSchema, ToolSpec } from '../tool.ts';

export interface ReadTools {
  readonly tools: readonly ToolSpec[];
  /** What is wrong, one sentence each, with the place in the list. */
  readonly problems: readonly string[];
}

/** Where the shapes keep the JSON Schema of the arguments. */
const schemaKeys = ['parameters', 'inputSchema', 'input_schema'];

/**
 * One tool, a list of them, or an object with the list as `tools`. Each has a `name`, a `description`, and a JSON Schema as
 * `parameters` (OpenAI and this package), `inputSchema` (MCP) or `input_schema` (Anthropic); or all that under `function`.
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
  if (Array.isArray(value)) return value;
  if (isObject(value) && Array.isArray(value.tools)) return value.tools;
  return [value];
}

function readTool(item: unknown, place: string, problems: string[]): ToolSpec | undefined {
  const told = isObject(item) && isObject(item.function) ? item.function : item;
  if (!isObject(told)) {
    problems.push(`${place} is not an object; write { "name": …, "description": …, "parameters": … }.`);
    return undefined;
  }
  const { name, description, body } = told;
  if (typeof name !== 'string' || name === '') {
    problems.push(`${place} has no "name".`);
    return undefined;
  }
  const schema = schemaKeys.map((key) => told[key]).find((found) => found !== undefined && found !== null);
  if (schema !== undefined && !isObject(schema)) {
    problems.push(`the parameters of "${name}" are not a JSON Schema of an object.`);
    return undefined;
  }
  if (body !== undefined && body !== null && typeof body !== 'string') {
    problems.push(`"body" of "${name}" is not the name of a parameter.`);
    return undefined;
  }
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(schema !== undefined && { parameters: schema as ToolSchema }),
    ...(body !== undefined && { body }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
