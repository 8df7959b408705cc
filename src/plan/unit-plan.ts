/** The plan of one file: its sites linked, checked and put together. Sub-workflows are planned first. */
import { dirname } from 'node:path';
import { anyValue, type ValueType } from '../expr/index.ts';
import { didYouMean } from '../text/index.ts';
import { jsonType, type StructType, structOf, type Type } from '../type/index.ts';
import { checkTools } from './agent-tools.ts';
import { type AgentType, agentTypes } from './agent-types.ts';
import { checkAgents, createAgents } from './agents.ts';
import { checkSiblings } from './code-reads.ts';
import type { DraftText, Word } from './draft.ts';
import { endlessTypes } from './endless.ts';
import { checkHandlers } from './handlers.ts';
import { type LinkContext, linkNodes } from './link.ts';
import type { ModuleImport, ResultType, WorkflowPlan } from './node.ts';
import type { PlanOptions } from './plan.ts';
import { checkPlugins, createPlugins, pluginAgentTypes, pluginNames } from './plugins.ts';
import { rebase } from './rebase.ts';
import type { Reports } from './reports.ts';
import { createResults, mayLack, type OutsideResult, present, resultValue } from './results.ts';
import { createSchemas } from './schemas.ts';
import { buildSites, type LackingCalls, type Site, type SiteTree } from './site.ts';
import { givenNames, readCodes, readPrompts } from './sources.ts';
import { moduleFrom } from './specifier.ts';
import { suggest } from './suggest.ts';
import { createTexts } from './texts.ts';
import { createThunkOutputs, createThunkSteps } from './thunk-steps.ts';
import { createThunks } from './thunks.ts';
import { type TypesCheck, typesCheckOf } from './typed.ts';
import { type Component, type Known, knownIn, type Unit, unitsUsed } from './unit.ts';
import { checkUnread } from './unread.ts';
import { createValues } from './values.ts';
import { findCircles, type Wait } from './waits.ts';

export interface UnitPlan {
  readonly plan: WorkflowPlan;
  /** What it gives, if it gives something. */
  readonly result: ValueType;
  readonly types: ReadonlyMap<string, StructType>;
  /** Only when it was asked for, and there is code. */
  readonly check?: TypesCheck;
}

/** A sub-workflow, and its name in the plan of who uses it. */
interface Called extends UnitPlan {
  readonly key: string;
}

export async function planUnit(
  unit: Unit,
  options: PlanOptions,
  reports: Reports,
  done: Map<Unit, UnitPlan>,
): Promise<UnitPlan> {
  const before = done.get(unit);
  if (before !== undefined) return before;
  const { draft } = unit;
  const schemas = createSchemas(reports);
  const input = draft.input ? schemas.typeOf(draft.input, unit) : jsonType;
  for (const { name } of draft.schemas) schemas.named(name, unit);
  const types: ReadonlyMap<string, AgentType> = new Map([
    ...agentTypes,
    ...(options.agentTypes ?? []),
    ...pluginAgentTypes(unit),
  ]);
  const plugins = createPlugins(unit, options);
  checkPlugins(unit, options, reports);
  checkAgents(unit, types, reports);
  const thunks = await createThunks(unit, types, options.thunks, reports);
  const thunkOutput = createThunkOutputs(thunks, schemas);
  if (options.tools) await checkTools(unit, options.tools, reports);
  const agents = createAgents(types, { root: options.file, file: unit.file, pluginOf: plugins.agentOf }, reports);
  for (const { name } of draft.agents) agents.find(name, unit);

  const called = await planCalled(unit, options, reports, done);
  const lacks = (from: Unit, name: string) => {
    const found = called.get(from)?.get(name);
    return found !== undefined && mayLack(found.plan.result);
  };
  const trees = treesOf(unit, lacks, reports);
  const sites = trees.flatMap(({ all }) => all);
  checkServices(sites, reports);
  const codes = await readCodes(sites, reports);
  const prompts = await readPrompts(sites, options.read, reports);
  const siblingReads = await checkHandlers(sites, options.read, reports);

  const givenNamesOf = new Map<Unit, ReadonlySet<string>>();
  const results = createResults(schemas, outside);
  const texts = createTexts({
    reports,
    results,
    types: schemas.table,
    input,
    paramsOf: ({ space }) => paramsOf(space.component),
  });
  const values = createValues(texts, reports);
  const context: LinkContext = {
    reports,
    schemas,
    agents,
    texts,
    values,
    thunkSteps: createThunkSteps({ reports, schemas, values, thunks }),
    thunkOutput,
    folder: dirname(options.file),
    codeOf: (site: Site, text: DraftText) => codes.get(text)?.get(site.space),
    promptOf: (site: Site) => prompts.get(site),
    callOf,
    paramsOf,
    plugins,
    givenIn,
    siblingReads,
  };
  const [children = []] = trees.map(({ space }) => linkNodes(space.roots, context));
  for (const tree of trees) checkWaits(tree, texts.waits, reports);
  checkSiblings(sites, siblingReads, texts.waits, reports);
  checkUnread(unit, trees, children, reports);
  for (const name of endlessTypes(schemas.table)) tellEndless(name, unit, reports);

  const last = trees[0]?.space.roots.at(-1);
  const result = last ? results.typeOf(last) : anyValue;
  // Before the table is taken: what comes from elsewhere brings its types.
  const given: ResultType = last ? results.resultOf(last) : jsonType;
  const plan: WorkflowPlan = {
    kind: 'plan',
    name: draft.name?.text ?? '',
    input,
    types: Object.fromEntries(schemas.table),
    agents: Object.fromEntries(agents.specs),
    services: servicesOf(unit, options, reports),
    plugins: plugins.imports,
    workflows: Object.fromEntries([...called.values()].flatMap((map) => [...map.values()].map((c) => [c.key, c.plan]))),
    children,
    result: given,
  };
  const check =
    options.typesRoot === undefined
      ? undefined
      : typesCheckOf(
          {
            ...context,
            sites,
            results,
            input,
            services: plan.services,
            brought: plan.plugins.flatMap(({ gives = [] }) => gives),
            paramsOf: ({ space }) => paramsOf(space.component),
          },
          options.typesRoot,
        );
  const planned = { plan, result, types: schemas.table, ...(check && { check }) };
  done.set(unit, planned);
  return planned;

  function givenIn(each: Unit): ReadonlySet<string> {
    let names = givenNamesOf.get(each);
    if (names === undefined) {
      names = givenNames(each);
      givenNamesOf.set(each, names);
    }
    return names;
  }

  function paramsOf(component: Component | undefined): Type | undefined {
    if (component === undefined) return undefined;
    return component.draft.params ? schemas.typeOf(component.draft.params, component.unit) : structOf([]);
  }

  /** What only the whole plan knows of a node's result. */
  function outside(site: Site): OutsideResult | undefined {
    const { draft: node, space } = site;
    if (node.kind === 'step') {
      const type = thunkOutput(site);
      return type && { result: type, types: schemas.table, value: resultValue(type, schemas.table) };
    }
    if (node.kind === 'workflow') {
      const found = node.use && called.get(space.unit)?.get(node.use.text);
      return found && { result: present(found.plan.result), types: found.types, value: found.result };
    }
    const info = node.kind === 'other' ? plugins.kinds.get(node.type.text)?.info : undefined;
    if (info === undefined) return undefined;
    const output: ResultType = info.output ?? { kind: 'nothing' };
    const table = new Map(Object.entries(info.types ?? {}));
    return { result: output, types: table, value: resultValue(output, table) };
  }

  function callOf({ space }: Site, use: Word) {
    const here = called.get(space.unit);
    let found = here?.get(use.text);
    if (!space.unit.workflows.has(use.text)) {
      const { hint, help, fix } = suggest(use, knownIn(space.unit.workflows), 'imported workflows');
      reports.add('TOO4242', use, `unknown workflow "${use.text}".${didYouMean(hint)}`, { help, ...fix });
      // What follows is about the one that was probably meant.
      found = hint === undefined ? undefined : here?.get(hint);
    }
    return found && { key: found.key, input: found.plan.input, types: found.types, result: found.result };
  }
}

/** A sub-workflow: a file, or one that a module builds. */
async function plannedOf(
  known: Known<Unit>,
  options: PlanOptions,
  reports: Reports,
  done: Map<Unit, UnitPlan>,
): Promise<UnitPlan | undefined> {
  if (known.kind === 'written') return planUnit(known.value, options, reports, done);
  const info = known.kind === 'module' ? known.export.info : undefined;
  if (info?.kind !== 'workflow') return undefined;
  const plan = rebase(info.plan, dirname(info.file), dirname(options.file));
  const types = new Map(Object.entries(plan.types));
  return { plan, types, result: resultValue(present(plan.result), types) };
}

/** The sub-workflows of a unit and of the units whose components it uses. */
async function planCalled(
  unit: Unit,
  options: PlanOptions,
  reports: Reports,
  done: Map<Unit, UnitPlan>,
): Promise<Map<Unit, Map<string, Called>>> {
  const all = new Map<Unit, Map<string, Called>>();
  const keys = new Set<string>();
  for (const each of unitsUsed(unit)) {
    const map = new Map<string, Called>();
    for (const [name, known] of each.workflows) {
      const planned = await plannedOf(known, options, reports, done);
      if (planned === undefined) continue;
      let key = name;
      for (let n = 2; keys.has(key); n++) key = `${name}${n}`;
      keys.add(key);
      map.set(name, { key, ...planned });
    }
    all.set(each, map);
  }
  return all;
}

/** The steps of the file, and by themselves the components that nothing here uses: they are checked too. */
function treesOf(unit: Unit, lacks: LackingCalls, reports: Reports): SiteTree[] {
  const steps = buildSites(unit, unit.draft.steps, lacks, reports);
  const used = new Set(steps.all.map(({ inner }) => inner?.component?.draft));
  const unused = [...unit.components.values()].flatMap((known) =>
    known.kind === 'written' && known.unit === unit && !used.has(known.value.draft) ? [known.value] : [],
  );
  const trees = [steps];
  for (const component of unused) {
    // One that is too large has been reported; those behind it may be as large.
    if (trees.at(-1)?.isFull) break;
    trees.push(buildSites(unit, component.draft.steps, lacks, reports, component));
  }
  return trees;
}

/** Code knows steps and services by their names alone. */
function checkServices(sites: readonly Site[], reports: Reports): void {
  const brought = new Map<Unit, ReadonlyMap<string, Word>>();
  for (const { id, draft, space } of sites) {
    if (id === undefined || draft.id === undefined) continue;
    const service = space.unit.services.get(id)?.word;
    const names = brought.get(space.unit) ?? pluginNames(space.unit);
    brought.set(space.unit, names);
    const plugin = names.get(id);
    const other = service ?? plugin;
    if (other === undefined) continue;
    const [what, help] = service
      ? ['the name of a service, too', 'Give one of them another name: an import takes one with "as".']
      : ['a name that a plugin brings, too', 'Give the step another id.'];
    reports.add('TOO4221', draft.id, `the id "${id}" is ${what}`, {
      help,
      related: [{ source: other.source, span: other.span, message: service ? 'the service' : 'the plugin' }],
    });
  }
}

function checkWaits({ all }: SiteTree, waits: readonly Wait[], reports: Reports): void {
  const own = new Set(all);
  const mine = waits.filter(({ from, to }) => own.has(from) && own.has(to));
  for (const ring of findCircles(all, mine)) {
    const [first] = ring;
    if (first === undefined) continue;
    const names = [...new Set(ring.map(({ from, to }) => `"${from.id ?? from.path}" waits for "${to.id ?? to.path}"`))];
    reports.add('TOO4226', first.at, `steps wait for each other, so none of them starts: ${names.join(', ')}`, {
      help: 'Take one of them out of needs, or out of the text that reads it.',
    });
  }
}

function tellEndless(name: string, unit: Unit, reports: Reports): void {
  const known = unit.schemas.get(name);
  if (known?.kind !== 'written' || known.unit !== unit) return;
  reports.add('TOO4213', known.word, `a value of "${name}" would never end: it has to contain another "${name}"`, {
    help: 'Make the field that holds it optional, or an array.',
  });
}

/** Those of the file and of the files whose components it uses; code knows them by name, so a name has one meaning. */
function servicesOf(unit: Unit, options: PlanOptions, reports: Reports): ModuleImport[] {
  const all = new Map<string, ModuleImport & { readonly word: Word }>();
  for (const each of unitsUsed(unit)) {
    for (const [as, known] of each.services) {
      if (known.kind !== 'module') continue;
      const { specifier, name } = known.export;
      const module = moduleFrom(dirname(options.file), each.folder, specifier);
      const first = all.get(as);
      if (first === undefined) all.set(as, { module, name, as, word: known.word });
      else if (first.module !== module || first.name !== name) {
        reports.add('TOO4212', known.word, `there are two services "${as}"`, {
          help: 'Import one of them under another name with "as".',
          related: [{ source: first.word.source, span: first.word.span, message: 'first imported here' }],
        });
      }
    }
  }
  return [...all.values()].map(({ module, name, as }) => ({ module, name, as }));
}
