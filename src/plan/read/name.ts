/** Ids and other names: how they look, and which ones mean something else already. */
import { stringMap, type ToonEntry, type ToonKey } from '../../toon/index.ts';
import type { Word } from '../draft.ts';
import {
  guess,
  type Read,
  type Reader,
  replace,
  report,
  shown,
  uncommented,
  word,
  written,
  wrongKind,
} from './reader.ts';
import { reservedAs } from './reserved.ts';
import { checkLength, plainWord, texts } from './text.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const CALLER = '{id}';

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** The id of a node. */
export const nodeId: Read<Word> = (r, entry) => {
  const id = numberWord(r, entry) ?? plainWord(r, entry);
  if (!id || !checkId(r, id)) return id;
  const why = reservedAs(id.text);
  if (why !== undefined) {
    report(r, 'TOO4008', id.span, `"${id.text}" is ${why} and cannot be an id`, { help: 'Choose another id.' });
  }
  return id;
};

/** One id, or a list of ids. */
export const nodeIds: Read<readonly Word[]> = (r, entry) => {
  const { key, value } = entry;
  if (value.kind === 'array') {
    const found = texts(r, entry)?.map(({ text, span }) => word(r, text, span));
    return found?.filter((id) => checkId(r, id));
  }
  const id = numberWord(r, entry) ?? plainWord(r, entry);
  if (!id) return undefined;
  if (isId(r, id.text)) return [id];
  const several = id.text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((part) => part.trim());
  if (!several.every((part) => isId(r, part)) || (several.length < 2 && several[0] === id.text)) {
    return checkId(r, id) ? [id] : undefined;
  }
  const list = several.length === 1 ? `: ${several[0]}` : `[${several.length}]: ${several.join(',')}`;
  report(r, 'TOO4003', id.span, `"${key.text}" takes one id or a list of ids, and this is one text`, {
    help: `Write "${key.text}${list}".`,
    fix: {
      title: `write ${key.text}${list}`,
      edits: [{ span: { start: key.span.end, end: entry.span.end }, text: list }],
    },
  });
  return several.map((text) => word(r, text, id.span));
};

/** The name of an agent, a schema or a component, which is a key. */
export function declaredName(r: Reader, key: ToonKey, what: string): Word {
  if (!isName(key.text)) {
    const near = toName(key.text, what.replace(/^an? /, ''));
    report(r, 'TOO4007', key.span, `${shown(key.text)} is no name for ${what}`, {
      help: rule,
      ...(near !== undefined && { fix: guess(key.span, near) }),
    });
  }
  return word(r, key.text, key.span);
}

/** The name that an import gets here. */
export const alias: Read<Word> = (r, entry) => {
  const name = plainWord(r, entry);
  if (name && !isName(name.text)) reportName(r, name, 'name', rule);
  return name;
};

/** The names of exports: one text, several in one text with commas, or a list. */
export const exportNames: Read<readonly Word[]> = (r, entry) => {
  const { value } = entry;
  if (value.kind === 'array') checkLength(r, entry, value);
  const items = value.kind === 'array' ? value.items : [value];
  const found: Word[] = [];
  for (const item of items) {
    if (item.kind !== 'string') return wrongKind(r, entry, 'names');
    const place = stringMap(r.source, item);
    let start = 0;
    for (const part of item.text.split(',')) {
      const text = part.trim();
      const from = start + part.length - part.trimStart().length;
      const span = { start: place(from), end: place(from + text.length) };
      start += part.length + 1;
      if (text === '') report(r, 'TOO4004', item.text.trim() === '' ? item.span : span, 'a name is missing here');
      else if (!EXPORT.test(text)) found.push(...reportExport(r, word(r, text, span)));
      else found.push(word(r, text, span));
    }
  }
  return found;
};

/** `./checks.ts`, `./checks.ts#lint` */
export const handler: Read<Word> = (r, entry) => {
  const name = plainWord(r, entry);
  if (!name) return undefined;
  const hash = name.text.indexOf('#');
  if (hash === -1 || (hash > 0 && EXPORT.test(name.text.slice(hash + 1)))) return name;
  return report(r, 'TOO4007', name.span, `${shown(name.text)} is no handler`, {
    help: 'Write a module, or a module and its export: "./checks.ts#lint".',
  });
};

const EXPORT = /^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u;
const rule = 'Names begin with a letter a–z or A–Z and hold such letters, digits, "-" and "_".';

/** A number is no id in quotes either, so it is read as the word that is written. */
function numberWord(r: Reader, entry: ToonEntry): Word | undefined {
  const value = uncommented(r, entry.value);
  return value.kind === 'number' ? word(r, written(r, value.span), value.span) : undefined;
}

/** Reports an id that does not look like one. */
function checkId(r: Reader, id: Word): boolean {
  if (isId(r, id.text)) return true;
  const caller = id.text.replace(/\{\s*id\s*\}/g, CALLER);
  if (r.component && caller !== id.text && isId(r, caller)) {
    report(r, 'TOO4007', id.span, `${shown(id.text)} is no id; the caller's id is written ${CALLER}, without blanks`, {
      fix: replace(id.span, `"${caller}"`),
    });
  } else if (!r.component && isName(caller.replaceAll(CALLER, 'x'))) {
    report(r, 'TOO4007', id.span, `${CALLER} is the id of a component's use, and there is none here`, { help: rule });
  } else reportName(r, id, 'id', r.component ? `${rule} In components they may hold ${CALLER}.` : rule);
  return false;
}

function isId(r: Reader, text: string): boolean {
  return NAME.test(r.component ? text.replaceAll(CALLER, 'x') : text);
}

/** Blanks between names are commas that were forgotten; the names that were meant. */
function reportExport(r: Reader, { text, span }: Word): Word[] {
  const several = text.split(/\s+/);
  const isSeveral = several.every((part) => EXPORT.test(part));
  report(r, 'TOO4007', span, `${shown(text)} is no name of an export`, {
    help: 'Write the name as it is exported; several names have commas between them.',
    ...(isSeveral && { fix: guess(span, several.join(', ')) }),
  });
  return isSeveral ? several.map((part) => word(r, part, span)) : [];
}

function reportName(r: Reader, name: Word, what: string, help: string): void {
  const near = toName(name.text);
  report(r, 'TOO4007', name.span, `${shown(name.text)} is no ${what}`, {
    help,
    ...(near !== undefined && { fix: guess(name.span, near) }),
  });
}

/** `My step!` → `My-step`, `2nd` → `step-2nd`; undefined when nothing usable is left. */
function toName(text: string, prefix = 'step'): string | undefined {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .replace(/-$/, '');
  const name = /^[0-9]/.test(plain) ? `${prefix}-${plain}` : plain;
  return isName(name) && reservedAs(name) === undefined ? name : undefined;
}
