/** Characters that HTML writes by name or by number. Names that are not common stay as they are written. */

/** U+00A0 to U+00FF, in order. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** From U+0391 and U+03B1 on; the gaps have no name. */
const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega';

const others =
  'amp& lt< gt> quot" apos\' OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161 Yuml\u0178 fnof\u0192 circ\u02c6 tilde\u02dc ensp\u2002 emsp\u2003 thinsp\u2009 zwnj\u200c zwj\u200d ndash\u2013 mdash\u2014 lsquo\u2018 rsquo\u2019 sbquo\u201a ldquo\u201c rdquo\u201d bdquo\u201e dagger\u2020 Dagger\u2021 bull\u2022 hellip\u2026 permil\u2030 prime\u2032 Prime\u2033 lsaquo\u2039 rsaquo\u203a oline\u203e euro\u20ac trade\u2122 larr\u2190 uarr\u2191 rarr\u2192 darr\u2193 harr\u2194 lArr\u21d0 rArr\u21d2 hArr\u21d4 forall\u2200 part\u2202 exist\u2203 empty\u2205 nabla\u2207 isin\u2208 notin\u2209 ni\u220b prod\u220f sum\u2211 minus\u2212 lowast\u2217 radic\u221a prop\u221d infin\u221e ang\u2220 and\u2227 or\u2228 cap\u2229 cup\u222a int\u222b there4\u2234 sim\u223c cong\u2245 asymp\u2248 ne\u2260 equiv\u2261 le\u2264 ge\u2265 sub\u2282 sup\u2283 sube\u2286 supe\u2287 oplus\u2295 otimes\u2297 perp\u22a5 sdot\u22c5 lceil\u2308 rceil\u2309 lfloor\u230a rfloor\u230b loz\u25ca check\u2713 star\u2606 lbrace{ rbrace} lbrack[ rbrack] lpar( rpar) num# dollar$ percnt% ast* plus+ comma, period. sol/ colon: semi; equals= quest? commat@ bsol\\ lowbar_ grave` vert| Tab\t NewLine\n';

const names = new Map<string, string>([
  ...latin.split(' ').map((name, i) => [name, String.fromCharCode(0xa0 + i)] as const),
  ...greek
    .split(' ')
    .flatMap((name, i) => [
      [name, String.fromCharCode(0x391 + i)] as const,
      [name.toLowerCase(), String.fromCharCode(0x3b1 + i)] as const,
    ]),
  ...others.split(' ').map((each) => {
    const found = /^([A-Za-z0-9]+)(.*)$/s.exec(each);
    return [found?.[1] ?? '', found?.[2] ?? ''] as const;
  }),
]);

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));?/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return names.get(name) ?? whole;
      return numbered(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
}

/** What people wrote as a number of Windows is read as such, as browsers do. */
function numbered(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows[code - 0x80] ?? '';
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code);
}

/** 0x80 to 0x9f of windows-1252; five of them are no characters there either. */
const windows =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Node 20 reads windows-1252, and what is called latin-1 in the web, as if it had no characters there. */
export function mendWindows(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (char) => windows[char.charCodeAt(0) - 0x80] ?? char);
}
