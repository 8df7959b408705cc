/** Printed commands can be pasted: how this program was called, and how an argument is quoted. */

/** `npx toolang` when npx started us: then `toolang` alone may not be on the path. */
export function programName(env: Readonly<Record<string, string | undefined>>): string {
  return env.npm_command === 'exec' ? 'npx toolang' : 'toolang';
}

export function quoteForShell(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
