export * from './fact.ts';
export * from './json.ts';
export * from './keyed.ts';
export * from './machine.ts';
export * from './nest.ts';
export * from './roster.ts';
export * from './usage.ts';
export * from './work-place.ts';
