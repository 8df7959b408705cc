/** What a host is told to do for a step, by the kind of its spec. */
import type { Json, Outcome, StepCommand, StepSpec } from '../../machine/index.ts';
import type { ModuleImport, PluginImport } from '../../plan/index.ts';
import type { HandlerCall, PluginCall, StepAction, StepArgs, StepUses } from './protocol.ts';
import { prepareCode, type RunSpec } from './step-code.ts';

/** The kinds of steps that hosts do for the nodes of workflows. */
export const hostKinds: readonly string[] = ['run', 'handler', 'plugin'];

export async function stepAction({ id, spec, args }: StepCommand): Promise<StepAction> {
  switch (spec.kind) {
    case 'run':
      return prepareCode(spec as unknown as RunSpec);
    case 'handler':
      if (typeof spec.module === 'string' && typeof spec.name === 'string') return handlerCall(spec);
      break;
    case 'plugin':
      return pluginCall(spec, args as { readonly fields: Json });
    case 'agent': {
      const plugin = spec.plugin as unknown as PluginImport;
      return { kind: 'agent', plugin, type: String(spec.type), request: args };
    }
    default:
  }
  throw new Error(`the step "${id}" is nothing that a host does`);
}

function handlerCall({ module, name }: StepSpec): HandlerCall {
  return { kind: 'handler', module: String(module), name: String(name) };
}

function pluginCall(spec: StepSpec, { fields }: { readonly fields: Json }): PluginCall {
  const { module, name, config = null, type, silent } = spec;
  const plugin = { module: String(module), name: String(name), config };
  return { kind: 'plugin', plugin, type: String(type), fields, silent: silent === true };
}

/** What the action reads; plugins see what they are given, and nothing of the run. */
export function stepArgs({ spec, args }: StepCommand): StepArgs {
  return spec.kind === 'run' || spec.kind === 'handler' ? (args as unknown as StepArgs) : noArgs;
}

const noArgs: StepArgs = { input: null, steps: {} };

/** Undefined where it uses none of them, as most. */
export function stepUses({ services, plugins }: StepSpec): StepUses | undefined {
  if (services === undefined && plugins === undefined) return undefined;
  return {
    services: (services ?? []) as unknown as readonly ModuleImport[],
    plugins: (plugins ?? []) as unknown as readonly PluginImport[],
  };
}

/** A node without a value has none, whatever its host says. */
export function nodeOutcome(outcome: Outcome, { silent }: StepSpec): Outcome {
  return silent === true && 'ok' in outcome ? { none: true } : outcome;
}
