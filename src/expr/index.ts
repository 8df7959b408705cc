/** What stands in braces: `{{templates}}`. */
export * from './template.ts';
export * from './template-check.ts';
export * from './template-parse.ts';
export * from './template-render.ts';
