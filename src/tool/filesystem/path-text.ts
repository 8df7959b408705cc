/**
 * What the text of a path says, before anything is looked at: the parts below the workspace, or why it is refused. The rules
 * of the platform are an argument.
 * 1. A path is relative to the workspace; an absolute one is taken only where it lies in it, letter by letter.
 * 2. `..` never leads above the workspace, not even for a moment.
 * 3. What another system, or a person who reads it, would take for something else is refused: addresses, `~`, control
 *    characters, look-alikes of slashes and dots, on Windows also streams, devices, short names, drives and shares.
 */
import type { PlatformPath } from 'node:path';
import { isInside, quotePath } from '../../sys/index.ts';

export type PathText =
  | { readonly ok: true; readonly parts: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly outside: boolean };

const mostLength = 4096;

/** `workspace` is absolute. */
export function readPathText(text: string, workspace: string, path: PlatformPath): PathText {
  const windows = path.sep === '\\';
  const problem = badText(text, windows) ?? badStart(text, windows);
  if (problem !== undefined) return { ok: false, problem, outside: false };
  let relative = text;
  if (path.isAbsolute(text)) {
    if (!isInside(path.normalize(text), workspace, path)) return outside(text);
    if (windows && path.parse(path.normalize(text)).root.toLowerCase() !== path.parse(workspace).root.toLowerCase()) {
      return outside(text);
    }
    relative = path.relative(workspace, path.normalize(text));
  }
  const parts: string[] = [];
  for (const part of relative.split(windows ? /[\\/]/ : '/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) return outside(text);
      continue;
    }
    const wrong = badPart(part, windows);
    if (wrong !== undefined) return { ok: false, problem: `${quotePath(text)} is refused: ${wrong}.`, outside: false };
    parts.push(part);
  }
  return { ok: true, parts };
}

function outside(text: string): PathText {
  return { ok: false, problem: outsideProblem(text), outside: true };
}

/** The same words whether there is something or not: nothing outside is told to exist. */
export function outsideProblem(text: string): string {
  return `${quotePath(shortened(text))} leads out of the workspace. Paths are relative to it, as in "src/main.ts"; nothing outside of it can be read or written.`;
}

function badText(text: string, windows: boolean): string | undefined {
  if (text.trim() === '') return 'the path is empty; write "." for the workspace.';
  if (text.length > mostLength) return `the path has ${text.length} characters; at most ${mostLength} are taken.`;
  const name = quotePath(text);
  if (/\p{Cc}/u.test(text)) return `${name} is refused: it holds a control character.`;
  if (/\p{Cs}/u.test(text)) return `${name} is refused: it is no well-formed text.`;
  const like = /[\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/u.exec(text)?.[0];
  if (like !== undefined) return `${name} is refused: it holds ${codeOf(like)}, which looks like a slash.`;
  if (!windows && text.includes('\\')) return `${name} is refused: paths are written with "/", not with "\\".`;
  return undefined;
}

function badStart(text: string, windows: boolean): string | undefined {
  const name = quotePath(text);
  if (/^[a-z][a-z0-9+.-]*:[\\/]{2}/i.test(text) || /^file:/i.test(text)) {
    return `${name} is an address; write the path itself, relative to the workspace.`;
  }
  if (/^~/.test(text)) {
    return `${name} is refused: "~" means no folder here. Paths are relative to the workspace; a file of that name is "./${text}".`;
  }
  if (windows && /^[\\/]{2}/.test(text)) return `${name} is refused: shares and devices cannot be named here.`;
  return undefined;
}

function badPart(part: string, windows: boolean): string | undefined {
  const plain = part.normalize('NFKC');
  if (plain !== part && (/[\\/]/.test(plain) || /^\.{1,2}$/.test(plain))) {
    return `"${part}" looks like "${plain}", and is not`;
  }
  if (!windows) return undefined;
  if (part.includes(':')) return `"${part}" holds ":", which names a drive or a stream`;
  if (/[<>"|?*]/.test(part)) return `"${part}" holds a character that no name may hold`;
  if (/[. ]$/.test(part)) return `"${part}" ends with a dot or a blank, which Windows takes away`;
  if (/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(\.|$)/i.test(part)) {
    return `"${part}" is a device`;
  }
  if (/^[^.]{1,6}~[0-9]{1,6}(\.|$)/.test(part)) return `"${part}" is a short name of Windows; write the long one`;
  return undefined;
}

function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
