/** What the model is told before it answers: the syntax, the tools, and the form of the answer. */
import { START, toolPrompt, writeCall } from '../../calls/index.ts';
import { createContent } from './message-content.ts';
import type { CallParams, FilePart, Message, ResponseFormat, ToolChoice } from './sdk.ts';
import type { OfferedTool, Session } from './session.ts';

export function writeInstructions(params: CallParams, session: Session): string | undefined {
  const { tools, mayCall, options } = session;
  if (!mayCall) return params.prompt.some(hasCall) ? noTools : undefined;
  const specs = tools.map(({ spec }) => spec);
  const toolChoice: ToolChoice = params.toolChoice ?? { type: 'auto' };
  const parts = [toolPrompt(specs, { toolChoice: choiceOf(toolChoice) }).text];
  const examples = tools.flatMap(writeExamples);
  if (examples.length > 0) parts.push(`Examples:\n${examples.join('\n')}`);
  if (params.responseFormat?.type === 'json') parts.push(jsonAnswer(params.responseFormat));
  const text = parts.map((part) => part.trimEnd()).join('\n\n');
  return options.instructions === undefined ? text : options.instructions({ text, tools: specs, toolChoice });
}

/** Puts the instructions into the messages. */
export function placeInstructions(prompt: readonly Message[], text: string, placement: 'system' | 'user'): Message[] {
  const messages = [...prompt];
  if (placement === 'user') {
    const at = messages.findIndex(({ role }) => role === 'user');
    const first = messages[at];
    if (first?.role !== 'user') messages.push({ role: 'user', content: [{ type: 'text', text }] });
    else {
      const content = createContent<FilePart>();
      // A line between them, or the first words would look like one more tool.
      content.addText(`${text}\n\n---\n\n`, false);
      for (const part of first.content) {
        if (part.type === 'text') content.addText(part.text, false, part.providerOptions);
        else content.addPart(part);
      }
      messages[at] = { ...first, content: content.parts() };
    }
    return messages;
  }
  const firstOther = messages.findIndex(({ role }) => role !== 'system');
  const at = (firstOther === -1 ? messages.length : firstOther) - 1;
  const last = messages[at];
  if (last?.role !== 'system') messages.unshift({ role: 'system', content: text });
  else messages[at] = { ...last, content: last.content === '' ? text : `${last.content}\n\n${text}` };
  return messages;
}

/** The history shows how tools are called, and the model would go on so. */
const noTools = `No tools can be called in your next message: answer in plain text, without ${START}...].`;

function hasCall(message: Message): boolean {
  return (
    message.role === 'tool' ||
    (message.role === 'assistant' && message.content.some(({ type }) => type === 'tool-call'))
  );
}

function choiceOf(choice: ToolChoice): 'auto' | 'required' | { tool: string } {
  if (choice.type === 'tool') return { tool: choice.toolName };
  return choice.type === 'required' ? 'required' : 'auto';
}

function writeExamples({ plan, examples }: OfferedTool): string[] {
  return examples.map((input) => writeCall(input, plan));
}

function jsonAnswer(format: Extract<ResponseFormat, { type: 'json' }>): string {
  const fits = format.schema === undefined ? '' : ' that fits the JSON Schema below';
  const schema = format.schema === undefined ? '' : `\nJSON Schema: ${JSON.stringify(format.schema)}`;
  return `When you call no tool, your whole message is one JSON value${fits}, and nothing else, without a code fence.${schema}`;
}
