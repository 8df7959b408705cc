/**
 * What was typed, from the bytes of a terminal in raw mode.
 * 1. Bytes may come in any pieces: what is not whole yet is kept until more comes. `flush` says that nothing more comes for now,
 *    so that an escape which begins nothing is the key Escape.
 * 2. What is pasted between the marks of a terminal is one text, whatever stands in it: a line end in it sends nothing off.
 * 3. Sequences that mean nothing here are dropped whole: no part of one is taken for text.
 */
import { StringDecoder } from 'node:string_decoder';

export type KeyName =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'backtab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'delete-word-right'
  | 'delete-to-start'
  | 'delete-to-end'
  | 'put-back'
  | 'redraw'
  | 'interrupt'
  | 'end-of-input'
  | 'suspend'
  | 'before'
  | 'after';

export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: KeyName };

export interface KeyDecoder {
  readonly feed: (bytes: Uint8Array) => readonly Key[];
  /** Nothing more came for a while. */
  readonly flush: () => readonly Key[];
  /** Whether something began that is not whole. */
  readonly isPending: () => boolean;
}

/** What a terminal is told so that it marks what is pasted, and stops to. */
export const pasteOn = '\x1b[?2004h';
export const pasteOff = '\x1b[?2004l';

const pasteBegin = '\x1b[200~';
const pasteEnd = '\x1b[201~';
/** No sequence is longer; what is was none. */
const mostSequence = 4096;

export function createKeyDecoder(): KeyDecoder {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  /** Of a paste whose end did not come yet: its pieces, and the last of it, in which the end mark may have begun. */
  let pasted: string[] | undefined;
  let tail = '';

  function take(): Key[] {
    const keys: Key[] = [];
    for (;;) {
      if (pasted !== undefined) {
        const text = tail + rest;
        const end = text.indexOf(pasteEnd);
        const kept = end === -1 ? Math.max(0, text.length - pasteEnd.length) : end;
        pasted.push(text.slice(0, kept));
        tail = end === -1 ? text.slice(kept) : '';
        rest = end === -1 ? '' : text.slice(end + pasteEnd.length);
        if (end === -1) return keys;
        keys.push({ kind: 'paste', text: pastedText(pasted.join('')) });
        pasted = undefined;
      }
      if (rest === '') return keys;
      if (rest.startsWith(pasteBegin)) {
        rest = rest.slice(pasteBegin.length);
        pasted = [];
        continue;
      }
      const read = rest.startsWith('\x1b') ? readEscape(rest) : readPlain(rest);
      if (read === undefined) return keys;
      rest = rest.slice(read.length);
      if (read.key) keys.push(read.key);
    }
  }

  return {
    feed(bytes) {
      rest += decoder.write(Buffer.from(bytes));
      return take();
    },
    flush() {
      if (!rest.startsWith('\x1b') || pasted !== undefined) return [];
      // It began nothing: it was the key itself, and what stands behind it was typed.
      rest = rest.slice(1);
      return [named('escape'), ...take()];
    },
    isPending: () => rest !== '' && pasted === undefined,
  };
}

interface Read {
  readonly length: number;
  readonly key?: Key;
}

function named(name: KeyName): Key {
  return { kind: 'key', name };
}

const controls: Readonly<Record<string, KeyName>> = {
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x08': 'backspace',
  '\t': 'tab',
  '\n': 'newline',
  '\x0b': 'delete-to-end',
  '\x0c': 'redraw',
  '\r': 'enter',
  '\x0e': 'after',
  '\x10': 'before',
  '\x15': 'delete-to-start',
  '\x17': 'delete-word',
  '\x19': 'put-back',
  '\x1a': 'suspend',
  '\x7f': 'backspace',
};

const plainText = /^[^\x00-\x1f\x7f-\x9f]+/;

function readPlain(text: string): Read {
  const plain = plainText.exec(text)?.[0];
  if (plain !== undefined) return { length: plain.length, key: { kind: 'text', text: plain } };
  const name = controls[text[0] ?? ''];
  return { length: 1, ...(name && { key: named(name) }) };
}

const csi = /^\x1b\[([0-9;:<=>?]*)[ -/]*([@-~])/;
const csiBegun = /^\x1b\[[0-9;:<=>?]*[ -/]*$/;
/** Answers of a terminal: they end with a bell or with `ESC \`. */
const told = /^\x1b[\]P_^][^\x07\x1b]*(?:\x07|\x1b\\)/;
const toldBegun = /^\x1b[\]P_^][^\x07\x1b]*(?:\x1b)?$/;

/** Undefined where more must come. */
function readEscape(text: string): Read | undefined {
  if (text.length === 1) return undefined;
  const sequence = csi.exec(text);
  if (sequence) {
    const key = csiKey(sequence[1] ?? '', sequence[2] ?? '');
    return { length: sequence[0].length, ...(key && { key: named(key) }) };
  }
  if (text.length < mostSequence && (csiBegun.test(text) || toldBegun.test(text))) return undefined;
  const answer = told.exec(text);
  if (answer) return { length: answer[0].length };
  if (text[1] === 'O') {
    if (text.length === 2) return undefined;
    const key = finals[text[2] ?? ''];
    return { length: 3, ...(key && { key: named(key) }) };
  }
  // Two of them: the first was the key.
  if (text[1] === '\x1b') return { length: 1, key: named('escape') };
  if (text[1] === '[') return { length: 2 };
  const alt = alts[text[1] ?? ''];
  // Alt with a character of two halves takes both.
  const length = 1 + String.fromCodePoint(text.codePointAt(1) ?? 0).length;
  return { length, ...(alt && { key: named(alt) }) };
}

const finals: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  M: 'enter',
  Z: 'backtab',
};

/** By the number before `~`. */
const numbers: Readonly<Record<string, KeyName>> = { 1: 'home', 3: 'delete', 4: 'end', 7: 'home', 8: 'end' };

const alts: Readonly<Record<string, KeyName>> = {
  '\r': 'newline',
  '\n': 'newline',
  b: 'word-left',
  f: 'word-right',
  d: 'delete-word-right',
  '\x7f': 'delete-word',
  '\b': 'delete-word',
};

/** With Alt or Control, arrows go by words. */
const byWords: Partial<Record<KeyName, KeyName>> = {
  left: 'word-left',
  right: 'word-right',
  delete: 'delete-word-right',
  backspace: 'delete-word',
};

/** Keys that terminals write as `CSI code ; modifiers u`. */
const codes: Readonly<Record<string, KeyName>> = { 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace' };

function csiKey(parameters: string, final: string): KeyName | undefined {
  const [first = '', modifier = '1', third = ''] = parameters.split(';');
  const bits = Math.max(0, (Number.parseInt(modifier, 10) || 1) - 1);
  const isChanged = (bits & 0b110) !== 0;
  const isShift = (bits & 1) !== 0;
  if (final === 'u' || (final === '~' && first === '27')) {
    const code = final === 'u' ? (first.split(':', 1)[0] ?? '') : third;
    const name = codes[code];
    if (name === 'enter') return isChanged || isShift ? 'newline' : 'enter';
    if (name === 'tab') return isShift ? 'backtab' : 'tab';
    if (name !== undefined) return isChanged ? (byWords[name] ?? name) : name;
    // Control with a letter.
    const letter = Number.parseInt(code, 10);
    if ((bits & 0b100) !== 0 && letter >= 97 && letter <= 122) return controls[String.fromCharCode(letter - 96)];
    return undefined;
  }
  const name = final === '~' ? numbers[first] : finals[final];
  if (name === undefined) return undefined;
  return isChanged ? (byWords[name] ?? name) : name;
}

function pastedText(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
