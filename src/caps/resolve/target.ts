/** What a reference comes to: one exact, immutable target, and the files that it is made of. Plain data. */

import type { Code } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';

/** What may be looked for: the kinds of caps, and agents. */
export type RemoteKind = CapKind | 'agent';

export interface Target {
  /** In full: `github://owner/repo/path/name.md@<commit>`, or the address of a single file. */
  readonly ref: string;
  /** The address of the repository, or of the file. */
  readonly url: string;
  /** Of a repository: all 40 digits (64 with SHA-256), in small letters. */
  readonly commit?: string;
  /** Of a repository: the file, or the directory of a skill; empty where the skill is the repository itself. */
  readonly path?: string;
  /** Of a plain address: of its content. */
  readonly sha256?: string;
}

export interface RemoteFile {
  /** Relative to the target, with `/`; of a single file, its base name. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** One reference to be resolved. `key` is the caller's own, each once. */
export interface Wanted {
  readonly key: string;
  readonly kind: RemoteKind;
  /** As it is written. */
  readonly ref: string;
  /** By the key of a `config.toml`, which gives a name of its own. */
  readonly isWired?: boolean;
  /** What it came to before: only this target is taken, and nothing is looked up. */
  readonly locked?: Target;
}

export interface RemoteProblem {
  readonly code: Code;
  readonly message: string;
  readonly help?: string;
}

export type Resolved =
  | { readonly ok: true; readonly target: Target; readonly files: readonly RemoteFile[] }
  | { readonly ok: false; readonly problem: RemoteProblem };

export interface ResolveOptions {
  /** Where fetched repositories and files are kept (`cache/` of the root). */
  readonly cache: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Nothing may be asked of the network: what is not in the cache is a problem. */
  readonly offline?: boolean | undefined;
  /** Told of what takes its time, in words for people: `asking github.com/acme/skills`, `fetching …`. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Ends all that is under way; `resolveAll` then throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** For plain addresses; the platform's own otherwise. */
  readonly fetch?: typeof fetch;
  /** How long one git command may take over the network; five minutes otherwise. */
  readonly limitMs?: number;
}
