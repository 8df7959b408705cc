/** One model in full. */
import { type ListedModel, mostAnswerTokens } from '../../model/index.ts';
import { type Painter, printable, wrap } from '../../text/index.ts';
import { countText, priceText } from './words.ts';

export interface ModelTextOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paint: Painter;
  readonly columns: number;
}

export function modelText(model: ListedModel, { env, paint, columns }: ModelTextOptions): string {
  const { ref, alias, provider, id, endpoint, keyEnv, tools, info, problem, notes } = model;
  const set = keyEnv.find((name) => (env[name] ?? '').trim() !== '');
  const rows: [string, string][] = [
    ['status', problem ? problem.message : set === undefined ? 'usable' : `usable, with the key in ${set}`],
    ...(alias === undefined ? [] : [['alias', alias] satisfies [string, string]]),
    ['provider', provider],
    ['id', id],
    ...(endpoint === undefined ? [] : [['address', endpoint] satisfies [string, string]]),
    ['context', info?.context === undefined ? 'not known' : `${countText(info.context)} tokens`],
    ['answer', answerText(info?.output)],
    ['price', info?.price === undefined ? 'not known' : `${priceText(info.price)}${perMillion(info.price)}`],
    ...(info?.price?.long === undefined
      ? []
      : [
          ['', `above ${countText(info.price.long.above)} tokens of input: ${priceText(info.price.long)}`] satisfies [
            string,
            string,
          ],
        ]),
    ['tools', tools === 'native' ? 'native' : 'text: it writes its calls in its answer'],
    ...notes.map((note): [string, string] => ['note', note]),
  ];
  const room = Math.max(20, columns - 12);
  const lines = rows.flatMap(([name, text]) =>
    wrap(printable(text), room).map((line, i) => `  ${paint.dim((i === 0 ? name : '').padEnd(8))}  ${line}`),
  );
  return `${[paint.bold(printable(ref)), ...lines].join('\n')}\n`;
}

function answerText(output: number | undefined): string {
  const usual = `${countText(mostAnswerTokens)} where a call does not say`;
  if (output === undefined) return `not known; ${usual}`;
  return output <= mostAnswerTokens
    ? `${countText(output)} tokens at most`
    : `${countText(output)} tokens at most; ${usual}`;
}

function perMillion({ input, output }: { readonly input: number; readonly output: number }): string {
  return input === 0 && output === 0 ? '' : ', for a million tokens';
}
