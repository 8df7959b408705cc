/** What a run would do if it went on otherwise: the shape that the engine makes and people are shown. */
import type { Usage } from '../machine/index.ts';
import type { KeyPart } from './key.ts';

/** Steps go by their names in the run: `polish[2]/review`. What runs for sure does so unless something before it fails. */
export interface Preview {
  /** Their results stay, whatever the others give. */
  readonly kept: readonly string[];
  /** Kept under another name. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Run for sure, and have run. Without parts: it had failed, or was denied. `files`: those of its worktree are others. */
  readonly again: readonly { readonly step: string; readonly parts: readonly (KeyPart | 'files')[] }[];
  /** Run or not: that depends on what these give. */
  readonly may: readonly { readonly step: string; readonly because: readonly string[] }[];
  /** Run for the first time, as the plan has changed. */
  readonly fresh: readonly string[];
  /** Would have come anyway: never reached before, or begun and not ended. `held`: only where people insist. */
  readonly then: readonly { readonly step: string; readonly begun: boolean; readonly held?: true }[];
  /** Loops that may go on further than the rounds that are named: from this one to that. */
  readonly rounds: readonly { readonly loop: string; readonly from: number; readonly most: number }[];
  /** Steps with results whose node is gone, or that are not reached any more. */
  readonly removed: readonly string[];
  /** Approvals that were denied and stay so, of which the run fails. */
  readonly denied: readonly string[];
  /** What the results that certainly stay have cost. */
  readonly saved: Usage;
}
