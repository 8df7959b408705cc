/** Whether an output fits a JSON Schema that a test names. */
import { schemaErrors, type ToolSchema } from '../../calls/index.ts';
import type { Word } from '../../cases/index.ts';
import type { Json } from '../../plan/index.ts';
import { readTextFile } from '../../sys/index.ts';
import { isRecord } from '../../type/index.ts';
import { CaseProblem } from './prepare-case.ts';

export async function schemaCheck({ text, span }: Word, file: string): Promise<(value: Json) => readonly string[]> {
  const read = await readTextFile(file);
  if (!read.ok) throw new CaseProblem(span, `the schema cannot be read: ${read.problem.message}`);
  const schema = parsed(read.text);
  if (!isRecord(schema)) throw new CaseProblem(span, `${text} is no JSON Schema: it is no JSON object`);
  return (value) => {
    // What checks arguments takes an object: any other value is a field of one, with the definitions beside it.
    const [whole, rules] = isRecord(value) ? [value, schema] : [{ output: value }, wrapped(schema)];
    return schemaErrors(whole, rules as ToolSchema).map(({ message }) => message);
  };
}

function wrapped(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $defs, definitions, ...own } = schema;
  return {
    type: 'object',
    properties: { output: own },
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
