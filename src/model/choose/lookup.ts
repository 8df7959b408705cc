/** What names are looked up in, and what comes of it. */
import type { Settings } from '../../config/index.ts';
import type { Catalog } from '../catalog/index.ts';
import type { ResolvedModel } from '../resolved.ts';
import type { LocalServer } from './local.ts';
import type { ModelProblem } from './problem.ts';
import type { Env } from './providers.ts';

export type FoundModel =
  /** `notes`: what whoever uses it should know, in whole sentences. */
  | { readonly ok: true; readonly model: ResolvedModel; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: ModelProblem };

/** What the parts of this folder look names up in. */
export interface Lookup {
  readonly env: Env;
  readonly settings: Pick<Settings, 'models'>;
  readonly now: () => number;
  readonly catalog: (provider: string) => Promise<Catalog>;
  readonly local: () => Promise<readonly LocalServer[]>;
}
