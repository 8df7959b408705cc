/**
 * The tools that a server lists, as they may be used: names that can be called, words and schemas of a bounded size. What
 * cannot be used is left out, and told.
 */
import type { JsonSchema } from '../../type/index.ts';
import { boundedText } from '../bounded-text.ts';
import type { ServiceLimits } from './definition.ts';

/** As the protocol has it: what is not listed here is not looked at. */
export interface ServerTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

export interface ListedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly readOnly: boolean;
}

export interface ToolList {
  readonly tools: readonly ListedTool[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

const longestName = 128;
const deepestSchema = 64;
const mostNotes = 20;

type Limits = Pick<ServiceLimits, 'tools' | 'listChars' | 'descriptionChars' | 'schemaChars'>;

/** A list that grows page by page. What is left out is not held. */
export interface ToolGathering {
  add(tools: readonly ServerTool[]): void;
  /** Nothing more fits. */
  readonly isFull: boolean;
  list(): ToolList;
}

export function gatherTools(limits: Limits): ToolGathering {
  const tools = new Map<string, ListedTool>();
  const notes: string[] = [];
  let room = limits.listChars;
  let isFull = false;

  const take = (tool: ServerTool): void => {
    if (tools.size >= limits.tools) {
      isFull = true;
      notes.push(`it has more than ${limits.tools} tools: the first ${limits.tools} are used`);
      return;
    }
    const unfit = problemOf(tool, tools, limits);
    if (unfit !== undefined) {
      if (notes.length < mostNotes) notes.push(unfit);
      return;
    }
    const description = boundedText((tool.description ?? tool.title ?? '').trim(), limits.descriptionChars);
    room -= tool.name.length + description.length + JSON.stringify(tool.inputSchema).length;
    if (room < 0) {
      isFull = true;
      notes.push(
        `its tools say more than ${limits.listChars} characters of themselves: the first ${tools.size} are used`,
      );
      return;
    }
    tools.set(tool.name, {
      name: tool.name,
      description,
      // Its keywords are the server's own; whoever sends it to a model says which of them that model knows.
      parameters: tool.inputSchema as JsonSchema,
      readOnly: tool.annotations?.readOnlyHint === true,
    });
  };
  return {
    add(page) {
      for (const tool of page) if (!isFull) take(tool);
    },
    get isFull() {
      return isFull;
    },
    list: () => ({ tools: [...tools.values()], notes }),
  };
}

function problemOf(tool: ServerTool, known: ReadonlyMap<string, ListedTool>, limits: Limits): string | undefined {
  const { name, inputSchema } = tool;
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  if (name === '' || name.length > longestName || name !== name.trim() || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)) {
    return `the tool ${shown} is left out: its name is empty, too long, or not one line`;
  }
  if (known.has(name)) return `the tool ${shown} is listed twice: the first is used`;
  if (isDeep(inputSchema)) return `the tool ${shown} is left out: its schema is nested too deep`;
  if (inputSchema.type !== 'object') return `the tool ${shown} is left out: its schema is not that of an object`;
  if (JSON.stringify(inputSchema).length > limits.schemaChars) {
    return `the tool ${shown} is left out: its schema is longer than ${limits.schemaChars} characters`;
  }
  return undefined;
}

/** Works from a list, not by calling itself: it comes from outside. */
function isDeep(root: unknown): boolean {
  const work: [unknown, number][] = [[root, 0]];
  for (let item = work.pop(); item; item = work.pop()) {
    const [value, depth] = item;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepestSchema) return true;
    for (const inner of Object.values(value)) work.push([inner, depth + 1]);
  }
  return false;
}
