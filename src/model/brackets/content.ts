/** An answer that came as a whole: its content as the parts of a stream, and such parts as content. */
import { createResponseReader } from './response-reader.ts';
import type { Finish, FinishReason, Part, TextContent, TextDelta, TextEnd, TextStart } from './sdk.ts';
import type { Session } from './session.ts';

export interface Answer {
  readonly content: Part[];
  readonly finishReason: FinishReason;
}

export function readAnswer(answer: Answer, session: Session): Answer {
  if (!session.isRead) return answer;
  const reader = createResponseReader(session);
  const parts: Part[] = [];
  for (const part of streamOf(answer)) for (const told of reader.read(part)) parts.push(told);
  for (const told of reader.end()) parts.push(told);
  return joinParts(parts);
}

/** Texts put together, and without what only a stream has. */
export function joinParts(parts: readonly Part[]): Answer {
  const content: Part[] = [];
  const texts = new Map<
    string,
    { readonly pieces: string[]; readonly at: number; data: TextStart['providerMetadata'] }
  >();
  let finishReason: FinishReason = { unified: 'other', raw: undefined };
  for (const part of parts) {
    switch (part.type) {
      case 'text-start': {
        const { id, providerMetadata } = part as TextStart;
        texts.set(id, { pieces: [], at: content.push(part) - 1, data: providerMetadata });
        break;
      }
      case 'text-delta': {
        const { id, delta, providerMetadata } = part as TextDelta;
        const text = texts.get(id);
        text?.pieces.push(delta);
        if (text !== undefined) text.data = providerMetadata ?? text.data;
        break;
      }
      case 'text-end': {
        const { id, providerMetadata } = part as TextEnd;
        const text = texts.get(id);
        if (text === undefined) break;
        const data = providerMetadata ?? text.data;
        const whole: TextContent = {
          type: 'text',
          text: text.pieces.join(''),
          ...(data && { providerMetadata: data }),
        };
        content[text.at] = whole;
        break;
      }
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        break;
      case 'finish':
        finishReason = (part as Finish).finishReason;
        break;
      default:
        content.push(part);
    }
  }
  return { content, finishReason };
}

function* streamOf({ content, finishReason }: Answer): Generator<Part> {
  let id = 0;
  for (const part of content) {
    if (part.type !== 'text') {
      yield part;
      continue;
    }
    const { text, providerMetadata } = part as TextContent;
    const of = { id: String(id++) };
    yield { type: 'text-start', ...of, ...(providerMetadata && { providerMetadata }) } as TextStart;
    yield { type: 'text-delta', ...of, delta: text } as TextDelta;
    yield { type: 'text-end', ...of } as TextEnd;
  }
  yield { type: 'finish', finishReason } as Finish;
}
