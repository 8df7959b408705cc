/** What a run can cost, as a table and a few sentences. */
import { displayWidth, type Painter, printable, wrap } from '../../text/index.ts';
import { shortenName } from '../../view/index.ts';
import { countText } from '../models/words.ts';
import type { StepCost, WorkflowCost } from './cost.ts';

export interface CostTextOptions {
  readonly paint: Painter;
  readonly columns: number;
}

/** Of more steps than these only the dearest are shown. */
const mostRows = 40;
const head = ['step', 'agent', 'model', 'calls', '$ at most'];

export function costText(cost: WorkflowCost, { paint, columns }: CostTextOptions): string {
  if (cost.steps.length === 0) return `${noCalls(cost)}\n`;
  const shown = shownSteps(cost.steps);
  const rows = shown.map((step) => cellsOf(step, Math.max(12, Math.floor((columns - 30) / 3))));
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => displayWidth(row[i] ?? ''))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const space = ' '.repeat((widths[i] ?? 0) - displayWidth(cell));
        return i < 3 ? cell + space : space + cell;
      })
      .join('  ')
      .trimEnd();
  const more = cost.steps.length - shown.length;
  return `${[
    paint.dim(line(head)),
    ...rows.map(line),
    ...(more > 0 ? [paint.dim(`… and ${countText(more)} more steps`)] : []),
    '',
    ...sentencesOf(cost).flatMap((text) =>
      wrap(printable(text), columns, columns - 2).map((each, i) => (i === 0 ? each : `  ${each}`)),
    ),
  ].join('\n')}\n`;
}

/** In dollars, rounded up: it is there to be kept to. */
export function dollars(usd: number): string {
  if (usd === 0) return '0';
  if (usd >= 1e12) return 'more than a trillion';
  const digits = usd >= 0.1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(usd)));
  const factor = 10 ** digits;
  // 1.1 * 100 is a little more than 110, and not one cent more.
  return (Math.ceil(usd * factor - 1e-6) / factor).toFixed(digits);
}

function shownSteps(steps: readonly StepCost[]): readonly StepCost[] {
  if (steps.length <= mostRows) return steps;
  const dearest = [...steps].sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || b.calls - a.calls).slice(0, mostRows);
  const kept = new Set(dearest);
  return steps.filter((step) => kept.has(step));
}

function cellsOf({ path, agent, model, calls, endless, usd }: StepCost, cells: number): string[] {
  const all = numberText(calls);
  return [
    shortenName(printable(path), cells),
    shortenName(printable(agent), cells),
    shortenName(printable(model), cells + 8),
    endless ? `${all} or more` : all,
    usd === undefined ? '?' : endless ? `${dollars(usd)} or more` : dollars(usd),
  ];
}

function sentencesOf(cost: WorkflowCost): string[] {
  const { calls, usd, endless, unknown, uncounted, plugins } = cost;
  const isWhole = unknown.length === 0 && uncounted.length === 0;
  const all = `${numberText(calls)} model ${calls === 1 ? 'call' : 'calls'}`;
  return [
    endless
      ? `By the file ${all} or more: agents with tools, and those of type too, go on until they are done, or a limit ends it.`
      : `By the file at most ${all} and $${dollars(usd)}${isWhole ? '' : ', without what is said below'}.`,
    limitText(cost),
    ...(uncounted.length > 0 ? [`Not counted, because its length is not known before: ${listed(uncounted)}.`] : []),
    ...unknown.map(
      ({ agent, model, why }) => `Not known is what "${agent}" (${model}) costs: ${why.replace(/\.$/, '')}.`,
    ),
    ...(plugins.length > 0 ? [`What the code of plugins asks is not known: ${listed(plugins)}.`] : []),
  ];
}

function limitText({ calls, usd, endless, limits }: WorkflowCost): string {
  const { usd: most, modelCalls, tokens } = limits;
  const parts = [
    `${endless || usd > most ? 'stops it at' : 'would stop it at'} $${most.toFixed(2)} (limits.usd)`,
    ...(modelCalls === undefined
      ? []
      : [
          `${endless || calls > modelCalls ? 'stops it after' : 'would stop it after'} ${numberText(modelCalls)} model calls (limits.model_calls)`,
        ]),
    ...(tokens === undefined ? [] : [`stops it at ${numberText(tokens)} tokens (limits.tokens)`]),
  ];
  return `Your limit ${parts.join(', and ')}.`;
}

function noCalls({ plugins }: WorkflowCost): string {
  const rest = plugins.length === 0 ? '' : ` What the code of plugins asks is not known: ${listed(plugins)}.`;
  return `No step asks a model.${rest}`;
}

function numberText(n: number): string {
  return n > Number.MAX_SAFE_INTEGER ? `more than ${countText(Number.MAX_SAFE_INTEGER)}` : countText(n);
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, 12).join(', ');
  return words.length > 12 ? `${shown} and ${words.length - 12} more` : shown;
}
