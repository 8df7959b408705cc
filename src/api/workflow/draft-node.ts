/** Nodes of a builder program to the nodes of a draft. */

import { type DraftList, type DraftNode, type DraftStep, functionModule, type Word } from '../../plan/index.ts';
import { quotePath } from '../../sys/index.ts';
import { componentOf } from './component-data.ts';
import type { TypeDrafter } from './draft-type.ts';
import { draftValue } from './draft-value.ts';
import type { Listing } from './listing.ts';
import { markerOf } from './marker.ts';
import { dataOf, listOf, type NodeData, nameInside, type StepData } from './node.ts';
import { functionName } from './reached.ts';
import { type Shapes, shownValue } from './shape.ts';
import { workflowOf } from './workflow-data.ts';

export interface NodeDrafter {
  readonly listing: Listing;
  readonly shapes: Shapes;
  readonly types: TypeDrafter;
  /** The workflow whose functions its steps have in the plan. */
  readonly workflow: string;
  /** The name that an agent has in the draft. */
  readonly agent: (value: object) => string;
  /** The component whose nodes these are. */
  readonly component?: string;
}

type Data<K extends NodeData['kind']> = Extract<NodeData, { kind: K }>;

const keysOf: { readonly [K in NodeData['kind']]: readonly string[] } = {
  step: [
    ...['agent', 'prompt', 'promptFrom', 'run', 'handler', 'output', 'needs', 'maxAttempts', 'retry', 'timeout'],
    ...['cache', 'skipIf', 'pool', 'with'],
  ],
  sequence: ['children'],
  parallel: ['maxConcurrency', 'children'],
  loop: ['until', 'maxIterations', 'onMaxReached', 'children'],
  approval: ['request', 'needs', 'onDeny'],
  branch: ['condition', 'then', 'else'],
  worktree: ['path', 'branch', 'base', 'keep', 'children'],
  workflow: ['use', 'input', 'needs'],
  component: ['use', 'with'],
  other: ['type', 'fields', 'needs', 'maxAttempts', 'retry', 'timeout'],
};

export function draftNodes(label: string, list: unknown, d: NodeDrafter): DraftList {
  const key = d.listing.word(label, '');
  if (!Array.isArray(list)) d.shapes.report('TOO4003', key, `a list of nodes is needed, not ${shownValue(list)}`);
  else if (list.length === 0) d.shapes.report('TOO4004', key, 'there are no nodes');
  return {
    key,
    nodes: listOf(list).flatMap((node, index) => {
      const data = dataOf(node);
      if (data) return [draftNode(data, d)];
      d.shapes.report(
        'TOO4003',
        key,
        `node ${index + 1} is none: ${shownValue(node)}`,
        'Make nodes with step, sequence, parallel and so on.',
      );
      return [];
    }),
  };
}

function draftNode(data: NodeData, d: NodeDrafter): DraftNode {
  const { listing, shapes } = d;
  const kind = data.kind === 'other' ? data.type : data.kind === 'workflow' ? 'call' : data.kind;
  const what = `${kind}${data.id === undefined ? '' : ` "${data.id}"`}`;
  const label = d.component === undefined ? what : `component "${d.component}", ${what}`;
  const id = shapes.id(label, data.id, d.component !== undefined);
  const base = { at: id ?? listing.word(label, ''), ...(id && { id }) };
  shapes.keys(label, data, ['kind', 'id', ...keysOf[data.kind]]);
  const key = (name: string) => `${label}, ${name}`;
  switch (data.kind) {
    case 'step':
      return { ...base, ...draftStep(label, data, d) };
    case 'sequence':
      return { ...base, kind: 'sequence', children: draftNodes(key('children'), data.children, d) };
    case 'parallel':
      return {
        ...base,
        kind: 'parallel',
        ...given('maxConcurrency', shapes.count(key('maxConcurrency'), data.maxConcurrency)),
        children: draftNodes(key('children'), data.children, d),
      };
    case 'loop': {
      const children = draftNodes(key('children'), data.children, d);
      return {
        ...base,
        kind: 'loop',
        ...given('until', needed(label, 'until', shapes.text(key('until'), data.until), data.until, d)),
        ...given('maxIterations', shapes.count(key('maxIterations'), data.maxIterations)),
        ...given('onMaxReached', shapes.oneOf(key('onMaxReached'), data.onMaxReached, ['return-last', 'fail'])),
        children,
      };
    }
    case 'approval':
      return { ...base, ...draftApproval(label, data, d) };
    case 'branch':
      return {
        ...base,
        kind: 'branch',
        ...given(
          'condition',
          needed(label, 'condition', shapes.text(key('condition'), data.condition), data.condition, d),
        ),
        // biome-ignore lint/suspicious/noThenProperty: a word of the language; nothing awaits a draft.
        then: draftNodes(key('then'), data.then, d),
        ...(data.else !== undefined && { else: draftNodes(key('else'), data.else, d) }),
      };
    case 'worktree':
      return {
        ...base,
        kind: 'worktree',
        ...given('folder', needed(label, 'path', shapes.text(key('path'), data.path), data.path, d)),
        ...given('branch', shapes.text(key('branch'), data.branch)),
        ...given('base', shapes.text(key('base'), data.base)),
        ...given('keep', shapes.flag(key('keep'), data.keep)),
        children: draftNodes(key('children'), data.children, d),
      };
    case 'workflow': {
      const called = workflowOf(data.use);
      if (!called) shapes.report('TOO4003', base.at, `"use" takes a workflow, not ${shownValue(data.use)}`);
      else if (called.name === '')
        shapes.report('TOO4003', base.at, `${quotePath(called.file)} is no workflow: it is only there to be imported`);
      return {
        ...base,
        kind: 'workflow',
        ...(called && { use: listing.word(key('use'), called.name) }),
        ...(data.input !== undefined && { input: draftValue(key('input'), data.input, listing, shapes) }),
        needs: draftNeeds(key('needs'), data.needs, d),
      };
    }
    case 'component': {
      const used = componentOf(data.use);
      return {
        ...base,
        kind: 'component',
        ...(used && { use: listing.word(key('use'), used.name) }),
        ...(data.with !== undefined && { with: draftValue(key('values'), data.with, listing, shapes) }),
      };
    }
    case 'other':
      return {
        ...base,
        kind: 'other',
        type: listing.word(key('kind'), data.type),
        fields: Object.entries(data.fields).map(([name, value]) => ({
          key: listing.word(key(name), name),
          value: draftValue(key(name), value, listing, shapes),
        })),
        needs: draftNeeds(key('needs'), data.needs, d),
        ...draftRetry(label, data, d),
        ...given('timeoutMs', shapes.durationMs(key('timeout'), data.timeout)),
      };
  }
}

function draftStep(label: string, data: StepData, d: NodeDrafter): Omit<DraftStep, 'at'> {
  const { listing, shapes } = d;
  const key = (name: string) => `${label}, ${name}`;
  const at = () => listing.word(label, '');
  const actions = (['prompt', 'promptFrom', 'run', 'handler'] as const).filter((name) => data[name] !== undefined);
  const [action, ...others] = actions;
  const agent = data.agent !== undefined && markerOf(data.agent)?.kind === 'agent' ? d.agent(data.agent) : undefined;
  // What a thunk takes and gives is known when its file is read.
  const isThunk = agent !== undefined && data.agent?.type === 'too';
  if (action === undefined && !isThunk) shapes.report('TOO4002', at(), 'a step needs "prompt", "run" or "handler"');
  for (const other of others) shapes.report('TOO4006', at(), `a step has "${action}" or "${other}", not both`);
  const isPrompt = action === 'prompt' || action === 'promptFrom';
  if (isPrompt && data.agent === undefined) shapes.report('TOO4002', at(), `a step with "${action}" needs "agent"`);
  if (!isPrompt && data.agent !== undefined && action !== undefined) {
    shapes.report('TOO4006', at(), `"agent" belongs to a prompt, not to "${action}"`);
  }
  if (data.with !== undefined && action !== undefined && !isPrompt && data.agent === undefined) {
    shapes.report('TOO4006', at(), `"with" is for thunks, not for "${action}"`);
  }
  if (data.output === undefined && !isThunk)
    shapes.report('TOO4002', at(), 'a step needs "output"', 'Give a schema of its result.');
  if (data.agent !== undefined && agent === undefined) {
    shapes.report('TOO4003', at(), '"agent" takes what agent(…) gives', `Write agent('name', { type: … }).`);
  }
  const { run } = data;
  return {
    kind: 'step',
    ...(agent !== undefined && { agent: listing.word(key('agent'), agent) }),
    ...given('prompt', shapes.text(key('prompt'), data.prompt)),
    ...given('promptFrom', shapes.plain(key('promptFrom'), data.promptFrom)),
    ...(typeof run === 'function'
      ? { handler: listing.word(key('run'), functionModule(d.workflow, functionName(data.id, d.component))) }
      : {
          ...given('run', shapes.plain(key('run'), run) && listing.text(key('run'), String(run))),
          ...given('handler', shapes.plain(key('handler'), data.handler)),
        }),
    ...(data.with !== undefined && { with: draftValue(key('with'), data.with, listing, shapes) }),
    ...(data.output !== undefined && { output: d.types.typeOf(key('output'), data.output) }),
    needs: draftNeeds(key('needs'), data.needs, d),
    ...draftRetry(label, data, d),
    ...given('timeoutMs', shapes.durationMs(key('timeout'), data.timeout)),
    ...draftCache(label, data, d),
    ...given('skipIf', shapes.text(key('skipIf'), data.skipIf)),
    ...given('pool', shapes.plain(key('pool'), data.pool)?.text),
  };
}

function draftRetry(
  label: string,
  { maxAttempts, retry }: Pick<StepData, 'maxAttempts' | 'retry'>,
  d: NodeDrafter,
): Pick<DraftStep, 'retry'> {
  const { shapes, listing } = d;
  if (maxAttempts === undefined && retry === undefined) return {};
  if (retry !== undefined && !shapes.keys(`${label}, retry`, retry, ['maxAttempts', 'backoff', 'initialDelay']))
    return {};
  if (maxAttempts !== undefined && retry?.maxAttempts !== undefined) {
    shapes.report(
      'TOO4006',
      listing.word(label, ''),
      'attempts are counted in "retry" or beside it, not in both places',
    );
  }
  return {
    retry: {
      ...given('maxAttempts', shapes.count(`${label}, maxAttempts`, maxAttempts ?? retry?.maxAttempts)),
      ...given('backoff', shapes.oneOf(`${label}, backoff`, retry?.backoff, ['fixed', 'linear', 'exponential'])),
      ...given('initialDelayMs', shapes.durationMs(`${label}, initialDelay`, retry?.initialDelay)),
    },
  };
}

function draftCache(label: string, { cache }: StepData, d: NodeDrafter): Pick<DraftStep, 'cache'> {
  const { shapes } = d;
  if (cache === undefined || !shapes.keys(`${label}, cache`, cache, ['by', 'version'])) return {};
  needed(label, 'cache.by', undefined, cache.by, d);
  const by = (Array.isArray(cache.by) ? cache.by : [cache.by]).flatMap(
    (each: unknown) => shapes.text(`${label}, cache.by`, each) ?? [],
  );
  return { cache: { by, ...(cache.version !== undefined && { version: String(cache.version) }) } };
}

function draftApproval(label: string, data: Data<'approval'>, d: NodeDrafter) {
  const { shapes } = d;
  const { request } = data;
  const isGiven = request !== undefined && shapes.keys(`${label}, request`, request, ['title', 'summary']);
  const { title, summary }: { title?: unknown; summary?: unknown } = isGiven ? request : {};
  return {
    kind: 'approval',
    ...given(
      'title',
      // What is no request was reported.
      needed(label, 'request.title', shapes.text(`${label}, title`, title), isGiven ? title : request, d),
    ),
    ...given('summary', shapes.text(`${label}, summary`, summary)),
    needs: draftNeeds(`${label}, needs`, data.needs, d),
    ...given('onDeny', shapes.oneOf(`${label}, onDeny`, data.onDeny, ['fail', 'continue', 'skip'])),
  } as const;
}

function draftNeeds(label: string, needs: unknown, { listing, shapes }: NodeDrafter): Word[] {
  if (needs === undefined) return [];
  return (Array.isArray(needs) ? needs : [needs]).flatMap((each: unknown) => {
    if (typeof each === 'string') return [listing.word(label, each)];
    const id = dataOf(each)?.id;
    if (id !== undefined) return [listing.word(label, nameInside(id))];
    shapes.report('TOO4003', listing.word(label, ''), '"needs" takes nodes that have an id, or ids');
    return [];
  });
}

/** Reports a key that was left out. */
function needed<T>(label: string, name: string, made: T, value: unknown, { listing, shapes }: NodeDrafter): T {
  if (value === undefined) shapes.report('TOO4002', listing.word(label, ''), `"${name}" is missing`);
  return made;
}

/** An optional property, absent when there is no value. */
function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}
