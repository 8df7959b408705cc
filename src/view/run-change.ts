/** What a run would do if it went on otherwise, in words: how much is kept, what is done again and why, what acts outside. */
import type { Usage } from '../machine/index.ts';
import {
  childrenOf,
  nodesOf,
  type Preview,
  type StepNode,
  type WorkflowNode,
  type WorkflowPlan,
} from '../plan/index.ts';
import { displayWidth, type Painter, printable, wrap } from '../text/index.ts';
import { costText } from './elapsed.ts';
import { count } from './short-value.ts';
import { shortenName } from './shorten.ts';

export interface RunChange extends Preview {
  /** Of those that run, or may: what they do outside of the run. */
  readonly outside: readonly { readonly step: string; readonly what: string }[];
  /** Of those that run, or may: whose results may be in the cache, and are taken from there then. */
  readonly cached: readonly string[];
}

/** A preview, with what people want to know of it. */
export function runChange(preview: Preview, plan: WorkflowPlan): RunChange {
  const acts = outsideSteps(plan);
  const { again, may, fresh, then, rounds } = preview;
  const steps = [...again, ...may, ...fresh.map(plain), ...then].map(({ step }) => step);
  const outside = steps.flatMap((step) => {
    const what = acts.get(pathOf(step));
    return what === undefined ? [] : [{ step, what }];
  });
  const named = new Set(outside.map(({ step }) => pathOf(step)));
  // What acts only in rounds that are not named.
  for (const { loop, from } of rounds) {
    const path = pathOf(loop);
    for (const [inside, what] of acts) {
      if (!inside.startsWith(`${path}/`) || named.has(inside)) continue;
      named.add(inside);
      outside.push({ step: `${loop}[${from}]${inside.slice(path.length)}`, what });
    }
  }
  const paths = cachedPaths(plan);
  return { ...preview, outside, cached: steps.filter((step) => paths.has(pathOf(step))) };
}

/** In worktrees nothing is taken from the cache. */
function cachedPaths(plan: WorkflowPlan): ReadonlySet<string> {
  const inTree = createInTree(plan);
  const found = new Set<string>();
  for (const { node, path } of nodesOf(plan)) {
    if (node.kind === 'step' && node.cache && !inTree(path)) found.add(path);
  }
  return found;
}

/** Agents that answer, and do nothing else by themselves. */
const answering = new Set(['anthropic', 'openai', 'api', 'too', 'scripted']);

/** The steps of a plan that do something outside of the run, by their paths, and what. */
export function outsideSteps(plan: WorkflowPlan): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const inTree = createInTree(plan);
  for (const { node, plan: own, path } of nodesOf(plan)) {
    if (node.kind !== 'step' && node.kind !== 'plugin') continue;
    const what = node.kind === 'step' ? stepOutside(node, own) : `plugin ${node.type}`;
    if (what !== undefined) found.set(path, what);
    else if (inTree(path)) found.set(path, 'worktree');
  }
  return found;
}

/** Whether the node at a path works in a worktree: sequences, parallels and branches are not in paths. */
export function createInTree(plan: WorkflowPlan): (path: string) => boolean {
  const inside = new Set<string>();
  for (const { node, prefix } of nodesOf(plan)) if (node.kind === 'worktree') addInside(node, prefix, inside);
  return (path) => isWithin(path, inside);
}

function stepOutside({ action }: StepNode, plan: WorkflowPlan): string | undefined {
  if (action.kind === 'handler') return 'handler';
  if (action.kind === 'run') return /\bsh\s*[`(]/.test(action.code) ? 'sh' : undefined;
  const agent = plan.agents[action.agent];
  if (agent?.plugin) return `agent ${agent.name}`;
  return agent === undefined || answering.has(agent.type) ? undefined : `agent ${agent.name}`;
}

function addInside(node: WorkflowNode, prefix: string, into: Set<string>): void {
  for (const child of childrenOf(node)) {
    into.add(prefix + child.path);
    addInside(child, prefix, into);
  }
}

function isWithin(path: string, trees: ReadonlySet<string>): boolean {
  if (trees.size === 0) return false;
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (trees.has(path.slice(0, at))) return true;
  return false;
}

/** `kept 41 · runs again 2 · may run again 5 (if draft changes) · new 1 · then 3 · removed 1 · at least $2.10 saved`. */
export function changeLine(change: RunChange): string {
  const { kept, again, may, fresh, then, removed } = change;
  const parts = [`kept ${kept.length}`];
  if (again.length > 0) parts.push(`runs again ${again.length}`);
  if (may.length > 0) parts.push(`may run again ${may.length} (if ${reasonText(change)})`);
  if (fresh.length > 0) parts.push(`new ${fresh.length}`);
  if (then.length > 0) parts.push(`then ${then.length}`);
  if (removed.length > 0) parts.push(`removed ${removed.length}`);
  const saved = savedText(change.saved);
  if (saved !== '') parts.push(`at least ${saved} saved`);
  return parts.join(' · ');
}

const mostReasons = 2;

/** `draft changes`, `draft or review changes`, `draft, review or 3 others change`. */
function reasonText({ again, fresh, then, may }: RunChange): string {
  const sure = new Set([...again, ...fresh.map(plain), ...then].map(({ step }) => pathOf(step)));
  const all = new Set(may.flatMap(({ because }) => because));
  const roots = [...all].filter((path) => sure.has(path));
  const names = (roots.length > 0 ? roots : [...all]).map(printable);
  const shown = names.slice(0, mostReasons);
  const others = names.length - shown.length;
  if (others > 0) return `${shown.join(', ')} or ${count(others, 'other')} change`;
  return `${shown.join(' or ')} changes`;
}

function savedText({ cost, inputTokens, outputTokens }: Usage): string {
  if (cost !== undefined && cost > 0) return costText(cost);
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  return tokens > 0 ? `${tokens} tokens` : '';
}

export interface ChangeTextOptions {
  readonly paint: Painter;
  readonly columns: number;
  /** Where the first line is broken. */
  readonly wrapAt: number;
  /** Name everything, however much it is. */
  readonly all?: boolean;
  /** The command that asks denied approvals again. */
  readonly retry: string;
}

/** Of each group at most so many lines, unless all is wanted. */
const mostLines = 2;
const nameCells = 13;

/** A step, and what is said of it. */
interface Named {
  readonly step: string;
  readonly note?: string;
}

/** The line, and below it the names. */
export function changeText(
  change: RunChange,
  { paint, columns, wrapAt, all = false, retry }: ChangeTextOptions,
): string {
  const lines = wrap(changeLine(change), wrapAt - 2, wrapAt - 4).map((line, i) => `${i === 0 ? '  ' : '    '}${line}`);
  const room = Math.max(10, columns - 4 - nameCells);
  const isCut = !all || Number.isFinite(wrapAt);
  const { kept, moved, again, may, fresh, then, rounds, removed, outside, cached, denied } = change;
  if (all) group('kept', kept.map(plain));
  group(
    'moved',
    moved.map(({ from, to }) => ({ step: `${from} → ${to}` })),
  );
  group(
    'runs again',
    again.map(({ step, parts }) => ({ step, note: parts.map(partWord).join(', ') || 'it did not succeed' })),
  );
  group(
    'may',
    may.map(({ step, because }) => (all ? { step, note: `if ${because.join(' or ')} changes` } : { step })),
  );
  group('new', fresh.map(plain));
  group('then', then.map(thenNamed));
  group(
    'more rounds',
    rounds.map(({ loop, most }) => ({ step: loop, note: `up to ${most}` })),
  );
  group('removed', removed.map(plain));
  group(
    'acts outside',
    outside.map(({ step, what }) => ({ step, note: what })),
  );
  group('maybe cached', cached.map(plain));
  group('stays denied', denied.map(plain));
  if (denied.length > 0) lines.push('    to be asked again:', `      ${retry}`);
  return `${lines.join('\n')}\n`;

  function group(title: string, steps: readonly Named[]): void {
    const words = steps.map((each) => wordsOf(each, isCut ? room - 1 : Number.POSITIVE_INFINITY));
    for (const [i, line] of packed(words, room, all ? Number.POSITIVE_INFINITY : mostLines).entries()) {
      lines.push(`    ${paint.dim((i === 0 ? title : '').padEnd(nameCells))}${line}`);
    }
  }
}

function plain(step: string): Named {
  return { step };
}

/** The parts are called by their names in workflow files, but what no file calls by one name. */
function partWord(part: RunChange['again'][number]['parts'][number]): string {
  return part === 'uses' ? 'a service or plugin' : part;
}

function thenNamed({ step, begun, held }: Preview['then'][number]): Named {
  if (held) return { step, note: 'not begun without --again' };
  return begun ? { step, note: 'had not ended' } : { step };
}

/** What is said of it is left out where there is no room for both. */
function wordsOf({ step, note }: Named, cells: number): string {
  const behind = note === undefined ? '' : ` (${printable(note)})`;
  const whole = `${printable(step)}${behind}`;
  if (displayWidth(whole) <= cells) return whole;
  const left = cells - displayWidth(behind);
  return left >= leastName ? `${shortenName(step, left)}${behind}` : shortenName(step, cells);
}

const leastName = 12;

/** Words with commas between them in lines of so many cells; what does not fit is counted. */
function packed(words: readonly string[], cells: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [i, word] of words.entries()) {
    const isLast = i === words.length - 1;
    const more = `… and ${words.length - i} more`;
    const next = line === '' ? word : `${line} ${word}`;
    const room = lines.length === most - 1 && !isLast ? cells - displayWidth(more) - 2 : cells;
    if (line === '' || displayWidth(next) + 1 <= room) line = isLast ? next : `${next},`;
    else if (lines.length === most - 1) {
      if (displayWidth(line) + displayWidth(more) + 1 <= cells) lines.push(`${line} ${more}`);
      else lines.push(line, more);
      return lines;
    } else {
      lines.push(line);
      line = isLast ? word : `${word},`;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** The path of a node in the plan, of its name in a run: without the rounds of loops. */
export function pathOf(name: string): string {
  return name.replace(/\[\d+\]/g, '');
}
