/** Checks an agent against what lies around it. What is known of models is loaded for a file that names some. */
import { type Checked, checkProgram } from '../program/index.ts';
import type { Source } from '../text/index.ts';
import { type Program, parse } from '../too/index.ts';
import type { DescribedHost } from './host.ts';

export async function checkAgent(
  source: Source,
  { host, models }: Pick<DescribedHost, 'host' | 'models'>,
): Promise<Checked> {
  const parsed = parse(source);
  const names = modelNames(parsed.program);
  if (names.size === 0) return checkProgram(parsed, host);
  const { modelProblems } = await import('./model-names.ts');
  return checkProgram(parsed, { ...host, modelProblems: await modelProblems(names, models) });
}

function modelNames({ items }: Program): Set<string> {
  const thunks = items.flatMap((item) => (item.kind === 'thunk' ? [item] : []));
  const lists = thunks.flatMap(({ directives }) => directives.filter(({ key }) => key === 'models'));
  const names = new Set(lists.flatMap(({ values }) => values.map(({ text }) => text)));
  // It is no provider's: nothing has to be known for it.
  names.delete('scripted');
  return names;
}
