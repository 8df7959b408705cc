/** What people are asked by a run: what it is called, and the commands that answer it. */
import { printable } from '../text/index.ts';
import { readNodeId } from './node-id.ts';

export interface Question {
  /** The command of the run that asks. */
  readonly node: string;
  readonly kind: string;
  /** Of a limit: what must be added at least, in dollars or tokens. */
  readonly least?: number;
  readonly unit?: 'usd' | 'tokens';
}

/** `publish`, in a hand `review/release[2]/publish`; of a tool who calls it; the limit is asked about by the run itself. */
export function questionName(node: string): string {
  return printable(node.startsWith('@') ? node.slice(1).replace(/#\d+$/, '') : readNodeId(node).name);
}

/**
 * For each question the commands that answer it: a verb, and what stands behind the id of the run. The step is named
 * where there are several. What a tool may do is always named: an agent asks one thing after the other, and who pastes a
 * command late must not allow the next one unseen.
 */
export function answerCommands(questions: readonly Question[]): readonly (readonly (readonly string[])[])[] {
  const isOne = questions.filter(({ kind }) => kind !== 'limit').length === 1;
  return questions.map(({ node, kind, least, unit }) => {
    if (kind === 'limit')
      return [
        ['answer', '--add', amountText(least, unit)],
        ['answer', '--no'],
      ];
    const which = isOne && kind !== 'permission' ? [] : [node];
    return [
      ['approve', ...which],
      ['deny', ...which],
    ];
  });
}

/** Enough to go on, and not so little that it is asked again at once. */
function amountText(least = 0, unit: Question['unit'] = 'usd'): string {
  return unit === 'tokens' ? String(Math.max(1000, Math.ceil(least))) : Math.max(1, least).toFixed(2);
}
