/** The built-in tools by set, as files and config name them: `filesystem`, or `filesystem/read`. */

export const builtinTools: ReadonlyMap<string, readonly string[]> = new Map([
  ['filesystem', ['read', 'write', 'edit', 'list', 'glob', 'grep']],
  ['shell', ['run']],
  ['web', ['fetch']],
]);

/** The sets of a thunk that names none, out of the box. */
export const defaultTools: readonly string[] = ['filesystem'];

/** Comes by itself where a thunk has skills: no directive names it, but permissions may. */
export const skillTool = 'skill';
