/** The types of both languages: plain data tagged by `kind`. `.too` and `.toon` differ only in how they write them. */

export type Type =
  | TextType
  | NumberType
  | BooleanType
  | JsonType
  | MessageType
  | LiteralType
  | ArrayType
  | StructType
  | RefType;

export interface TextType {
  readonly kind: 'text';
}

export interface NumberType {
  readonly kind: 'number';
}

export interface BooleanType {
  readonly kind: 'boolean';
}

/** Any JSON value. */
export interface JsonType {
  readonly kind: 'json';
}

/** What people and models say: see `message.ts` for its value. */
export interface MessageType {
  readonly kind: 'message';
}

/** One text, or one of several. */
export interface LiteralType {
  readonly kind: 'literal';
  readonly values: readonly string[];
}

export interface ArrayType {
  readonly kind: 'array';
  readonly item: Type;
}

/** A closed record: a value has no other fields. */
export interface StructType {
  readonly kind: 'struct';
  readonly name?: string;
  readonly doc?: string;
  readonly fields: readonly FieldType[];
}

export interface FieldType {
  readonly name: string;
  readonly type: Type;
  /** The field may be absent; a null is read as absent. */
  readonly optional: boolean;
  readonly doc?: string;
}

/** A struct by its name, so that structs can contain themselves. */
export interface RefType {
  readonly kind: 'ref';
  readonly name: string;
}

export type TypeTable = ReadonlyMap<string, StructType>;

export type ResolvedType = Exclude<Type, RefType>;

export const textType: TextType = { kind: 'text' };
export const numberType: NumberType = { kind: 'number' };
export const booleanType: BooleanType = { kind: 'boolean' };
export const jsonType: JsonType = { kind: 'json' };
export const messageType: MessageType = { kind: 'message' };

/** The built-in types by the names `.too` gives them. */
export const builtinTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['Text', textType],
  ['Number', numberType],
  ['Boolean', booleanType],
  ['Json', jsonType],
  ['Message', messageType],
]);

/** Values may nest this deep, so that nothing that reads or prints them later runs out of stack. */
export const maxNesting = 512;

export function arrayOf(item: Type): ArrayType {
  return { kind: 'array', item };
}

export function literalOf(...values: readonly string[]): LiteralType {
  return { kind: 'literal', values };
}

export function refTo(name: string): RefType {
  return { kind: 'ref', name };
}

export function structOf(
  fields: readonly FieldType[],
  extra?: { readonly name?: string; readonly doc?: string },
): StructType {
  return extra === undefined ? { kind: 'struct', fields } : { kind: 'struct', ...extra, fields };
}

export function field(name: string, type: Type, extra?: { optional?: boolean; doc?: string }): FieldType {
  const optional = extra?.optional ?? false;
  return extra?.doc === undefined ? { name, type, optional } : { name, type, optional, doc: extra.doc };
}

/** The type behind a reference. Checking reports an unknown name; one that comes this far is a bug, and is thrown. */
export function resolve(type: Type, table: TypeTable): ResolvedType {
  const found = tryResolve(type, table);
  if (found === undefined) {
    throw new Error(`the struct "${type.kind === 'ref' ? type.name : ''}" is not in the table of types`);
  }
  return found;
}

/** For checking, where a name that is not in the table has been reported already. */
export function tryResolve(type: Type, table: TypeTable): ResolvedType | undefined {
  return type.kind === 'ref' ? table.get(type.name) : type;
}
