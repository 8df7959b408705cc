/** Workflow files and builder programs to plans: read, checked, keyed, compared. */
export { type AgentType, agentTypes } from './agent-types.ts';
export * from './code/index.ts';
export { dependenciesOf } from './dependencies.ts';
export * from './diff.ts';
export * from './draft.ts';
export * from './draft-json.ts';
export { hashOf } from './hash.ts';
export * from './key.ts';
export * from './modules.ts';
export * from './node.ts';
export * from './plan.ts';
export { reservedAs } from './read/reserved.ts';
export { rebase } from './rebase.ts';
export { approvalType } from './results.ts';
export type { ThunkLookup } from './thunks.ts';
export { shortTypeText, typeText } from './type-text.ts';
export type { TypesCheck } from './typed.ts';
export * from './walk.ts';
