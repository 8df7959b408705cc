/** What directives make of the tools of a service, which only the service itself knows. */
import type { ThunkProgram } from '../program/index.ts';

/**
 * The lines of `tools`, in order, as of any set: the service, or some of its tools; and those that are taken away from it,
 * which stay away until a line adds them again.
 */
export function serviceTools(
  { directives }: ThunkProgram,
  service: string,
): { readonly wanted: readonly string[]; readonly without: readonly string[] } {
  let isWhole = true;
  const some = new Set<string>();
  const without = new Set<string>();
  for (const { key, op, values } of directives) {
    if (key !== 'tools') continue;
    const names = values.flatMap(({ text }) => (setOf(text) === service ? [text] : []));
    if (op === '-=') {
      for (const name of names) {
        if (name === service) {
          isWhole = false;
          some.clear();
        } else {
          some.delete(name);
          without.add(name);
        }
      }
      continue;
    }
    if (names.length === 0) continue;
    if (op === '=' || (isWhole && !names.includes(service))) {
      isWhole = false;
      some.clear();
    }
    for (const name of names) {
      without.delete(name);
      if (name !== service) some.add(name);
      else {
        isWhole = true;
        without.clear();
      }
    }
  }
  const left = [...some].filter((name) => !without.has(name));
  return { wanted: isWhole ? [service] : left, without: isWhole ? [...without] : [] };
}

/** `github` of `github/create_issue`. */
export function setOf(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? name : name.slice(0, slash);
}
