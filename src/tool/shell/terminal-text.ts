/**
 * What a program printed, as plain text: escape sequences of terminals go, `\r\n` and `\r` become line ends, other control
 * characters go.
 * 1. A character or a sequence may be split between two chunks.
 * 2. Nothing is held back but the end of a character and a `\r`; a sequence that never ends swallows no more than 4096
 *    characters.
 * 3. What is no text is counted, so that binary output can be told from text.
 */

export interface TerminalText {
  push(bytes: Uint8Array): string;
  /** The rest. */
  end(): string;
  /** More than a few of the characters belong into no text. */
  readonly isBinary: boolean;
}

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

/** All but tab and line feed; and what stands for bytes that are no UTF-8. */
const special = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/;
const longestSequence = 4096;
/** Fewer may be a name in another encoding. */
const fewOdd = 16;

export function createTerminalText(): TerminalText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let state: State = 'text';
  /** Of the sequence that it is in. */
  let length = 0;
  let afterReturn = false;
  let characters = 0;
  let odd = 0;

  const clean = (text: string): string => {
    characters += text.length;
    if (state === 'text' && !afterReturn && !special.test(text)) return text;
    let out = '';
    for (const char of text) out += one(char, char.codePointAt(0) ?? 0);
    return out;
  };

  const enter = (next: State): string => {
    state = next;
    length = 0;
    return '';
  };

  const one = (char: string, code: number): string => {
    if (state !== 'text') {
      if (++length <= longestSequence) return within(char, code);
      state = 'text';
    }
    return plain(char, code);
  };

  /** Within a sequence. What cannot belong to it ends it, and is text again. */
  const within = (char: string, code: number): string => {
    if (state === 'string') {
      if (code === 0x07 || code === 0x9c) state = 'text';
      else if (code === 0x1b) state = 'string-escape';
      return '';
    }
    if (state === 'string-escape') {
      state = code === 0x5c ? 'text' : 'string';
      return '';
    }
    if (code < 0x20 || code > 0x7e) {
      state = 'text';
      return plain(char, code);
    }
    if (state === 'csi') {
      if (code >= 0x40) state = 'text';
      return '';
    }
    if (char === '[') return enter('csi');
    if (']PX^_'.includes(char)) return enter('string');
    // Between 0x20 and 0x2f more follows, as in `ESC ( B`.
    if (code >= 0x30) state = 'text';
    return '';
  };

  const plain = (char: string, code: number): string => {
    const lineEnd = afterReturn && char !== '\n' && char !== '\r' ? '\n' : '';
    afterReturn = char === '\r';
    if (char === '\r') return '';
    if (char === '\n' || char === '\t' || (code >= 0x20 && code < 0x7f)) return lineEnd + char;
    if (code === 0x1b) return lineEnd + enter('escape');
    if (code === 0x9b) return lineEnd + enter('csi');
    if (code === 0x9d || code === 0x90) return lineEnd + enter('string');
    if (code === 0xfffd) {
      odd++;
      return lineEnd + char;
    }
    if (code >= 0xa0) return lineEnd + char;
    // Bells and backspaces are common in texts.
    if (code !== 0x07 && code !== 0x08) odd++;
    return lineEnd + (code === 0 ? '\u2400' : '');
  };

  return {
    push: (bytes) => clean(decoder.decode(bytes, { stream: true })),
    end() {
      const rest = clean(decoder.decode());
      const lineEnd = afterReturn ? '\n' : '';
      afterReturn = false;
      return rest + lineEnd;
    },
    get isBinary() {
      return odd >= fewOdd && odd * 10 > characters;
    },
  };
}
