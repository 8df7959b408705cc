/**
 * The answer of a thunk on standard output while the model says it, for who sits at a terminal.
 * 1. Only words that can be nothing but the answer: a text, of the thunk that was asked and not of its hands, from a call that
 *    offers no tools. Where there are tools, calls may follow the words, and then those were on the way to an answer; which
 *    it is shows when the model has ended, so such an answer is printed when it is whole.
 * 2. Nothing stands there twice: what was said is compared with what the run gives.
 * 3. A terminal obeys nothing in it.
 */
import type { StepCommand } from '../../machine/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { printable } from '../../text/index.ts';
import { isRecord } from '../../type/index.ts';
import type { Output } from '../context.ts';

export interface Voice {
  readonly hear: (command: Pick<StepCommand, 'id' | 'args'>, text: string, run: string) => void;
  /** What is printed next stands in a line of its own. */
  readonly rest: () => void;
  /** The words of the last call, as far as they were printed. */
  readonly said: () => string | undefined;
}

export interface VoiceOptions {
  readonly plan: WorkflowPlan;
  readonly root: string;
  readonly stdout: Output;
  /** Before words are printed. */
  readonly begin: () => void;
}

/** Undefined where the answer is not said word by word. */
export function createVoice({ plan, root, stdout, begin }: VoiceOptions): Voice | undefined {
  if (!stdout.isTTY || plan.activation?.thunk === undefined || plan.result.kind !== 'text') return undefined;
  let call = '';
  let said: string | undefined;
  /** Half of a character, whose other half is still to come. */
  let half = '';
  let isMidLine = false;

  function rest(): void {
    if (isMidLine) stdout.write('\n');
    isMidLine = false;
  }

  return {
    hear({ id, args }, text, run) {
      if (run !== root || text === '' || !ownCall.test(id) || hasTools(args)) return;
      begin();
      if (id !== call) {
        rest();
        call = id;
        said = '';
        half = '';
      }
      said += text;
      const whole = half + text;
      half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? '';
      const shown = whole.slice(0, whole.length - half.length);
      stdout.write(shown.split('\n').map(printable).join('\n'));
      isMidLine = !shown.endsWith('\n');
    },
    rest,
    said: () => said,
  };
}

/** `chat#1/model#2`, and not that of a hand, which is further down. */
const ownCall = /^[^/]+\/model#\d+$/;

function hasTools(args: unknown): boolean {
  return isRecord(args) && Array.isArray(args.tools) && args.tools.length > 0;
}
