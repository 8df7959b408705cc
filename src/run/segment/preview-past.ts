/** What a preview knows of earlier segments: what did not go well, what was begun and has not ended, what was edited since. */
import { type Definition, type EventBody, isFact, type JournalEvent } from '../../journal/index.ts';
import {
  diffPlans,
  type KeyPart,
  nodesOf,
  type Text,
  textsOf,
  type Value,
  type WorkflowNode,
  type WorkflowPlan,
} from '../../plan/index.ts';
import { identityOf } from './memo.ts';

export interface Planned {
  readonly plan: WorkflowPlan;
  readonly modules?: Readonly<Record<string, string>>;
}

export interface Edited {
  readonly parts: readonly KeyPart[];
  /** Whatever the values are: not only what stands in holes of texts. */
  readonly isSure: boolean;
}

export interface PreviewPast {
  /** What comes to the ears of who reads the journal. */
  readonly noting: (events: Iterable<JournalEvent>) => Generator<JournalEvent>;
  /** It did not go well, and was not begun since. */
  readonly hasFailed: (identity: string) => boolean;
  /** It was begun in the last segment, and did not come to its end. */
  readonly isBegun: (identity: string) => boolean;
  /** What was changed in the node since what stands there in the journal; undefined where nothing was. */
  readonly editedSince: (seq: number, path: string) => Edited | undefined;
}

const begins: ReadonlySet<EventBody['kind']> = new Set<EventBody['kind']>([
  'node.started',
  'child.started',
  'approval.requested',
]);

/** `before`: the plan of the last segment. */
export function createPreviewPast(
  before: Planned,
  after: Planned,
  planOf: (hash: string) => WorkflowPlan | undefined,
): PreviewPast {
  const failed = new Set<string>();
  const begun = new Set<string>();
  const segments: { readonly seq: number; readonly definition: Definition }[] = [];
  const edits = new Map<number, ReadonlyMap<string, Edited>>();

  function take({ seq, node, body }: JournalEvent): void {
    if (body.kind === 'run.started' || body.kind === 'segment.opened') {
      segments.push({ seq, definition: body });
      begun.clear();
    }
    if (node === undefined) return;
    const identity = identityOf(node);
    if (begins.has(body.kind)) {
      begun.add(identity);
      failed.delete(identity);
    } else if (isFact(body) && !isCancelled(body)) {
      begun.delete(identity);
      if (isBad(body)) failed.add(identity);
      else failed.delete(identity);
    }
  }

  /** Of the segment with that number. */
  function editsSince(nth: number): ReadonlyMap<string, Edited> {
    const known = edits.get(nth);
    if (known) return known;
    const isLast = nth === segments.length - 1;
    const { plan: hash = '', modules } = segments[nth]?.definition ?? {};
    const plan = isLast ? before.plan : planOf(hash);
    const found = plan ? editsOf(isLast ? before : { plan, ...(modules && { modules }) }, after) : new Map();
    edits.set(nth, found);
    return found;
  }

  return {
    *noting(events) {
      for (const event of events) {
        take(event);
        yield event;
      }
    },
    hasFailed: (identity) => failed.has(identity),
    isBegun: (identity) => begun.has(identity),
    editedSince: (at, path) => editsSince(segments.findLastIndex(({ seq }) => seq <= at)).get(path),
  };
}

function isCancelled(body: EventBody): boolean {
  if (body.kind === 'child.ended') return 'err' in body.outcome && body.outcome.err.code === 'cancelled';
  return body.kind === 'node.cancelled';
}

function isBad(body: EventBody): boolean {
  if (body.kind === 'child.ended') return 'err' in body.outcome;
  return body.kind === 'node.failed' || (body.kind === 'approval.decided' && !body.approved);
}

function editsOf(before: Planned, after: Planned): ReadonlyMap<string, Edited> {
  const hashes = { before: mapOf(before.modules), after: mapOf(after.modules) };
  const { changed } = diffPlans(before.plan, after.plan, hashes);
  if (changed.length === 0) return new Map();
  const old = new Map(Array.from(nodesOf(before.plan), ({ path, node }) => [path, node]));
  const now = new Map(Array.from(nodesOf(after.plan), ({ path, node }) => [path, node]));
  return new Map(
    changed.map(({ path, parts }) => {
      const isSure = parts.some((part) => !textual.has(part)) || written(old.get(path)) !== written(now.get(path));
      return [path, { parts, isSure }];
    }),
  );
}

/** Made of texts with holes: what counts is what they come to. */
const textual: ReadonlySet<KeyPart> = new Set<KeyPart>(['prompt', 'request', 'fields', 'values']);

/** The texts of a node without what stands in their holes. */
function written(node: WorkflowNode | undefined): string {
  if (node?.kind === 'step' && node.action.kind === 'prompt') {
    const { prompt, with: given } = node.action;
    return JSON.stringify([around(prompt), given ? aroundAll(given) : null]);
  }
  if (node?.kind === 'approval') return JSON.stringify([node.request.title, node.request.summary].map(around));
  if (node?.kind !== 'plugin') return '';
  return aroundAll(node.fields);
}

function aroundAll(value: Value): string {
  const texts = new Set(textsOf(value));
  return JSON.stringify(value, (_, each) => (texts.has(each) ? around(each) : each));
}

function around(text: Text | undefined): string {
  return (text?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '\0')).join('');
}

function mapOf(modules: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(modules));
}
