/** The tools that agents name: each has to be there, as far as that is known before a service is asked. */
import { didYouMean } from '../text/index.ts';
import { agentsWithTools } from './agent-types.ts';
import type { DraftField, Mark, Word } from './draft.ts';
import type { Reports } from './reports.ts';
import { suggest } from './suggest.ts';
import type { Unit } from './unit.ts';

/** Asked when an agent names tools. */
export type ToolLookup = () => Promise<ToolNames>;

export interface ToolNames {
  /** By their sets. */
  readonly builtIn: ReadonlyMap<string, readonly string[]>;
  /** The services that agents of a file may name; what tools they have only their servers know. */
  readonly services: (file: string) => Promise<readonly string[]>;
}

export async function checkTools(unit: Unit, lookup: ToolLookup, reports: Reports): Promise<void> {
  const lists = unit.draft.agents.flatMap(({ type, fields }) =>
    agentsWithTools.has(type?.text ?? '') ? fields.filter(({ key }) => key.text === 'tools') : [],
  );
  if (lists.length === 0) return;
  const { builtIn, services } = await lookup();
  const all = [...builtIn].flatMap(([set, tools]) => [set, ...tools.map((tool) => `${set}/${tool}`)]);
  const known = new Set(all);
  let served: readonly string[] | undefined;
  for (const field of lists) {
    for (const name of Array.isArray(field.value) ? field.value : []) {
      if (typeof name !== 'string' || known.has(name)) continue;
      served ??= await services(unit.file);
      const [set = ''] = name.split('/', 1);
      if (!builtIn.has(set) && served.includes(set)) continue;
      const word: Word = { ...partOf(field, name), text: name };
      const { hint, fix } = suggest(word, [...all, ...served], 'tools');
      const sets = [...builtIn.keys(), ...served].join(', ');
      reports.add('TOO4206', word, `unknown tool "${name}".${didYouMean(hint)}`, {
        help: `Sets of tools, and services: ${sets}. "toolang tools" lists them.`,
        ...(isWritten(word) && fix),
      });
    }
  }
}

/** The name in its list, where it stands there as it is; else the whole list. */
function partOf({ at }: DraftField, name: string): Mark {
  const { start, end } = at.span;
  const list = at.source.text.slice(start, end);
  const isPart = (char: string | undefined) => char !== undefined && /[\w/.-]/.test(char);
  for (let found = list.indexOf(name); name !== '' && found !== -1; found = list.indexOf(name, found + 1)) {
    if (isPart(list[found - 1]) || isPart(list[found + name.length])) continue;
    return { source: at.source, span: { start: start + found, end: start + found + name.length } };
  }
  return at;
}

function isWritten({ source, span, text }: Word): boolean {
  return source.text.slice(span.start, span.end) === text;
}
