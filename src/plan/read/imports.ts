/** Imports: tables or lists of where something is, which of its names are used, and how they are called here. */
import type { ToonEntry, ToonObject } from '../../toon/index.ts';
import type { DraftImport, DraftImports, DraftPlugin } from '../draft.ts';
import { keyIn, readBlock, shape } from './keys.ts';
import { alias, exportNames } from './name.ts';
import { describe, isNothing, mark, type Read, type Reader, report, wrongKind } from './reader.ts';
import { checkLength, plainWord } from './text.ts';
import { jsonValue } from './value.ts';

const importShape = shape('an import', { from: plainWord, use: exportNames, as: alias }, 'from');
const pluginShape = shape('a plugin', { from: plainWord, use: plainWord, config: jsonValue }, 'from');

const names: Read<readonly DraftImport[]> = listOf('use', (r, object) => {
  const block = readBlock(r, object, importShape);
  const { from, use = [], as } = block.values;
  // One that says which names with an unknown key was reported for that.
  const isPlain = object.entries.every(({ key }) => importShape.readers.has(key.text));
  const key = keyIn(block, 'from');
  if (key && !keyIn(block, 'use') && !keyIn(block, 'as') && isPlain && !object.partial) {
    report(r, 'TOO4002', key.span, 'an import needs "use" or "as"', {
      help: 'Name what is used of it with "use", or give it a name with "as".',
    });
  }
  if (as && use.length > 1) {
    report(r, 'TOO4006', as.span, `"${as.text}" cannot be the name of ${use.length} imports`, {
      help: 'Import each in a row of its own.',
      related: use.slice(0, 2).map(({ source, span, text }) => ({ source, span, message: `"${text}" is here` })),
    });
  }
  return from && { from, use, ...(as && { as }), at: mark(r, object.span) };
});

const plugins: Read<readonly DraftPlugin[]> = listOf('config', (r, object) => {
  const { values } = readBlock(r, object, pluginShape);
  const { from, use, config = {} } = values;
  return from && { from, ...(use && { use }), config, at: mark(r, object.span) };
});

const importsShape = shape('"imports"', {
  schemas: names,
  services: names,
  components: names,
  workflows: names,
  agents: names,
  plugins,
});

export const noImports: DraftImports = {
  schemas: [],
  services: [],
  components: [],
  workflows: [],
  agents: [],
  plugins: [],
};

export const imports: Read<DraftImports> = (r, entry) => {
  if (entry.value.kind !== 'object' || isNothing(entry.value)) {
    return wrongKind(r, entry, 'a block of schemas, services, components, workflows, plugins or agents');
  }
  return { ...noImports, ...readBlock(r, entry.value, importsShape).values };
};

/** The items of a category; a single one without its list is reported, and read. */
function listOf<T>(column: string, read: (r: Reader, object: ToonObject) => T | undefined): Read<readonly T[]> {
  return (r, entry: ToonEntry) => {
    const { key, value } = entry;
    const help =
      key.text === 'workflows'
        ? '"workflows[1]{from,as}:" and below it "./file.toon,name"'
        : column === 'use'
          ? `"${key.text}[1]{from,use}:" and below it "./file.ts,Name"`
          : `"${key.text}[1]:" and below it "- from: …"`;
    if (value.kind !== 'array') {
      wrongKind(r, entry, 'a list of imports', { help: `Write ${help}.` });
      const item =
        value.kind === 'object' && value.entries.some((inner) => inner.key.text === 'from') && read(r, value);
      return item ? [item] : [];
    }
    checkLength(r, entry, value);
    if (value.items.length === 0) report(r, 'TOO4004', key.span, `"${key.text}" has no imports`);
    return value.items.flatMap((item) => {
      if (item.kind === 'object' && !isNothing(item)) return read(r, item) ?? [];
      report(r, 'TOO4003', item.span, `an import says "from" and "${column}"; this is ${describe(item)}`, {
        help: `Write ${help}.`,
      });
      return [];
    });
  };
}
