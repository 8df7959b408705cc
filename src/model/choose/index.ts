/** Which model a name means, who serves it, and whether it can be used now. */
export type { Candidate, Choice } from './choose.ts';
export {
  type ListedModel,
  type ListedProvider,
  type ListOptions,
  listedModel,
  type ModelList,
  type ModelStatus,
} from './list.ts';
export type { LocalPorts } from './local-address.ts';
export type { FoundModel } from './lookup.ts';
export { modelNameProblem } from './model-name.ts';
export * from './models.ts';
export { isPassing, type ModelProblem, type ModelProblemKind } from './problem.ts';
export { compatible, type Provider, providerNamed, providerNames, providers } from './providers.ts';
export * from './selector.ts';
export { type Unpriced, unpriced } from './unpriced.ts';
