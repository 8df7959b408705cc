/** Drafts of builder programs as plain JSON, to go from one process to another. All marks of a draft are in one source. */
import { createSource, type Source } from '../text/index.ts';
import type { DraftWorkflow } from './draft.ts';

export interface DraftJson {
  readonly source: { readonly name: string; readonly text: string };
  /** Without its sources and places. */
  readonly draft: unknown;
}

export function draftToJson(draft: DraftWorkflow): DraftJson {
  const { name, text } = draft.source;
  const left = new Set(['source', 'place']);
  const plain = JSON.stringify(draft, (key, value) => (left.has(key) && isLost(value) ? undefined : value));
  return { source: { name, text }, draft: JSON.parse(plain) };

  // Fields of users may have these names too; their values are neither.
  function isLost(value: unknown): boolean {
    return value === draft.source || typeof value === 'function';
  }
}

export function draftFromJson({ source: { name, text }, draft }: DraftJson): DraftWorkflow {
  const source = createSource(name, text);
  return { ...(revive(draft, source) as DraftWorkflow), source };
}

/** Gives every mark its source again; each text of a builder program stands in it as it is. */
function revive(value: unknown, source: Source): unknown {
  if (Array.isArray(value)) return value.map((each) => revive(each, source));
  if (typeof value !== 'object' || value === null) return value;
  // The plan of a built workflow has no marks, and what users put into it may look like one.
  const record = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'plan' ? each : revive(each, source)]),
  );
  const { span } = record;
  if (!isSpan(span)) return record;
  return {
    ...record,
    source,
    ...(typeof record.text === 'string' && { place: (offset: number) => span.start + offset }),
  };
}

function isSpan(value: unknown): value is { readonly start: number } {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value;
}
