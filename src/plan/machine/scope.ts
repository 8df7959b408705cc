/** What texts and conditions see when they are evaluated: the values that their plan says they read. */
import {
  createBudget,
  type Env,
  isTrue,
  type Lookup,
  renderInterpolated,
  valueOfInterpolated,
} from '../../expr/index.ts';
import type { Json } from '../../machine/index.ts';
import type { Condition, Reference, Target, Text, Value } from '../node.ts';
import { expressionError, throwError } from './errors.ts';
import { type Frame, valueFor } from './frame.ts';
import type { Work } from './work.ts';

/** So much text costs no budget worth counting. */
const freeLength = 10_000;

/** These throw what `thrownError` reads. */
export function render(text: Text, what: string, frame: Frame, work: Work): string {
  const [only] = text.parts;
  // Nothing is evaluated, so nothing can go wrong but the length.
  if (only?.kind === 'text' && text.parts.length === 1 && only.text.length < freeLength) return only.text;
  return guarded(text, what, frame, work, () => renderInterpolated(text, envOf(text.reads, frame, work)));
}

export function holds(condition: Condition, what: string, frame: Frame, work: Work): boolean {
  const { expression, reads } = condition;
  return guarded(condition, what, frame, work, () => isTrue(expression, envOf(reads, frame, work)));
}

/** A value with its texts filled in; what has no value is left out. */
export function fillIn(value: Value, what: string, frame: Frame, work: Work): Json {
  return evaluated(value, what, frame, work) ?? null;
}

/** What a reference means now; undefined where it has no value. */
export function targetValue(target: Target, frame: Frame, work: Work): Json | undefined {
  switch (target.kind) {
    case 'input':
      return work.init.input;
    case 'params': {
      const { component } = frame.spot;
      return component && work.frames[component.number]?.params;
    }
    case 'id':
      return frame.spot.component?.node.id;
    case 'loop':
      return { iteration: work.frames[work.layout.at(target.node).number]?.iteration ?? 0 };
    default:
      return valueFor(frame.spot, work.frames[work.layout.at(target.node).number] as Frame, work.frames);
  }
}

function evaluated(value: Value, what: string, frame: Frame, work: Work): Json | undefined {
  switch (value.kind) {
    case 'json':
      return value.value;
    case 'text': {
      const { text } = value;
      const env = envOf(text.reads, frame, work);
      return toJson(guarded(text, what, frame, work, () => valueOfInterpolated(text, env)));
    }
    case 'list':
      return value.items.map((item) => evaluated(item, what, frame, work) ?? null);
    default:
      return Object.fromEntries(
        Object.entries(value.fields).flatMap(([key, each]): [string, Json][] => {
          const inner = evaluated(each, `${what}.${key}`, frame, work);
          return inner === undefined ? [] : [[key, inner]];
        }),
      );
  }
}

function envOf(reads: readonly Reference[], frame: Frame, work: Work): Env {
  const targets = work.layout.targets(reads);
  return {
    now: work.init.runAt ?? work.init.at,
    budget: createBudget(),
    lookup(name): Lookup {
      const target = targets.get(name);
      if (target === undefined) return { found: false };
      return { found: true, value: targetValue(target, frame, work), isStep: target.kind === 'node' };
    },
  };
}

function guarded<T>(text: Text | Condition, what: string, frame: Frame, work: Work, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    return throwError(expressionError(thrown, work.nameOf(frame), frame.spot.node, what, text));
  }
}

/** Dates and the like, which expressions know and JSON does not. */
function toJson(value: unknown): Json | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return JSON.parse(JSON.stringify(value)) as Json;
}

/**
 * What is read of it: as far down its path as there are fields, because a method depends on all that it is called on. Of a
 * field that is not there it is that alone which counts, whatever else there is.
 */
export function valueRead({ target, path }: Reference, frame: Frame, work: Work): Json | undefined {
  let value = targetValue(target, frame, work);
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) break;
    if (!Object.hasOwn(value, key)) return key in Object.prototype ? value : undefined;
    value = (value as { readonly [key: string]: Json })[key];
  }
  return value;
}

/** The steps that are read, by the names that they have there. */
export function namesIn(reads: readonly Reference[], { layout }: Work): string[] {
  if (reads.length === 0) return [];
  return [...layout.targets(reads)].flatMap(([name, target]) => (target.kind === 'node' ? [name] : []));
}
