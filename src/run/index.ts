/** The engine: it drives runs, keeps who drives them, and does their steps in hosts. */

export { type AgentModels, createAgentModels, modelRefs } from './agent-models.ts';
export { asksProgram, asksProvider } from './agent-type.ts';
export type { DriveEnd, DriveMessage } from './drive.ts';
export {
  type DriveWish,
  type Engine,
  type EngineOptions,
  type EngineSettings,
  openEngine,
  type Recorded,
} from './engine.ts';
export { fileHash } from './file-hash.ts';
export type { Program, StepFunction } from './function-steps.ts';
export { jsonProblem } from './host/json-problem.ts';
export { createModuleHost, type ModuleHost, type ModuleHostOptions } from './host/module-host.ts';
export { type LookAheadOptions, lookAtOffer, lookAtRecall, type Offered } from './look-ahead.ts';
export { type Memory, mostFound, openMemory, type Remembered, type Thread, type Turn } from './memory/memory.ts';
export { type ModuleHashes, moduleHashes, modulesNow } from './module-hashes.ts';
export type { RunService } from './run-tools.ts';
export type { CreatedRun, NewRun, Refusal, RunEnd, StoredRun } from './runs.ts';
export { type PlacedAgent, type PlanScripts, recordBeside, scriptBeside, scriptsOf } from './scripts.ts';
export { identityOf, pathOf } from './segment/memo.ts';
export type { Preview } from './segment/preview.ts';
export type { Change, Fork, Moved, Opened, ShownChange, StepAt } from './segment/segment.ts';
export type { Retold, StandIn } from './stand-in.ts';
export { type ThunkPlanOptions, thunkPlan } from './thunk-plan.ts';
export { runTsc, type TscRequest, type TscResult, tscRoot } from './tsc.ts';
