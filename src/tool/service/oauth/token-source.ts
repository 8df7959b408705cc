/** Where the transport of a service takes its token from: asked before each request, and when the server refuses one. */

export interface TokenSource {
  /** Undefined where nobody has logged in. */
  readonly token: () => Promise<string | undefined>;
  /** Afterwards the request is sent again, once. Throws a trouble where only a login can help. */
  readonly onUnauthorized: () => Promise<void>;
  /** What must never be told. */
  readonly secrets: () => readonly string[];
}
