/** Braces that were forgotten: a text that is, word for word, what would read a value. */
import type { DiagnosticExtra } from '../text/index.ts';
import { quote } from '../toon/index.ts';
import type { DraftText } from './draft.ts';
import type { Reader } from './names.ts';
import type { Text } from './node.ts';
import type { Reports } from './reports.ts';
import type { TextLinker } from './texts.ts';

const path = /^([A-Za-z][\w-]*)\.([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*$/;
const longest = 200;

/** Whether the text would read a field that there is; `draft.md` is a file when "draft" has no field "md". */
export function isBare({ parts }: Text, reader: Reader, { typeOf }: TextLinker): boolean {
  const only = parts[0];
  if (only?.kind !== 'text' || parts.length > 1 || only.text.length > longest) return false;
  const [, name, field = ''] = path.exec(only.text) ?? [];
  const type = name === undefined ? undefined : typeOf(name, reader);
  const members = type?.kind === 'union' ? type.members : type ? [type] : [];
  return members.some((each) => each.kind === 'record' && each.fields.has(field));
}

export function tellBare(draft: DraftText, reports: Reports): void {
  reports.add('TOO4293', draft, `"${draft.text}" is this very text, not the value`, bareHelp(draft));
}

/** What to write instead. */
export function bareHelp(draft: DraftText): DiagnosticExtra {
  const { source, span, text, isFile } = draft;
  const right = isFile ? `{${text}}` : quote(`{${text}}`);
  const written = source.text.slice(span.start, span.end);
  return {
    help: `Write ${right} for the value.`,
    ...((written === text || written === `"${text}"`) && {
      fix: { title: `write ${right}`, edits: [{ span, text: right }], guess: true },
    }),
  };
}
