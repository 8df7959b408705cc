/** What was changed of what steps depend on, between an earlier segment and that of now. Plans are read when they are asked for. */
import type { FrameBody } from '../journal/index.ts';
import {
  dependenciesOf,
  diffPlans,
  type KeyPart,
  nodesOf,
  type PlacedNode,
  sharedName,
  type WorkflowPlan,
} from '../plan/index.ts';
import { createFindLine, type FindLine, importLine } from './source-lines.ts';
import type { TreeNode } from './tree-node.ts';
import { createWhyGiven } from './why-given.ts';
import type { Defined } from './why-lines.ts';
import type { WhyNames } from './why-names.ts';
import { changedPart, type WhyPart } from './why-part.ts';
import type { WhyPast } from './why-past.ts';
import { hasModules } from './why-uses.ts';
import { changedValues } from './why-values.ts';

export interface WhyChanges {
  /** That of now. */
  readonly plan: WorkflowPlan;
  /** As it is written, and the values that it reads. */
  readonly of: (name: string, path: string, segment: number) => readonly WhyPart[];
  readonly written: (path: string, segment: number) => readonly WhyPart[];
  /** The paths that the node at one reads, also through what is given to all around it. */
  readonly reads: (path: string) => readonly string[];
  /** The paths that it waits for, as it says. */
  readonly needs: (path: string) => readonly string[];
  /** Its result depends on files beside the plan: a handler, services, plugins. */
  readonly hasModules: (path: string) => boolean;
  /** The segment before that of now had it. */
  readonly wasThere: (path: string) => boolean;
}

/** What journals hold by hashes; undefined where it is gone. */
export interface WhyTexts {
  readonly planOf: (hash: string) => WorkflowPlan | undefined;
  /** The text of the file. */
  readonly sourceOf: (hash: string) => string | undefined;
}

/** The plan of an earlier segment, and what became of its parts. */
interface Earlier {
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  readonly changed: ReadonlyMap<string, readonly KeyPart[]>;
  readonly defined: Defined;
}

const none: Earlier = {
  nodes: new Map(),
  changed: new Map(),
  defined: { modules: {}, findLine: () => undefined, findConfig: () => undefined },
};

export function createWhyChanges(past: WhyPast, names: WhyNames<TreeNode>, { planOf, sourceOf }: WhyTexts): WhyChanges {
  const plan = past.now && planOf(past.now.body.plan);
  if (past.now === undefined || plan === undefined) throw new Error('the plan of the run is not in the store');
  const nodes = placedIn(plan);
  const dependencies = dependenciesOf(plan);
  const defined = definedBy(past.now.body, plan);
  /** Segments with one plan are the same here. */
  const earlier = new Map<string, Earlier>();

  function at(segment: number): Earlier {
    const body = past.segments[segment]?.body;
    if (body === undefined || plan === undefined) return none;
    const key = `${body.plan} ${body.source} ${JSON.stringify(body.modules ?? {})}`;
    let found = earlier.get(key);
    if (found === undefined) {
      const before = planOf(body.plan);
      found = before ? compare(before, definedBy(body, before), plan) : none;
      earlier.set(key, found);
    }
    return found;
  }

  function definedBy({ modules = {}, source }: FrameBody, own: WorkflowPlan): Defined {
    // Only the text of the file itself is kept; what is at the top of the plan stands there.
    const file = own.children[0]?.at?.file;
    let find: FindLine | undefined;
    const findIn: FindLine = (...wanted) => {
      find ??= createFindLine(sourceOf(source) ?? '');
      return find(...wanted);
    };
    return {
      modules,
      findLine: (at, ...wanted) => (at.file === file ? findIn(at.line, ...wanted) : undefined),
      findConfig(module, key, text) {
        const from = importLine(sourceOf(source) ?? '', module);
        const line = from === undefined ? undefined : findIn(from, key, text, 0);
        return file === undefined || line === undefined ? undefined : { file, line, column: 1 };
      },
    };
  }

  function compare(before: WorkflowPlan, old: Defined, after: WorkflowPlan): Earlier {
    const hashes = { before: new Map(Object.entries(old.modules)), after: new Map(Object.entries(defined.modules)) };
    const changed = new Map(diffPlans(before, after, hashes).changed.map(({ path, parts }) => [path, parts]));
    return { nodes: placedIn(before), changed, defined: old };
  }

  function written(path: string, segment: number): WhyPart[] {
    const is = nodes.get(path);
    const earlier = at(segment);
    const was = earlier.nodes.get(path);
    if (was === undefined || is === undefined) return [];
    const dated = { was: earlier.defined, is: defined };
    return (earlier.changed.get(path) ?? []).flatMap((part) => changedPart(part, { was, is }, dated));
  }

  function reads(path: string): readonly string[] {
    return [...(dependencies.get(path) ?? []).filter((each) => !isShared(each)), ...givenBy(path)];
  }

  /** The steps that components and sub-workflows around a node are given something of, as far as it reads that. */
  function givenBy(path: string): readonly string[] {
    const found = new Set<string>();
    const open = (dependencies.get(path) ?? []).filter(isGiven);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const each of dependencies.get(next) ?? []) {
        if (isGiven(each)) open.push(each);
        else if (!isShared(each)) found.add(each);
      }
    }
    return [...found];
  }

  const given = createWhyGiven(nodes, (segment) => at(segment).nodes);
  return {
    plan,
    of(name, path, segment) {
      const placed = nodes.get(path);
      if (placed === undefined) return [];
      return [...written(path, segment), ...changedValues(name, placed, segment, { past, names, given })];
    },
    written,
    reads,
    needs: (path) => {
      const placed = nodes.get(path);
      return placed && 'needs' in placed.node ? placed.node.needs.map((need) => placed.prefix + need) : [];
    },
    hasModules: (path) => {
      const placed = nodes.get(path);
      return placed !== undefined && hasModules(placed);
    },
    wasThere: (path) => at(past.segments.length - 2).nodes.has(path),
  };
}

function placedIn(plan: WorkflowPlan): ReadonlyMap<string, PlacedNode> {
  return new Map(Array.from(nodesOf(plan), (each) => [each.path, each]));
}

const givenMark = sharedName('given', '');

function isGiven(path: string): boolean {
  return path.startsWith(givenMark);
}

function isShared(path: string): boolean {
  return path.includes('\n');
}
