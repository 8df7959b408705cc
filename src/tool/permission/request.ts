/**
 * What a person is shown who is asked about a call: exactly what will happen, with nothing in it that cannot be seen.
 * 1. What is shown comes from the arguments that will be run, and from nothing that the model says beside them.
 * 2. It is bounded; where something is left out, it says so and how much, also at its end.
 * 3. Each line of a text of several begins with a mark, so that nothing in it can pose as another argument.
 * 4. It holds no secret that the redactor knows.
 */
import type { Redactor } from '../../sys/index.ts';
import { isRecord } from '../../type/index.ts';
import { boundedText } from '../bounded-text.ts';
import type { Tool, ToolArgs, ToolContext } from '../tool.ts';
import type { Asked } from './policy.ts';
import { kindOf } from './subject.ts';
import { visibleLine, visibleText } from './visible.ts';

export interface PermissionRequest {
  /** One line: the tool, and what it is about. */
  readonly title: string;
  /** All of it, in lines. */
  readonly summary: string;
  readonly tool: string;
  /** As they are, but bounded and redacted: long texts have their middle left out. */
  readonly args: Readonly<Record<string, RequestValue>>;
  /** What rules are held against. */
  readonly subjects: readonly string[];
  /** The rule of `ask`, if one asks. */
  readonly rule?: string;
}

export type RequestValue =
  | string
  | number
  | boolean
  | null
  | readonly RequestValue[]
  | { readonly [key: string]: RequestValue };

export interface RequestOptions extends Pick<ToolContext, 'workspace'> {
  readonly redactor?: Redactor | undefined;
}

const mostTitle = 100;
/** Of a file system. */
const mostPath = 4096;
const mostSummary = 16 * 1024;
const mostValue = 8 * 1024;
const mostItems = 100;
const mostDepth = 12;

export function permissionRequest(
  tool: Pick<Tool, 'name' | 'subjects'>,
  args: ToolArgs,
  decision: Asked,
  { workspace, redactor }: RequestOptions,
): PermissionRequest {
  const clean = (text: string) => redactor?.text(text) ?? text;
  const subjects = tool.subjects(args, { workspace }).map(clean);
  const [first = ''] = subjects;
  const leftOut = Object.entries(args).flatMap(([name, value]) => leftOutOf(name, value, clean));
  const leads =
    kindOf(tool.name) === 'path' && subjects.length > 1 ? visibleLine(subjects[1] ?? '', mostPath) : undefined;
  const rest = subjects.length > 1 ? ` and ${subjects.length - 1} more` : '';
  const about = `${visibleLine(first, 4 * mostTitle)}${leads === undefined ? rest : ` → ${leads}`}`;
  return {
    title: visibleLine(first === '' ? tool.name : `${tool.name}: ${about}`, mostTitle),
    summary: boundedText(
      [
        ...Object.entries(args).flatMap(([name, value]) => shown(tool.name, name, value, clean)),
        ...(leads === undefined ? [] : [`There are links in the path: it leads to ${leads}`]),
        ...leftOut.slice(0, mostItems),
        decision.message,
      ].join('\n'),
      mostSummary,
    ),
    tool: tool.name,
    args: boundedRecord(args, clean, 0),
    subjects: subjects.slice(0, mostItems).map((subject) => boundedText(visibleText(subject), mostValue)),
    ...(decision.rule !== undefined && { rule: decision.rule }),
  };
}

/** An edit is shown as what goes and what comes. */
const edits: Readonly<Record<string, string>> = { old: '-', new: '+' };

function shown(tool: string, name: string, value: unknown, clean: (text: string) => string): string[] {
  const label = visibleLine(name, mostTitle);
  const text = visibleText(boundedText(clean(textOf(value)), mostValue));
  const mark = tool === 'filesystem/edit' ? edits[name] : undefined;
  if (mark === undefined && !text.includes('\n')) return [`${label}: ${text === '' ? '""' : text}`];
  const lines = text.split('\n').map((line) => `${mark ?? '|'} ${line}`);
  return [`${label}:`, ...lines];
}

/** Nobody is to say yes to what was not shown without knowing it. */
function leftOutOf(name: string, value: unknown, clean: (text: string) => string): string[] {
  if (isWhole(value, 0) && clean(textOf(value)).length <= mostValue) return [];
  return [`NOT ALL OF "${visibleLine(name, mostTitle)}" IS SHOWN HERE: "toolang show RUN --json" has it whole.`];
}

/** Whether `boundedValue` takes nothing away. */
function isWhole(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length <= mostValue;
  if (typeof value !== 'object' || value === null) return true;
  const inner = Object.values(value);
  return depth <= mostDepth && inner.length <= mostItems && inner.every((each) => isWhole(each, depth + 1));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(boundedValue(value, (text) => text, 0)) ?? 'null';
}

function boundedRecord(
  record: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
  depth: number,
): Record<string, RequestValue> {
  const all = Object.entries(record);
  const kept = all.slice(0, mostItems).map(([key, value]) => [clean(key), boundedValue(value, clean, depth)] as const);
  return Object.fromEntries(all.length > mostItems ? [...kept, ['…', `${all.length - mostItems} more`]] : kept);
}

function boundedValue(value: unknown, clean: (text: string) => string, depth: number): RequestValue {
  if (typeof value === 'string') return boundedText(clean(value), mostValue);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (depth > mostDepth) return '…';
  if (Array.isArray(value)) {
    const kept = value.slice(0, mostItems).map((item) => boundedValue(item, clean, depth + 1));
    return value.length > mostItems ? [...kept, `… ${value.length - mostItems} more`] : kept;
  }
  return isRecord(value) ? boundedRecord(value, clean, depth + 1) : String(value);
}
