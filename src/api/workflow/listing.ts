/**
 * The source that stands for a builder program: every text of it on lines of its own, behind words that say whose it is.
 * Reports have a place in it, and the words lead back to the step.
 */

import type { DraftText, Mark, Word } from '../../plan/index.ts';
import { createSource, type Source } from '../../text/index.ts';

export interface Listing {
  readonly source: Source;
  readonly word: (label: string, text: string) => Word;
  readonly text: (label: string, text: string) => DraftText;
  /** Whose text stands at an offset. */
  readonly labelAt: (offset: number) => string;
}

const listings = new WeakSet<Source>();

/** Whether a source stands for a program. */
export function isListing(source: Source): boolean {
  return listings.has(source);
}

export function createListing(name: string): Listing {
  const lines: string[] = [];
  const labels: { readonly start: number; readonly label: string }[] = [];
  let length = 0;
  let whole: Source | undefined;
  // Marks hold the source before it is complete; nobody reads its text before that.
  const complete = () => {
    whole ??= createSource(name, lines.join(''));
    return whole;
  };
  const source: Source = {
    name,
    get text() {
      return complete().text;
    },
    get lineStarts() {
      return complete().lineStarts;
    },
  };

  listings.add(source);

  function add(label: string, text: string): Mark {
    const start = length + label.length + 2;
    labels.push({ start: length, label });
    lines.push(`${label}: ${text}\n`);
    length = start + text.length + 1;
    return { source, span: { start, end: start + text.length } };
  }

  return {
    source,
    word: (label, text) => ({ ...add(label, text), text }),
    text(label, text) {
      const at = add(label, text);
      return { ...at, text, place: (offset) => at.span.start + offset };
    },
    labelAt(offset) {
      let low = 0;
      for (let high = labels.length; low < high; ) {
        const middle = (low + high) >>> 1;
        if ((labels[middle]?.start ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      return labels[low - 1]?.label ?? '';
    },
  };
}
