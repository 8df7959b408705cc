/** The path of a config key, as TOML writes it: `models.aliases."my model".ref`. */

export type KeyPath = readonly string[];

export function keyText(path: KeyPath): string {
  return path.map(keyPart).join('.');
}

/** One part, in quotes unless it can stand bare. */
export function keyPart(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlString(name);
}

/** A basic string. The caller has made sure that the text is well-formed. */
export function tomlString(text: string): string {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (c) => escapes[c] ?? unicode(c));
  return `"${escaped}"`;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function unicode(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
