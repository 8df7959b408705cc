/** Models: what they are to the rest, those of providers, and the one that plays a script. */

export * from './catalog/index.ts';
export { type CheckedScript, checkScript } from './check-script.ts';
export * from './choose/index.ts';
export * from './model.ts';
export * from './open-model.ts';
export { createPreferredModel } from './preferred-model.ts';
export * from './price.ts';
export { duration, flag, jsonText, path, text } from './read-reply.ts';
export { overlapping, readReplyList, readScript, type ScriptFile, type ScriptRead } from './read-script.ts';
export * from './record/index.ts';
export type * from './resolved.ts';
export type { Reply, ReplyAnswer, Script } from './script.ts';
export { describe, type Keys, lineOf, readKeys, type ScriptReader, wrongKind } from './script-keys.ts';
export { scriptProblem } from './script-problem.ts';
export { createScriptedModel, type ScriptedOptions, scriptedRef, statusError, type TextRead } from './scripted.ts';
export { fitsStrict } from './strict-schema.ts';
export * from './take-reply.ts';
export { wireNamesOf } from './wire-name.ts';
