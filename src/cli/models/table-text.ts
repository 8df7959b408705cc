/** Models as a table, and below it why some of them cannot be used. */
import type { ListedModel, ListedProvider } from '../../model/index.ts';
import { displayWidth, type Painter, printable } from '../../text/index.ts';
import { rateText, tokensText } from './words.ts';

const head = ['model', 'context', '$ in', '$ out', 'tools', 'status'];
const statusWords = { usable: 'usable', 'no-key': 'no key', 'not-running': 'off', wrong: 'wrong' } as const;

export interface TableOptions {
  readonly paint: Painter;
  readonly columns: number;
}

export function modelTable(models: readonly ListedModel[], { paint, columns }: TableOptions): string {
  const rows = models.map((model) => [nameOf(model), ...cellsOf(model)].map(printable));
  const widths = head.map((title, i) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[i] ?? ''))),
  );
  const [name = 0, ...others] = widths;
  const rest = others.reduce((sum, width) => sum + width + 2, 0);
  // A name is never cut: it is there to be copied. One that is too long has a line of its own.
  const room = Math.min(name, Math.max(24, columns - rest));
  const line = (cells: readonly string[], style: (text: string) => string) => {
    const [first = '', ...more] = cells;
    const after = more
      .map((cell, i) => fill(cell, others[i] ?? 0, i < 3))
      .join('  ')
      .trimEnd();
    const space = room - displayWidth(first);
    return style(space < 0 ? `${first}\n${' '.repeat(room)}  ${after}` : `${first}${' '.repeat(space)}  ${after}`);
  };
  const lines = rows.map((cells, i) => line(cells, models[i]?.status === 'usable' ? (text) => text : paint.dim));
  return `${[line(head, paint.dim), ...lines].join('\n')}\n`;
}

/** Why what is not usable is not, a line for each provider; and what is wrong with aliases. */
export function whyNot(models: readonly ListedModel[], providers: readonly ListedProvider[]): string[] {
  const wide = Math.max(0, ...providers.map(({ name }) => name.length));
  const lines = providers.flatMap((provider) => {
    return provider.status === 'usable' ? [] : [`${provider.name.padEnd(wide)}  ${reason(provider)}`];
  });
  const told = new Set(providers.map(({ name }) => name));
  const own = models.flatMap(({ alias, provider, problem }) => {
    return problem === undefined || (alias === undefined && told.has(provider)) ? [] : [printable(problem.message)];
  });
  return [...lines, ...own];
}

function reason({ keyEnv, address, variable }: ListedProvider): string {
  if (variable !== undefined) return `${variable} does not hold an address`;
  return address === undefined ? `set ${keyEnv.join(' or ')}` : `nothing answers at ${address}`;
}

/** An alias with what it stands for. */
function nameOf({ ref, alias, provider, id }: ListedModel): string {
  if (alias === undefined) return ref;
  const meant = ref === alias ? [provider, id].filter((part) => part !== '').join('/') : ref;
  return `${alias} = ${meant}`;
}

function cellsOf({ info, tools, status }: ListedModel): string[] {
  const { context, price } = info ?? {};
  return [tokensText(context), rateText(price?.input), rateText(price?.output), tools, statusWords[status]];
}

function fill(cell: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(width - displayWidth(cell));
  return isNumber ? space + cell : cell + space;
}
