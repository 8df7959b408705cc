/** The blocks of a thunk as messages. */
import type { AssistantMessage, ModelMessage, ToolCall, ToolMessage } from '../model/index.ts';

/**
 * A recorded result of a tool becomes a call and its result, which every provider takes: the call is made by the words before
 * it. `before`: how many messages stand before these; so no two calls of a conversation have the same id.
 */
export function recorded(
  blocks: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[],
  before: number,
): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  let calls = before;
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (block === undefined) continue;
    if (block.role === 'user') {
      messages.push({ role: 'user', content: block.text });
      continue;
    }
    const results: ToolMessage[] = [];
    const made: ToolCall[] = [];
    let at = block.role === 'tool' ? i : i + 1;
    for (; blocks[at]?.role === 'tool'; at++) {
      const id = `recorded-${++calls}`;
      made.push({ id, tool: recordedTool, args: {} });
      results.push({ role: 'tool', call: id, tool: recordedTool, content: blocks[at]?.text ?? '' });
    }
    const message: AssistantMessage = { role: 'assistant', content: block.role === 'assistant' ? block.text : '' };
    messages.push(made.length === 0 ? message : { ...message, calls: made }, ...results);
    i = at - 1;
  }
  return messages;
}

const recordedTool = 'recorded';
