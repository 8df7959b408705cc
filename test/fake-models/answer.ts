/** What a fake service is to answer, in words that are none of its own: it says the same in its own format. */

export type FakeAnswer = Said | Failed;

export interface Said {
  /** What it thinks first. */
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly SaidCall[];
  readonly usage?: SaidUsage;
  /** `calls` where there are calls, else `stop`. `none`: the answer ends without saying why. */
  readonly finish?: 'stop' | 'calls' | 'length' | 'filter' | 'none';
  /** How many characters a delta has; all of a text where it is not said. */
  readonly chunk?: number;
  /** How many bytes are written to the connection at a time: characters are cut apart. All at once where it is not said. */
  readonly bytes?: number;
  /** What goes wrong in the middle of the stream. */
  readonly breaks?: Break;
  /** The headers are sent when this is there. */
  readonly wait?: Promise<void>;
}

export interface SaidCall {
  /** As the service was told its name. */
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** In place of `args`: the text of the arguments, whatever it is. Google sends none but objects. */
  readonly raw?: string;
  /** Made by the service where it is not said. */
  readonly id?: string;
}

/** All tokens of the input, and all of the output; the others are parts of them. */
export interface SaidUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/**
 * `cut`: the connection breaks. `stall`: nothing more comes, and the connection stays. `error`: the service says that it
 * failed. `garbage`: an event that is no JSON. `end`: the stream ends in good order, the answer does not.
 */
export interface Break {
  /** How many events came before. */
  readonly after: number;
  readonly by: 'cut' | 'stall' | 'error' | 'garbage' | 'end';
}

/** What a service answers in place of an answer. */
export const failures = [
  'context',
  'auth',
  'forbidden',
  'model',
  'large',
  'rate',
  'quota',
  'server',
  'unavailable',
  'overloaded',
  'html',
  'drop',
] as const;

export type Failure = (typeof failures)[number];

export interface Failed {
  /**
   * `context`: the messages are too long. `auth`, `forbidden`: the key is not taken, or may not do this. `model`: there is
   * no such model. `large`: 413. `rate`, `quota`: 429, for a while or until somebody pays. `server`, `unavailable`,
   * `overloaded`: 500, 503, 529 or what the service has in its place. `html`: a page of some proxy, 502. `drop`: the
   * connection is closed without a word.
   */
  readonly fails: Failure;
  /** In seconds; where the service has a way to say it. */
  readonly retryAfter?: number;
  /** Put behind what the service says: a key that must not be shown, say. */
  readonly note?: string;
  readonly wait?: Promise<void>;
}

export const saidUsage: SaidUsage = { input: 100, output: 20 };

/** In pieces of `size` characters, never half a one. */
export function pieces(text: string, size: number | undefined): string[] {
  const characters = [...text];
  const found: string[] = [];
  const step = Math.max(1, size ?? characters.length);
  for (let at = 0; at < characters.length; at += step) found.push(characters.slice(at, at + step).join(''));
  return found;
}

export function argsText(call: SaidCall): string {
  return call.raw ?? JSON.stringify(call.args ?? {});
}

export function finishOf(said: Said): NonNullable<Said['finish']> {
  return said.finish ?? (said.calls?.length ? 'calls' : 'stop');
}
