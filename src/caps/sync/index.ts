/** Sync: what is written down, brought into sync roots, locked and ready to run. */
export { type Brought, type BroughtFile, broughtBy } from './brings.ts';
export type { Change } from './change.ts';
export { remoteContent } from './content.ts';
export { type Compile, type Compiled, type Gathered, gatherAgent, gatherScope } from './gather.ts';
export { filesAs, type Lock, type Locked, lockKey, readLock, renderLock } from './lock.ts';
export { type Late, type Peeked, peekState } from './peek.ts';
export * from './read-synced.ts';
export type { AgentSource, SyncRequest } from './request.ts';
export { readState, type SyncState, staleness } from './state.ts';
export { type SyncOptions, type SyncReport, sync } from './sync.ts';
export { type CapFacts, factsOf, placeOf, type SyncedCap } from './synced.ts';
export { placeTree, sha256, type Tree } from './tree.ts';
