/** What one sync is about: the root, and one home with agents of it. */
import type { HomePlaces, RootPlaces } from '../../config/index.ts';

/** A `.too` file, and the name that its agent goes by in this home. */
export interface AgentSource {
  readonly name: string;
  readonly file: string;
}

export interface SyncRequest {
  readonly root: RootPlaces;
  /** Missing where only the root is synced. */
  readonly home?: HomePlaces;
  readonly agents: readonly AgentSource[];
}
