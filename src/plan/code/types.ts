/**
 * One TypeScript file for the code of one workflow: each `run` step becomes a function whose parameters are what is in
 * scope there and whose result is the output of the step, each handler a call. The project's own `tsc` reads it, and
 * `mapTscOutput` leads its errors back.
 */
import type { Read } from '../../expr/index.ts';
import type { StructType, Type } from '../../type/index.ts';
import type { ModuleImport } from '../node.ts';
import type { CodeEdit } from './edits.ts';
import { isPlainName, keyOf, messageDeclaration, printTs, unknownType } from './print-ts.ts';
import type { TypesMap, TypesPiece } from './tsc-output.ts';

export interface TypesRequest {
  /** The named types, as in a plan. */
  readonly types: Readonly<Record<string, StructType>>;
  readonly input: Type;
  readonly services: readonly ModuleImport[];
  /** What code has from plugins, by name: of any type. */
  readonly brought?: readonly string[];
  readonly steps: readonly TypedStep[];
  /** From the folder of the generated file to the one that relative modules are relative to, as `../..`. */
  readonly root: string;
}

export interface TypedStep {
  /** The identity of the step; problems name it. */
  readonly path: string;
  readonly output?: Type;
  readonly action: TypedCode | TypedHandler;
  /** What its code may read. Without a type, any. `optional`: it may have no value. */
  readonly visible: readonly { readonly id: string; readonly type?: Type; readonly optional: boolean }[];
  readonly params?: Type;
  readonly inLoop: boolean;
}

/** Code without problems, as `readCode` found it. */
export interface TypedCode {
  readonly kind: 'run';
  /** As it was written, with its types. */
  readonly text: string;
  readonly edits: readonly CodeEdit[];
  readonly reads: readonly Read[];
}

export interface TypedHandler {
  readonly kind: 'handler';
  /** As it was written: `./checks.ts#lint`; its problems stand somewhere in here. */
  readonly text: string;
  readonly module: string;
  readonly name: string;
}

export function generateTypes(request: TypesRequest): { readonly text: string; readonly map: TypesMap } {
  const w = writerOf(request);
  write(w, `export {};\n${messageDeclaration}\n${helpers}\n`);
  for (const [name, struct] of Object.entries(request.types)) {
    write(w, `declare namespace Read { interface ${w.names.get(name)} ${printTs(struct, 'read', w.read)} }\n`);
    write(w, `declare namespace Write { interface ${w.names.get(name)} ${printTs(struct, 'write', w.write)} }\n`);
  }
  write(w, `type $Input = ${printTs(request.input, 'read', w.read)};\n`);
  request.services.forEach((service, index) => {
    write(w, `type $Service${index} = $Given<${exportType(request.root, service.module, service.name)}>;\n`);
  });
  request.steps.forEach((step, index) => {
    if (step.action.kind === 'run') writeCode(w, request, step, step.action, index);
    else writeHandler(w, request, step, step.action, index);
  });
  return {
    text: w.parts.join(''),
    map: {
      pieces: w.pieces,
      lineStarts: w.lineStarts,
      steps: request.steps.map(({ path, action }) => ({ path, kind: action.kind, text: action.text })),
    },
  };
}

/** `pipe` tells an Effect from other things that can be iterated; what its iteration returns is its value. */
const helpers = `type $Value<T> = T extends PromiseLike<infer A> ? $Value<A> : T extends { pipe: any; [Symbol.iterator](): Iterator<any, infer A, any> } ? A : T;
type $Effect<T> = { pipe: any; [Symbol.iterator](): Iterator<any, T, any> };
declare function $valueOf<T>(result: T): $Value<T>;
type $Given<T> = T extends { readonly Service: infer S } ? S : T;
interface $Context { input: $Input; attempt: number; runId: string; key: string; cwd: string; signal: AbortSignal; sh: (texts: TemplateStringsArray, ...values: readonly unknown[]) => Promise<string> }`;

const always = ['input', 'steps', 'services', 'attempt', 'runId', 'key', 'cwd', 'signal', 'sh'];

interface Writer {
  readonly parts: string[];
  readonly pieces: TypesPiece[];
  readonly lineStarts: number[];
  readonly names: ReadonlyMap<string, string>;
  readonly read: (name: string) => string | undefined;
  readonly write: (name: string) => string | undefined;
  length: number;
}

function writerOf({ types }: TypesRequest): Writer {
  const names = new Map(Object.keys(types).map((name, index) => [name, isPlainName(name) ? name : `$T${index}`]));
  const inside = (space: string) => (name: string) => (names.has(name) ? `${space}.${names.get(name)}` : undefined);
  return { parts: [], pieces: [], lineStarts: [0], names, read: inside('Read'), write: inside('Write'), length: 0 };
}

function write(w: Writer, text: string): void {
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) w.lineStarts.push(w.length + at + 1);
  w.parts.push(text);
  w.length += text.length;
}

/** Text whose errors belong to what was written from `from` to `to`: exactly there if it is that very text. */
function writeFor(w: Writer, step: number, text: string, from: number, to: number, exact = false): void {
  w.pieces.push({ start: w.length, end: w.length + text.length, step, from, to, exact });
  write(w, text);
}

function writeCode(w: Writer, request: TypesRequest, step: TypedStep, code: TypedCode, index: number): void {
  const all = code.reads.some((read) => read.name === 'steps');
  const wanted = new Set(code.reads.map((read) => read.name));
  const visible = step.visible.filter(({ id }) => all || wanted.has(id));
  const { services, brought = [] } = request;
  const names = [...always, ...services.map(({ as }) => as), ...brought, ...visible.map(({ id }) => id)];
  if (step.inLoop) names.push('loop');
  if (step.params) names.push('params');
  const scope = [...new Set(names)].filter(isPlainName).join(', ');
  const value = step.output ? printTs(step.output, 'write', w.write) : 'unknown';
  const output = mayGiveEffect(code, request) ? `${value} | $Effect<${value}>` : value;
  write(w, `type $Scope${index} = ${scopeType(w, request, step, visible)};\n`);
  writeFor(
    w,
    index,
    `async function $step${index}({ ${scope} }: $Scope${index}): Promise<${output}> {{\n`,
    0,
    code.text.length,
  );
  let at = 0;
  for (const edit of code.edits) {
    writeFor(w, index, code.text.slice(at, edit.start), at, edit.start, true);
    writeFor(w, index, edit.text, edit.start, edit.end);
    at = edit.end;
  }
  writeFor(w, index, code.text.slice(at), at, code.text.length, true);
  write(w, '\n}}\n');
}

/** Where it is sure that it gives none, errors are told without it. */
function mayGiveEffect({ reads, text }: TypedCode, { services, brought = [] }: TypesRequest): boolean {
  const given = new Set(['services', ...services.map(({ as }) => as), ...brought]);
  return /\beffect\b/.test(text) || reads.some(({ name }) => given.has(name));
}

function writeHandler(w: Writer, request: TypesRequest, step: TypedStep, handler: TypedHandler, index: number): void {
  const output = step.output ? printTs(step.output, 'write', w.write) : 'unknown';
  write(w, `type $Scope${index} = ${scopeType(w, request, step, step.visible)};\n`);
  const given = exportType(request.root, handler.module, handler.name);
  writeFor(w, index, `declare const $handler${index}: ${given};\n`, 0, handler.text.length);
  writeFor(
    w,
    index,
    `function $step${index}($context: $Scope${index}) { const result: ${output} = $valueOf($handler${index}($context)); return result; }\n`,
    0,
    handler.text.length,
  );
}

function scopeType(w: Writer, request: TypesRequest, step: TypedStep, visible: TypedStep['visible']): string {
  const values = visible.map(({ id, type, optional }) => {
    const printed = type ? printTs(type, 'read', w.read) : unknownType;
    return `${keyOf(id)}: ${printed}${optional ? ' | undefined' : ''};`;
  });
  const { brought = [] } = request;
  const services = [
    ...request.services.map(({ as }, index) => `${keyOf(as)}: $Service${index};`),
    ...brought.map((name) => `${keyOf(name)}: any;`),
  ].join(' ');
  const own = values.join(' ');
  const loop = step.inLoop ? ' loop: { iteration: number };' : '';
  const params = step.params ? ` params: ${printTs(step.params, 'read', w.read)};` : '';
  return `$Context & { steps: { ${own} }; services: { ${services} }; ${own} ${services}${loop}${params} }`;
}

function exportType(root: string, module: string, name: string): string {
  const path = module.startsWith('.') ? `${root}/${module}`.replaceAll('/./', '/') : module;
  const from = `typeof import(${JSON.stringify(path)})`;
  return isPlainName(name) || name === 'default' ? `${from}.${name}` : `(${from})[${JSON.stringify(name)}]`;
}
