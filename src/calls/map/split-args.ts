/**
 * The argument string of a header in tokens: split at white space; a token that starts with a quote goes to the first same
 * quote that has white space or the end behind it. There are no escapes, so a Windows path stays as it is, and an
 * apostrophe that nothing closes is an ordinary letter.
 */

export interface ArgToken {
  /** The value, without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
  /** The name in `name=value`. */
  readonly name: string | undefined;
  /** It starts with a `"` that nothing closes; it goes to the end then, quote and all. */
  readonly open: boolean;
  /** It is in quotes and has one of them with a comma behind inside: `"a", b="c"` was meant as two. */
  readonly hasComma?: true;
}

/**
 * The tokens one by one: `isName` is asked for each when its turn has come, so that it may depend on what the tokens
 * before it were. What stands before a `=` is a name only if it says so.
 */
export function* splitArgs(raw: string, isName: (name: string) => boolean): Generator<ArgToken, void> {
  // Once nothing closes an apostrophe, nothing closes the later ones: without this, many would take quadratic time.
  let apostrophes = true;
  let at = 0;
  while (true) {
    while (at < raw.length && isBlank(raw, at)) at++;
    if (at >= raw.length) return;
    const name = nameAt(raw, at, isName);
    if (name !== undefined) at += name.length + 1;
    const quote = raw[at];
    if (quote === '"' || (quote === "'" && apostrophes)) {
      const close = closingQuote(raw, at);
      if (close !== undefined) {
        yield { ...quotedValue(raw, at, close), name };
        at = close + 1;
        continue;
      }
      if (quote === '"') {
        yield { text: raw.slice(at), quoted: false, name, open: true };
        return;
      }
      apostrophes = false;
    }
    const start = at;
    while (at < raw.length && !isBlank(raw, at)) at++;
    yield { text: raw.slice(start, at), quoted: false, name, open: false };
  }
}

/** A value that is all of `raw`: if that is one quoted token, without its quotes. */
export function wholeValue(raw: string): Omit<ArgToken, 'name'> {
  const quote = raw[0];
  if (quote === '"' || quote === "'") {
    const close = closingQuote(raw, 0);
    if (close === raw.length - 1) return quotedValue(raw, 0, close);
    if (close === undefined && quote === '"') return { text: raw, quoted: false, open: true };
  }
  return { text: raw, quoted: false, open: false };
}

function quotedValue(raw: string, open: number, close: number): Omit<ArgToken, 'name'> {
  const text = raw.slice(open + 1, close);
  return { text, quoted: true, open: false, ...(text.includes(`${raw.charAt(open)},`) && { hasComma: true }) };
}

/** White space as `\s` has it, which is also what `trim` takes away. */
export function isBlank(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return unit >= 0xa0 && /\s/.test(text.charAt(at));
}

function nameAt(raw: string, start: number, isName: (name: string) => boolean): string | undefined {
  if (raw[start] === '"' || raw[start] === "'") return undefined;
  let at = start;
  while (at < raw.length && raw[at] !== '=' && !isBlank(raw, at)) at++;
  if (raw[at] !== '=') return undefined;
  const name = raw.slice(start, at);
  return isName(name) ? name : undefined;
}

/** The first same quote that has white space or the end behind it. */
export function closingQuote(raw: string, open: number): number | undefined {
  const quote = raw.charAt(open);
  for (let at = raw.indexOf(quote, open + 1); at >= 0; at = raw.indexOf(quote, at + 1)) {
    if (at + 1 === raw.length || isBlank(raw, at + 1)) return at;
  }
  return undefined;
}
