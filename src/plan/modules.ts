/**
 * What planning has to know of users' modules and of other files. The answers are plain data: modules run in a child
 * process (`src/run/host/module-host.ts`), never here.
 */
import type { StructType, Type } from '../type/index.ts';
import type { DraftJson } from './draft-json.ts';
import type { WorkflowPlan } from './node.ts';

/** Looks into modules. `undefined` in its place (`check --no-code`) means that nothing of them is known. */
export interface ModuleLoader {
  /** Describes all modules at once, each as far as it could be loaded; never rejects. */
  readonly describe: (requests: readonly ModuleRequest[]) => Promise<readonly ModuleAnswer[]>;
}

export interface ModuleRequest {
  /** As it was written: `./schemas.ts`, `@acme/plugin`. */
  readonly specifier: string;
  /** The folder of the importing file. */
  readonly folder: string;
  /** Of plugins: the config that its function is called with, and the export, where one was named. */
  readonly config?: unknown;
  readonly name?: string;
  readonly as: 'module' | 'plugin';
}

export type ModuleAnswer =
  | {
      readonly ok: true;
      /** The file that was found. */
      readonly file: string;
      readonly exports: Readonly<Record<string, ExportInfo>>;
      /** For `as: 'plugin'`: what its function returned. */
      readonly plugin?: PluginInfo;
      /** The file and the local files that it imports, with a hash of their text: what the key of a handler is made of. */
      readonly files: readonly { readonly file: string; readonly hash: string }[];
    }
  | { readonly ok: false; readonly message: string; readonly help?: string };

/** What an export is, as far as a workflow can use it. `default` is the name of a default export. */
export type ExportInfo =
  /** An Effect `Schema.Class` or another Effect Schema, or a Standard Schema. `exact`: false where parts of it have no type of ours and became Json. */
  | {
      readonly kind: 'schema';
      readonly type: Type;
      readonly types: Readonly<Record<string, StructType>>;
      readonly exact: boolean;
    }
  | { readonly kind: 'function' }
  /** An Effect tag with its layer, or a plain object: `members` are its methods. */
  | { readonly kind: 'service'; readonly members: readonly string[] }
  | { readonly kind: 'agent'; readonly type: string; readonly fields: Readonly<Record<string, unknown>> }
  /** A workflow of the builder; its modules are named from the folder of `file`. */
  | ({
      readonly kind: 'workflow';
      readonly name: string;
      readonly plan: WorkflowPlan;
      readonly file: string;
    } & HasFunctions)
  /** A component of the builder, in a draft with what it uses. */
  | ({ readonly kind: 'component'; readonly name: string; readonly draft: DraftJson } & HasFunctions)
  /** `help`: what to export instead, where it cannot be used as anything. */
  | { readonly kind: 'other'; readonly what: string; readonly help?: string };

interface HasFunctions {
  /** The functions of its steps, by the names of their modules: nobody has them but the program that it is built in. */
  readonly functions?: readonly string[];
}

export interface PluginInfo {
  readonly nodes: Readonly<Record<string, PluginNodeInfo>>;
  readonly agents: Readonly<Record<string, readonly PluginField[]>>;
  readonly functions: readonly string[];
  readonly services: readonly string[];
}

export interface PluginNodeInfo {
  readonly fields: readonly PluginField[];
  readonly output?: Type;
  readonly types?: Readonly<Record<string, StructType>>;
}

export interface PluginField {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
  /** Whether `{expressions}` in it are read. */
  readonly interpolated: boolean;
}

/** Reads the text of a file that a workflow imports (`.toon`, `promptFrom`); the answer for a file that is not there says so. */
export type FileReader = (
  path: string,
) => Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }>;
