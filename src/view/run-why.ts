/**
 * Why each step of a run is as it is: why it ran again, why its result was kept, what it waits for and who can end that, why
 * it was left out or not reached. A fold over the journal; each step is compared with the segment of its result.
 */
import type { JournalEvent, RunRow, SegmentWhy } from '../journal/index.ts';
import { createInTree } from './run-change.ts';
import { decisionText } from './run-line.ts';
import { answerCommands } from './run-questions.ts';
import type { RunTree } from './run-tree.ts';
import { hasPast, isOpenStatus, planNodes, type TreeNode, treeNodes } from './tree-node.ts';
import { blockersOf } from './why-blocker.ts';
import { createWhyChanges, type WhyTexts } from './why-changes.ts';
import { createWhyNames } from './why-names.ts';
import type { WhyPart } from './why-part.ts';
import { type Counted, type EarlierNode, readWhyPast } from './why-past.ts';
import { changesText } from './why-words.ts';

export interface WhyOptions {
  readonly row: RunRow;
  readonly tree: RunTree;
  /** By the hashes that the frames of the journal have. */
  readonly texts: WhyTexts;
  readonly events: Iterable<JournalEvent>;
}

export type WhyVerdict =
  | ('again' | 'first' | 'kept' | 'cached' | 'waits' | 'runs')
  | ('skipped' | 'pending' | 'unreached' | 'interrupted');

export interface StepWhy {
  readonly name: string;
  /** It was called by a step, or stands in something that was. */
  readonly hand?: true;
  readonly verdict: WhyVerdict;
  readonly status: TreeNode['status'];
  /** In words, behind its name: `ran again: its prompt was changed`. */
  readonly text: string;
  /** What has changed, of what it depends on. */
  readonly parts: readonly WhyPart[];
  /** Commands that end the waiting: a verb, and what stands behind the id of the run. */
  readonly answers: readonly (readonly string[])[];
  /** Where it is written. */
  readonly at?: string;
}

export interface RunWhy {
  /** Why the last segment was opened. */
  readonly segment?: { readonly why: SegmentWhy; readonly at: number };
  readonly steps: readonly StepWhy[];
  /** What the run itself waits for, and no step of it: more to be spent. */
  readonly waiting: readonly RunWait[];
}

export interface RunWait {
  readonly title: string;
  readonly since: number;
  readonly answers: StepWhy['answers'];
}

/** A verdict, its words, and the parts that they are about. */
type Judged = readonly [WhyVerdict, string, (readonly WhyPart[])?];

export function runWhy({ row, tree, texts, events }: WhyOptions): RunWhy {
  const past = readWhyPast(events);
  const all = [...treeNodes(tree.nodes)];
  const planned = [...planNodes(tree.nodes)].filter(({ kind }) => kind !== 'round' && kind !== 'arm');
  const names = createWhyNames(planned);
  const changes = createWhyChanges(past, names, texts);
  const leaves = all.filter(({ kind }) => leafKinds.has(kind));
  const isPlanned = new Set(planned);
  const commands = answerCommands(tree.waiting);
  const asked = new Map<string, StepWhy['answers']>(
    tree.waiting.map(({ node }, i) => [past.read(node), commands[i] ?? []]),
  );
  const held = new Set(tree.held);
  for (const name of held) asked.set(name, [['resume', '--again']]);
  const known = new Set(leaves.map(({ name }) => name));
  const blockers = blockersOf(tree.nodes);
  const ended = endedText();
  const inTree = createInTree(changes.plan);
  const { now } = past;
  const why = now?.body.kind === 'segment.opened' ? now.body.why : undefined;
  return {
    ...(now && why && { segment: { why, at: now.at } }),
    steps: leaves.map(stepWhy),
    waiting: tree.waiting.flatMap(({ node, title, since }, i) =>
      known.has(past.read(node)) ? [] : [{ title, since, answers: commands[i] ?? [] }],
    ),
  };

  function stepWhy(node: TreeNode): StepWhy {
    const { name, status, at } = node;
    const [verdict, text, parts = []] = verdictOf(node);
    return {
      name,
      ...(!isPlanned.has(node) && { hand: true as const }),
      verdict,
      status,
      text,
      parts,
      answers: asked.get(name) ?? [],
      ...(at !== undefined && { at }),
    };
  }

  function verdictOf(node: TreeNode): Judged {
    if (held.has(node.name))
      return ['interrupted', 'was running each of the last times the process died, and is not begun again by itself'];
    // What was kept may have failed the run again: it was denied.
    if (now?.nodes.get(node.name)?.status === 'kept') return keptWhy(node);
    switch (node.status) {
      case 'skipped':
        return ['skipped', `was left out${node.why === undefined ? '' : `: ${node.why}`}`];
      case 'pending':
        return ['pending', pendingText(node)];
      case 'unreached':
        return ['unreached', ended];
      case 'interrupted':
        return [
          'interrupted',
          `was running when the run was left, and ${hasPast(node) ? 'will go on where it was' : 'is begun again when it goes on'}`,
        ];
      case 'waiting':
        return waitWhy(node);
      case 'running':
        return ranWhy(node, 'runs');
      case 'cancelled':
        return andThen(ranWhy(node, undefined), 'was cancelled');
      default:
        return node.kind === 'approval' && node.decision
          ? andThen(ranWhy(node, undefined), decisionText(node.decision))
          : ranWhy(node, undefined);
    }
  }

  function andThen([verdict, text, parts = []]: Judged, more: string): Judged {
    return [verdict, `${text}, and ${more}`, parts];
  }

  function keptWhy(node: TreeNode): Judged {
    const { name, path, decision } = node;
    const counted = (isPlanned.has(node) ? countedAsNow(name, path) : undefined) ?? past.kept.get(name);
    if (counted && counted.name !== name)
      return ['kept', `was kept: it is what was called ${counted.name}, and nothing that it depends on has changed`];
    if (!isPlanned.has(node)) return ['kept', 'was kept: it was called with the same, and nothing of it has changed'];
    if (decision?.approved === false) return ['kept', 'was kept: it was denied before, and its words are the same'];
    if (counted && why === 'keep') {
      const parts = changes.of(name, path, counted.segment);
      if (parts.length > 0) return ['kept', `was kept by --keep, although ${changesText(parts)}`, parts];
    }
    const written = counted ? changes.written(path, counted.segment) : [];
    if (written.length > 0) return ['kept', `was kept: ${changesText(written)}, and comes to the same`, written];
    const doubt = changes.reads(path).some((each) => names.read(name, each)?.status === 'done');
    return [
      'kept',
      doubt ? 'was kept: what it reads has come to the same again' : 'was kept: nothing that it depends on has changed',
    ];
  }

  /** Where it counted with what is written now; --keep may have let it count with something else since. */
  function countedAsNow(name: string, path: string): Counted | undefined {
    let found = past.kept.get(name);
    while (found && (found.name !== name || changes.written(path, found.segment).length > 0)) found = found.before;
    return found;
  }

  function ranWhy(node: TreeNode, open: 'runs' | undefined): Judged {
    const { name, path, kind, fromCache } = node;
    const word = kind === 'approval' ? 'was asked' : open === undefined ? 'ran' : 'runs';
    const [again, first] = [`${word} again`, `${word} for the first time`];
    if (fromCache) return ['cached', 'was taken from the cache'];
    if (why === undefined) return [open ?? 'first', first];
    const earlier = past.earlier(name);
    if (!isPlanned.has(node)) {
      if (earlier === undefined) return [open ?? 'first', `${first}: it was not called before`];
      return ['again', `${again}: ${handText(name, earlier)}`];
    }
    if (earlier === undefined) {
      const isOld = changes.wasThere(path);
      return [open ?? 'first', isOld ? `${first}: it was not reached before` : `${first}: it is new`];
    }
    const { node: before, segment } = earlier;
    if (before.decision?.approved === false && why === 'retry') return ['again', `${again}: it was denied before`];
    const parts = changes.of(name, path, segment);
    if (parts.length > 0) return ['again', `${again}: ${changesText(parts)}`, parts];
    return ['again', `${again}: ${unchangedText(name, path, earlier)}`];
  }

  /** What was called is in no plan: only that it is another is known of it. */
  function handText(name: string, { node, segment }: EarlierNode): string {
    if (node.status === 'failed') return 'it had failed';
    if (node.status !== 'done' && node.status !== 'kept') return 'it had not come to its end';
    if (past.keyAt(segment, name) !== now?.keys.get(name)) return 'it was called with something else, or was changed';
    return forkText(name) ?? 'nothing that was kept fits it';
  }

  /** Why something ran again of which nothing was changed. */
  function unchangedText(name: string, path: string, { node, segment }: EarlierNode): string {
    if (node.status === 'failed') return 'it had failed';
    if (node.status !== 'done' && node.status !== 'kept') return 'it had not come to its end';
    // Whoever went on in between has loaded the files of that time.
    if (changes.hasModules(path) && past.keyAt(segment, name) !== now?.keys.get(name))
      return 'a file of its handler, or of what it uses, was another when it ran';
    const fork = forkText(name);
    if (fork !== undefined) return fork;
    if (inTree(path)) return 'a step before it in its worktree did, and the files may be others';
    return 'nothing that was kept fits it';
  }

  function forkText(name: string): string | undefined {
    if (why !== 'fork' || now?.from === undefined) return undefined;
    return name === now.from ? 'the fork begins here' : `the fork begins at ${now.from}`;
  }

  function waitWhy({ name, path, until, request, why: turn, children }: TreeNode): Judged {
    if (until !== undefined) return ['waits', `waits until ${new Date(until).toISOString()}, and is tried again then`];
    if (request === undefined) {
      const inside = children.filter(isOpen).map(({ title }) => title);
      return ['waits', inside.length > 0 ? `waits for ${fewOf(inside)}` : (turn ?? 'waits for its turn')];
    }
    const title = JSON.stringify(request.title);
    if (request.kind === 'limit') return ['waits', `waits: the run stands at a limit (${title})`];
    const earlier = why === undefined ? undefined : past.earlier(name);
    const { decision, request: before } = earlier?.node ?? {};
    if (earlier === undefined || decision === undefined) return ['waits', `waits for a person: ${title}`];
    if (!decision.approved && why === 'retry')
      return ['waits', `waits for a person, as it was denied before: ${title}`];
    if (before && (before.title !== request.title || before.summary !== request.summary)) {
      const parts = changes.of(name, path, earlier.segment);
      return ['waits', `waits for a person again, as its words have changed: ${title}`, parts];
    }
    const fork = forkText(name);
    return ['waits', `waits for a person again${fork === undefined ? '' : `, as ${fork}`}: ${title}`];
  }

  function pendingText({ name, path }: TreeNode): string {
    const needed = [...changes.needs(path), ...changes.reads(path)].map((each) => names.read(name, each));
    const blocker = needed.find(isOpen)?.name ?? blockers.get(name);
    return blocker === undefined ? 'was not reached yet' : `was not reached yet: ${blocker} comes before it`;
  }

  /** Why what has not begun never will. */
  function endedText(): string {
    const failed = leaves.filter(({ status }) => status === 'failed').map(({ name }) => name);
    const denied = leaves.filter(({ decision }) => decision?.approved === false).map(({ name }) => name);
    if (row.status === 'cancelled') return 'was not reached: the run was cancelled before';
    if (failed.length > 0) return `was not reached: ${failed.slice(0, 3).join(', ')} failed before`;
    return denied.length > 0
      ? `was not reached: ${denied[0]} was denied before`
      : 'was not reached before the run ended';
  }
}

const leafKinds: ReadonlySet<TreeNode['kind']> = new Set<TreeNode['kind']>(['step', 'approval', 'plugin', 'hand']);

function fewOf(names: readonly string[]): string {
  const more = names.length - 3;
  return names.slice(0, 3).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function isOpen(node: TreeNode | undefined): boolean {
  return node !== undefined && (node.status === 'pending' || isOpenStatus(node.status));
}
