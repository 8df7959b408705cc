/**
 * Markers that were broken on their way: bytes cut apart and replaced by U+FFFD, half a surrogate pair, or UTF-8 that
 * somebody read in another encoding. The longest has eight units, and a whole marker fewer.
 */
import { EMOJI } from '../marker.ts';
import { isHigh, SPACE } from '../unit.ts';

/** As far as one has to look back from a `[`. */
export const longestDamage = 12;

/** The four bytes of the emoji, two of its selector, and the third (8F, or 8E), as other encodings read them. */
const misread: readonly (readonly [emoji: string, selector: string, last: string])[] = [
  ['\u00f0\u0178\u203a\u00a0', '\u00ef\u00b8', '\u008f\u017d'], // windows-1252
  ['\u00f0\u009f\u009b\u00a0', '\u00ef\u00b8', '\u008f\u008e'], // latin-1
  ['\u011f\u0178\u203a\u00a0', '\u00ef\u00b8', '\u008f\u008e'], // windows-1254
  ['\u0111\u017a\u203a\u00a0', '\u010f\u00b8', '\u0179\u017d'], // windows-1250
  ['\u0440\u045f\u203a\u00a0', '\u043f\u0451', '\u040f\u040b'], // windows-1251
  ['\uf8ff\u00fc\u00f5\u2020', '\u00d4\u220f', '\u00e8\u00e9'], // macintosh
  ['\u2261\u0192\u00a2\u00e1', '\u2229\u2555', '\u00c5\u00c4'], // code page 437
  ['\u0401\u042f\u042b\u0430', '\u044f\u2555', '\u041f\u041e'], // code page 866
];

const selectors = ['\ufe0f', '\ufe0e'];
const mostReplaced = 7;
const replaced = 0xfffd;

/** Made when first asked for: most texts have nothing to ask about. */
let forms: ReadonlyMap<number, readonly string[]> | undefined;
let prefixes: ReadonlySet<string> | undefined;

/** How many units at the end of `text`, which stands right before a `[`, are a broken marker; 0 when they are none. */
export function damageBefore(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  // What came of a non-breaking space may be a plain one.
  if (last < 0x80 && last !== SPACE) return 0;
  for (const form of formsByEnd().get(last) ?? []) if (text.endsWith(form)) return form.length;
  const bare = selectors.some((selector) => text.endsWith(selector)) ? text.length - 1 : text.length;
  let start = bare;
  while (start > 0 && bare - start < mostReplaced && text.charCodeAt(start - 1) === replaced) start--;
  if (start < bare) return text.length - start;
  const before = text.charCodeAt(bare - 1);
  return before === EMOJI.charCodeAt(0) || isLoneLow(text, bare - 1) ? text.length - bare + 1 : 0;
}

/** How many units at the end of `text` may become a marker, broken or whole, with what comes next. */
export function markerPrefixAtEnd(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  if (last < 0x80 && last !== SPACE) return 0;
  prefixes ??= allPrefixes();
  for (let length = Math.min(longestDamage, text.length); length > 0; length--) {
    const start = text.length - length;
    const first = text.charCodeAt(start);
    if (first === EMOJI.charCodeAt(1) && !isLoneLow(text, start)) continue;
    if (prefixes.has(text.slice(start))) return length;
  }
  return 0;
}

/** The second half of the emoji, which is not the second half of anything else. */
function isLoneLow(text: string, at: number): boolean {
  return text.charCodeAt(at) === EMOJI.charCodeAt(1) && !isHigh(text.charCodeAt(at - 1));
}

/** By their last unit; the longest first. */
function formsByEnd(): ReadonlyMap<number, readonly string[]> {
  if (forms !== undefined) return forms;
  const byEnd = new Map<number, string[]>();
  for (const form of allForms()) {
    const last = form.charCodeAt(form.length - 1);
    byEnd.set(last, [...(byEnd.get(last) ?? []), form]);
  }
  forms = byEnd;
  return forms;
}

function allForms(): readonly string[] {
  const all = misread.flatMap(([emoji, selector, last]) => {
    // The third byte is none in some encodings: it is left out or replaced.
    const tails = [...last, '\ufffd', ''].map((third) => selector + third);
    const heads = [emoji, emoji.replace('\u00a0', ' ')];
    return heads.flatMap((head) => [...tails, ...selectors, ''].map((tail) => head + tail));
  });
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

function allPrefixes(): ReadonlySet<string> {
  const heads = [EMOJI, EMOJI.charAt(1)];
  for (let n = 1; n <= mostReplaced; n++) heads.push('\ufffd'.repeat(n));
  const whole = [
    ...allForms(),
    ...[...heads, EMOJI.charAt(0)].flatMap((head) => ['', ...selectors].map((s) => head + s)),
  ];
  const all = new Set<string>();
  for (const form of whole) for (let end = 1; end <= form.length; end++) all.add(form.slice(0, end));
  return all;
}
