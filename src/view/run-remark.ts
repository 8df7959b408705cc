/** What a thunk did beside its calls that people want to know: to whom it handed over, what it remembered, what it goes without. */
import type { EventBody } from '../journal/index.ts';
import { oneLine } from './shorten.ts';

export type RunRemark =
  | { readonly kind: 'handoff'; readonly from: string; readonly to: string }
  | { readonly kind: 'memory'; readonly id: number; readonly text: string }
  | { readonly kind: 'left'; readonly service: string; readonly reason: string };

export type RemarkBody = Extract<EventBody, { kind: 'handoff' | 'memory.saved' | 'service.left' }>;

/** With what is new; what was begun again after a crash is told once. */
export function takeRemark(known: RunRemark[] | undefined, body: RemarkBody): RunRemark[] {
  const remarks = known ?? [];
  const remark = remarkOf(body);
  const last = remarks.at(-1);
  if (last === undefined || JSON.stringify(last) !== JSON.stringify(remark)) remarks.push(remark);
  return remarks;
}

function remarkOf(body: RemarkBody): RunRemark {
  switch (body.kind) {
    case 'handoff':
      return { kind: 'handoff', from: body.from, to: body.to };
    case 'memory.saved':
      return { kind: 'memory', id: body.id, text: body.text };
    case 'service.left':
      return { kind: 'left', service: body.service, reason: body.reason };
  }
}

/** `handed over to billing`, `remembered: invoices go to ann`, `goes on, though the service "crm" cannot be used: …`. */
export function remarkWords(remark: RunRemark): string {
  switch (remark.kind) {
    case 'handoff':
      return `handed over to ${remark.to}`;
    case 'memory':
      return `remembered: ${oneLine(remark.text)}`;
    case 'left':
      return `goes on, though ${oneLine(remark.reason)}`;
  }
}
