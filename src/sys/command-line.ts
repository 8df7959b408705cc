/**
 * What to hand to the system to run a program with these arguments. Only Windows needs care: `.cmd` and `.bat` files run
 * in cmd.exe, which reads its line twice, so every character it could act on is escaped for both readings.
 */

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** Node must not quote the arguments again. */
  readonly verbatim: boolean;
}

export type CommandLineResult =
  | { readonly ok: true; readonly line: CommandLine }
  | { readonly ok: false; readonly message: string };

/** `file` is what `findCommand` found; `shell` is `%ComSpec%`. */
export function commandLine(
  file: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
  shell = 'cmd.exe',
): CommandLineResult {
  const unfit = [file, ...args].find((part) => part.includes('\0'));
  if (unfit !== undefined) return { ok: false, message: 'an argument of a command may not hold a NUL character.' };
  if (platform !== 'win32' || !/\.(cmd|bat)$/i.test(file)) return { ok: true, line: { file, args, verbatim: false } };
  if (args.some((arg) => /[\r\n]/.test(arg))) {
    return { ok: false, message: `a .cmd file cannot be given an argument of several lines: "${file}".` };
  }
  const line = [escapeOnce(file), ...args.map((arg) => escapeOnce(escapeOnce(quoteArgument(arg))))].join(' ');
  return { ok: true, line: { file: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true } };
}

/** For the C runtime: backslashes count double before a quote. */
function quoteArgument(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

function escapeOnce(text: string): string {
  return text.replace(/[()%!^"<>&|;, *?`[\]{}=+~']/g, '^$&');
}
