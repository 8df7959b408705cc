/** Functions of builder programs: in a plan each is the module of a handler, under a name that no file can have. */

const prefix = 'builder:';

/** `name`: of the step, behind that of its component. */
export function functionModule(workflow: string, name: string): string {
  return `${prefix}${workflow}/${name}`;
}

export function isFunctionModule(module: string): boolean {
  return module.startsWith(prefix);
}
