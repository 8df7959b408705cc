/** A tool as its owner describes it: a name, words, and a JSON Schema of its arguments. */

/** The part of JSON Schema that is looked at; all else is left alone. */
export interface ToolSchema {
  readonly [key: string]: unknown;
}

export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of an object; left out for a tool without parameters. */
  readonly parameters?: ToolSchema;
  /** The parameter that the body carries; found by its name if left out, `null` for none. */
  readonly body?: string | null;
}
