/**
 * The verdicts of a preview. Each is given at the moment when its step is reached, by what runs again then.
 * 1. `kept` is a promise: nothing that runs again, or may, can reach it, by values, by what decides whether it runs, or by
 *    the files of its worktree.
 * 2. `again`, `fresh` and `next` are one, too: whatever the others give, it runs. `may` is all between.
 * 3. A round of a loop is as sure as what `until` read before it; the first one is. Of rounds that never were and are not
 *    sure no steps are named: that the loop may go on so far is said instead.
 */
import type { Outcome } from '../../machine/index.ts';
import type { KeyPart } from '../../plan/index.ts';
import { sampleValue, validate } from '../../type/index.ts';
import { identityOf, type MemoEntry, pathOf } from './memo.ts';
import { keyAt, nameAt, roundsIn } from './preview-names.ts';
import type { PreviewPast } from './preview-past.ts';
import type { Decider, Place, Tree } from './preview-places.ts';
import { createReached } from './preview-reached.ts';
import { mostReasons, type Spoiled } from './preview-reasons.ts';

export interface Verdict {
  readonly kind: 'kept' | 'again' | 'may' | 'fresh' | 'next';
  readonly parts: readonly (KeyPart | 'files')[];
  readonly because: readonly string[];
  /** The result that stays. */
  readonly entry: MemoEntry | undefined;
}

export interface JudgeOptions {
  readonly places: ReadonlyMap<string, Place>;
  readonly spoiled: Spoiled;
  readonly known: PreviewPast;
  /** The results of each step. */
  readonly entries: ReadonlyMap<string, readonly MemoEntry[]>;
  /** The one that counted last. */
  readonly latest: ReadonlyMap<string, MemoEntry>;
  /** Where keys do not count. */
  readonly isByIdentity: boolean;
  readonly isNew: (path: string) => boolean;
}

/**
 * How a step is met: its result is given, it has to be done, or it was not met at all; then what may let others be met is
 * told, where those that were followed came to a stop.
 */
type Met = { readonly given: MemoEntry } | 'done' | { readonly stops: readonly string[] };

export interface Judge {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Says what becomes of a step, and lets it count for those behind it. */
  readonly meet: (identity: string, met: Met) => void;
  /** What decides whether it runs and is not known, of a step that was not met. */
  readonly doubtsOf: (identity: string) => readonly string[];
  /** It was not met, and something was that comes later, or instead of it: it is left out. */
  readonly isPassed: (identity: string) => boolean;
  /** Those that were followed came to a stop: of loops that were not passed nobody knows how often they go round. */
  readonly stop: () => void;
  /** What a step gives, as far as anybody can know: what it gave before. Undefined where a loop goes on for too long. */
  readonly assume: (identity: string) => Outcome | undefined;
  /** A worktree, and its places: its own, then those with which that begins. */
  readonly tree: (name: string, names: readonly string[]) => void;
  /** The names that a node has in the rounds that were met; the first ones, where none was. */
  readonly namesOf: (place: Place) => string[];
  readonly rounds: () => { readonly loop: string; readonly from: number; readonly most: number }[];
}

/** More rounds are not followed. */
const mostRounds = 1000;

/** What users' modules have a part in. */
const ofModules: ReadonlySet<KeyPart> = new Set<KeyPart>(['handler', 'uses', 'agent']);

interface LoopEnd {
  readonly decider: Decider;
  reasons: readonly string[];
  /** The last round of which all is named. */
  named: number;
  /** Its rounds were followed. */
  isMet: boolean;
}

interface Files {
  isSure: boolean;
  readonly reasons: Set<string>;
}

export function createJudge(options: JudgeOptions): Judge {
  const { places, spoiled, known, entries, latest, isByIdentity, isNew } = options;
  const verdicts = new Map<string, Verdict>();
  /** What was not sure when a branch, or a round of a loop, was met first. */
  const decided = new Map<string, readonly string[]>();
  /** Of each loop that was met: what is not sure of its end, and its last round that is named. */
  const ends = new Map<string, LoopEnd>();
  const reached = createReached();
  const files = new Map<string, Files>();
  const trees = new Map<string, readonly string[]>();
  const { lastAt, lastRounds } = historyOf(latest);

  function doubtsOf(identity: string, place: Place, isUnmet: boolean): string[] {
    const rounds = roundsIn(identity);
    const found = new Set(spoiled.among(place.skips));
    // Who is not met may be so as somebody said no, and may say otherwise. That people say yes is assumed.
    for (const gate of isUnmet ? place.gates : []) for (const each of doubtsAbout(gate, rounds)) found.add(each);
    for (const decider of place.deciders) for (const each of doubtsBy(decider, rounds)) found.add(each);
    return [...found];
  }

  function doubtsAbout(gate: string, rounds: readonly number[]): readonly string[] {
    const verdict = verdicts.get(nameAt(gate, loopsAround(gate), rounds));
    return verdict?.kind === 'may' ? verdict.because : [];
  }

  function loopsAround(path: string): readonly Decider[] {
    return places.get(path)?.deciders.filter(({ kind }) => kind === 'loop') ?? [];
  }

  function doubtsBy(decider: Decider, rounds: readonly number[]): readonly string[] {
    const { kind, path, loops, sources } = decider;
    const own = rounds.slice(0, loops);
    if (kind === 'loop' && own.at(-1) === 1) return [];
    const key = keyAt(path, own);
    let found = decided.get(key);
    if (found === undefined) {
      const end = kind === 'loop' ? ends.get(keyAt(path, own.slice(0, -1))) : undefined;
      found = end?.reasons ?? spoiled.among(sources);
      decided.set(key, found);
    }
    return found;
  }

  /** The outermost loop around it of which it is in a round that never was, and that may not be. */
  function hiddenBy(identity: string, place: Place): Decider | undefined {
    const rounds = roundsIn(identity);
    return place.deciders.find((decider) => {
      if (decider.kind !== 'loop') return false;
      const own = rounds.slice(0, decider.loops);
      const round = own.at(-1) ?? 1;
      if (round <= (lastRounds.get(keyAt(decider.path, own.slice(0, -1))) ?? 0)) return false;
      return round > mostRounds || doubtsBy(decider, rounds).length > 0;
    });
  }

  /** After a step in it: how sure it is that the loop ends, or goes on. */
  function noteLoops(identity: string, place: Place, isMet: boolean): void {
    const rounds = roundsIn(identity);
    const hidden = hiddenBy(identity, place);
    for (const decider of place.deciders) {
      if (decider.kind !== 'loop') continue;
      const key = keyAt(decider.path, rounds.slice(0, decider.loops - 1));
      const round = rounds[decider.loops - 1] ?? 1;
      const end = ends.get(key) ?? { decider, reasons: [], named: round - 1, isMet };
      ends.set(key, end);
      end.isMet ||= isMet;
      end.reasons = spoiled.among(decider.sources);
      // Nobody knows how often one goes round that was not come to.
      if (!end.isMet) end.reasons = [...end.reasons, decider.path];
      if (decider !== hidden) end.named = Math.max(end.named, round);
      if (round > mostRounds) end.reasons = [...end.reasons, decider.path];
      // Of loops in a round that is not named nothing is said.
      if (decider === hidden) return;
    }
  }

  /** `key`: of its end. */
  function loopName(key: string, { path, loops }: Decider): string {
    const rounds = key
      .slice(path.length + 1)
      .split(',')
      .filter(Boolean)
      .map(Number);
    return nameAt(path, loopsAround(path).slice(0, loops - 1), rounds);
  }

  /** What it read: by the plan, and by what it asked for while it ran. */
  function readsOf(place: Place, entry: MemoEntry | undefined): string[] {
    const names = new Set(place.reads);
    for (const name of Object.keys(entry?.reads ?? {})) for (const path of sourcesNamed(name, place)) names.add(path);
    return spoiled.among(names);
  }

  function sourcesNamed(name: string, place: Place): Iterable<string> {
    const [head = ''] = name.split('.', 1);
    if (head === '*') return first(spoiled.all(), mostReasons);
    if (head === 'input') return place.input;
    if (head === 'params') return place.params;
    if (head === 'loop') return place.loop;
    const found = named.get(`${place.prefix}\n${head}`) ?? [];
    const own = found.filter(({ component }) => component === place.component);
    const all =
      found.length > 0 ? found : (named.get(`${place.prefix}\n`) ?? []).filter(({ node }) => node.id?.endsWith(head));
    return (own.length > 0 ? own : all).map(({ path }) => path);
  }

  /** Who can be read by a name, in each workflow; those with any name by none. */
  const named = new Map<string, Place[]>();
  for (const place of places.values()) {
    if (place.node.id === undefined) continue;
    for (const name of [place.node.id, '']) {
      const key = `${place.prefix}\n${name}`;
      const list = named.get(key);
      if (list) list.push(place);
      else named.set(key, [place]);
    }
  }

  /** Itself, and its places. */
  function keysOf(tree: Tree, rounds: readonly number[]): string[] {
    const key = keyAt(tree.path, rounds.slice(0, tree.loops));
    return [key, ...(trees.get(key) ?? [])];
  }

  /** What was done anew in its worktree, or those around it. */
  function filesOf(identity: string, place: Place): Files {
    const all: Files = { isSure: false, reasons: new Set() };
    if (place.node.kind === 'approval') return all;
    const rounds = roundsIn(identity);
    for (const tree of place.trees) {
      for (const reason of spoiled.among(tree.sources)) all.reasons.add(reason);
      for (const key of keysOf(tree, rounds)) {
        const each = files.get(key);
        if (each?.isSure) all.isSure = true;
        for (const reason of each?.reasons ?? []) all.reasons.add(reason);
      }
    }
    return all;
  }

  function touch(identity: string, place: Place, { kind, because }: Verdict): void {
    const tree = place.trees.at(-1);
    if (tree === undefined || place.node.kind === 'approval' || kind === 'kept') return;
    for (const key of keysOf(tree, roundsIn(identity)).slice(0, 2)) {
      const each = files.get(key) ?? { isSure: false, reasons: new Set() };
      if (kind !== 'may') each.isSure = true;
      // Of more nothing is told.
      if (each.reasons.size < mostReasons) {
        for (const reason of kind === 'may' ? because : [place.path]) each.reasons.add(reason);
      }
      files.set(key, each);
    }
  }

  /** Also since older results: one of them may fit, where values are what they were then. */
  function isEdited(identity: string, path: string): boolean {
    return (entries.get(identity) ?? []).every(({ last }) => known.editedSince(last, path)?.isSure === true);
  }

  /** Who has tried again or forked has kept it, whatever became of its modules since it was made. */
  function modulesSince({ seq }: MemoEntry, path: string): readonly KeyPart[] {
    return known.editedSince(seq, path)?.parts.filter((part) => ofModules.has(part)) ?? [];
  }

  function verdictOf(identity: string, place: Place, met: Met): Verdict {
    const given = typeof met === 'object' && 'given' in met ? met.given : undefined;
    const entry = given ?? latest.get(identity);
    const stops = typeof met === 'object' && 'stops' in met ? met.stops : undefined;
    const doubts = doubtsOf(identity, place, stops !== undefined);
    const reads = readsOf(place, entry);
    const files = filesOf(identity, place);
    const isAnyway = isByIdentity && place.node.kind !== 'approval';
    const because = [...new Set([...doubts, ...(isAnyway ? [] : reads), ...files.reasons])];
    if (given) return because.length === 0 ? verdict('kept', { entry: given }) : verdict('may', { because });
    if (doubts.length > 0) return verdict('may', { because: doubts });
    if (stops && reached.isOpen(identity, place)) return verdict('may', { because: stops });
    const edited = entry && known.editedSince(entry.last, place.path);
    const isSure = edited?.isSure === true && !isAnyway && (reads.length === 0 || isEdited(identity, place.path));
    if (known.hasFailed(identity) && (isSure || because.length === 0 || entry === undefined)) {
      return verdict('again', { parts: known.editedSince(Number.POSITIVE_INFINITY, place.path)?.parts ?? [] });
    }
    if (entry === undefined) return verdict(isNew(place.path) ? 'fresh' : 'next');
    if (isSure) return verdict('again', { parts: edited.parts });
    if (files.isSure) return verdict('again', { parts: ['files'] });
    if (because.length > 0) return verdict('may', { because });
    if (stops && edited === undefined) return verdict('kept', { entry });
    const parts = edited?.parts ?? modulesSince(entry, place.path);
    if (parts.length > 0) return verdict('again', { parts });
    return verdict('again', { parts: [place.trees.length > 0 ? 'files' : 'values'] });
  }

  return {
    verdicts,
    meet(identity, met) {
      const place = places.get(pathOf(identity));
      if (place === undefined) return;
      const isMet = met === 'done' || 'given' in met;
      if (isMet) reached.add(identity, place);
      const hasResult = (isMet && met !== 'done') || latest.has(identity);
      const found = verdictOf(identity, place, met);
      if (hasResult || hiddenBy(identity, place) === undefined) verdicts.set(identity, found);
      touch(identity, place, found);
      // What it read while it ran the plan does not tell, nor what its files are, so its readers are not known to depend on it.
      const isTold = found.kind === 'kept' || (found.kind === 'may' && spoiled.among([place.path]).length > 0);
      if (met === 'done' || !isTold) spoiled.add(place.path);
      noteLoops(identity, place, isMet);
    },
    isPassed(identity) {
      const place = places.get(pathOf(identity));
      return place !== undefined && reached.isPassed(identity, place);
    },
    stop() {
      for (const [key, end] of ends) {
        const { path } = end.decider;
        const place = places.get(path);
        if (place && !reached.isPassed(loopName(key, end.decider), place)) end.reasons = [...end.reasons, path];
      }
    },
    doubtsOf(identity) {
      const place = places.get(pathOf(identity));
      const rounds = roundsIn(identity);
      if (place?.deciders.some(({ kind, loops, most }) => kind === 'loop' && (rounds[loops - 1] ?? 1) > most))
        return [];
      return place ? doubtsOf(identity, place, true) : [];
    },
    assume(identity) {
      const path = pathOf(identity);
      const place = places.get(path);
      if (place === undefined || roundsIn(identity).some((round) => round > mostRounds)) return undefined;
      const { node, plan } = place;
      if (node.kind === 'approval') return { ok: { approved: true, decidedBy: '', decidedAt: '' } };
      const outcome = (latest.get(identity) ?? lastAt.get(path))?.outcome;
      const output = 'output' in node ? node.output : undefined;
      const types = new Map(Object.entries(plan.types));
      if (outcome && (!('ok' in outcome) || output === undefined || validate(outcome.ok, output, types).ok))
        return outcome;
      if (output === undefined || (node.kind === 'plugin' && node.silent)) return { none: true };
      return { ok: sampleValue(output, types, node.id ?? '') as Extract<Outcome, { ok: unknown }>['ok'] };
    },
    tree(name, names) {
      const identity = identityOf(name);
      trees.set(keyAt(pathOf(identity), roundsIn(identity)), names);
    },
    namesOf(place) {
      const loops = loopsAround(place.path);
      let all: readonly (readonly number[])[] = [[]];
      for (const { path } of loops) {
        all = all.flatMap((rounds) => {
          const last = ends.get(keyAt(path, rounds))?.named ?? 1;
          return Array.from({ length: Math.max(1, last) }, (_, i) => [...rounds, i + 1]);
        });
      }
      return all.map((rounds) => nameAt(place.path, loops, rounds));
    },
    rounds: () =>
      [...ends].flatMap(([key, { decider, reasons, named: last }]) => {
        const { most } = decider;
        if (reasons.length === 0 || last >= most) return [];
        return [{ loop: loopName(key, decider), from: last + 1, most }];
      }),
  };
}

function verdict(kind: Verdict['kind'], more: Partial<Omit<Verdict, 'kind'>> = {}): Verdict {
  const { parts = [], because = [], entry } = more;
  return { kind, parts, because: because.slice(0, mostReasons), entry };
}

/** The last result at each path, and the last round of each loop. */
function historyOf(latest: ReadonlyMap<string, MemoEntry>) {
  const lastAt = new Map<string, MemoEntry>();
  const lastRounds = new Map<string, number>();
  for (const [identity, entry] of latest) {
    const path = pathOf(identity);
    if (entry.last > (lastAt.get(path)?.last ?? 0)) lastAt.set(path, entry);
    const rounds = roundsIn(identity);
    let nth = 0;
    for (const { index } of identity.matchAll(/\[\d+\]/g)) {
      const key = keyAt(pathOf(identity.slice(0, index)), rounds.slice(0, nth));
      lastRounds.set(key, Math.max(lastRounds.get(key) ?? 0, rounds[nth] ?? 1));
      nth++;
    }
  }
  return { lastAt, lastRounds };
}

function* first<T>(all: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const each of all) {
    if (count++ === most) return;
    yield each;
  }
}
