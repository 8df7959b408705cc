/**
 * Where in a Markdown text we are: inside a code fence or not, at the start of a line or not. It is told the text in
 * pieces, keeps none of them, and looks closely only at lines that may be fences.
 */
import { CR, isBlank, LF, SPACE } from '../unit.ts';

export interface FenceTracker {
  /** The next piece of text. */
  readonly feed: (text: string) => void;
  /** Something that is no text stood here: the rest of the line is neither a fence nor at the start of a line. */
  readonly breakLine: () => void;
  readonly inFence: () => boolean;
  /** Whether the line has nothing but blanks so far. */
  readonly atLineStart: () => boolean;
}

/** How far the current line has been read. */
type Phase = 'indent' | 'run' | 'info' | 'other';

const backtick = 0x60;
const tilde = 0x7e;

export function createFenceTracker(): FenceTracker {
  /** The open fence: its character, 0 when there is none, and how many of them. */
  let fence = 0;
  let fenceRun = 0;

  let waiting = '';
  let isFirst = true;
  let phase: Phase = 'indent';
  let blank = true;
  /** The fence that this line may be. */
  let indent = 0;
  let character = 0;
  let run = 0;
  /** What stands behind the run: only blanks, or a backtick among it. */
  let infoBlank = true;
  let infoTick = false;

  function startLine(): void {
    phase = 'indent';
    blank = true;
    indent = 0;
    run = 0;
    infoBlank = true;
    infoTick = false;
  }

  function endLine(): void {
    if (run >= 3) {
      if (fence === 0) {
        if (!(character === backtick && infoTick)) {
          fence = character;
          fenceRun = run;
        }
      } else if (fence === character && run >= fenceRun && infoBlank) fence = 0;
    }
    startLine();
  }

  function leave(): void {
    phase = 'other';
    run = 0;
  }

  /** Reads on in the current line; the index after its line break, or of the first unit that no longer matters. */
  function readLine(text: string, from: number): number {
    for (let i = from; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === LF) {
        endLine();
        return i + 1;
      }
      const isEmpty = isBlank(c) || c === CR;
      if (!isBlank(c)) blank = false;
      if (phase === 'indent') {
        if (c === SPACE && indent < 3) indent++;
        else if (c === backtick || c === tilde) {
          phase = 'run';
          character = c;
          run = 1;
        } else if (!isEmpty) {
          leave();
          return i + 1;
        } else indent = 4;
        // Four blanks make it a line of code, but it may still be blank.
        if (indent === 4 && phase === 'run') leave();
      } else if (phase === 'run' && c === character) run++;
      else if (phase === 'run' && run < 3) {
        leave();
        return i;
      } else if (phase !== 'other') {
        phase = 'info';
        if (!isEmpty) infoBlank = false;
        if (c === backtick) infoTick = true;
      } else return i;
    }
    return text.length;
  }

  /** Looks at what was told last; at the end of a text nobody asks for it. */
  function catchUp(): void {
    const text = waiting;
    waiting = '';
    // Asked once: what has no fence in it is not read line by line.
    let isPlain: boolean | undefined;
    for (let at = 0; at < text.length; ) {
      if (phase !== 'other') at = readLine(text, at);
      else {
        isPlain ??= !text.includes('```', at) && !text.includes('~~~', at);
        const end = isPlain ? text.lastIndexOf('\n') : text.indexOf('\n', at);
        if (end < at) return;
        at = end + 1;
        startLine();
      }
    }
  }

  return {
    feed(text) {
      catchUp();
      // A byte order mark is no part of the first line.
      waiting = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
      isFirst = false;
    },
    breakLine() {
      catchUp();
      leave();
      blank = false;
    },
    inFence() {
      catchUp();
      return fence !== 0;
    },
    atLineStart() {
      catchUp();
      return blank;
    },
  };
}
