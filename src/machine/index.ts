export * from './json.ts';
export * from './machine.ts';
