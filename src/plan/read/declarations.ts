/** What a file declares by name: agents, schemas, components. */
import type { ToonEntry } from '../../toon/index.ts';
import type { DraftAgent, DraftComponent, DraftWorkflow } from '../draft.ts';
import { readBlock, reportMissing, shape } from './keys.ts';
import { declaredName } from './name.ts';
import { nodeList } from './nodes.ts';
import { mark, type Read, type Reader, report, word, wrongKind } from './reader.ts';
import { plainWord } from './text.ts';
import { fieldTypes, typeWords, wholeType } from './type.ts';
import { jsonValue } from './value.ts';

export const agents: Read<readonly DraftAgent[]> = declared('agents with their fields', (r, entry) => {
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

export const schemas: Read<DraftWorkflow['schemas']> = declared('schemas with their types', (r, entry) => {
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

export const components: Read<readonly DraftComponent[]> = declared('components with their steps', (r, entry) => {
  const name = declaredName(r, entry.key, 'a component');
  const { value } = entry;
  if (value.kind !== 'object') return wrongKind(r, entry, 'a block with params and steps');
  const inside = { ...r, component: true };
  // A component has no line of its own, so its name is where it stands.
  const { values } = readBlock(inside, value, componentShape, { at: entry.key.span });
  return { name, ...values, at: mark(r, entry.span) };
});

/** A block of names; `read` gets the entry of each. */
function declared<T>(expected: string, read: (r: Reader, entry: ToonEntry) => T | undefined): Read<readonly T[]> {
  return (r, entry) => {
    const { value } = entry;
    if (value.kind !== 'object' || value.entries.length === 0) return wrongKind(r, entry, expected);
    return value.entries.flatMap((inner) => read(r, inner) ?? []);
  };
}

/** The names that types may mean: of schemas declared here. */
export function schemaNames(entry: ToonEntry | undefined): readonly string[] {
  return entry?.value.kind === 'object' ? entry.value.entries.map(({ key }) => key.text) : [];
}
