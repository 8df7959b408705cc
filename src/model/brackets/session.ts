/** What one request to the model offers: the tools, how calls of them are read, and what the user of the SDK is warned of. */
import { planTool, type ToolPlan, type ToolSpec } from '../../calls/index.ts';
import { callName } from './call-text.ts';
import type { BracketToolsOptions } from './options.ts';
import type { CallParams, FunctionTool, Message, Warning } from './sdk.ts';
import type { TextReaderOptions } from './text-reader.ts';

export interface Session {
  readonly options: BracketToolsOptions;
  readonly tools: readonly OfferedTool[];
  /** Whether a tool may be called: there are some, and `toolChoice` is not `none`. */
  readonly mayCall: boolean;
  /** The one tool that may be called, where `toolChoice` names it. */
  readonly only?: string;
  /** Whether the answer is read: without tools it may still hold calls, if the history shows some. */
  readonly isRead: boolean;
  /** By the names of the tools. */
  readonly plans: ReadonlyMap<string, ToolPlan>;
  readonly reading: TextReaderOptions;
  readonly warnings: Warning[];
}

export interface OfferedTool {
  readonly spec: ToolSpec;
  readonly plan: ToolPlan;
  /** Arguments that the owner of the tool gave as examples. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** Throws a TypeError for a tool that cannot be called in text. */
export function openSession(params: CallParams, options: BracketToolsOptions): Session {
  if (sessions.has(params.prompt)) throw new Error('bracketTools wraps this model twice; once is enough.');
  const warnings: Warning[] = [];
  const tools: OfferedTool[] = [];
  for (const tool of params.tools ?? []) {
    if (tool.type === 'function') tools.push(offer(tool, options));
    else {
      warnings.push({
        type: 'unsupported',
        feature: `provider-defined tool ${tool.id}`,
        details: 'Only tools of your own can be called in text; this one is left out.',
      });
    }
  }
  const plans = new Map(tools.map(({ plan }) => [plan.name, plan]));
  const { scan = {}, fences } = options;
  const names = plans.size > 0 ? [...plans.keys()] : calledNames(params.prompt);
  const reading = { names, scan, fencesAreText: fences === 'text' };
  const { toolChoice } = params;
  const mayCall = plans.size > 0 && toolChoice?.type !== 'none';
  const only = toolChoice?.type === 'tool' ? { only: toolChoice.toolName } : {};
  return { options, tools, mayCall, ...only, isRead: names.length > 0, plans, reading, warnings };
}

/** What the model has seen itself call. */
function calledNames(prompt: readonly Message[]): string[] {
  const names = new Set<string>();
  for (const { role, content } of prompt) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of content) if ('toolName' in part) names.add(callName(part.toolName));
  }
  return [...names];
}

function offer(tool: FunctionTool, options: BracketToolsOptions): OfferedTool {
  const { name, description, inputSchema, inputExamples = [] } = tool;
  const { bodies = {} } = options;
  const spec: ToolSpec = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(typeof inputSchema === 'object' ? { parameters: { ...inputSchema } } : {}),
    ...(Object.hasOwn(bodies, name) ? { body: bodies[name] ?? null } : {}),
  };
  return { spec, plan: planTool(spec), examples: inputExamples.map(({ input }) => input) };
}

/** By the messages that were made for them, so that copies of the params have them too. */
const sessions = new WeakMap<object, Session>();

export function keepSession(params: CallParams, session: Session): void {
  sessions.set(params.prompt, session);
}

export function sessionOf(params: { readonly prompt: object }): Session {
  const session = sessions.get(params.prompt);
  if (session !== undefined) return session;
  throw new Error('bracketTools: these params did not go through its transformParams; use wrapLanguageModel of "ai".');
}
