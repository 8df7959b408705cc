/** What came of a run, as tests look at it: a fold over its events and its tree. */
import type { JournalEvent } from '../journal/index.ts';
import type { Json, RunError } from '../machine/index.ts';
import {
  createToolBook,
  type RunToolCall,
  type RunTree,
  readNodeId,
  type ToolBook,
  takeTool,
  treeNodes,
} from '../view/index.ts';

export interface Outcome {
  readonly status: RunTree['status'];
  readonly input: Json;
  readonly output?: Json;
  readonly error?: RunError;
  readonly waiting: RunTree['waiting'];
  /** By the names of nodes (`polish[2]/review`), and by ids: of those in loops the last. Without a value where it had none. */
  readonly steps: ReadonlyMap<string, Json | undefined>;
  /** In the order in which they were made. */
  readonly calls: readonly MadeCall[];
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  /** The thunks that it handed over to, in order. */
  readonly handoffs: readonly string[];
  readonly tree: RunTree;
}

export interface MadeCall extends Readonly<RunToolCall> {
  /** The node that called it. */
  readonly step: string;
  /** What the model was told of it, last. */
  readonly result?: { readonly text: string; readonly isError: boolean };
}

export function outcomeOf(tree: RunTree, events: Iterable<JournalEvent>): Outcome {
  const calls: MadeCall[] = [];
  const books = new Map<string, ToolBook>();
  const handoffs: string[] = [];
  let modelCalls = 0;
  for (const { node: id, body } of events) {
    if (body.kind === 'handoff') handoffs.push(body.to);
    if (body.kind === 'model.answered' || body.kind === 'model.failed') modelCalls++;
    const slash = id?.lastIndexOf('/') ?? -1;
    if (id === undefined || slash === -1) continue;
    // Ids of calls are those of one conversation.
    const talk = id.slice(0, slash);
    const book = books.get(talk) ?? createToolBook();
    books.set(talk, book);
    const asked = body.kind === 'tool.answered' ? book.steps.get(id) : undefined;
    if (asked && body.kind === 'tool.answered') Object.assign(asked, resultOf(body.result));
    const call = takeTool(book, id, body);
    // What becomes of it is written into it.
    if (call) calls.push(Object.assign(call, { step: readNodeId(id).name }));
  }
  const steps = new Map<string, Json | undefined>();
  for (const { name, id, output, kind } of treeNodes(tree.nodes)) {
    if (kind === 'round' || kind === 'arm') continue;
    steps.set(name, output);
    if (id !== undefined) steps.set(id, output);
  }
  const { inputTokens = 0, outputTokens = 0, cost = 0 } = tree.usage;
  return {
    status: tree.status,
    input: tree.input,
    ...(tree.output !== undefined && { output: tree.output }),
    ...(tree.error && { error: tree.error }),
    waiting: tree.waiting,
    steps,
    calls,
    modelCalls,
    inputTokens,
    outputTokens,
    cost,
    handoffs,
    tree,
  };
}

function resultOf(result: Json): Pick<MadeCall, 'result'> {
  if (typeof result !== 'object' || result === null || !('text' in result) || typeof result.text !== 'string')
    return {};
  return { result: { text: result.text, isError: 'isError' in result && result.isError === true } };
}
