/**
 * What a script may run, read generously: for rules that refuse or ask, where too much is better than too little. Quotes mean
 * nothing here, every sign that could begin a command does, and so what stands in a substitution, in a here-document or in the
 * script of `bash -c` is looked at too. Linear, and never throws.
 */

export function looseCommands(script: string): string[] {
  return script
    .replace(/\\\r?\n/g, '')
    .replace(/\$\{?IFS\}?/g, ' ')
    .replace(/['"\\$]/g, '')
    .split(/[;|&<>(){}`\r\n]/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '');
}

/** A program may be named by its path: `/usr/bin/git` is `git`. */
export function withoutFolders(command: string): string {
  return command
    .split(' ')
    .map((word) => word.slice(word.lastIndexOf('/') + 1) || word)
    .join(' ');
}
