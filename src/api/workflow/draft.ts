/** A builder program to the draft that a file with the same words would give, so that both go through the same checks. */
import { dirname, relative } from 'node:path';
import type {
  DraftAgent,
  DraftBuilt,
  DraftComponent,
  DraftImport,
  DraftWorkflow,
  Json,
  WorkflowPlan,
} from '../../plan/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import { jsonType, structOf, validate } from '../../type/index.ts';
import type { ComponentData } from './component-data.ts';
import { draftNodes, type NodeDrafter } from './draft-node.ts';
import { createTypeDrafter } from './draft-type.ts';
import { createListing } from './listing.ts';
import { markerOf } from './marker.ts';
import type { Node } from './node.ts';
import type { Reached } from './reached.ts';
import type { AnySchema, SchemaAnswer } from './schema.ts';
import { createShapes, type Shapes } from './shape.ts';
import type { BuiltWorkflow, Imports } from './workflow-data.ts';

/** A whole workflow, or components alone. */
export interface Program {
  readonly name: string;
  /** What paths are relative to. Components stand in modules that are not known here: they name files by whole paths. */
  readonly file?: string;
  readonly workflow?: {
    readonly input?: AnySchema;
    readonly nodes: readonly Node<unknown>[];
    readonly imports: Imports;
    /** What it was made from, whose keys are looked at. */
    readonly given: object;
  };
  readonly reached: Reached;
}

export interface Drafted {
  readonly draft: DraftWorkflow;
  /** What is wrong with its shape. */
  readonly diagnostics: readonly Diagnostic[];
  /** The step, and its key, that an offset of the source belongs to. */
  readonly labelAt: (offset: number) => string;
}

/** `plans`: of the workflows that the program calls and that were built, too; those with mistakes have none. */
export function draftProgram(
  program: Program,
  answers: ReadonlyMap<unknown, SchemaAnswer>,
  plans: ReadonlyMap<BuiltWorkflow, WorkflowPlan>,
): Drafted {
  const { name, file: ownFile, workflow, reached } = program;
  const listing = createListing(`<${name}>`);
  const shapes = createShapes(listing);
  const types = createTypeDrafter(answers, listing, shapes);
  const agents = new Map<object, DraftAgent>();
  const byKey = new Map<string, DraftAgent>();
  const drafter: NodeDrafter = {
    listing,
    shapes,
    types,
    workflow: name,
    agent(value) {
      let agent = agents.get(value);
      if (agent === undefined) {
        const drafted = draftAgent(value);
        agent = byKey.get(keyOf(drafted)) ?? drafted;
        byKey.set(keyOf(drafted), agent);
        agents.set(value, agent);
      }
      return agent.name.text;
    },
  };

  function draftAgent(value: object): DraftAgent {
    const { type, ...fields } = value as Readonly<Record<string, unknown>>;
    const marker = markerOf(value);
    const label = `agent "${marker?.name}"`;
    const agentName = shapes.name(label, marker?.name, 'an agent');
    const typeWord = shapes.plain(`${label}, type`, type);
    if (type === undefined) shapes.report('TOO4002', agentName, `the agent "${agentName.text}" needs "type"`);
    return {
      name: agentName,
      ...(typeWord && { type: typeWord }),
      fields: Object.entries(fields).flatMap(([key, field]) => {
        if (field === undefined) return [];
        const at = listing.word(`${label}, ${key}`, key);
        const read = validate(field, jsonType, new Map());
        if (!read.ok)
          shapes.report('TOO4003', at, `"${key}" of an agent is plain JSON: ${read.errors[0]?.message ?? ''}`);
        return [{ key: at, value: read.ok ? (read.value as Json) : null, at }];
      }),
      at: agentName,
    };
  }

  function draftComponent(each: Extract<ComponentData, { kind: 'built' }>): DraftComponent {
    const label = `component "${each.name}"`;
    const word = shapes.name(label, each.name, 'a component');
    shapes.keys(label, each.given, ['params', 'steps']);
    return {
      name: word,
      ...(each.params !== undefined && { params: types.typeOf(`${label}, params`, each.params) }),
      steps: draftNodes(`${label}, steps`, each.nodes, { ...drafter, component: each.name }),
      at: word,
    };
  }

  function fileImport(kind: string, file: string, names: Pick<DraftImport, 'use' | 'as'>): DraftImport {
    const path = ownFile === undefined ? file : relative(dirname(ownFile), file).replaceAll('\\', '/');
    const from = listing.word(kind, path.startsWith('.') || ownFile === undefined ? path : `./${path}`);
    return { from, ...names, at: from };
  }

  const components: DraftComponent[] = [];
  const imported: DraftImport[] = [];
  for (const each of reached.components) {
    const label = `component "${each.name}"`;
    if (each.kind === 'built') components.push(draftComponent(each));
    else imported.push(fileImport(label, each.file, { use: [listing.word(label, each.name)] }));
  }
  const built: DraftBuilt[] = [];
  const workflows: DraftImport[] = [];
  for (const each of reached.workflows) {
    const label = `workflow "${each.name}"`;
    const word = listing.word(label, each.name);
    const plan = each.kind === 'built' ? plans.get(each) : undefined;
    if (each.kind === 'file') workflows.push(fileImport(label, each.file, { use: [], as: word }));
    else built.push({ name: word, ...(plan && { plan }), file: each.file });
  }
  if (workflow) shapes.keys('workflow', workflow.given, ['name', 'input', 'steps', 'imports', 'from']);
  const own = workflow && {
    name: shapes.name('name', name, 'a workflow'),
    input:
      workflow.input === undefined
        ? { ...listing.word('input', ''), type: structOf([]), names: [] }
        : types.typeOf('input', workflow.input),
    steps: draftNodes('steps', workflow.nodes, drafter),
  };
  const draft: DraftWorkflow = {
    source: listing.source,
    ...own,
    components,
    workflows: built,
    imports: {
      schemas: [],
      agents: [],
      components: imported,
      workflows,
      ...draftImports(workflow?.imports ?? {}, shapes),
    },
    // Nodes are looked at first: they lead to these.
    agents: [...byKey.values()],
    schemas: types.declared(),
  };
  return { draft, diagnostics: shapes.found, labelAt: listing.labelAt };
}

function draftImports(imports: Imports, shapes: Shapes) {
  shapes.keys('imports', imports, ['services', 'plugins']);
  return {
    services: importsOf('services', imports.services, ['from', 'use', 'as'], shapes).map(
      ({ from, use, as }): DraftImport => {
        const at = shapes.name('imports, services', use, 'an export');
        return {
          from: shapes.plain('imports, services', from) ?? at,
          use: [at],
          ...(as !== undefined && { as: shapes.name('imports, services', as, 'a service') }),
          at,
        };
      },
    ),
    plugins: importsOf('plugins', imports.plugins, ['from', 'use', 'config'], shapes).flatMap(
      ({ from, use, config = {} }) => {
        const at = shapes.plain('imports, plugins', from);
        const word = shapes.plain('imports, plugins', use);
        return at ? [{ from: at, ...(word && { use: word }), config, at }] : [];
      },
    ),
  };
}

/** Those that can be looked at. */
function importsOf<T>(name: string, list: readonly T[] = [], keys: readonly string[], shapes: Shapes): readonly T[] {
  const label = `imports, ${name}`;
  if (Array.isArray(list)) return list.filter((each) => shapes.keys(label, each, keys));
  shapes.keys(label, list, []);
  return [];
}

/** The same agent written twice is one. */
function keyOf({ name, type, fields }: DraftAgent): string {
  return JSON.stringify([name.text, type?.text, fields.map(({ key, value }) => [key.text, value])]);
}
