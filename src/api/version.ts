/** The version of the package, written in by the build; run from source, it is read from `package.json`. */
import { readFileSync } from 'node:fs';

declare const __TOOLANG_VERSION__: string | undefined;

export const version: string =
  typeof __TOOLANG_VERSION__ === 'string'
    ? __TOOLANG_VERSION__
    : versionOf(new URL('../../package.json', import.meta.url));

function versionOf(file: URL): string {
  const data: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof data === 'object' && data !== null && 'version' in data && typeof data.version === 'string') {
    return data.version;
  }
  throw new Error(`${file.pathname} has no version`);
}
