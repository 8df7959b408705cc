/**
 * Sub-workflows that were built, too, and so have no file: they are planned by themselves, a small file with their input and
 * their result stands for them while the caller is checked, and then their plans take its place.
 */
import { dirname, join } from 'node:path';
import {
  type ExportInfo,
  type FileReader,
  type ModuleAnswer,
  type ModuleLoader,
  rebase,
  type WorkflowPlan,
} from '../../plan/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import { jsonType, type Type } from '../../type/index.ts';
import { standInFor } from './draft.ts';
import type { BuiltWorkflow } from './workflow-data.ts';

export interface StandIns {
  /** Those of the sub-workflows. */
  readonly diagnostics: readonly Diagnostic[];
  readonly read: FileReader;
  readonly modules: ModuleLoader;
  /** The plan with the real sub-workflows. */
  readonly settle: (plan: WorkflowPlan) => WorkflowPlan;
}

const scheme = 'builder-stand-in:';

export async function createStandIns(
  workflows: readonly BuiltWorkflow[],
  file: string,
  next: { readonly read: FileReader; readonly modules: ModuleLoader },
): Promise<StandIns> {
  const folder = dirname(file);
  const texts = new Map<string, string>();
  const answers = new Map<string, ModuleAnswer>();
  const plans = new Map<string, WorkflowPlan>();
  const results = new Map<string, Type>();
  const diagnostics: Diagnostic[] = [];
  for (const each of workflows) {
    const checked = await each.check();
    for (const report of checked.diagnostics) {
      diagnostics.push({ ...report, message: `workflow "${each.name}", ${report.message}` });
    }
    const module = scheme + each.name;
    texts.set(join(folder, standInFor(each)), textOf(each.name, module));
    answers.set(module, answerOf(each.name, checked.plan));
    if (checked.plan) results.set(resultName(each.name), checked.plan.result);
    if (checked.plan) plans.set(module, rebase(checked.plan, dirname(each.file), folder));
  }
  return {
    diagnostics,
    async read(path) {
      const text = texts.get(path);
      return text === undefined ? await next.read(path) : { ok: true, text };
    },
    modules: {
      async describe(requests) {
        const others = requests.filter(({ specifier }) => !answers.has(specifier));
        const told = others.length === 0 ? [] : [...(await next.modules.describe(others))];
        return requests.map(({ specifier }) => answers.get(specifier) ?? (told.shift() as ModuleAnswer));
      },
    },
    settle(plan) {
      const workflows = Object.entries(plan.workflows).map(([key, each]) => {
        const [only] = each.children;
        const module = only?.kind === 'step' && only.action.kind === 'handler' ? only.action.module : '';
        return [key, plans.get(module) ?? each] as const;
      });
      return { ...plan, workflows: Object.fromEntries(workflows), result: resultOf(plan.result, results) };
    },
  };
}

/** Names that messages may show. */
function inputName(name: string): string {
  return `${name}-input`;
}

function resultName(name: string): string {
  return `${name}-result`;
}

/** What the caller gives, with the names of the stand-ins taken out. */
function resultOf(type: Type, results: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case 'ref':
      return results.get(type.name) ?? type;
    case 'array':
      return { kind: 'array', item: resultOf(type.item, results) };
    case 'struct':
      return { ...type, fields: type.fields.map((each) => ({ ...each, type: resultOf(each.type, results) })) };
    default:
      return type;
  }
}

function textOf(name: string, module: string): string {
  const from = JSON.stringify(module);
  return [
    `name: ${JSON.stringify(name)}`,
    'imports:',
    '  schemas[1]{from,use}:',
    `    ${from},"${inputName(name)}, ${resultName(name)}"`,
    `input: ${inputName(name)}`,
    'steps[1]:',
    '  - id: result',
    `    handler: ${from}`,
    `    output: ${resultName(name)}`,
    '',
  ].join('\n');
}

/** Of a sub-workflow with mistakes nothing is known, so that the caller has no mistakes because of it. */
function answerOf(name: string, plan: WorkflowPlan | undefined): ModuleAnswer {
  const schema = (type: WorkflowPlan['input']): ExportInfo => ({
    kind: 'schema',
    type,
    types: plan?.types ?? {},
    exact: true,
  });
  const exports = {
    [inputName(name)]: schema(plan?.input ?? jsonType),
    [resultName(name)]: schema(plan?.result ?? jsonType),
  };
  return { ok: true, file: '', exports, files: [] };
}
