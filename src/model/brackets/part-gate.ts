/**
 * Which of the parts that are not ours still count. Behind a made-up result nothing new does, behind an error no new call;
 * what goes on with something that was told before always does, so that nothing stays open.
 */
import type { ForeignPart } from './sdk.ts';

export interface PartGate {
  /** Whether the part counts; if so, it is taken as told. */
  readonly lets: (part: ForeignPart, after: { readonly cut: boolean; readonly error: boolean }) => boolean;
}

export function createPartGate(): PartGate {
  /** What was begun, by its kind and id; the calls, by their ids. */
  const begun = new Set<string>();
  const calls = new Set<string>();

  return {
    lets(part, after) {
      if (!counts(part, after)) return false;
      const { type, id, toolCallId } = part;
      if (type.endsWith(start)) begun.add(`${type.slice(0, -start.length)} ${id}`);
      else if (type === 'tool-call' && toolCallId !== undefined) calls.add(toolCallId);
      return true;
    },
  };

  function counts(part: ForeignPart, after: { readonly cut: boolean; readonly error: boolean }): boolean {
    if (!after.cut && !after.error) return true;
    const [, kind] = goingOn.exec(part.type) ?? [];
    if (kind !== undefined) return begun.has(`${kind} ${part.id}`);
    const isCall = part.type === 'tool-call' || part.type === 'tool-input-start';
    if (!after.cut) return !isCall || part.providerExecuted === true;
    return !isCall && part.toolCallId !== undefined && calls.has(part.toolCallId);
  }
}

const start = '-start';
const goingOn = /^(.+)-(?:delta|end)$/;
