/**
 * Looks at brackets that are no markers, and says which were probably meant as one: spaced, damaged, or an end that is
 * almost one. It only reports, and holds nothing back: what it waits for may come long after the bracket was told.
 */

import type { CallDiagnosticCode } from '../event.ts';
import { EMOJI, SELECTOR } from '../marker.ts';
import { BACKSLASH, CLOSE, isBlank, LF, OPEN, SLASH } from '../unit.ts';
import { damageBefore, longestDamage } from './damage.ts';

export type Report = (code: CallDiagnosticCode, start: number, end: number) => void;

export interface Watcher {
  /**
   * A `[` at index `at` of `text`, which stands at `base`; of the text, what is before `from` was told already.
   * `marker`: where the marker starts that ends with this bracket, or -1.
   */
  readonly bracket: (text: string, base: number, from: number, at: number, inBody: boolean, marker: number) => void;
  /** A piece that was told, and where it starts. */
  readonly told: (piece: string, start: number) => void;
  /** What comes next has nothing to do with what came before. */
  readonly reset: () => void;
}

/** A `[` of which too little is known yet. */
interface Pending {
  readonly code: CallDiagnosticCode;
  readonly start: number;
  /** What must follow, up to `]`. */
  readonly pattern: RegExp;
  /** What followed so far, and where it goes on. */
  content: string;
  next: number;
}

const exactEnd = /^\/end\]/i;
/** `/end` with blanks around it or words behind it. */
const looseEnd = /^\s*\/end(?:\s[^\]]*)?\]/i;
const mostContent = 17;

const spaced = new RegExp(`${EMOJI}[\\ufe0e\\ufe0f]?[ \\t]{1,3}$`);
const wholeEmoji = new RegExp(`${EMOJI}[\\ufe0e\\ufe0f]?$`);

/** With `strict`, an emoji without U+FE0F is damaged too. */
export function createWatcher(report: Report, strict: boolean): Watcher {
  /** What was told last, as far as it can matter. */
  let before = '';
  let pending: Pending | undefined;

  /** Reads on behind a bracket: it is decided at `]`, at what cannot stand before it, or when it is too long. */
  function settle(waiting: Pending, text: string, from: number, base: number): void {
    pending = undefined;
    for (let i = from; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === OPEN || c === LF || waiting.content.length === mostContent) return;
      waiting.content += text.charAt(i);
      if (c !== CLOSE) continue;
      if (waiting.pattern.test(waiting.content)) report(waiting.code, waiting.start, base + i + 1);
      return;
    }
    waiting.next = base + text.length;
    pending = waiting;
  }

  function unitBefore(text: string, from: number, at: number): number {
    return at > from ? text.charCodeAt(at - 1) : before.charCodeAt(before.length - 1 - (from - at));
  }

  /** What stands before the bracket, within reach. */
  function nearOf(text: string, from: number, at: number): string {
    const near = text.slice(Math.max(from, at - longestDamage), at);
    return near.length === longestDamage ? near : before.slice(-longestDamage) + near;
  }

  return {
    bracket(text, base, from, at, inBody, marker) {
      if (pending !== undefined) settle(pending, text, pending.next - base, base);
      if (marker !== -1) {
        settle(
          { code: 'near-miss-end', start: base + marker, pattern: looseEnd, content: '', next: 0 },
          text,
          at + 1,
          base,
        );
        return;
      }
      const mayEnd = at + 1 === text.length || text.charCodeAt(at + 1) === SLASH;
      let code: CallDiagnosticCode = 'near-miss-end';
      let start = at;
      // Nearly every bracket follows a letter or a sign, with or without a blank between, and is done with here.
      const previous = unitBefore(text, from, at);
      if (isPlain(previous) || (isBlank(previous) && isPlain(unitBefore(text, from, at - 1)))) {
        if (!mayEnd || previous === BACKSLASH) return;
      } else {
        const near = nearOf(text, from, at);
        const whole = wholeEmoji.exec(near)?.[0] ?? '';
        if (whole !== '' && !(strict && !whole.endsWith(SELECTOR))) return;
        const blanks = spaced.exec(near)?.[0].length ?? 0;
        const damage = blanks > 0 ? 0 : whole.length || damageBefore(near);
        start = at - blanks - damage;
        if (start < at) code = damage > 0 ? 'damaged-marker' : 'spaced-marker';
        if (start < at && !inBody) {
          report(code, base + start, base + at + 1);
          return;
        }
        if (!mayEnd) return;
      }
      settle({ code, start: base + start, pattern: exactEnd, content: '', next: 0 }, text, at + 1, base);
    },
    told(piece, start) {
      if (pending !== undefined && pending.next < start + piece.length) {
        settle(pending, piece, pending.next - start, start);
      }
      // No marker has a letter in it: what stands before one does not matter.
      const isEnough = piece.length >= longestDamage || isPlain(piece.charCodeAt(piece.length - 1));
      before = isEnough ? piece : (before.slice(-longestDamage) + piece).slice(-longestDamage);
    },
    reset() {
      before = '';
      pending = undefined;
    },
  };
}

function isPlain(c: number): boolean {
  return c < 0x80 && !isBlank(c);
}
