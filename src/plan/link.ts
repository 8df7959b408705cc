/**
 * Sites to nodes: names become paths, texts become expressions, agents and components are found. Everything that is
 * wrong is reported and the rest goes on, so that no mistake hides another; a plan with errors is never run.
 */
import { fromType, type ValueType } from '../expr/index.ts';
import { didYouMean } from '../text/index.ts';
import { jsonType, type StructType, structOf, type Type } from '../type/index.ts';
import type { Agents } from './agents.ts';
import { isBare, tellBare } from './bare.ts';
import { checkCache } from './cache.ts';
import type { ReadCode } from './code/index.ts';
import { checkCode, type SiblingRead } from './code-reads.ts';
import { checkReturns } from './code-returns.ts';
import type { DraftApproval, DraftCall, DraftOther, DraftStep, DraftText, DraftUse, Word } from './draft.ts';
import { checkLoop } from './loops.ts';
import type { Reader } from './names.ts';
import { readNeeds } from './needs.ts';
import type {
  ApprovalNode,
  Condition,
  HandlerAction,
  ParallelNode,
  PluginNode,
  PromptAction,
  RetryPolicy,
  RunAction,
  StepNode,
  Text,
  WorkflowNode,
  WorktreeNode,
} from './node.ts';
import { nodeKinds } from './node.ts';
import { placeOf } from './place.ts';
import type { Plugins } from './plugins.ts';
import type { Reports } from './reports.ts';
import type { Schemas } from './schemas.ts';
import type { Site } from './site.ts';
import { moduleFrom, splitExport } from './specifier.ts';
import { stretchesOf } from './stretches.ts';
import { suggest } from './suggest.ts';
import type { TextLinker } from './texts.ts';
import type { ThunkOutput, ThunkSteps } from './thunk-steps.ts';
import type { Component, Unit } from './unit.ts';
import type { ValueLinker } from './values.ts';

export interface LinkContext {
  readonly reports: Reports;
  readonly schemas: Schemas;
  readonly agents: Agents;
  readonly texts: TextLinker;
  readonly values: ValueLinker;
  readonly thunkSteps: ThunkSteps;
  readonly thunkOutput: ThunkOutput;
  /** The folder of the root file: modules are named from there. */
  readonly folder: string;
  readonly codeOf: (site: Site, draft: DraftText) => ReadCode | undefined;
  /** The text of a `promptFrom`; undefined where it could not be read, which was reported. */
  readonly promptOf: (site: Site) => DraftText | undefined;
  /** A sub-workflow by its name in a unit. */
  readonly callOf: (site: Site, use: Word) => CalledPlan | undefined;
  /** The type of `params` in a component. */
  readonly paramsOf: (component: Component | undefined) => Type | undefined;
  readonly plugins: Plugins;
  /** What code of a unit has from services and plugins, by name. */
  readonly givenIn: (unit: Unit) => ReadonlySet<string>;
  readonly siblingReads: SiblingRead[];
}

export interface CalledPlan {
  readonly key: string;
  readonly input: Type;
  readonly types: ReadonlyMap<string, StructType>;
  readonly result: ValueType;
}

const emptyText: Text = { text: '', parts: [], reads: [] };
const never: Condition = { text: 'false', expression: { kind: 'literal', value: false, start: 0, end: 5 }, reads: [] };
const once: RetryPolicy = { maxAttempts: 1, backoff: 'fixed', initialDelayMs: 1000 };

export function linkNodes(sites: readonly Site[], context: LinkContext): WorkflowNode[] {
  const { reports, schemas, agents, texts, values } = context;
  return sites.map(node);

  function node(site: Site): WorkflowNode {
    const { draft } = site;
    const reader: Reader = { site, space: site.space };
    const { path } = site;
    switch (draft.kind) {
      case 'step':
        return step(site, draft, reader);
      case 'sequence':
        return named({ kind: 'sequence', path, at: placeOf(draft.at), children: site.children.map(node) }, site);
      case 'parallel': {
        const children = site.children.map(node);
        const made: Open<ParallelNode> = { kind: 'parallel', path, at: placeOf(draft.at), children };
        if (draft.maxConcurrency !== undefined) made.maxConcurrency = draft.maxConcurrency;
        return named(made, site);
      }
      case 'loop': {
        const children = site.children.map(node);
        const until = draft.until && texts.condition(draft.until, { site, space: site.space, after: true });
        if (draft.until && until && children.length > 0) checkLoop(site, draft.until, until, reports);
        const { maxIterations = 5, onMaxReached = 'return-last' } = draft;
        const at = placeOf(draft.at);
        return named({ kind: 'loop', path, at, until: until ?? never, maxIterations, onMaxReached, children }, site);
      }
      case 'approval':
        return approval(site, draft, reader);
      case 'branch': {
        const condition = (draft.condition && texts.condition(draft.condition, reader)) ?? never;
        const yes = arm(site, 'then');
        const no = arm(site, 'else');
        // biome-ignore lint/suspicious/noThenProperty: the word of the language; a list is no promise.
        return named({ kind: 'branch', path, at: placeOf(draft.at), condition, then: yes, else: no }, site);
      }
      case 'worktree': {
        const made: Open<WorktreeNode> = {
          kind: 'worktree',
          path,
          at: placeOf(draft.at),
          folder: draft.folder ? filled(draft.folder, reader) : emptyText,
          keep: draft.keep ?? false,
          children: [],
        };
        if (draft.branch) made.branch = filled(draft.branch, reader);
        if (draft.base) made.base = filled(draft.base, reader);
        made.children = site.children.map(node);
        return named(made, site);
      }
      case 'workflow':
        return call(site, draft, reader);
      case 'component':
        return use(site, draft, reader);
      default:
        return other(site, draft, reader);
    }
  }

  function arm(site: Site, name: Site['arm']): WorkflowNode[] {
    return site.children.filter((child) => child.arm === name).map(node);
  }

  function step(site: Site, draft: DraftStep, reader: Reader): WorkflowNode {
    const { timeoutMs, pool } = draft;
    const skipIf = draft.skipIf && texts.condition(draft.skipIf, reader);
    const by = draft.cache?.by.map((each) => filled(each, reader));
    const needs = needed(site, draft.needs);
    const action = actionOf(site, draft, reader);
    const isTold = by?.some((text) => isBare(text, reader, texts));
    if (draft.cache && by && !isTold) checkCache(draft.cache.by, by, action, reports);
    const made: Open<StepNode> = {
      kind: 'step',
      id: site.id ?? '',
      path: site.path,
      action,
      output: draft.output ? schemas.typeOf(draft.output, site.space.unit) : (context.thunkOutput(site) ?? jsonType),
      needs,
      retry: draft.retry ? retryOf(draft.retry) : once,
      at: placeOf(draft.id ?? draft.at),
    };
    if (timeoutMs !== undefined) made.timeoutMs = timeoutMs;
    if (by) made.cache = { by, version: draft.cache?.version ?? '' };
    if (skipIf) made.skipIf = skipIf;
    if (pool !== undefined) made.pool = pool;
    return made;
  }

  function filled(draft: DraftText, reader: Reader): Text {
    const { text } = texts.text(draft, reader);
    if (isBare(text, reader, texts)) tellBare(draft, reports);
    return text;
  }

  function needed(site: Site, words: readonly Word[]): string[] {
    if (words.length === 0) return [];
    const found = readNeeds(site, words, reports);
    for (const { word, target } of found) texts.waits.push({ from: site, to: target, at: word });
    return found.map(({ target }) => target.path);
  }

  function actionOf(site: Site, draft: DraftStep, reader: Reader): PromptAction | RunAction | HandlerAction {
    if (draft.run) {
      const read = context.codeOf(site, draft.run);
      const output = draft.output && schemas.typeOf(draft.output, site.space.unit);
      if (read) checkReturns(draft.run, read, output && fromType(output, schemas.table), reports);
      const action: Open<RunAction> = {
        kind: 'run',
        code: read?.code ?? '',
        edits: read?.edits ?? [],
        reads: read ? checkCode(site, draft.run, read, context) : [],
      };
      const uses = read ? usedNames(read.reads, context.givenIn(site.space.unit)) : [];
      if (uses.length > 0) action.uses = uses;
      const at = stretchesOf(draft.run, [{ start: 0, end: draft.run.text.length }], site);
      if (at !== undefined) action.at = at;
      return action;
    }
    if (draft.handler) {
      const [specifier, name] = splitExport(draft.handler.text);
      return { kind: 'handler', module: moduleFrom(context.folder, site.space.unit.folder, specifier), name };
    }
    const prompt = draft.promptFrom ? context.promptOf(site) : draft.prompt;
    const action: Open<PromptAction> = {
      kind: 'prompt',
      agent: (draft.agent && agents.find(draft.agent, site.space.unit)) ?? '',
      prompt: prompt ? filled(prompt, reader) : emptyText,
    };
    const given = draft.agent && context.thunkSteps.link(site, draft, reader);
    if (given) action.with = given;
    return action;
  }

  function approval(site: Site, draft: DraftApproval, reader: Reader): WorkflowNode {
    const request: Open<ApprovalNode['request']> = { title: draft.title ? filled(draft.title, reader) : emptyText };
    if (draft.summary) request.summary = filled(draft.summary, reader);
    return {
      kind: 'approval',
      id: site.id ?? '',
      path: site.path,
      request,
      needs: needed(site, draft.needs),
      onDeny: draft.onDeny ?? 'fail',
      at: placeOf(draft.id ?? draft.at),
    };
  }

  function call(site: Site, draft: DraftCall, reader: Reader): WorkflowNode {
    const called = draft.use && context.callOf(site, draft.use);
    const wanted = called && { type: called.input, table: called.types, by: `the workflow "${draft.use?.text}"` };
    const input = draft.input && values.link(draft.input, reader, wanted);
    if (draft.input === undefined && wanted) values.missing(draft.use ?? draft.at, wanted);
    return {
      kind: 'workflow',
      id: site.id ?? '',
      path: site.path,
      use: called?.key ?? draft.use?.text ?? '',
      input: input ?? { kind: 'record', fields: {} },
      needs: needed(site, draft.needs),
      at: placeOf(draft.id ?? draft.at),
    };
  }

  function use(site: Site, draft: DraftUse, reader: Reader): WorkflowNode {
    const component = site.inner?.component;
    const paramType = context.paramsOf(component) ?? structOf([]);
    const wanted = component && {
      type: paramType,
      table: schemas.table,
      by: `the component "${component.draft.name.text}"`,
    };
    const params = draft.with && values.link(draft.with, reader, wanted);
    if (draft.with === undefined && wanted) values.missing(draft.use ?? draft.at, wanted);
    return {
      kind: 'component',
      id: site.id ?? '',
      path: site.path,
      use: draft.use?.text ?? '',
      params: params ?? { kind: 'record', fields: {} },
      paramType,
      children: site.children.map(node),
      at: placeOf(draft.id ?? draft.at),
    };
  }

  /** A kind that is none of ours: a plugin's, or unknown. */
  function other(site: Site, draft: DraftOther, reader: Reader): WorkflowNode {
    const known = context.plugins.kinds;
    const plugin = known.get(draft.type.text);
    if (plugin === undefined && !context.plugins.hasUnknown) {
      const { hint, help, fix } = suggest(draft.type, [...nodeKinds, ...known.keys()], 'kinds');
      reports.add('TOO4251', draft.type, `unknown kind of node "${draft.type.text}".${didYouMean(hint)}`, {
        help,
        ...fix,
      });
    }
    const fields: Record<string, WorkflowValue> = {};
    const table = new Map(Object.entries(plugin?.info.types ?? {}));
    const infos = new Map(plugin?.info.fields.map((each) => [each.name, each]));
    const by = `a node of kind ${draft.type.text}`;
    for (const { key, value } of draft.fields) {
      const info = infos.get(key.text);
      infos.delete(key.text);
      if (plugin && info === undefined) {
        const names = plugin.info.fields.map((each) => each.name);
        const { hint, fix } = suggest(key, names, 'fields');
        // The one that was meant is not missing too.
        if (hint !== undefined) infos.delete(hint);
        reports.add('TOO4244', key, `${by} has no "${key.text}".${didYouMean(hint)}`, {
          help: `It takes: ${names.join(', ')}.`,
          ...fix,
        });
      }
      fields[key.text] =
        info?.interpolated === false
          ? values.plain(value, { type: info.type, table, by })
          : values.link(value, reader, info && { type: info.type, table, by });
    }
    for (const info of infos.values()) {
      if (!info.optional) reports.add('TOO4243', draft.type, `${by} needs "${info.name}"`);
    }
    const made: Open<PluginNode> = {
      kind: 'plugin',
      path: site.path,
      type: draft.type.text,
      module: plugin?.plugin.module ?? '',
      fields: { kind: 'record', fields },
      // Its named types become types of the plan.
      output: plugin?.info.output ? (schemas.adopt(plugin.info.output, table) as Type) : jsonType,
      needs: needed(site, draft.needs),
      at: placeOf(draft.at),
    };
    const { timeoutMs } = draft;
    if (plugin && plugin.plugin.name !== 'default') made.name = plugin.plugin.name;
    if (plugin && plugin.info.output === undefined) made.silent = true;
    if (draft.retry) made.retry = retryOf(draft.retry);
    if (timeoutMs !== undefined) made.timeoutMs = timeoutMs;
    return named(made, site);
  }
}

/** In the making. What may be missing is put in part by part: a spread for each would take longer than all the rest. */
type Open<T> = { -readonly [K in keyof T]: T[K] };

function named(node: Open<WorkflowNode>, { id }: Site): WorkflowNode {
  if (id !== undefined) node.id = id;
  return node;
}

function retryOf(retry: NonNullable<DraftStep['retry']>): RetryPolicy {
  const { maxAttempts = once.maxAttempts, backoff = once.backoff, initialDelayMs = once.initialDelayMs } = retry;
  return { maxAttempts, backoff, initialDelayMs };
}

/** The names that code has from services and plugins; `services` by itself may be any of them. */
function usedNames(reads: ReadCode['reads'], given: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const { name, path } of reads) {
    const [member] = path;
    if (given.has(name)) names.add(name);
    else if (name !== 'services') continue;
    else if (member !== undefined) names.add(member);
    else for (const each of given) names.add(each);
  }
  return [...names].filter((name) => given.has(name)).sort();
}

type WorkflowValue = ReturnType<ValueLinker['link']>;
