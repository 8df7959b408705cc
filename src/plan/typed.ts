/** What the project's own TypeScript compiler is asked about the code of a plan, and its answers as diagnostics. */
import { toType, type ValueType } from '../expr/index.ts';
import { type Diagnostic, diagnostic } from '../text/index.ts';
import type { StructType, Type } from '../type/index.ts';
import {
  generateTypes,
  mapTscOutput,
  type ReadCode,
  type TypedStep,
  type TypesMap,
  type TypesRequest,
} from './code/index.ts';
import type { DraftText } from './draft.ts';
import { loopFor } from './names.ts';
import type { ModuleImport } from './node.ts';
import { relate } from './order.ts';
import type { Results } from './results.ts';
import type { Schemas } from './schemas.ts';
import type { Site } from './site.ts';
import { moduleFrom, splitExport } from './specifier.ts';
import { markOf } from './texts.ts';

/** One generated file for `tsc`; `diagnose` leads what it says back to the workflow. */
export interface TypesCheck {
  readonly text: string;
  readonly diagnose: (output: string) => { readonly diagnostics: Diagnostic[]; readonly other: readonly string[] };
}

export interface TypesContext {
  readonly sites: readonly Site[];
  readonly schemas: Schemas;
  readonly results: Results;
  readonly input: Type;
  readonly services: readonly ModuleImport[];
  /** What code has from plugins, by name. */
  readonly brought: readonly string[];
  readonly folder: string;
  readonly codeOf: (site: Site, draft: DraftText) => ReadCode | undefined;
  readonly paramsOf: (site: Site) => Type | undefined;
}

/** `root`: from the folder of the generated file to that of the workflow. Undefined when there is no code. */
export function typesCheckOf(context: TypesContext, root: string): TypesCheck | undefined {
  const texts = new Map<string, DraftText>();
  const steps = context.sites.flatMap((site) => typedStep(site, context, texts));
  if (steps.length === 0) return undefined;
  const types: Record<string, StructType> = Object.fromEntries(context.schemas.table);
  const { input, services, brought } = context;
  const request: TypesRequest = { types, input, services, brought, steps, root };
  const { text, map } = generateTypes(request);
  return { text, diagnose: (output) => diagnose(output, map, texts) };
}

function diagnose(
  output: string,
  map: TypesMap,
  texts: ReadonlyMap<string, DraftText>,
): { diagnostics: Diagnostic[]; other: readonly string[] } {
  const { problems, other } = mapTscOutput(output, map);
  const diagnostics = problems.flatMap(({ code, path, start, end, message, help }) => {
    const draft = texts.get(path);
    if (draft === undefined) return [];
    const at = markOf(draft, start, end);
    return [diagnostic(code, at.source, at.span, message, help === undefined ? {} : { help })];
  });
  return { diagnostics, other };
}

function typedStep(site: Site, context: TypesContext, texts: Map<string, DraftText>): TypedStep[] {
  const { draft, space, path } = site;
  if (draft.kind !== 'step') return [];
  const params = context.paramsOf(site);
  const shared = {
    path,
    ...(draft.output && { output: context.schemas.typeOf(draft.output, space.unit) }),
    ...(params && { params }),
    inLoop: loopFor({ site, space }) !== undefined,
  };
  if (draft.run) {
    const read = context.codeOf(site, draft.run);
    // What cannot be read has been reported.
    if (read === undefined || read.problems.length > 0) return [];
    texts.set(path, draft.run);
    const wanted = new Set(read.reads.map(({ name }) => name));
    const action = { kind: 'run', text: draft.run.text, edits: read.edits, reads: read.reads } as const;
    return [{ ...shared, action, visible: visibleTo(site, context, wanted.has('steps') ? undefined : wanted) }];
  }
  if (draft.handler) {
    const { handler } = draft;
    const [specifier, name] = splitExport(handler.text);
    const start = handler.source.text.indexOf(handler.text, handler.span.start);
    texts.set(path, { ...handler, place: (offset) => Math.max(start, handler.span.start) + offset });
    const module = moduleFrom(context.folder, space.unit.folder, specifier);
    const action = { kind: 'handler', text: handler.text, module, name } as const;
    return [{ ...shared, action, visible: visibleTo(site, context, undefined) }];
  }
  return [];
}

/** The steps that may be read, or those of them that are wanted. */
function visibleTo(site: Site, context: TypesContext, wanted: ReadonlySet<string> | undefined): TypedStep['visible'] {
  const ids = wanted ?? site.space.ids.keys();
  return [...ids].flatMap((id) => {
    const target = site.space.ids.get(id);
    if (target === undefined) return [];
    const relation = relate(site, target, false);
    const isReadable = relation.kind === 'before' || relation.kind === 'beside' || relation.inLoop;
    if (!isReadable) return [];
    const type = known(context.results.typeOf(target));
    return [{ id, ...(type && { type }), optional: 'inLoop' in relation || relation.absent }];
  });
}

function known(value: ValueType): Type | undefined {
  const type = toType(value);
  return type?.kind === 'json' ? undefined : type;
}
