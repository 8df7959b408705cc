/**
 * End markers inside of a text: emoji, selector if any, n backslashes, `[/end]` is written with n + 1 backslashes and read
 * with n - 1. Only what would end a body, or was escaped so that it does not, is touched.
 */

/** What `escapeBody` changes: an end marker, with any number of backslashes before its bracket. */
const ending = /\ud83d\udee0[\ufe0e\ufe0f]?\\*(?=\[\/end\])/g;

const escapedEnding = /(\ud83d\udee0[\ufe0e\ufe0f]?\\*)\\(?=\[\/end\])/g;

/** What ends a body, in every form that is read. */
const endMarker = /\ud83d\udee0[\ufe0e\ufe0f]?\[\/end\]/;

/** The text as a body that holds no end marker; `unescapeBody` gives the text back. */
export function escapeBody(text: string): string {
  return text.replace(ending, '$&\\');
}

/** For text that goes to a model: what is in it cannot end the block around it. */
export const neutralize: (text: string) => string = escapeBody;

/** What a body means. */
export function unescapeBody(body: string): string {
  return body.replace(escapedEnding, '$1');
}

export function hasEndMarker(text: string): boolean {
  return endMarker.test(text);
}

/** `unescapeBody` for a body that comes in pieces. */
export interface Unescaper {
  /** What is certain after this piece. At most 6 units are held back. */
  readonly push: (piece: string) => string;
  /** What was held back. */
  readonly end: () => string;
}

// How much of an escaped end marker was read.
const NOTHING = 0;
const HALF = 1; // the first half of the emoji, when a piece ends in the middle of it
const WHOLE = 2; // the emoji
const SELECTED = 3; // the emoji and a selector
const BACKSLASH = 4; // one backslash or more: the last of them is held back
const rest = '[/end]';

export function createUnescaper(): Unescaper {
  let state = NOTHING;
  /** How many units of `rest` are held back behind the backslash. */
  let matched = 0;

  function held(): string {
    if (state === HALF) return '\ud83d';
    return state === BACKSLASH ? `\\${rest.slice(0, matched)}` : '';
  }

  function push(piece: string): string {
    if (state === NOTHING && !piece.includes('\ud83d')) return piece;
    let out = '';
    // What stands from here on is certain, but not yet in `out`.
    let from = 0;
    for (let at = 0; at < piece.length; ) {
      if (state === NOTHING) {
        at = piece.indexOf('\ud83d', at);
        if (at < 0) break;
        out += piece.slice(from, at);
        state = HALF;
        from = ++at;
        continue;
      }
      const unit = piece[at];
      if (state === BACKSLASH && unit === rest[matched]) {
        from = ++at;
        if (++matched < rest.length) continue;
        out += rest;
        state = NOTHING;
      } else if (state === HALF && unit === '\udee0') {
        out += '\u{1f6e0}';
        state = WHOLE;
        from = ++at;
      } else if (state === WHOLE && (unit === '\ufe0e' || unit === '\ufe0f')) {
        out += unit;
        state = SELECTED;
        from = ++at;
      } else if (state !== HALF && matched === 0 && unit === '\\') {
        if (state === BACKSLASH) out += '\\';
        state = BACKSLASH;
        from = ++at;
      } else {
        // No end marker after all: the same unit is looked at afresh.
        out += held();
        state = NOTHING;
        from = at;
      }
      if (state === NOTHING) matched = 0;
    }
    return state === NOTHING ? out + piece.slice(from) : out;
  }

  function end(): string {
    const last = held();
    state = NOTHING;
    matched = 0;
    return last;
  }

  return { push, end };
}
