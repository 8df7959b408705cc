/** Which names an agent and its folder may have, and the name a person probably meant. */

const longest = 64;
/** Windows keeps these for devices, whatever the extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Why `name` cannot be used, or undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (/[/\\]/.test(name)) return 'a name is one word, without slashes; the place is given by --dir';
  if (name.length > longest) return `a name has at most ${longest} characters`;
  if (!/^[a-z]/.test(name)) return 'a name starts with a lower-case letter';
  if (!/^[a-z][a-z0-9_-]*$/.test(name)) return 'a name is made of lower-case letters, digits, "-" and "_"';
  if (name.endsWith('-')) return 'a name does not end in "-"';
  if (name === 'agents') return '"agents.too" is kept for a list of "use" lines, and is never an agent';
  if (devices.test(name)) return 'Windows keeps this name for a device';
  return undefined;
}

/** The nearest name that can be used, or undefined if nothing of it can. */
export function suggestName(name: string): string | undefined {
  const last =
    name
      .slice(0, 1024)
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? '';
  const plain = last
    .slice(0, 4 * longest)
    .replace(/\.toon?$/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '');
  const lettered = /^\d/.test(plain) ? `agent-${plain}` : plain;
  const short = lettered.slice(0, longest).replace(/-+$/, '');
  if (short === '') return undefined;
  return nameProblem(short) === undefined ? short : `my-${short}`;
}
