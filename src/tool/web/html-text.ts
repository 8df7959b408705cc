/** HTML as a text that a model can read: headings, lists, links and tables in the manner of Markdown; no scripts, no styles. */
import { htmlTokens } from './html-tokens.ts';

export interface HtmlText {
  readonly title: string;
  readonly text: string;
}

/** Elements that say nothing, with all that they hold. */
const dropped = new Set([
  'script',
  'style',
  'template',
  'svg',
  'iframe',
  'noembed',
  'noframes',
  'select',
  'canvas',
  'audio',
  'video',
  'object',
  'head',
]);
/** Those have no end tag, or none that counts. */
const empty = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'base', 'wbr', 'source', 'col']);
const line = new Set([
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'nav',
  'aside',
  'address',
  'figure',
  'figcaption',
  'form',
  'fieldset',
  'tr',
  'dt',
  'dd',
  'li',
  'summary',
  'details',
  'caption',
  'option',
  'body',
  'html',
]);
const paragraph = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'dl',
  'table',
  'blockquote',
  'pre',
  'textarea',
  'xmp',
]);

/** `base`: where it comes from; links are written whole. */
export function htmlText(html: string, base: string): HtmlText {
  const page = createPage(base);
  let title = '';
  let inTitle = false;
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') {
      if (inTitle) title ||= token.text.replace(/\s+/g, ' ').trim();
      else page.text(token.text);
      continue;
    }
    if (token.name === 'title') inTitle = token.kind === 'open';
    else if (token.kind === 'open') page.open(token.name, token.attributes);
    else page.close(token.name);
  }
  return { title, text: page.end() };
}

interface Page {
  readonly text: (text: string) => void;
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void;
  readonly close: (name: string) => void;
  readonly end: () => string;
}

function createPage(address: string): Page {
  const out: string[] = [];
  let base = address;
  /** Line ends and blanks that are due before the next text. */
  let breaks = 0;
  let blank = false;
  let hidden: { name: string; depth: number } | undefined;
  let pre = 0;
  const lists: { ordered: boolean; count: number }[] = [];
  let link: { slot: number; href: string; from: number } | undefined;

  const flush = () => {
    if (out.length === 0) breaks = 0;
    if (breaks > 0) out.push('\n'.repeat(breaks));
    else if (blank && out.length > 0) out.push(' ');
    breaks = 0;
    blank = false;
  };
  const write = (text: string) => {
    flush();
    out.push(text);
  };
  const breakAt = (count: number) => {
    breaks = Math.max(breaks, count);
    blank = false;
  };
  const endLink = () => {
    if (!link) return;
    const { slot, href, from } = link;
    link = undefined;
    if (out.length === from) return;
    out[slot] = '[';
    out.push(`](${href})`);
  };

  return {
    text(text) {
      if (hidden) return;
      if (pre > 0) {
        if (text !== '') write(text);
        return;
      }
      const words = text.replace(/[ \t\n\r\f]+/g, ' ');
      if (words.startsWith(' ')) blank = true;
      const bare = words.trim();
      if (bare === '') return;
      write(bare);
      blank = words.endsWith(' ');
    },
    open(name, attributes) {
      if (name === 'base') base = resolved(attributes.get('href') ?? '', base) ?? base;
      if (hidden) {
        if (name === hidden.name) hidden.depth++;
        // A head that nobody closes ends where the body begins.
        else if (hidden.name === 'head' && name === 'body') hidden = undefined;
        return;
      }
      if (dropped.has(name)) {
        hidden = { name, depth: 1 };
        return;
      }
      if (paragraph.has(name)) breakAt(2);
      else if (line.has(name)) breakAt(1);
      if (/^h[1-6]$/.test(name)) write(`${'#'.repeat(Number(name[1]))} `);
      else if (name === 'br') breakAt(breaks + 1 > 2 ? 2 : breaks + 1);
      else if (name === 'hr') {
        breakAt(2);
        write('---');
        breakAt(2);
      } else if (name === 'ul' || name === 'ol') {
        if (lists.length > 0) breaks = 1;
        if (lists.length < 100) lists.push({ ordered: name === 'ol', count: 0 });
      } else if (name === 'li') {
        const list = lists.at(-1);
        if (list) list.count++;
        write(`${'  '.repeat(Math.min(Math.max(lists.length - 1, 0), 8))}${list?.ordered ? `${list.count}.` : '-'} `);
      } else if (name === 'blockquote') write('> ');
      else if (name === 'pre' || name === 'xmp' || name === 'textarea') {
        write('```\n');
        pre++;
      } else if (name === 'td' || name === 'th') {
        if (breaks === 0 && out.length > 0) write(' | ');
      } else if (name === 'img') {
        const alt = attributes.get('alt')?.replace(/\s+/g, ' ').trim();
        if (alt) write(`[image: ${alt}]`);
      } else if (name === 'a') {
        endLink();
        const href = resolved(attributes.get('href') ?? '', base);
        if (href !== undefined) {
          flush();
          out.push('');
          link = { slot: out.length - 1, href, from: out.length };
        }
      }
    },
    close(name) {
      if (hidden) {
        if (name === hidden.name && --hidden.depth === 0) hidden = undefined;
        return;
      }
      if (empty.has(name)) return;
      if (name === 'a') endLink();
      if ((name === 'pre' || name === 'xmp' || name === 'textarea') && pre > 0) {
        pre--;
        if (out.at(-1)?.endsWith('\n') !== true) out.push('\n');
        out.push('```');
      }
      if (name === 'ul' || name === 'ol') lists.pop();
      if (paragraph.has(name)) breakAt((name === 'ul' || name === 'ol') && lists.length > 0 ? 1 : 2);
      else if (line.has(name)) breakAt(1);
    },
    end() {
      endLink();
      return out.join('').trim();
    },
  };
}

/** A link that can be fetched, written whole; those within a page lead nowhere new. */
function resolved(href: string, base: string): string | undefined {
  const bare = href.trim();
  if (bare === '' || bare.startsWith('#') || bare.length > 2000 || !URL.canParse(bare, base)) return undefined;
  const url = new URL(bare, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}
