/**
 * HTML as a list of texts and tags, in one pass.
 * 1. Time is linear: every search either finds an end and goes on behind it, or there is none and the rest belongs to what is
 *    open (a comment, a quoted value, a script), as in browsers.
 * 2. Nothing is refused: what is no tag is text.
 */
import { decodeEntities } from './entities.ts';

export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** Elements whose content is no HTML: all up to their end tag. Of these only titles and text areas are texts. */
const raw = new Set(['script', 'style', 'title', 'textarea', 'iframe', 'noembed', 'noframes', 'xmp']);
const shownRaw = new Set(['title', 'textarea', 'xmp']);

export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    if (end > at) yield { kind: 'text', text: decodeEntities(html.slice(at, end)) };
    if (open === -1) return;
    const next = html[open + 1] ?? '';
    if (html.startsWith('<!--', open)) at = behind(html, '-->', open + 4);
    else if (next === '!' || next === '?') at = behind(html, '>', open + 2);
    else if (next === '/' && isLetter(html[open + 2])) {
      const name = nameAt(html, open + 2);
      at = behind(html, '>', open + 2 + name.length);
      yield { kind: 'close', name: name.toLowerCase() };
    } else if (isLetter(next)) {
      const tag = readTag(html, open + 1);
      yield { kind: 'open', name: tag.name, attributes: tag.attributes };
      at = tag.end;
      if (!raw.has(tag.name)) continue;
      const close = new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi');
      close.lastIndex = at;
      const stop = close.exec(html)?.index ?? html.length;
      if (shownRaw.has(tag.name)) yield { kind: 'text', text: decodeEntities(html.slice(at, stop)) };
      at = stop;
    } else {
      yield { kind: 'text', text: '<' };
      at = open + 1;
    }
  }
}

function behind(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from);
  return at === -1 ? html.length : at + end.length;
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

function readTag(html: string, start: number): Tag {
  const name = nameAt(html, start);
  const attributes = new Map<string, string>();
  let at = start + name.length;
  for (;;) {
    at = passed(html, at, /[\s/]*/y);
    if (at >= html.length) return { name: name.toLowerCase(), attributes, end: at };
    if (html[at] === '>') return { name: name.toLowerCase(), attributes, end: at + 1 };
    const nameEnd = Math.max(at + 1, passed(html, at, /[^\s/>=]*/y));
    const key = html.slice(at, nameEnd).toLowerCase();
    at = passed(html, nameEnd, /\s*/y);
    let value = '';
    if (html[at] === '=') {
      at = passed(html, at + 1, /\s*/y);
      const quote = html[at];
      if (quote === '"' || quote === "'") {
        const close = behind(html, quote, at + 1);
        value = html.slice(at + 1, close - (html[close - 1] === quote ? 1 : 0));
        at = close;
      } else {
        const end = passed(html, at, /[^\s>]*/y);
        value = html.slice(at, end);
        at = end;
      }
    }
    if (attributes.size < 50 && !attributes.has(key)) attributes.set(key, decodeEntities(value));
  }
}

function nameAt(html: string, at: number): string {
  return html.slice(at, passed(html, at, /[^\s/>]*/y));
}

function passed(html: string, at: number, sticky: RegExp): number {
  sticky.lastIndex = at;
  return sticky.test(html) ? sticky.lastIndex : at;
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /^[a-z]$/i.test(char);
}
