/**
 * A workflow file to a plan: read, loaded with what it imports, its names settled, everything checked. Each file is
 * read once; what is found wrong is all in `diagnostics`, and there is a plan only when nothing is.
 */
import { type Diagnostic, hasErrors, type Source } from '../text/index.ts';
import type { ToolLookup } from './agent-tools.ts';
import type { AgentType } from './agent-types.ts';
import type { DraftImports, DraftWorkflow } from './draft.ts';
import { readDraft } from './files.ts';
import { freeze } from './freeze.ts';
import { loadUnit } from './load.ts';
import type { FileReader, ModuleLoader } from './modules.ts';
import type { WorkflowPlan } from './node.ts';
import { requireRunnable } from './read/workflow.ts';
import { createReports, type Reports } from './reports.ts';
import type { ThunkLookup } from './thunks.ts';
import type { TypesCheck } from './typed.ts';
import { planUnit } from './unit-plan.ts';
import { countNodes } from './walk.ts';

export interface PlanOptions {
  /** The absolute path of the file: imports are found from there. */
  readonly file: string;
  /** From whose folder the plan names modules and files; its own where nothing is said. */
  readonly root?: string;
  readonly read: FileReader;
  /** Looks into users' modules; without it nothing of them is known, and a note says so. */
  readonly modules?: ModuleLoader;
  /** The types of agents beyond those of the language. */
  readonly agentTypes?: ReadonlyMap<string, AgentType>;
  /** Looks into `.too` files; without it the thunks of agents are not checked. */
  readonly thunks?: ThunkLookup;
  /** The tools that there are; without it the names of tools are not checked. */
  readonly tools?: ToolLookup;
  /** Refuse what the workflow profile allows beyond TOON. */
  readonly strictToon?: boolean;
  /** Also make what `tsc` is asked about the code: from the folder of that file to the workflow's. */
  readonly typesRoot?: string;
}

export interface Planned {
  /** Only when there is no error, and the file is a workflow and not only there to be imported. */
  readonly plan?: WorkflowPlan;
  /** With `typesRoot`, when there is code. */
  readonly typesCheck?: TypesCheck;
  readonly diagnostics: readonly Diagnostic[];
}

/** Sub-workflows that call each other multiply. */
const mostNodes = 250_000;

/** A name stands in logs, commands and paths. */
const unusable = /[/\\\p{Cc}]|^\./u;

export async function planWorkflow(source: Source, options: PlanOptions): Promise<Planned> {
  const reports = createReports();
  return planRead(readDraft(source, options, reports), options, reports);
}

/** The same from a draft that was not read from a file: the builder's. */
export async function planDraft(draft: DraftWorkflow, options: PlanOptions): Promise<Planned> {
  return planRead(draft, options, createReports());
}

async function planRead(draft: DraftWorkflow, options: PlanOptions, reports: Reports): Promise<Planned> {
  const isRunnable = isWorkflow(draft);
  if (isRunnable) reports.addAll(requireRunnable(draft));
  if (draft.name && unusable.test(draft.name.text)) {
    reports.add('TOO4007', draft.name, 'this name cannot be used for files and commands', {
      help: 'Write one word or several, without slashes, line breaks and other control characters.',
    });
  }
  const unit = await loadUnit(draft, options.file, options, reports);
  if (options.modules === undefined) noteModules(draft.imports, reports);
  const named = options.root === undefined ? options : { ...options, file: options.root };
  const { plan, check } = await planUnit(unit, named, reports, new Map());
  // Without sub-workflows there are never so many: what stands in one file is counted when it is opened up.
  if (draft.name && Object.keys(plan.workflows).length > 0 && countNodes(plan) > mostNodes) {
    reports.add('TOO4216', draft.name, `the workflow and all that it calls have more than ${mostNodes} nodes`, {
      help: 'A sub-workflow counts at each call; call it in a loop, or fewer times.',
    });
  }
  const diagnostics = reports.list();
  const shared = { diagnostics, ...(check && { typesCheck: check }) };
  if (!isRunnable || hasErrors(diagnostics)) return shared;
  return {
    ...shared,
    // Who only wants to know what is wrong does not wait for it.
    get plan() {
      return freeze(plan);
    },
  };
}

/** A file with components, schemas or agents alone is there to be imported. */
function isWorkflow({ name, input, steps, components, schemas, agents }: DraftWorkflow): boolean {
  if (name !== undefined || input !== undefined || steps !== undefined) return true;
  return components.length + schemas.length + agents.length === 0;
}

/** One note for all modules that were not looked into. */
function noteModules(imports: DraftImports, reports: Reports): void {
  const { schemas, services, agents, components, workflows, plugins } = imports;
  const modules = [...schemas, ...services, ...agents, ...components, ...workflows, ...plugins].filter(
    ({ from }) => !/\.toon$/i.test(from.text),
  );
  const [first] = modules;
  if (first === undefined) return;
  const names = [...new Set(modules.map(({ from }) => `"${from.text}"`))].join(', ');
  reports.add('TOO4291', first.from, `not looked into: ${names}; what comes from there is of unknown type`);
}
