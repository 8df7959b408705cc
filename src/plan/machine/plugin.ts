/** Nodes of plugins: a step whose function is the plugin's. It sees its fields, and of the run nothing else. */
import { type Json, type KeyWith, keyed, type StepCommand, workAt } from '../../machine/index.ts';
import { keyOf, keyParts, pluginOf } from '../key.ts';
import type { PluginNode } from '../node.ts';
import { nodeError, placeText, throwError } from './errors.ts';
import type { Frame } from './frame.ts';
import { fillIn } from './scope.ts';
import { attemptFact } from './step.ts';
import { noTypes, typesIn } from './types-in.ts';
import type { Kind, OpenCommand, Work } from './work.ts';
import { placeOf } from './work-place.ts';

export const pluginKind: Kind<PluginNode> = {
  begin: (frame, _, work) => {
    frame.attempt = 1;
    work.queue(frame);
  },
  admit: (frame, node, work) => work.open(frame, pluginCommand(frame, node, work)),
  fact: attemptFact,
};

function pluginCommand(frame: Frame, node: PluginNode, work: Work): OpenCommand {
  const name = work.nameOf(frame);
  const plugin = pluginOf(node, work.plan);
  if (plugin === undefined) {
    throwError(nodeError(name, node, 'unsupported', `no plugin of the workflow brings the kind "${node.type}"`));
  }
  const fields = fillIn(node.fields, 'fields', frame, work);
  const spec: Record<string, Json> & { kind: string } = {
    kind: 'plugin',
    module: plugin.module,
    name: plugin.name,
    config: plugin.config,
    type: node.type,
  };
  if (node.silent) spec.silent = true;
  else {
    spec.output = node.output as unknown as Json;
    const types = typesIn(node.output, work.plan.types);
    if (types !== noTypes) spec.types = types;
  }
  if (node.at) spec.at = placeText(node.at);
  const keyWith: KeyWith = (modules) => keyOf(keyParts(node, work.plan, { fields, modules }) ?? {});
  const id = `${name}#${frame.attempt}`;
  const command = keyed<StepCommand>({ op: 'step', id, spec, args: { fields }, keyWith }, () => keyWith(work.modules));
  if (node.timeoutMs !== undefined) command.timeoutMs = node.timeoutMs;
  workAt(command, placeOf(frame, work));
  return command;
}
