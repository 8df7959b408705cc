/** What a file declares by name: agents, schemas, components. */
import { closest } from '../../text/index.ts';
import type { ToonEntry } from '../../toon/index.ts';
import { typeWords } from '../../type/index.ts';
import { agentTypes } from '../agent-types.ts';
import type { DraftAgent, DraftComponent, DraftWorkflow } from '../draft.ts';
import { readBlock, reportMissing, shape } from './keys.ts';
import { declaredName } from './name.ts';
import { namedBlock, namedEntries } from './named-list.ts';
import { nodeList } from './nodes.ts';
import { mark, type Read, type Reader, report, word, wrongKind } from './reader.ts';
import { plainWord } from './text.ts';
import { fieldTypes, wholeType } from './type.ts';
import { jsonValue } from './value.ts';

export const agents: Read<readonly DraftAgent[]> = declared('agents by their names', 'writer', (r, entry) => {
  const name = declaredName(r, entry.key, 'an agent');
  const { value } = entry;
  if (value.kind !== 'object') return wrongKind(r, entry, 'a block of fields', { help: 'An agent has "type: …".' });
  const at = mark(r, entry.span);
  const typed = value.entries.find(({ key }) => key.text === 'type');
  if (!typed) reportMissing(r, entry.key.span, `the agent "${name.text}"`, 'type');
  const type = typed && plainWord(r, typed);
  const fields = value.entries.flatMap((field) => {
    const read = field === typed ? undefined : jsonValue(r, field);
    return read === undefined
      ? []
      : [{ key: word(r, field.key.text, field.key.span), value: read, at: mark(r, field.value.span) }];
  });
  return { name, ...(type && { type }), fields, at };
});

export const schemas: Read<DraftWorkflow['schemas']> = declared('schemas by their names', 'Review', (r, entry) => {
  const name = declaredName(r, entry.key, 'a schema');
  if (typeWords.has(name.text)) {
    report(r, 'TOO4008', name.span, `"${name.text}" is a built-in type and cannot be a schema`, {
      help: 'Choose another name.',
    });
  }
  const type = wholeType(r, entry);
  return type && { name, type };
});

const componentShape = shape('a component', { params: fieldTypes, steps: nodeList }, 'steps');

export const components: Read<readonly DraftComponent[]> = declared(
  'components by their names',
  'Brief',
  (r, entry) => {
    const name = declaredName(r, entry.key, 'a component');
    const { value } = entry;
    if (value.kind !== 'object') return wrongKind(r, entry, 'a block with params and steps');
    const inside = { ...r, component: true };
    // A component has no line of its own, so its name is where it stands.
    const { values } = readBlock(inside, value, componentShape, { at: entry.key.span });
    return { name, ...values, at: mark(r, entry.span) };
  },
);

/** A block of names; `read` gets the entry of each. A list of them is reported, and read. */
function declared<T>(
  expected: string,
  sample: string,
  read: (r: Reader, entry: ToonEntry) => T | undefined,
): Read<readonly T[]> {
  return (r, entry) => {
    const { key, value } = entry;
    if (value.kind === 'object' && value.entries.length > 0) {
      return value.entries.flatMap((inner) => read(r, inner) ?? []);
    }
    const edits = namedBlock(r, entry);
    wrongKind(r, entry, expected, {
      help: `Write "${key.text}:", below it "${sample}:", and below that what it has.`,
      ...(edits && { fix: { title: 'write them by their names', edits } }),
    });
    return value.kind === 'array' ? namedEntries(value).flatMap((inner) => read(r, inner) ?? []) : undefined;
  };
}

/** The names that types may mean: of schemas declared here. */
export function schemaNames(entry: ToonEntry | undefined): readonly string[] {
  return declaredIn(entry).map(({ key }) => key.text);
}

/** The agents declared here, and whether each is a thunk, or was meant to be one. */
export function agentNames(entry: ToonEntry | undefined): readonly (readonly [string, boolean])[] {
  return declaredIn(entry).map(({ key, value }) => {
    const type = value.kind === 'object' ? value.entries.find((field) => field.key.text === 'type')?.value : undefined;
    const word = type?.kind === 'string' && type.text.length <= longestWord ? type.text : '';
    return [key.text, word === 'too' || (!agentTypes.has(word) && closest(word, ['too']) !== undefined)];
  });
}

/** Looking up a long text means to read it. */
const longestWord = 100;

function declaredIn(entry: ToonEntry | undefined): readonly ToonEntry[] {
  const value = entry?.value;
  return value?.kind === 'object' ? value.entries : value?.kind === 'array' ? namedEntries(value) : [];
}
