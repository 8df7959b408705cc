/** Handlers: the module is there, and exports what is asked for. Nothing is run for that; its text says enough. */
import { resolve } from 'node:path';
import { didYouMean } from '../text/index.ts';
import { exportsOf, handlerReads, type ModuleExports } from './code/index.ts';
import type { SiblingRead } from './code-reads.ts';
import type { Word } from './draft.ts';
import type { FileReader } from './modules.ts';
import { relate } from './order.ts';
import type { Reports } from './reports.ts';
import type { Site } from './site.ts';
import { isPath, splitExport } from './specifier.ts';
import { behindHash, suggest } from './suggest.ts';

/** The siblings in a `parallel` that handlers read, for who looks whether they are waited for. */
export async function checkHandlers(
  sites: readonly Site[],
  read: FileReader,
  reports: Reports,
): Promise<SiblingRead[]> {
  const siblings: SiblingRead[] = [];
  const modules = new Map<string, Awaited<ReturnType<FileReader>>>();
  const seen = new Set<Word>();
  /** Many steps may use the same handler: its module is looked at once. */
  const reads = new Map<string, ReadonlySet<string>>();
  const exports = new Map<string, ModuleExports>();
  for (const site of sites) {
    const { draft, space } = site;
    const word = draft.kind === 'step' ? draft.handler : undefined;
    if (word === undefined) continue;
    const isFirst = !seen.has(word);
    seen.add(word);
    const [specifier, exported] = splitExport(word.text);
    if (!isPath(specifier)) {
      if (isFirst && /\.[cm]?[jt]sx?$/.test(specifier)) {
        reports.add('TOO4271', word, `"${specifier}" is not a path`, {
          help: 'A handler is written ./path/to/module.ts or ./path/to/module.ts#name.',
          fix: {
            title: 'write "./" before it',
            edits: [{ span: { start: word.span.start, end: word.span.start }, text: './' }],
          },
        });
      }
      continue;
    }
    const path = resolve(space.unit.folder, specifier);
    const answer = modules.get(path) ?? (await read(path));
    modules.set(path, answer);
    if (!answer.ok) {
      reports.add('TOO4271', word, answer.message, { help: 'Paths are relative to this file.' });
      continue;
    }
    const key = `${path}#${exported}`;
    const names = reads.get(key) ?? (await handlerReads(answer.text, exported));
    reads.set(key, names);
    for (const name of names) {
      const to = space.ids.get(name);
      if (to && relate(site, to, false).kind === 'beside') siblings.push({ from: site, to, at: word, name });
    }
    if (!isFirst) continue;
    const known = exports.get(path) ?? (await exportsOf(answer.text));
    exports.set(path, known);
    if (!known.ok) reports.add('TOO4271', word, `"${specifier}" cannot be read: ${known.message}`);
    else if (!known.open && !known.names.includes(exported))
      tellMissing(word, specifier, exported, known.names, reports);
  }
  return siblings;
}

function tellMissing(word: Word, specifier: string, name: string, known: readonly string[], reports: Reports): void {
  const at = behindHash(word);
  if (!word.text.includes('#')) {
    const names = known.map((each) => `#${each}`).join(', ');
    reports.add('TOO4272', word, `"${specifier}" has no default export`, {
      help: known.length === 0 ? 'It exports nothing.' : `Name the function that is meant: ${names}.`,
    });
    return;
  }
  const { hint, help, fix } = suggest({ ...word, text: name }, known, 'exports', at ?? word);
  reports.add('TOO4272', at ?? word, `"${specifier}" exports no "${name}".${didYouMean(hint)}`, {
    help,
    ...(at && fix),
  });
}
