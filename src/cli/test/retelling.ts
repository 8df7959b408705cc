/** What the models of a run said, told anew by the commands that asked them. */
import type { Json } from '../../plan/index.ts';
import type { Retold } from '../../run/index.ts';
import type { FoundRun } from '../runs/stores.ts';
import type { Retelling } from './run-case.ts';

/** By commands: `polish[2]/review#1/model#2`. What was kept from an earlier segment counts as said. */
export function retellingOf({ engine, root }: FoundRun): Omit<Retelling, 'recorded'> {
  const said = new Map<string, Retold>();
  const refs = new Map<string, string>();
  for (const { node, body } of engine.store.events(root)) {
    if (node === undefined) continue;
    if (body.kind === 'model.asked') refs.set(node, body.ref);
    const ref = refs.get(node);
    const by = ref !== undefined && { ref };
    if (body.kind === 'model.answered') {
      said.set(node, { ...by, result: { outcome: { ok: body.message as Json }, usage: body.usage } });
    } else if (body.kind === 'model.failed') {
      said.set(node, { ...by, result: { outcome: { err: body.error }, ...(body.usage && { usage: body.usage }) } });
    }
  }
  return {
    before: engine.read(root).plan,
    answer(command) {
      const known = said.get(command.id);
      if (known) return known;
      const message = `the run asked nothing at ${command.id}: its file was changed since, or it does not do the same each time`;
      return { result: { outcome: { err: { code: 'replay', message, retryable: false } } } };
    },
  };
}
