/** Answers of people that nobody has taken up: they count, whatever becomes of the run before somebody drives it again. */
import type { EventDraft, InboxItem, RunRow, Store } from '../../journal/index.ts';
import { type Answer, answerOf } from '../mail.ts';
import { factEvent } from '../record.ts';

/** What stands in the inbox and answers what is asked, as the journal will tell it; the first answer counts. */
export function answersFor(
  store: Store,
  row: RunRow,
  at: number,
): { readonly id: number; readonly event: EventDraft }[] {
  const open = new Map((row.waiting ?? []).map((each) => [each.node, each]));
  const found: (InboxItem & { readonly message: Answer })[] = [];
  for (const item of store.inbox(row.id)) {
    const { message } = item;
    if (!('hash' in message) || open.get(message.node)?.hash !== message.hash) continue;
    open.delete(message.node);
    found.push({ ...item, message });
  }
  if (found.length === 0) return [];
  const runs = askersIn(store, row);
  return found.map(({ id, message, by, at: since }) => {
    const { node } = message;
    const kind = message.kind === 'answer' ? 'limit' : 'approval';
    const value = answerOf(message, by, since, (each) => each);
    const body = factEvent({ op: 'signal', id: node, kind, request: null }, { ok: value }, undefined);
    return { id, event: { at, run: runs.get(node) ?? row.id, node, body } };
  });
}

/** The run that asked, by what was asked: sub-workflows have runs of their own. */
function askersIn(store: Store, { id, segment }: RunRow): ReadonlyMap<string, string> {
  const runs = new Map<string, string>();
  for (const { node, run, body } of store.events(id, segment)) {
    if (node !== undefined && (body.kind === 'approval.requested' || body.kind === 'limit.reached'))
      runs.set(node, run);
  }
  return runs;
}
