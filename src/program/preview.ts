/** What a thunk would send, as far as it can be known without a model: signature, schemas, sets, texts with sample values. */
import { parseTemplate, renderTemplate, type Template, type TemplateNode } from '../expr/index.ts';
import {
  field,
  type JsonSchema,
  printType,
  sampleValue,
  structOf,
  type TypeTable,
  toJsonSchema,
} from '../type/index.ts';
import type { Host } from './host.ts';
import type { AgentProgram, BlockText, Recall, TextChoice, ThunkProgram } from './program.ts';
import { type EffectiveSet, effectiveSets, type SetKey } from './sets.ts';
import { scopeOf } from './texts.ts';

export interface Preview {
  readonly thunk: string;
  readonly doc?: string;
  readonly signature: string;
  readonly parameters: JsonSchema;
  readonly output: JsonSchema;
  readonly sets: Readonly<Record<SetKey, EffectiveSet>>;
  readonly recall: Recall;
  readonly values: Readonly<Record<string, unknown>>;
  /** The instruct template; then what the effective caps add. */
  readonly instructions: PreviewText;
  readonly caps: readonly PreviewCap[];
  /** Typed tools that the thunk itself brings: hands, handoffs, and what skills and memory need. */
  readonly tools: readonly PreviewTool[];
  readonly context: PreviewText;
  readonly messages: readonly PreviewMessage[];
}

export interface PreviewText {
  readonly from: TextChoice['from'];
  readonly why: string;
  readonly text: string;
}

/** A psyche's whole text; of a skill or service what is told before it is loaded. */
export interface PreviewCap {
  readonly kind: 'psyche' | 'skill' | 'service';
  readonly name: string;
  /** Missing for caps from elsewhere, which are read when the thunk runs. */
  readonly text?: string;
}

export interface PreviewTool {
  readonly name: string;
  readonly why: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
}

export interface PreviewMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** What it was put together from. */
  readonly parts: readonly ('context' | 'block' | 'input')[];
}

export function previewThunk(program: AgentProgram, thunk: ThunkProgram, host: Host): Preview {
  const { types } = program;
  const values: Record<string, unknown> = {
    runtime: { agent: '<agent>', thunk: thunk.name, model: '<model>', run: '<run>', cwd: '<cwd>', date: '<date>' },
  };
  for (const param of thunk.params) values[param.name] = sampleValue(param.type, types, param.name);
  const scope = scopeOf(thunk);
  const render = (text: BlockText) => renderTemplate(parseTemplate(text.text), values, { scope, table: types });
  const show = (choice: TextChoice): PreviewText => ({
    from: choice.from,
    why: choice.why,
    text: choice.from === 'none' ? '' : render(choice.text),
  });
  const context = show(thunk.context);
  const sets = effectiveSets(program, thunk, host);
  const input = thunk.params.some((param) => param.name === 'input') ? String(values.input) : undefined;
  return {
    thunk: thunk.name,
    ...(thunk.doc !== undefined && { doc: thunk.doc }),
    signature: signatureOf(thunk),
    parameters: parametersOf(thunk, types),
    output: toJsonSchema(thunk.output, types),
    sets,
    recall: thunk.recall,
    values,
    instructions: show(thunk.instruct),
    caps: capsOf(program, sets),
    tools: toolsOf(program, thunk, sets),
    context,
    messages: assemble(thunk, render, context.text, input),
  };
}

function parametersOf(thunk: ThunkProgram, types: TypeTable): JsonSchema {
  return toJsonSchema(structOf(thunk.params.map((p) => field(p.name, p.type, { optional: p.optional }))), types);
}

function capsOf(program: AgentProgram, sets: Preview['sets']): PreviewCap[] {
  const kinds = [
    ['psyche', 'psyches'],
    ['skill', 'skills'],
    ['service', 'services'],
  ] as const;
  return kinds.flatMap(([kind, key]) =>
    sets[key].items.map(({ name }) => {
      const cap = program.caps.find((c) => c.kind === kind && c.name === name);
      const text = cap?.kind === 'psyche' ? cap.body : cap && 'description' in cap ? cap.description : undefined;
      return { kind, name, ...(text !== undefined && { text }) };
    }),
  );
}

function toolsOf(program: AgentProgram, thunk: ThunkProgram, sets: Preview['sets']): PreviewTool[] {
  const tools: PreviewTool[] = [];
  for (const { name } of sets.hands.items) {
    const hand = program.thunks.get(name);
    const doc = hand?.doc === undefined ? {} : { description: hand.doc };
    tools.push({ name, why: 'hand', ...doc, ...(hand && { parameters: parametersOf(hand, program.types) }) });
  }
  for (const { name } of sets.handoffs.items) {
    const doc = program.thunks.get(name)?.doc;
    tools.push({ name: `handoff_to_${name}`, why: 'handoff', ...(doc !== undefined && { description: doc }) });
  }
  if (sets.skills.items.length > 0) tools.push({ name: 'skill', why: 'loads a skill by its name' });
  if (Array.isArray(thunk.recall) && thunk.recall.includes('memory')) {
    tools.push({ name: 'memory_save', why: 'recall includes memory' });
  }
  return tools;
}

export function signatureOf(thunk: ThunkProgram): string {
  const params = thunk.params.map((p) => `${p.name}${p.optional ? '?' : ''}: ${printType(p.type)}`);
  return `${thunk.name}(${params.join(', ')}) -> ${printType(thunk.output)}`;
}

/**
 * The thunk's blocks in order. The final user message is the last block if that is a `user` block, else a new one; the
 * context stands before it, and the input after it unless some block mentions it.
 */
function assemble(
  thunk: ThunkProgram,
  render: (text: BlockText) => string,
  context: string,
  input: string | undefined,
): PreviewMessage[] {
  const messages: PreviewMessage[] = thunk.messages.map(({ role, text }) => ({
    role,
    text: render(text),
    parts: ['block'],
  }));
  const mentioned = thunk.messages.some(({ text }) => mentionsInput(parseTemplate(text.text)));
  const last = messages.at(-1);
  const own = last?.role === 'user' ? messages.pop() : undefined;
  const parts: [PreviewMessage['parts'][number], string][] = [];
  if (context !== '') parts.push(['context', context]);
  if (own) parts.push(['block', own.text]);
  if (input !== undefined && !mentioned) parts.push(['input', input]);
  if (parts.length > 0) {
    messages.push({
      role: 'user',
      text: parts.map(([, text]) => text).join('\n\n'),
      parts: parts.map(([part]) => part),
    });
  }
  return messages;
}

function mentionsInput(template: Template): boolean {
  const todo: TemplateNode[] = [...template.nodes];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.kind === 'text') continue;
    if (node.path[0]?.name === 'input') return true;
    if (node.kind === 'section') for (const inner of node.nodes) todo.push(inner);
  }
  return false;
}
