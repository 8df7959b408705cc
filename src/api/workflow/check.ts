/** Plans builder programs and files, with the user's modules looked into where there are any. */

import { dirname } from 'node:path';
import type { FileReader, ModuleLoader, Planned, ThunkLookup, WorkflowPlan } from '../../plan/index.ts';
import { planDraft, planWorkflow } from '../../plan/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { createSource, type Diagnostic, hasErrors, positionAt, type Source, ToolangError } from '../../text/index.ts';
import { draftProgram, type Program } from './draft.ts';
import { isListing } from './listing.ts';
import type { Reached } from './reached.ts';
import { describeSchemas } from './schema.ts';
import type { BuiltWorkflow } from './workflow-data.ts';

/** What was made of programs alone: no file can change it, so it is made once. */
const lasting = new WeakMap<object, Planned>();
const alone = new WeakSet<Planned>();

export async function checkProgram(program: Program & { readonly file: string }): Promise<Planned> {
  const known = lasting.get(program);
  if (known) return known;
  const answers = await describeSchemas(program.reached.schemas);
  const called = await checkCalled(program.reached);
  const { draft, diagnostics: shapes, labelAt } = draftProgram(program, answers, called.plans);
  const { file } = program;
  let isAlone = called.isAlone;
  const readAt: FileReader = (path) => {
    isAlone = false;
    return read(path);
  };
  const planned = await withModules(dirname(file), async ({ describe }) => {
    const modules: ModuleLoader = {
      describe(requests) {
        isAlone = false;
        return describe(requests);
      },
    };
    const { plan, diagnostics } = await planDraft(draft, { file, read: readAt, modules, thunks: thunkLookup(readAt) });
    const all = [...called.diagnostics, ...[...shapes, ...diagnostics].map(named)];
    return { ...(plan && !hasErrors(all) && { plan }), diagnostics: all };

    /** Places in the program are said in words; and there is no file that a fix could mend. */
    function named({ fix, ...report }: Diagnostic): Diagnostic {
      if (report.source !== draft.source) return { ...report, ...(fix && { fix }) };
      return { ...report, message: `${labelAt(report.span.start)}: ${report.message}` };
    }
  });
  if (isAlone) {
    lasting.set(program, planned);
    alone.add(planned);
  }
  return planned;
}

/** The workflows that a program calls and that were built, too. What is wrong with one is said in its name. */
export async function checkCalled({ workflows }: Reached): Promise<{
  readonly plans: ReadonlyMap<BuiltWorkflow, WorkflowPlan>;
  readonly diagnostics: readonly Diagnostic[];
  /** No file was looked at. */
  readonly isAlone: boolean;
}> {
  const plans = new Map<BuiltWorkflow, WorkflowPlan>();
  const all: Diagnostic[] = [];
  let isAlone = true;
  for (const each of workflows) {
    if (each.kind !== 'built') {
      isAlone = false;
      continue;
    }
    const planned = await each.check();
    if (!alone.has(planned)) isAlone = false;
    const { plan, diagnostics } = planned;
    if (plan) plans.set(each, plan);
    for (const report of diagnostics) all.push({ ...report, message: `workflow "${each.name}", ${report.message}` });
  }
  return { plans, diagnostics: all, isAlone };
}

export async function checkFile(source: Source, file: string): Promise<Planned> {
  return withModules(dirname(file), async (modules) => {
    return planWorkflow(source, { file, read, modules, thunks: thunkLookup(read) });
  });
}

/** One error for all that is wrong, with the reports as `diagnostics`. */
export function failed(what: string, { diagnostics }: Planned): ToolangError & { diagnostics: readonly Diagnostic[] } {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = errors.map((report) => {
    const help = report.help === undefined ? '' : `\n    ${report.help}`;
    const where = isListing(report.source) ? '' : `${placeOf(report)}: `;
    return `  ${where}${report.message} (${report.code})${help}`;
  });
  const count = errors.length === 1 ? 'a mistake' : `${errors.length} mistakes`;
  const error = new ToolangError(errors[0]?.code ?? 'TOO9001', `${what} has ${count}:\n${lines.join('\n')}`);
  return Object.assign(error, { diagnostics });
}

function placeOf({ source, span }: Diagnostic): string {
  const { line, column } = positionAt(source, span.start);
  return `${source.name}:${line}:${column}`;
}

const read: FileReader = async (path) => {
  const found = await readTextFile(path);
  return found.ok ? found : { ok: false, message: found.problem.message };
};

/** What is wrong with an agent file is told under its path from here. */
function thunkLookup(readAt: FileReader): ThunkLookup {
  return async (path) => {
    const found = await readAt(path);
    if (!found.ok) return found;
    const { signaturesOf } = await import('../../program/index.ts');
    return signaturesOf(createSource(displayPath(path, process.cwd()), found.text));
  };
}

/** A host is started only when there are modules to look into, and is gone at the end. */
async function withModules<T>(cwd: string, use: (modules: ModuleLoader) => Promise<T>): Promise<T> {
  let host: (ModuleLoader & { readonly close: () => Promise<void> }) | undefined;
  const modules: ModuleLoader = {
    async describe(requests) {
      host ??= (await import('../../run/index.ts')).createModuleHost({ cwd });
      return host.describe(requests);
    },
  };
  try {
    return await use(modules);
  } finally {
    await host?.close();
  }
}
