/** Reads what stands between `{{` and `}}`. */
import type { PathPart, TemplateProblem } from './template.ts';

export type Tag =
  | { readonly kind: 'value' | 'open' | 'inverted' | 'close'; readonly path: readonly PathPart[] }
  | {
      readonly kind: 'broken';
      readonly opens: boolean;
      readonly problem: TemplateProblem;
      /** The name that stands in it, where it is plain that there is one. */
      readonly path?: readonly PathPart[];
    };

const name = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]*/uy;
const blank = /\s*/y;

/** The tag from `start` (at its `{{`) to `end` (after its `}}`). */
export function readTag(text: string, start: number, end: number): Tag {
  const close = end - 2;
  let at = skip(text, start + 2);
  if (at >= close) {
    const help = 'Put a name between the braces, or write "\\{{" for the braces themselves.';
    return broken(false, { code: 'TOO2402', start, end, message: 'the tag is empty.', help });
  }
  const sigil = text[at] ?? '';
  const kind = sigil === '#' ? 'open' : sigil === '^' ? 'inverted' : sigil === '/' ? 'close' : 'value';
  if (kind !== 'value') at = skip(text, at + 1);
  const path = readPath(text, at, close);
  if (path !== undefined) return { kind, path };
  const meant = meantPath(text, start + 2, close);
  const tag = broken(kind === 'open' || kind === 'inverted', explain(text, start, end, at, sigil, kind));
  return meant ? { ...tag, path: meant } : tag;
}

/** The path as it is written in a closing tag. */
export function printPath(path: readonly PathPart[]): string {
  return path.length === 0 ? '.' : path.map((part) => part.name).join('.');
}

function readPath(text: string, start: number, close: number): PathPart[] | undefined {
  if (text[start] === '.' && skip(text, start + 1) >= close) return [];
  const path: PathPart[] = [];
  for (let at = start; at < close; ) {
    name.lastIndex = at;
    const found = name.exec(text)?.[0];
    if (found === undefined || at + found.length > close) return undefined;
    path.push({ name: found, start: at, end: at + found.length });
    at = skip(text, at + found.length);
    if (at >= close) return path;
    if (text[at] !== '.') return undefined;
    at = skip(text, at + 1);
  }
  return undefined;
}

/** Why a tag is not one of ours: most are written for another template language. */
function explain(text: string, start: number, end: number, at: number, sigil: string, kind: string): TemplateProblem {
  const place = { start, end };
  const body = text.slice(at, end - 2).trim();
  if (body === '') {
    const help = `Write a name after "${sigil}", as in "{{${sigil}name}}".`;
    return { code: 'TOO2402', ...place, message: `the tag has no name after "${sigil}".`, help };
  }
  if (sigil === '{') {
    const inner = body.slice(1).trim();
    const tripled = text[end] === '}';
    const clean = tripled && readPath(inner, 0, inner.length) !== undefined;
    return {
      code: 'TOO2406',
      start,
      end: clean ? end + 1 : end,
      message: 'a tag has two braces, not three.',
      help: 'Nothing is escaped, so two braces are enough; put a blank between a brace of the text and a tag.',
      ...(clean && { replacement: `{{${inner}}}` }),
    };
  }
  const foreign = foreignTag(sigil);
  if (foreign !== undefined) return { code: 'TOO2406', ...place, ...foreign };
  const block = /^(if|each|unless|with|for)\s+(\S+)$/.exec(body);
  if (block !== null && (kind === 'open' || kind === 'inverted')) {
    const [, word = '', rest = ''] = block;
    const mark = word === 'unless' ? '^' : '#';
    return {
      code: 'TOO2406',
      ...place,
      message: `"${word}" is not known in templates: a section needs only the name.`,
      help: `Write "{{${mark}${clip(rest)}}}" and close it with "{{/${clip(rest)}}}".`,
    };
  }
  if (/[|()+*<>=?!&"'[\],\s]/.test(body)) {
    const help =
      'A tag holds one name or path, such as "{{input.path}}"; there are no expressions, filters or arguments.';
    return { code: 'TOO2406', ...place, message: `"${clip(body)}" is not a name or a path.`, help };
  }
  return {
    code: 'TOO2403',
    ...place,
    message: `"${clip(body)}" is not a name or a path.`,
    help: 'Names are letters, digits, "_" and "-", joined by dots: "{{input.path}}". For plain braces write "\\{{".',
  };
}

function foreignTag(sigil: string): { message: string; help: string } | undefined {
  switch (sigil) {
    case '!':
      return {
        message: 'templates have no comments.',
        help: 'Take the tag out, or put a "#" comment outside the text.',
      };
    case '>':
      return { message: 'templates have no partials.', help: 'Put the text here, or into a template of its own.' };
    case '&':
      return { message: 'templates escape nothing, so "&" has no meaning.', help: 'Write the name alone.' };
    case '=':
      return { message: 'the braces of a template cannot be changed.', help: 'Write "\\{{" for braces that are text.' };
    default:
      return undefined;
  }
}

/** The name in `{x}`, `&x`, `x | upper`, `x[0]`, `#if x` and `#each xs`: what other template languages write. */
function meantPath(text: string, start: number, close: number): PathPart[] | undefined {
  const written = text.slice(start, Math.min(close, start + 200));
  const lead = /^\s*(?:[{&]\s*|[#^]\s*(?:if|each|unless|with|for)\s+)?/.exec(written)?.[0].length ?? 0;
  const word = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{N}_$-]*)*(?=\s*(?:$|[|[}]))/u.exec(
    written.slice(lead),
  )?.[0];
  return word === undefined ? undefined : readPath(text, start + lead, start + lead + word.length);
}

function broken(opens: boolean, problem: TemplateProblem): Tag & { kind: 'broken' } {
  return { kind: 'broken', opens, problem };
}

function skip(text: string, at: number): number {
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
