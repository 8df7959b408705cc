/**
 * A thunk as a conversation: its call, what it may call, and who may go on with it. Nothing is in it that its image does not
 * have: what a model writes chooses among that, and reaches nothing else.
 */
import type { Json, MachineInit, StepSpec } from '../machine/index.ts';
import type { ModelTool } from '../model/index.ts';
import {
  field,
  isMessage,
  messageText,
  type ReadError,
  readJson,
  structOf,
  type TypeTable,
  textType,
  toJsonSchema,
} from '../type/index.ts';
import { assemble, isWrapped, type Runtime, threadOf, type Values, wantsText } from './assembly.ts';
import { asField, conformed, handTool, thunkOf, waitsItself } from './hand-tool.ts';
import { type AgentImage, handoffPrefix, memoryTool, skillTool, type ThunkImage, typesOf } from './image.ts';
import { capKey } from './image-key.ts';
import type { OwnTool, Talk, TalkWanted as Wanted } from './talk.ts';
import { errorTexts, shortHash } from './talk-answer.ts';
import type { ThunkRef } from './thunk-ref.ts';

/** How much of earlier turns is said again, in tokens, and how many memories. */
const historyTokens = 16_000;
const mostMemories = 8;

export function thunkTalk(ref: ThunkRef, values: Values, init: MachineInit): Talk {
  const { image } = ref.agent;
  const thunk = thunkOf(image, ref.thunk);
  const own: Wanted = wantedOf(ref, thunk);
  return talkOf(ref, thunk, values, own, init);
}

/** The step's type where the thunk leaves it open, else its own. */
function wantedOf({ output, types, agent }: ThunkRef, thunk: ThunkImage): Wanted {
  const table = typesOf(agent.image);
  if (output !== undefined && thunk.output.kind === 'message') return { output, types, language: 'toon' };
  return { output: thunk.output, types: table, language: 'too' };
}

function talkOf(
  ref: ThunkRef,
  thunk: ThunkImage,
  values: Values,
  wanted: Wanted,
  init: MachineInit,
  from?: string,
): Talk {
  const { agent } = ref;
  const { image } = agent;
  const read = readValues(thunk, values, typesOf(image));
  const runtime: Runtime = { run: init.runId, cwd: init.cwd ?? image.cwd, at: init.runAt ?? init.at };
  const { timeoutMs, idleTimeoutMs } = agent.fields;
  const fields: Record<string, Json> = { models: thunk.models };
  if (typeof agent.fields.use === 'string') fields.use = agent.fields.use;
  if (idleTimeoutMs !== undefined) fields.idleTimeoutMs = idleTimeoutMs;
  const about = { image: image as unknown as Json, thunk: thunk.name };
  const names = thunk.name === ref.thunk ? ref.names : [`${ref.names[0] ?? ref.thunk}/${thunk.name}`];
  const call = (begun: Parameters<Talk['first']>[0]) =>
    assemble(image, thunk, read.values, { ...begun, runtime, wanted, before: begun.before?.() });
  const emptyProblem = () =>
    threadOf(image, thunk, read.values, runtime).isSilent
      ? `"${thunk.name}" has nothing to send: neither its texts nor what it was given say anything`
      : undefined;
  return {
    name: image.agent,
    who: thunk.name,
    // Whoever goes on with a conversation has that.
    problem: read.problem ?? (from === undefined ? emptyProblem() : undefined),
    agent: {
      name: image.agent,
      type: 'too',
      fields,
      ...(agent.at !== undefined && { at: agent.at }),
      ...(agent.workflow !== undefined && { workflow: agent.workflow }),
    },
    model: thunk.models[0] ?? '',
    names: [...new Set([...names, thunk.name, image.agent])],
    callTimeoutMs: typeof timeoutMs === 'number' ? timeoutMs : undefined,
    offer: offerOf(thunk, about, from),
    recall: from === undefined ? recallOf(image, thunk, read.values) : undefined,
    about,
    toolKey: (tool) => capKey(image, thunk, tool),
    wanted,
    read: (text) =>
      wantsText(wanted)
        ? { ok: true, value: text, repairs: [] }
        : readJson(text, wanted.output, wanted.types, { wrapped: isWrapped(wanted), language: wanted.language }),
    first: call,
    keyOf: (made) =>
      shortHash(['too', thunk.models, made.messages, made.output ?? null, made.settings, made.tools ?? []]),
    own: ownTools(ref, thunk, read.values, wanted, init),
    ...(from === undefined &&
      ref.chain.length === 0 &&
      image.thread !== undefined && { turn: turnOf(image, image.thread) }),
  };
}

/** Free text is read into the type of the input, as an answer would be; any JSON it is already. */
function readValues(
  thunk: ThunkImage,
  given: Values,
  table: TypeTable,
): { readonly values: Values; readonly problem?: string } {
  const values: Record<string, Json> = {};
  for (const { name, type, optional } of thunk.params) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || (value === null && type.kind !== 'json')) {
      if (!optional) return { values, problem: `"${thunk.name}" needs "${name}", and was not given it` };
      continue;
    }
    const isFree = typeof value === 'string' && type.kind !== 'json' && !wantsText({ output: type, types: table });
    const read = isFree ? readJson(value, type, table) : conformed(value, type, table);
    if (!read.ok) return { values, problem: `"${name}" of "${thunk.name}": ${wrongWords(read.errors)}` };
    values[name] = read.value as Json;
  }
  return { values };
}

/** Of an argument, which is no answer; without the last full stop. */
function wrongWords(errors: readonly ReadError[]): string {
  return errorTexts(errors)
    .join(' ')
    .replace(/^the answer must/, 'it must')
    .replace(/\.$/, '');
}

function offerOf(thunk: ThunkImage, about: Readonly<Record<string, Json>>, from: string | undefined): Talk['offer'] {
  const { tools, optional, skills, recall } = thunk;
  const isEmpty = tools.length + skills.length === 0 && !recall.includes('memory');
  if (isEmpty && from === undefined) return undefined;
  const names = [
    ...asked(tools),
    ...(skills.length > 0 ? [skillTool] : []),
    ...(recall.includes('memory') ? [memoryTool] : []),
  ];
  const spec: StepSpec = { kind: 'tools', names, optional: asked(optional), ...about };
  return {
    spec: from === undefined ? spec : { ...spec, handoff: { from, to: thunk.name } },
    key: () => shortHash([tools, thunk.without ?? [], skills, recall, thunk.name]),
  };
}

/** Of a pattern the whole set is asked, and gives what fits. */
function asked(tools: readonly string[]): readonly string[] {
  return [...new Set(tools.map((name) => (name.includes('*') ? name.slice(0, name.indexOf('/')) : name)))];
}

function recallOf(image: AgentImage, thunk: ThunkImage, values: Values): Talk['recall'] {
  const sources = thunk.recall.filter((source) => source === 'memory' || image.thread !== undefined);
  if (sources.length === 0) return undefined;
  const query = Object.values(values).map(wordsOf).join('\n');
  const spec: Record<string, Json> & { kind: string } = {
    kind: 'recall',
    sources,
    agent: image.agent,
    file: image.memory,
    query: query.slice(0, mostQuery),
    budget: historyTokens,
    most: mostMemories,
  };
  if (image.thread !== undefined) spec.thread = image.thread;
  return { spec, key: () => shortHash([spec]) };
}

const mostQuery = 4000;

/** What of an argument memories are looked for with: files are no words. */
function wordsOf(value: Json): string {
  return isMessage(value) ? messageText(value) : JSON.stringify(value);
}

function turnOf(image: AgentImage, thread: string): StepSpec {
  return { kind: 'turn', agent: image.agent, thread, file: image.memory };
}

function ownTools(
  ref: ThunkRef,
  thunk: ThunkImage,
  values: Values,
  wanted: Wanted,
  init: MachineInit,
): ReadonlyMap<string, OwnTool> {
  const tools = new Map<string, OwnTool>();
  const { image } = ref.agent;
  for (const name of thunk.hands) tools.set(name, handTool(ref, thunk, name));
  for (const name of thunk.handoffs) {
    const target = thunkOf(image, name);
    const tool = handoffTool(target, typesOf(image));
    tools.set(tool.name, {
      tool,
      handoff(args) {
        if (ref.chain.includes(name)) return waitsItself(ref, thunk, name);
        // What it does not say is what it was given itself.
        const isSaid = args.input !== undefined && args.input !== '';
        const input = isSaid ? args.input : inputFor(target, thunk, values);
        const given = { ...args, ...(input !== undefined && { input }) } as Values;
        const talk = talkOf(ref, target, given, wanted, init, thunk.name);
        return talk.problem === undefined ? { to: name, talk } : { refuse: `It is not passed on: ${talk.problem}.` };
      },
    });
  }
  return tools;
}

/** What a thunk was asked, for who goes on: as a text where that is what it takes. */
function inputFor(target: ThunkImage, thunk: ThunkImage, { input }: Values): Json | undefined {
  const [from, to] = [thunk, target].map(({ params }) => params.find(({ name }) => name === 'input')?.type.kind);
  if (input === undefined || typeof input === 'string' || from === to) return input;
  if (from === 'message' && isMessage(input)) return messageText(input);
  return to === 'message' || to === 'text' ? JSON.stringify(input) : input;
}

function handoffTool(target: ThunkImage, table: TypeTable): ModelTool {
  const rest = target.params.filter(({ name }) => name !== 'input');
  const takesInput = target.params.some(({ name }) => name === 'input');
  const input = field('input', textType, {
    optional: true,
    doc: 'What it is asked to do; what you were asked if left out.',
  });
  const fields = [...(takesInput ? [input] : []), ...rest.map(asField)];
  return {
    name: `${handoffPrefix}${target.name}`,
    description: `Passes this conversation on to "${target.name}", which answers in your place.${target.doc === undefined ? '' : ` ${target.doc}`}`,
    parameters: toJsonSchema(structOf(fields), table),
  };
}
