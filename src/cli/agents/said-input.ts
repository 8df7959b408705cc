/**
 * What is said to an agent in a conversation, with the files that it names: `Compare @a.ts with @b.ts`.
 * A `@word` that names no file is a mistake in one line. In a text of several lines, which mostly was pasted, it stays what it is,
 * and that is told.
 */
import type { FileWord, ReadInput } from '../../chat/index.ts';
import { fileWords } from '../../chat/index.ts';
import type { Json } from '../../plan/index.ts';
import { printable } from '../../text/index.ts';
import { printTypeShort, resolve, type Type, type TypeTable } from '../../type/index.ts';
import { type Attachment, mostAttached, readAttachment } from './attachment.ts';
import { messageParts } from './thunk-words.ts';
import type { WordSource } from './word-source.ts';

/** `expand`: what becomes of the words when the marks were taken from them. */
export async function saidInput(
  text: string,
  expand: (words: string) => string,
  { type, types }: { readonly type: Type; readonly types: TypeTable },
  source: WordSource,
): Promise<ReadInput> {
  const words = fileWords(text);
  const isLong = text.includes('\n');
  const attached = new Map<string, Attachment>();
  const problems: string[] = [];
  const notes: string[] = [];
  const plain = new Set<FileWord>();
  for (const file of words.files) {
    if (attached.has(file.name)) continue;
    const read = await readAttachment(file.name, file.word, source);
    if (read.ok) attached.set(file.name, read.attachment);
    else if (isLong) {
      plain.add(file);
      if (notes.length < mostNotes) notes.push(`${file.word} names no file that can be attached: it is sent as a word`);
    } else problems.push(read.message);
  }
  const files = [...attached.values()];
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes > mostAttached)
    problems.push(`the files have more than ${mostAttached / 1024 / 1024} MB together: attach fewer, or parts of them`);
  const isMessage = resolve(type, types).kind === 'message';
  for (const { kind, name } of isMessage ? [] : files) {
    if (kind === 'file') problems.push(`the input must be ${printTypeShort(type)}, and "${name}" is no text`);
  }
  if (problems.length > 0) return { ok: false, problems: problems.map((message) => ({ message: printable(message) })) };
  const said = expand(words.without((file) => !plain.has(file)));
  return { ok: true, input: inputOf(said, files, isMessage) as Json, notes: notes.map(printable) };
}

const mostNotes = 3;

function inputOf(said: string, files: readonly Attachment[], isMessage: boolean): unknown {
  if (files.length === 0) return said;
  if (isMessage) return { role: 'user', content: messageParts(said, files) };
  return [said, ...files.flatMap((each) => (each.kind === 'text' ? [each.text] : []))].join('\n\n');
}
