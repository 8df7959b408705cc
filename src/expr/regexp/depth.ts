/** How deep the groups and classes of a pattern nest: acorn reads them by recursion, so it is counted before. */
export function patternDepth(pattern: string, flags: string): number {
  /** Only with the flag v can a class stand in a class. */
  const mostClasses = flags.includes('v') ? pattern.length : 1;
  let groups = 0;
  let classes = 0;
  let most = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[') classes = Math.min(classes + 1, mostClasses);
    else if (char === ']') classes = Math.max(classes - 1, 0);
    else if (classes > 0) continue;
    else if (char === '(') groups++;
    else if (char === ')') groups--;
    most = Math.max(most, groups + classes);
  }
  return most;
}
