/** Builds the content of a message. Texts that follow each other become one: not every server takes several. */
import type { ProviderData, TextPart } from './sdk.ts';

export interface MessageContent<P> {
  /** `line`: the text starts on a line of its own. */
  readonly addText: (text: string, line: boolean, data?: ProviderData) => void;
  readonly addPart: (part: P) => void;
  readonly parts: () => (P | TextPart)[];
}

export function createContent<P>(): MessageContent<P> {
  const done: (P | TextPart)[] = [];
  let pieces: string[] = [];
  let options: ProviderData | undefined;
  /** What the texts so far end with: providers put them together, whatever stands between them. */
  let last = '';

  function endText(): void {
    if (pieces.length > 0)
      done.push({ type: 'text', text: pieces.join(''), ...(options && { providerOptions: options }) });
    pieces = [];
    options = undefined;
  }

  return {
    addText(text, line, data) {
      if (data !== undefined && options !== undefined) endText();
      options ??= data;
      if (line && last !== '' && last !== '\n') pieces.push('\n');
      pieces.push(text);
      last = text.at(-1) ?? last;
    },
    addPart(part) {
      endText();
      done.push(part);
    },
    parts() {
      endText();
      return done;
    },
  };
}
