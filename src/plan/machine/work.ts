/** Between the machine and the kinds of nodes: what a kind does, and what it may ask the machine to do. */
import type { CancelCommand, Command, Fact, Json, MachineInit, ProceedCommand, RunError } from '../../machine/index.ts';
import type { StructType } from '../../type/index.ts';
import type { WorkflowNode, WorkflowPlan } from '../node.ts';
import type { Frame } from './frame.ts';
import type { Layout } from './spot.ts';

/** How a kind of node runs. What these throw with `throwError` fails the node. */
export interface Kind<N extends WorkflowNode = WorkflowNode> {
  /** It was its turn, and all that it waits for has settled. */
  readonly begin: (frame: Frame, node: N, work: Work) => void;
  /** It asked for a slot, and has it: it opens a step or a child. */
  readonly admit?: (frame: Frame, node: N, work: Work) => void;
  /** One of those that it holds has settled. */
  readonly childSettled?: (frame: Frame, node: N, child: Frame, work: Work) => void;
  /** A command that it opened has its fact. */
  readonly fact?: (frame: Frame, node: N, fact: Fact, command: OpenCommand, work: Work) => void;
}

/** A command that gets a fact. */
export type OpenCommand = Exclude<Command, CancelCommand | ProceedCommand>;

export interface Work {
  readonly plan: WorkflowPlan;
  /** How the plan is reached from that of the root. */
  readonly planPath: string;
  /** Hashes of the modules of handlers, by their names, where they are known. */
  readonly modules: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, StructType>;
  readonly layout: Layout;
  /** By the numbers of their spots. */
  readonly frames: readonly Frame[];
  readonly init: MachineInit;
  /** It has failed or was cancelled: nothing starts any more. */
  readonly isStopped: () => boolean;
  /** The name of a node in this run, without an attempt. */
  readonly nameOf: (frame: Frame) => string;
  /** It is the turn of a child, or of the next in a list. */
  readonly start: (frame: Frame) => void;
  /** Another iteration: what it holds has not begun yet. */
  readonly renew: (frame: Frame) => void;
  /** Asks for a slot; `admit` follows. */
  readonly queue: (frame: Frame) => void;
  readonly open: (frame: Frame, command: OpenCommand) => void;
  /** It is done; undefined: without a value. */
  readonly settle: (frame: Frame, value: Json | undefined) => void;
  /** These will not begin: who waits for them need not wait any more. */
  readonly leaveOut: (frames: readonly Frame[]) => void;
  readonly fail: (frame: Frame, error: RunError) => void;
}

export function frameOf({ number }: { readonly number: number }, { frames }: Work): Frame {
  return frames[number] as Frame;
}
