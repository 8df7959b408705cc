/** Types of both languages: what they are, what fits them, and how values are read into them. */
export * from './assignable.ts';
export {
  type EffectSchemaApi,
  effectFromType,
  isEffectSchema,
  isOldEffectSchema,
  typeFromEffect,
} from './effect-schema.ts';
export { type FromSchemaOptions, type SchemaType, typeFromJsonSchema } from './from-json-schema.ts';
export { type JsonSchema, type ProviderSchema, toJsonSchema, unwrap, wrapForProvider } from './json-schema.ts';
export {
  type FilePart,
  isMessage,
  isRecord,
  type MessageObject,
  type MessagePart,
  type MessageRole,
  type MessageValue,
  messageRoles,
  messageText,
  type TextPart,
} from './message.ts';
export * from './print.ts';
export type { ReadError, ReadResult } from './read-error.ts';
export * from './read-json.ts';
export * from './read-text.ts';
export * from './sample.ts';
export { isStandardSchema, type SchemaConverter, type StandardSchema, typeFromStandard } from './standard-schema.ts';
export * from './type.ts';
export * from './type-words.ts';
export { type Conformed, type ConformOptions, conform, type ValidateResult, validate } from './validate.ts';
