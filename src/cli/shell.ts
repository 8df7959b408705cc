/** Printed commands can be pasted: how this program was called, and how an argument is quoted. */

/** `npx toolang` when npx started us: then `toolang` alone may not be on the path. */
export function programName(env: Readonly<Record<string, string | undefined>>): string {
  return env.npm_command === 'exec' ? 'npx toolang' : 'toolang';
}

/** Windows' shells agree on double quotes only, and its paths hold backslashes. */
export function quoteForShell(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^(?!-)[\w.\\/:@+-]+$/.test(word) ? word : `"${word.replaceAll('"', '')}"`;
  return /^(?!-)[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
