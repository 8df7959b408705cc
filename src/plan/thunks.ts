/** Agents of type `too`: a thunk of a `.too` file, which has to be there. */
import { resolve } from 'node:path';
import { didYouMean } from '../text/index.ts';
import type { Word } from './draft.ts';
import type { Reports } from './reports.ts';
import { isPath, splitExport } from './specifier.ts';
import { behindHash, suggest } from './suggest.ts';
import type { Unit } from './unit.ts';

/** The names of the thunks of a file; a thunk without a name is `default`. */
export type ThunkLookup = (
  file: string,
) => Promise<
  { readonly ok: true; readonly names: readonly string[] } | { readonly ok: false; readonly message: string }
>;

/** `use: ./reviewer.too#review`; without `#name` the thunk that has none. */
export async function checkThunks(unit: Unit, lookup: ThunkLookup, reports: Reports): Promise<void> {
  for (const { type, fields } of unit.draft.agents) {
    if (type?.text !== 'too') continue;
    const use = fields.find(({ key }) => key.text === 'use');
    if (use === undefined || typeof use.value !== 'string') continue;
    const [file, name] = splitExport(use.value);
    const word: Word = { ...use.at, text: use.value };
    if (!isPath(file)) {
      reports.add('TOO4281', word, `"${file}" is not a path`, {
        help: 'A thunk is written ./path/to/agent.too or ./path/to/agent.too#name.',
      });
      continue;
    }
    const answer = await lookup(resolve(unit.folder, file));
    if (!answer.ok) reports.add('TOO4281', word, answer.message, { help: 'Paths are relative to this file.' });
    else if (!answer.names.includes(name)) {
      const at = behindHash(word);
      const { hint, help, fix } = suggest({ ...word, text: name }, answer.names, 'thunks', at ?? word);
      reports.add('TOO4281', at ?? word, `"${file}" has no thunk "${name}".${didYouMean(hint)}`, {
        help,
        ...(at && fix),
      });
    }
  }
}
