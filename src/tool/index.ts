/** Built-in tools, and the services that are tools of others. */
export { type Bounded, boundedText, createBounded, leftOutMark, mostText } from './bounded-text.ts';
export { childEnv, isCommonVariable } from './child-env.ts';
export * from './names.ts';
export { programOf } from './service/child-transport.ts';
export {
  type HttpDefinition,
  type ServiceDefinition,
  type ServiceLimits,
  type StdioDefinition,
  serviceLimits,
} from './service/definition.ts';
export { addressOf, hasAuthorization } from './service/http-transport.ts';
export { listLogins, readLogin, removeLogins } from './service/oauth/credentials.ts';
export { type LoginOptions, logIn } from './service/oauth/login.ts';
export { missingVariables } from './service/secrets.ts';
export {
  openServices,
  type ServiceOptions,
  type ServiceStatus,
  type Services,
  type ServiceTools,
} from './service/services.ts';
export { isTrouble, type ServiceTrouble } from './service/trouble.ts';
export * from './tool.ts';
