/** What a thunk did beside its calls that people want to know: to whom it handed over, what it remembered. */
import type { EventBody } from '../journal/index.ts';
import { oneLine } from './shorten.ts';

export type RunRemark =
  | { readonly kind: 'handoff'; readonly from: string; readonly to: string }
  | { readonly kind: 'memory'; readonly id: number; readonly text: string };

/** With what is new; what was begun again after a crash is told once. */
export function takeRemark(
  known: RunRemark[] | undefined,
  body: Extract<EventBody, { kind: 'handoff' | 'memory.saved' }>,
): RunRemark[] {
  const remarks = known ?? [];
  const remark: RunRemark =
    body.kind === 'handoff'
      ? { kind: 'handoff', from: body.from, to: body.to }
      : { kind: 'memory', id: body.id, text: body.text };
  const last = remarks.at(-1);
  if (last === undefined || JSON.stringify(last) !== JSON.stringify(remark)) remarks.push(remark);
  return remarks;
}

/** `handed over to billing`, `remembered: invoices go to ann`. */
export function remarkWords(remark: RunRemark): string {
  return remark.kind === 'handoff' ? `handed over to ${remark.to}` : `remembered: ${oneLine(remark.text)}`;
}
