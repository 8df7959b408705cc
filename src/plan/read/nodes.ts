/**
 * Nodes: one table says for each kind which keys it has, how each is read, and what they make.
 * 1. A node whose `kind:` was forgotten or misspelt is reported once and read as the kind that its keys or its word mean.
 * 2. Children nest only as deep as the decoder lets values nest.
 */
import { closest, didYouMean } from '../../text/index.ts';
import type { ToonEntry, ToonObject, ToonValue } from '../../toon/index.ts';
import type { DraftList, DraftNode, DraftOther, Mark, Word } from '../draft.ts';
import { codeText } from './code-text.ts';
import { duration } from './duration.ts';
import { type Block, type BlockContext, type Keys, readBlock, type Shape, shape, type Values } from './keys.ts';
import { handler, nodeId, nodeIds } from './name.ts';
import {
  describe,
  headOf,
  indentOf,
  isNothing,
  listed,
  mark,
  type Read,
  type Reader,
  replace,
  report,
  shown,
  wasLeftOut,
  word,
  wrongKind,
} from './reader.ts';
import { count, flag, oneOf } from './scalar.ts';
import { actions, cache, checkAttempts, checkStep, request, retry, retryPolicy } from './step.ts';
import { checkLength, lineText, longText, plainWord } from './text.ts';
import { wholeType } from './type.ts';
import { anyValue, fieldValues } from './value.ts';

interface NodeKind extends Shape<Keys> {
  readonly read: (r: Reader, object: ToonObject) => DraftNode;
}

/** A list of nodes: `steps`, `children`, `then`, `else`. Always there, so that a broken one is reported once. */
export const nodeList: Read<DraftList> = (r, entry) => {
  const { key, value } = entry;
  const at = mark(r, key.span);
  if (value.kind !== 'array') {
    wrongKind(r, entry, 'a list of nodes', { help: `Write "${key.text}[1]:" and below it "- id: …".` });
    return { key: at, nodes: [] };
  }
  checkLength(r, entry, value);
  if (value.items.length === 0 && !wasLeftOut(r, key)) report(r, 'TOO4004', key.span, `"${key.text}" has no nodes`);
  const nodes: DraftNode[] = [];
  for (const item of value.items) {
    const node = readNode(r, item);
    if (node) nodes.push(node);
  }
  return { key: at, nodes };
};

/** The word of `kind:` is read before its keys are known. */
const taken: Read<never> = () => undefined;
const common = { kind: taken, id: nodeId };
const children = { children: nodeList };

const [stepName, step] = nodeKind(
  'step',
  'a step',
  {
    agent: plainWord,
    prompt: longText,
    promptFrom: plainWord,
    run: codeText,
    handler,
    with: fieldValues,
    output: wholeType,
    needs: nodeIds,
    maxAttempts: count,
    retry,
    timeout: duration,
    cache,
    skipIf: codeText,
    pool: plainWord,
  },
  ['id', 'output', ['prompt', 'run', 'handler', 'promptFrom']],
  // All of them in the same order: nodes are looked at often, and those that are built alike are found quickly.
  (read, at) => ({
    kind: 'step',
    id: read.id,
    agent: read.agent,
    prompt: read.prompt,
    promptFrom: read.promptFrom,
    run: read.run,
    handler: read.handler,
    with: read.with,
    output: read.output,
    needs: read.needs ?? [],
    retry: retryPolicy(read.maxAttempts, read.retry),
    timeoutMs: read.timeout,
    cache: read.cache,
    skipIf: read.skipIf,
    pool: read.pool?.text,
    at,
  }),
  checkStep,
  (r, object) => (mayBeThunk(r, object) ? ['id'] : undefined),
);

const kinds: ReadonlyMap<string, NodeKind> = new Map([
  [stepName, step],
  nodeKind('sequence', 'a sequence', children, ['children'], (read, at) => ({
    kind: 'sequence',
    id: read.id,
    children: read.children ?? none(at),
    at,
  })),
  nodeKind('parallel', 'a parallel', { maxConcurrency: count, ...children }, ['children'], (read, at) => ({
    kind: 'parallel',
    id: read.id,
    maxConcurrency: read.maxConcurrency,
    children: read.children ?? none(at),
    at,
  })),
  nodeKind(
    'loop',
    'a loop',
    { until: codeText, maxIterations: count, onMaxReached: oneOf('return-last', 'fail'), ...children },
    ['until', 'children'],
    ({ id, until, maxIterations, onMaxReached, children }, at) => ({
      kind: 'loop',
      id,
      until,
      maxIterations,
      onMaxReached,
      children: children ?? none(at),
      at,
    }),
  ),
  nodeKind(
    'approval',
    'an approval',
    { request, needs: nodeIds, onDeny: oneOf('fail', 'continue', 'skip') },
    ['id', 'request'],
    ({ id, request, needs = [], onDeny }, at) => ({
      kind: 'approval',
      id,
      title: request?.title,
      summary: request?.summary,
      needs,
      onDeny,
      at,
    }),
  ),
  nodeKind(
    'branch',
    'a branch',
    // biome-ignore lint/suspicious/noThenProperty: a word of the language; neither this nor the draft is awaited.
    { condition: codeText, then: nodeList, else: nodeList },
    ['condition', 'then'],
    (read, at) => ({
      kind: 'branch',
      id: read.id,
      condition: read.condition,
      // biome-ignore lint/suspicious/noThenProperty: see above.
      then: read.then ?? none(at),
      else: read.else,
      at,
    }),
  ),
  nodeKind(
    'worktree',
    'a worktree',
    { path: lineText, branch: lineText, base: lineText, keep: flag, ...children },
    ['path', 'children'],
    ({ id, path, branch, base, keep, children }, at) => ({
      kind: 'worktree',
      id,
      folder: path,
      branch,
      base,
      keep,
      children: children ?? none(at),
      at,
    }),
  ),
  nodeKind(
    'workflow',
    'a workflow call',
    { use: plainWord, input: fieldValues, needs: nodeIds },
    ['id', 'use'],
    ({ id, use, input, needs = [] }, at) => ({ kind: 'workflow', id, use, input, needs, at }),
  ),
  nodeKind('component', 'a component use', { use: plainWord, with: fieldValues }, ['id', 'use'], (read, at) => ({
    kind: 'component',
    id: read.id,
    use: read.use,
    with: read.with,
    at,
  })),
]);

const longestKind = Math.max(...[...kinds.keys()].map((name) => name.length));
const otherShape = shape('this node', { id: nodeId, needs: nodeIds, maxAttempts: count, retry, timeout: duration });

type NodeKey<K> = keyof (K & typeof common) & string;

/** `check` looks at what the keys say together; `fewer` says which are needed when not all are. */
function nodeKind<K extends Keys>(
  name: string,
  what: string,
  own: K,
  required: readonly (NodeKey<K> | readonly NodeKey<K>[])[],
  make: (values: Values<K & typeof common>, at: Mark) => DraftNode,
  check: (r: Reader, block: Block<K & typeof common>) => void = () => undefined,
  fewer: (r: Reader, object: ToonObject) => typeof required | undefined = () => undefined,
): readonly [string, NodeKind] {
  const keys: K & typeof common = { ...common, ...own };
  const known = shape(what, keys, ...required);
  const read = (r: Reader, object: ToonObject) => {
    const needs = fewer(r, object);
    const block = readBlock(r, object, needs ? { ...known, required: needs } : known, inNode);
    check(r, block);
    return make(block.values, mark(r, object.span));
  };
  return [name, { ...known, read }];
}

/** What a thunk takes and gives is known only where names are: the linker says what is missing then. */
function mayBeThunk(r: Reader, { entries }: ToonObject): boolean {
  const agent = r.thunks ? entries.find(({ key }) => key.text === 'agent')?.value : undefined;
  // One that is unknown was misspelt.
  return agent?.kind === 'string' && (r.agents.get(agent.text) ?? true);
}

const inNode: BlockContext = { owner: (key) => ownersOf(key) };

function none(at: Mark): DraftList {
  return { key: at, nodes: [] };
}

function readNode(r: Reader, value: ToonValue): DraftNode | undefined {
  if (value.kind !== 'object') {
    return report(r, 'TOO4003', value.span, `a node is a block of keys, not ${describe(value)}`, {
      help: 'Write "- id: …" with its keys below.',
    });
  }
  if (isNothing(value)) return report(r, 'TOO4004', value.span, 'this node is empty');
  const entry = kindEntry(value);
  if (!entry) return forgottenKind(r, value).read(r, value);
  const isKind = entry.key.text === 'kind';
  const name = plainWord(r, isKind ? entry : { ...entry, key: { ...entry.key, text: 'kind' } });
  if (!name) return undefined;
  const kind = kinds.get(name.text);
  if (kind) return kind.read(r, value);
  const near = r.plugins ? undefined : closest(name.text, kinds.keys());
  const meant = kinds.get(near ?? '');
  if (!meant) return readOther(r, value, entry, name);
  if (near !== undefined) {
    report(r, 'TOO4009', name.span, `unknown kind ${shown(name.text)}.${didYouMean(near)}`, {
      fix: replace(name.span, near),
    });
  }
  return meant.read(r, value);
}

/** `kind: loop`, and what can only be a mistake for it: `type: loop`, `knid: loop`. */
function kindEntry({ entries }: ToonObject): ToonEntry | undefined {
  for (const entry of entries) if (entry.key.text === 'kind') return entry;
  for (const entry of entries) if (isKindWord(entry.value) && mayMeanKind(entry.key.text)) return entry;
  return undefined;
}

/** Looking up a long text means to read it. */
function isKindWord(value: ToonValue): boolean {
  return value.kind === 'string' && value.text.length <= longestKind && kinds.has(value.text);
}

function mayMeanKind(key: string): boolean {
  return key === 'type' || closest(key, ['kind']) !== undefined;
}

/** Invariant 1: the kind that has all keys of a node that does nothing as a step. */
function forgottenKind(r: Reader, object: ToonObject): NodeKind {
  if (object.entries.some(({ key }) => actions.includes(key.text))) return step;
  const keys = object.entries.map(({ key }) => key.text).filter((key) => ownersOf(key) !== undefined);
  const has = (kind: NodeKind) => keys.every((key) => kind.readers.has(key));
  if (has(step) && (keys.includes('agent') || !keys.includes('with'))) return step;
  const [name, kind] = [...kinds].find(([, kind]) => has(kind)) ?? [];
  if (!kind) return step;
  if (object.partial) return kind;
  const start = object.entries[0]?.key.span.start ?? object.span.start;
  const text = `kind: ${name}\n${indentOf(r, start)}`;
  report(r, 'TOO4002', headOf(object), `${kind.what} needs "kind: ${name}"`, {
    fix: { title: `add kind: ${name}`, guess: true, edits: [{ span: { start, end: start }, text }] },
  });
  return kind;
}

/** Which kinds have a key, for those that do not. */
function ownersOf(key: string): string | undefined {
  owners ??= new Map(
    [...kinds.values()].flatMap(({ keys }) => Object.keys(keys)).map((each) => [each, listOwners(each)]),
  );
  return owners.get(key);
}

let owners: ReadonlyMap<string, string> | undefined;

function listOwners(key: string): string {
  const owners = [...kinds].flatMap(([name, kind]) => (kind.readers.has(key) ? [name] : []));
  const named = owners.filter((name) => name !== 'step');
  const others = named.length > 0 ? [`kind: ${listed(named, 'or')}`] : [];
  return listed(owners.includes('step') ? ['steps', ...others] : others, 'and');
}

/** A kind of a plugin, or a mistake that the linker reports. */
function readOther(r: Reader, object: ToonObject, kind: ToonEntry, type: Word): DraftOther {
  const ours = ({ key }: ToonEntry) => otherShape.readers.has(key.text);
  const block = readBlock(r, { ...object, entries: object.entries.filter(ours) }, otherShape);
  checkAttempts(r, block);
  const { id, needs = [], maxAttempts, retry: nested, timeout: timeoutMs } = block.values;
  const fields = object.entries.flatMap((entry) => {
    const value = entry === kind || ours(entry) ? undefined : anyValue(r, entry);
    return value ? [{ key: word(r, entry.key.text, entry.key.span), value }] : [];
  });
  return {
    kind: 'other',
    id,
    type,
    fields,
    needs,
    retry: retryPolicy(maxAttempts, nested),
    timeoutMs,
    at: mark(r, object.span),
  };
}
