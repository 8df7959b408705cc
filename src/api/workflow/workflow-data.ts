/** What workflow objects are made from: builder programs, or files. */
import type { Json, Planned } from '../../plan/index.ts';
import type { StepFunction } from './node.ts';

export type WorkflowData = BuiltWorkflow | FileWorkflow;

export interface BuiltWorkflow {
  readonly kind: 'built';
  readonly name: string;
  /** The absolute path that others are relative to: that of the program, if it is known. */
  readonly file: string;
  readonly check: () => Promise<Planned>;
  readonly functions: ReadonlyMap<string, StepFunction>;
}

export interface FileWorkflow {
  readonly kind: 'file';
  readonly name: string;
  readonly file: string;
  /** Its text. */
  readonly source: string;
}

/** What code and handlers need by name. Everything else is imported by the program itself. */
export interface Imports {
  readonly services?: readonly ServiceImport[];
  readonly plugins?: readonly PluginUse[];
}

export interface ServiceImport {
  readonly from: string;
  readonly use: string;
  readonly as?: string;
}

export interface PluginUse {
  readonly from: string;
  readonly use?: string;
  readonly config?: Json;
}

const workflows = new WeakMap<object, WorkflowData>();

export function keepWorkflow(value: object, data: WorkflowData): void {
  workflows.set(value, data);
}

export function workflowOf(value: unknown): WorkflowData | undefined {
  return typeof value === 'object' && value !== null ? workflows.get(value) : undefined;
}
