/** Keys from the bytes of a terminal, with the time that tells the key Escape from what begins with it. */
import { createKeyDecoder, type Key } from './key.ts';

export interface Typing {
  readonly bytes: (chunk: Uint8Array) => void;
  readonly close: () => void;
}

/** After so long an escape began nothing. Over a network the rest of a key comes a little later. */
const escapeMs = 60;
/** What comes so soon was typed before the terminal told every key. */
const earlyMs = 200;

export function createTyping(press: (keys: readonly Key[]) => void): Typing {
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;
  const openedAt = performance.now();
  return {
    bytes(chunk) {
      clearTimeout(timer);
      // A line that was typed before ends with another character than Enter has now.
      const isEarly = performance.now() - openedAt < earlyMs;
      press(decoder.feed(isEarly ? chunk.map((byte) => (byte === 0x0a ? 0x0d : byte)) : chunk));
      if (decoder.isPending()) timer = setTimeout(() => press(decoder.flush()), escapeMs);
    },
    close: () => clearTimeout(timer),
  };
}
