/** The engine: it drives runs, keeps who drives them, and does their steps in hosts. */
export type { DriveEnd, DriveMessage } from './drive.ts';
export { type DriveWish, type Engine, type EngineOptions, type EngineSettings, openEngine } from './engine.ts';
export type { Program, StepFunction } from './function-steps.ts';
export { createModuleHost, type ModuleHost, type ModuleHostOptions } from './host.ts';
export { jsonProblem } from './json-problem.ts';
export { identityOf, pathOf } from './memo.ts';
export { fileHash } from './module-files.ts';
export { type ModuleHashes, moduleHashes, modulesNow } from './module-hashes.ts';
export type { Preview } from './preview.ts';
export type { CreatedRun, NewRun, Refusal, RunEnd, StoredRun } from './runs.ts';
export { type PlanScripts, scriptBeside, scriptsOf } from './scripts.ts';
export type { Change, Fork, Moved, Opened, ShownChange, StepAt } from './segment.ts';
export { runTsc, type TscRequest, type TscResult, tscRoot } from './tsc.ts';
