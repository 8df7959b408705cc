/** The engine: so far, the hosts in which users' modules are looked into. */
export { createModuleHost, type ModuleHost, type ModuleHostOptions } from './host.ts';
export { runTsc, type TscRequest, type TscResult, tscRoot } from './tsc.ts';
