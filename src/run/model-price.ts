/**
 * What a model call can cost at most, before it begins: of a scripted model the dearest of the replies that may answer it, of
 * those of providers the dearest of the models that may.
 */
import type { StepCommand } from '../machine/index.ts';
import type { ModelCall, Reply } from '../model/index.ts';
import type { AgentModels } from './agent-models.ts';
import { asksProgram, asksProvider } from './agent-type.ts';
import type { MostCost } from './gate.ts';
import { agentOf, namesOf } from './model-step.ts';
import type { Price } from './purse.ts';
import { type ReplayOptions, recorded } from './record/replay.ts';
import type { ScriptFor } from './scripts.ts';
import { type TakenReplies, takenIn } from './taken-replies.ts';

export interface ModelPriceOptions {
  readonly scriptFor: ScriptFor;
  readonly replies: TakenReplies;
  readonly runId: string;
  readonly models?: AgentModels;
  readonly replay?: ReplayOptions;
}

export function createModelPrice({ scriptFor, replies, runId, models, replay }: ModelPriceOptions): MostCost {
  return (command) => (command.spec.kind === 'model' ? mostOf(command) : 0);

  async function mostOf(command: StepCommand): Promise<Price | undefined> {
    const agent = agentOf(command);
    const found = await scriptFor(agent, runId);
    if (found.kind === 'none' && (agent.plugin || asksProgram(agent))) return 'afterwards';
    if (found.kind === 'none' && models && asksProvider(agent)) {
      return models.mostCost(agent, command.args as unknown as ModelCall);
    }
    if (found.kind === 'recording' && replay) {
      const exchange = recorded(found.recording, command, replay);
      return typeof exchange === 'string' ? 0 : (exchange.result.usage?.cost ?? 0);
    }
    // The others are not asked at all.
    if (found.kind !== 'script') return 0;
    const { script, key } = found;
    const names = namesOf(command);
    const taken = takenIn(replies.of(runId), key, names);
    const before = taken.of(command.id);
    const list = before?.list ?? names.find((name) => script.lists.has(name));
    if (list === undefined) return 0;
    const all = script.lists.get(list) ?? [];
    return before === undefined ? (dearestFrom(all)[taken.count(list)] ?? 0) : (all[before.nth]?.price ?? 0);
  }
}

/** For each place of a list the highest price from there on; every call asks. */
function dearestFrom(list: readonly Reply[]): readonly number[] {
  let prices = dearest.get(list);
  if (prices === undefined) {
    prices = list.map(({ price = 0 }) => price);
    for (let i = prices.length - 2; i >= 0; i--) prices[i] = Math.max(prices[i] ?? 0, prices[i + 1] ?? 0);
    dearest.set(list, prices);
  }
  return prices;
}

const dearest = new WeakMap<readonly Reply[], number[]>();
