/** Adds and removes `use` lines of a `.too` file; every other byte stays as it is. */
import { createSource } from '../../text/index.ts';
import { type CapKind, parse, type Use } from '../../too/index.ts';

/** Below the last one; without one, above the first declaration and what is written about it. */
export function addUse(text: string, kind: CapKind, ref: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `use ${kind} ${ref}${end}`;
  const { items } = parse(createSource('', text)).program;
  const last = items.findLast((item) => item.kind === 'use');
  if (last) {
    const at = lineEnd(text, last.span.end);
    return `${text.slice(0, at)}${at > 0 && text[at - 1] !== '\n' ? end : ''}${line}${text.slice(at)}`;
  }
  const at = items[0] === undefined ? text.length : aboveNotes(text, items[0].span.start);
  const before = text.slice(0, at);
  const gap = before === '' || before.endsWith('\n') ? '' : end;
  return `${before}${gap}${line}${at < text.length ? end : ''}${text.slice(at)}`;
}

/** The line that brings this cap; undefined where there is none. */
export function removeUse(text: string, kind: CapKind, ref: string): string | undefined {
  const { items } = parse(createSource('', text)).program;
  const found = items.find(
    (item): item is Use => item.kind === 'use' && item.capKind === kind && item.ref.text === ref,
  );
  if (!found) return undefined;
  const start = text.lastIndexOf('\n', found.span.start - 1) + 1;
  const end = lineEnd(text, found.span.end);
  // With the blank line below that came with it, where one stands above as well.
  const blank = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  return text.slice(0, start) + text.slice(/(?:^|\n[ \t]*\r?\n)$/.test(text.slice(0, start)) ? end + blank : end);
}

function lineEnd(text: string, offset: number): number {
  // A span may take the line end with it.
  const feed = text.indexOf('\n', text[offset - 1] === '\n' ? offset - 1 : offset);
  return feed === -1 ? text.length : feed + 1;
}

/** Comments directly above a declaration belong to it; those of the file itself (`##!`) do not. */
function aboveNotes(text: string, offset: number): number {
  let at = text.lastIndexOf('\n', offset - 1) + 1;
  while (at > 0) {
    const before = text.lastIndexOf('\n', at - 2) + 1;
    const line = text.slice(before, at);
    if (!/^\s*#(?!#!)/.test(line)) return at;
    at = before;
  }
  return at;
}
