/** Sub-workflows: machines of their own, inside of this one. */
import { type ChildCommand, type Json, keyed, workAt } from '../../machine/index.ts';
import { validate } from '../../type/index.ts';
import { hashOf } from '../hash.ts';
import { keyOf } from '../key.ts';
import type { CallNode, WorkflowPlan } from '../node.ts';
import { nodeError, placed, throwError } from './errors.ts';
import { misfit } from './misfit.ts';
import { fillIn } from './scope.ts';
import type { Kind, Work } from './work.ts';
import { placeOf } from './work-place.ts';

export const callKind: Kind<CallNode> = {
  begin: (frame, _, work) => work.queue(frame),
  admit: (frame, node, work) => {
    const plan = calledPlan(node, work);
    const name = work.nameOf(frame);
    const types = new Map(Object.entries(plan.types));
    const read = validate(fillIn(node.input, 'input', frame, work), plan.input, types);
    if (!read.ok) {
      const message = `the workflow "${node.use}" cannot take this input: ${misfit(read.errors, plan.input, types)}`;
      throwError(nodeError(name, node, 'input', message));
    }
    const input = read.value as Json;
    const path = work.planPath === '' ? node.use : `${work.planPath}/${node.use}`;
    const ref = { kind: 'workflow', plan: path };
    const command = keyed<ChildCommand>({ op: 'child', id: name, ref, input, run: { name: plan.name } }, () =>
      keyOf({ fields: hashOfPlan(plan), input }),
    );
    if (frame.spot.limited) command.limited = true;
    workAt(command, placeOf(frame, work));
    work.open(frame, command);
  },
  fact: (frame, node, fact, _, work) => {
    if ('err' in fact) work.fail(frame, placed(fact.err, work.nameOf(frame), node));
    else work.settle(frame, 'ok' in fact ? fact.ok : undefined);
  },
};

function calledPlan({ use }: CallNode, { plan }: Work): WorkflowPlan {
  const called = plan.workflows[use];
  if (called === undefined) throw new Error(`the plan "${plan.name}" has no workflow "${use}"`);
  return called;
}

const hashes = new WeakMap<WorkflowPlan, string>();

/** Of what it says, not of where that is written. */
export function hashOfPlan(plan: WorkflowPlan): string {
  let hash = hashes.get(plan);
  if (hash === undefined) {
    hash = hashOf(JSON.parse(JSON.stringify(plan, withoutPlaces)));
    hashes.set(plan, hash);
  }
  return hash;
}

/** Users' keys may be called `at` too, so it counts what holds it. */
function withoutPlaces(this: unknown, key: string, value: unknown): unknown {
  if (isPlace(value)) return undefined;
  return key === 'at' && isRead(this) && (Array.isArray(value) || typeof value === 'string') ? undefined : value;
}

/** A text, a condition or code. */
function isRead(holder: unknown): boolean {
  return typeof holder === 'object' && holder !== null && 'reads' in holder && Array.isArray(holder.reads);
}

function isPlace(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'file' in value && 'line' in value && 'column' in value && Object.keys(value).length === 3;
}
