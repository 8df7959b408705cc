/** The replies of a scripted model, as a file `NAME.script.toon` has them. Plain data; `read-script.ts` reads it. */

export interface Script {
  /** How messages name the file. */
  readonly name: string;
  readonly replies: readonly Reply[];
  /** The same, by what they are for, each list in document order. */
  readonly lists: ReadonlyMap<string, readonly Reply[]>;
}

export interface Reply {
  /** The id of a step, an agent, a thunk, or the id of a node: `fan/b`, `polish[2]/review`. */
  readonly for: string;
  /** Where it stands, as `file:line:column`. */
  readonly at: string;
  readonly answer: ReplyAnswer;
  /** Between two words. */
  readonly paceMs?: number;
  /** What is not said is estimated. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  /** In dollars. */
  readonly price?: number;
  /** The stream ends after what is written, though the answer has not ended. */
  readonly cut: boolean;
}

export type ReplyAnswer =
  | { readonly kind: 'text'; readonly text: string }
  /** A file, from the folder of the script. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'error'; readonly status: number }
  | { readonly kind: 'failure'; readonly message: string };

export function createScript(name: string, replies: readonly Reply[]): Script {
  const lists = new Map<string, Reply[]>();
  for (const reply of replies) {
    const list = lists.get(reply.for);
    if (list) list.push(reply);
    else lists.set(reply.for, [reply]);
  }
  return { name, replies, lists };
}
