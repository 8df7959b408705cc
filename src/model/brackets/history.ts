/**
 * Writes the messages so far as a model reads them that knows no tools: calls as the text that it wrote or would have
 * written, results as blocks in a message of the user. Providers differ in what they do with two messages of the user in a
 * row, and some chat templates refuse them, so the results and the message that follows them are one.
 */

import { neutralize, type ToolPlan, writeResult } from '../../calls/index.ts';
import { type CallNote, foreignData, readNote } from './call-note.ts';
import { callName, callText } from './call-text.ts';
import { createContent, type MessageContent } from './message-content.ts';
import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  TextPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
  Warning,
} from './sdk.ts';
import { readOutput } from './tool-output.ts';

/** Where a call stands in its message, and what is told of it if it did not run. */
interface Place {
  readonly index: number;
  readonly note: CallNote | undefined;
}

export function writeHistory(
  prompt: readonly Message[],
  plans: ReadonlyMap<string, ToolPlan>,
  warn: (warning: Warning) => void,
): Message[] {
  const out: Message[] = [];
  const results = resultsOf(prompt);
  const places = new Map<string, Place>();
  /** The message that holds the latest results, as long as nothing follows them. */
  let open: MessageContent<FilePart> | undefined;

  for (const message of prompt) {
    switch (message.role) {
      case 'system':
        closeResults();
        out.push(message);
        break;
      case 'user':
        addUser(message);
        break;
      case 'assistant':
        addAssistant(message);
        break;
      case 'tool':
        addTool(message);
    }
  }
  closeResults();
  return out;

  function closeResults(): void {
    if (open !== undefined) out.push({ role: 'user', content: open.parts() });
    open = undefined;
  }

  function addUser(message: UserMessage): void {
    const safe = neutralizeParts(message.content);
    if (open === undefined) {
      out.push({ ...message, content: safe });
      return;
    }
    let isFirst = true;
    for (const part of safe) {
      if (part.type === 'text') open.addText(part.text, isFirst, part.providerOptions);
      else open.addPart(part);
      isFirst = false;
    }
    out.push({ ...message, content: open.parts() });
    open = undefined;
  }

  function addAssistant(message: AssistantMessage): void {
    const content = createContent<AssistantPart>();
    const executed: ToolResultPart[] = [];
    let index = 0;
    let isBehindCall = false;
    for (const part of message.content) {
      if (part.type === 'tool-call') {
        const note = readNote(part, results.get(part.toolCallId), plans.get(part.toolName));
        places.set(part.toolCallId, { index: index++, note });
        content.addText(callText(part, note, plans), true, foreignData(part.providerOptions));
        isBehindCall = true;
      } else if (part.type === 'tool-result') executed.push(part);
      else if (part.type === 'text') {
        content.addText(part.text, isBehindCall && !part.text.startsWith('\n'), part.providerOptions);
        isBehindCall = false;
      } else content.addPart(part);
    }
    const parts = content.parts();
    // Without content there is no message, and results and what follows them still stand side by side.
    const isEmpty = parts.every((part) => open !== undefined && part.type === 'text' && part.text === '');
    if (!isEmpty) {
      closeResults();
      out.push({ ...message, content: parts });
    }
    // The provider ran these; here their results must come from the other side, or the model learns to write them.
    addResults(executed);
  }

  function addTool(message: ToolMessage): void {
    const parts = message.content.filter((part) => part.type === 'tool-result');
    if (parts.length < message.content.length) {
      warn({
        type: 'other',
        message: 'Approvals of tools that the provider runs are left out: there are none in text.',
      });
    }
    addResults(parts);
  }

  function addResults(parts: readonly ToolResultPart[]): void {
    for (const part of parts) {
      open ??= createContent<FilePart>();
      const { index, note } = places.get(part.toolCallId) ?? nextPlace(part);
      const { ok, text: given, files } = readOutput(part.output, warn);
      const text = note?.problem ?? given;
      const content = text === '' || text.endsWith('\n') ? text : `${text}\n`;
      open.addText(writeResult({ index, tool: callName(part.toolName), ok, content }), true);
      for (const file of files) open.addPart(file);
    }
  }

  /** A result whose call is no longer in the history still needs a number. */
  function nextPlace(part: ToolResultPart): Place {
    const place = { index: places.size, note: undefined };
    places.set(part.toolCallId, place);
    return place;
  }
}

/** Texts that follow each other are read as one: a marker may begin in one and end in the next. */
function neutralizeParts(parts: UserMessage['content']): UserMessage['content'] {
  const safe: UserMessage['content'] = [];
  let run: TextPart[] = [];
  for (const part of parts) {
    if (part.type === 'text') run.push(part);
    else {
      endRun();
      safe.push(part);
    }
  }
  endRun();
  return safe;

  function endRun(): void {
    const each = run.map((part) => ({ ...part, text: neutralize(part.text) }));
    const whole = neutralize(run.map(({ text }) => text).join(''));
    if (each.map(({ text }) => text).join('') === whole) for (const part of each) safe.push(part);
    else {
      const data = run.findLast(({ providerOptions }) => providerOptions !== undefined)?.providerOptions;
      safe.push({ type: 'text', text: whole, ...(data && { providerOptions: data }) });
    }
    run = [];
  }
}

function resultsOf(prompt: readonly Message[]): Map<string, ToolResultPart> {
  const results = new Map<string, ToolResultPart>();
  for (const message of prompt) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) if (part.type === 'tool-result') results.set(part.toolCallId, part);
  }
  return results;
}
