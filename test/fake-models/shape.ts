/**
 * What a request may look like, as a table: which fields there are, of which kind, which of them must be there. The first
 * thing that does not fit is told as plain data; every service puts it into its own words.
 */

export type Path = readonly (string | number)[];

export type Problem =
  /** A field that nobody knows, in the object at `path`. */
  | { readonly kind: 'unknown'; readonly path: Path; readonly name: string }
  | { readonly kind: 'missing'; readonly path: Path }
  | { readonly kind: 'type'; readonly path: Path; readonly expected: string; readonly got: unknown }
  | { readonly kind: 'choice'; readonly path: Path; readonly choices: readonly string[]; readonly got: unknown }
  | { readonly kind: 'low' | 'high'; readonly path: Path; readonly limit: number; readonly got: number }
  | { readonly kind: 'short' | 'long'; readonly path: Path; readonly limit: number; readonly got: string | unknown[] }
  | { readonly kind: 'pattern'; readonly path: Path; readonly pattern: string; readonly got: string };

export type Shape = TextShape | NumberShape | ListShape | ObjectShape | TaggedShape | EitherShape | OtherShape;

interface Common {
  /** `null` is as if it were not there. */
  readonly nullable?: true;
}

interface TextShape extends Common {
  readonly kind: 'text';
  readonly choices?: readonly string[];
  readonly pattern?: RegExp;
  readonly min?: number;
  readonly max?: number;
}

interface NumberShape extends Common {
  readonly kind: 'number' | 'integer';
  readonly min?: number;
  readonly max?: number;
}

interface ListShape extends Common {
  readonly kind: 'list';
  readonly of: Shape;
  readonly min?: number;
  readonly max?: number;
}

export interface ObjectShape extends Common {
  readonly kind: 'object';
  readonly fields: Readonly<Record<string, Shape | Needed>>;
  /** Other fields are left alone. */
  readonly open?: true;
}

/** An object whose field `by` says which of the shapes it has. */
interface TaggedShape extends Common {
  readonly kind: 'tagged';
  readonly by: string;
  readonly cases: Readonly<Record<string, ObjectShape>>;
  /** The case where the field is not there. */
  readonly otherwise?: string;
  /** The case is part of the path to what is in it. */
  readonly inPath?: true;
}

interface EitherShape extends Common {
  readonly kind: 'either';
  readonly of: readonly Shape[];
}

interface OtherShape extends Common {
  readonly kind: 'boolean' | 'any' | 'map';
}

export interface Needed {
  readonly needed: Shape;
}

export const boolean: Shape = { kind: 'boolean' };
export const anything: Shape = { kind: 'any' };
/** An object with any fields. */
export const map: Shape = { kind: 'map' };

export const text = (rules: Omit<TextShape, 'kind'> = {}): Shape => ({ kind: 'text', ...rules });
export const one = (...choices: string[]): Shape => ({ kind: 'text', choices });
export const number = (min?: number, max?: number): Shape => ({ kind: 'number', ...bounds(min, max) });
export const integer = (min?: number, max?: number): Shape => ({ kind: 'integer', ...bounds(min, max) });
export const list = (of: Shape, min?: number, max?: number): Shape => ({ kind: 'list', of, ...bounds(min, max) });
export const object = (fields: ObjectShape['fields']): ObjectShape => ({ kind: 'object', fields });
export const open = (fields: ObjectShape['fields']): ObjectShape => ({ kind: 'object', fields, open: true });
export const tagged = (by: string, cases: TaggedShape['cases'], otherwise?: string): Shape =>
  otherwise === undefined ? { kind: 'tagged', by, cases } : { kind: 'tagged', by, cases, otherwise };
export const named = (by: string, cases: TaggedShape['cases'], otherwise?: string): Shape =>
  ({ ...tagged(by, cases, otherwise), inPath: true }) as TaggedShape;
export const either = (...of: Shape[]): Shape => ({ kind: 'either', of });
export const need = (shape: Shape): Needed => ({ needed: shape });
export const nullable = (shape: Shape): Shape => ({ ...shape, nullable: true });

/** The same, but that fields which nobody knows are left alone, as many services do. */
export function lenient(shape: Shape): Shape {
  if (shape.kind === 'list') return { ...shape, of: lenient(shape.of) };
  if (shape.kind === 'either') return { ...shape, of: shape.of.map(lenient) };
  if (shape.kind === 'object') return lenientObject(shape);
  if (shape.kind !== 'tagged') return shape;
  const cases = Object.entries(shape.cases).map(([name, inner]) => [name, lenientObject(inner)]);
  return { ...shape, cases: Object.fromEntries(cases) };
}

function lenientObject(shape: ObjectShape): ObjectShape {
  const fields = Object.entries(shape.fields).map(([name, field]) => [
    name,
    'needed' in field ? need(lenient(field.needed)) : lenient(field),
  ]);
  return { ...shape, fields: Object.fromEntries(fields), open: true };
}

/** Fields that may be left out, and may be `null`. */
export function nullables(fields: Readonly<Record<string, Shape>>): Record<string, Shape> {
  return Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, nullable(shape)]));
}

export function problemOf(shape: Shape, value: unknown, path: Path = []): Problem | undefined {
  if (value === null && shape.nullable) return undefined;
  switch (shape.kind) {
    case 'any':
      return undefined;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrong(path, shape, value);
    case 'text':
      return typeof value === 'string' ? textProblem(shape, value, path) : wrong(path, shape, value);
    case 'number':
    case 'integer':
      return numberProblem(shape, value, path);
    case 'list':
      return Array.isArray(value) ? listProblem(shape, value, path) : wrong(path, shape, value);
    case 'either':
      return eitherProblem(shape, value, path);
    case 'map':
      return isObject(value) ? undefined : wrong(path, shape, value);
    case 'tagged':
      return isObject(value) ? taggedProblem(shape, value, path) : wrong(path, shape, value);
    case 'object':
      return isObject(value) ? objectProblem(shape, value, path) : wrong(path, shape, value);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(path: Path, shape: Shape, got: unknown): Problem {
  return { kind: 'type', path, expected: nameOf(shape), got };
}

/** `string`, `number`, `integer`, `boolean`, `array`, `object`; of several, joined by `|`. */
function nameOf(shape: Shape): string {
  if (shape.kind === 'either') return shape.of.map(nameOf).join('|');
  const names = { text: 'string', list: 'array', map: 'object', tagged: 'object', any: 'any' } as const;
  return shape.kind in names ? names[shape.kind as keyof typeof names] : shape.kind;
}

function textProblem(shape: TextShape, got: string, path: Path): Problem | undefined {
  const { choices, pattern, min, max } = shape;
  if (choices && !choices.includes(got)) return { kind: 'choice', path, choices, got };
  if (min !== undefined && got.length < min) return { kind: 'short', path, limit: min, got };
  if (max !== undefined && [...got].length > max) return { kind: 'long', path, limit: max, got };
  if (pattern && !pattern.test(got)) return { kind: 'pattern', path, pattern: pattern.source, got };
  return undefined;
}

function numberProblem(shape: NumberShape, got: unknown, path: Path): Problem | undefined {
  if (typeof got !== 'number' || (shape.kind === 'integer' && !Number.isInteger(got))) return wrong(path, shape, got);
  if (shape.min !== undefined && got < shape.min) return { kind: 'low', path, limit: shape.min, got };
  if (shape.max !== undefined && got > shape.max) return { kind: 'high', path, limit: shape.max, got };
  return undefined;
}

function listProblem(shape: ListShape, got: unknown[], path: Path): Problem | undefined {
  if (shape.min !== undefined && got.length < shape.min) return { kind: 'short', path, limit: shape.min, got };
  if (shape.max !== undefined && got.length > shape.max) return { kind: 'long', path, limit: shape.max, got };
  return firstOf(got, (item, at) => problemOf(shape.of, item, [...path, at]));
}

/** What does not fit inside of one whose kind fits says more than that none of them fits. */
function eitherProblem(shape: EitherShape, got: unknown, path: Path): Problem | undefined {
  let inner: Problem | undefined;
  for (const option of shape.of) {
    const problem = problemOf(option, got, path);
    if (problem === undefined) return undefined;
    if (problem.kind !== 'type' || problem.path.length > path.length) inner ??= problem;
  }
  return inner ?? wrong(path, shape, got);
}

function taggedProblem(shape: TaggedShape, got: Record<string, unknown>, path: Path): Problem | undefined {
  const tag = got[shape.by] ?? shape.otherwise;
  const at = [...path, shape.by];
  if (tag === undefined) return { kind: 'missing', path: at };
  const chosen = typeof tag === 'string' && Object.hasOwn(shape.cases, tag) ? shape.cases[tag] : undefined;
  if (chosen === undefined) return { kind: 'choice', path: at, choices: Object.keys(shape.cases), got: tag };
  const fields = { ...chosen.fields, [shape.by]: text() };
  return objectProblem({ ...chosen, fields }, got, shape.inPath ? [...path, String(tag)] : path);
}

function objectProblem(shape: ObjectShape, got: Record<string, unknown>, path: Path): Problem | undefined {
  for (const [name, field] of Object.entries(shape.fields)) {
    if ('needed' in field && got[name] === undefined) return { kind: 'missing', path: [...path, name] };
  }
  return firstOf(Object.entries(got), ([name, value]) => {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) return shape.open ? undefined : { kind: 'unknown', path, name };
    return problemOf('needed' in field ? field.needed : field, value, [...path, name]);
  });
}

/** The first that is something. */
export function firstOf<T, R>(items: Iterable<T>, look: (item: T, at: number) => R | undefined): R | undefined {
  let at = 0;
  for (const item of items) {
    const found = look(item, at);
    if (found !== undefined) return found;
    at += 1;
  }
  return undefined;
}

function bounds(min: number | undefined, max: number | undefined): { min?: number; max?: number } {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}
