/** Caps as they are written: frontmatter, validators of the four kinds, references. */
export * from './cap.ts';
export * from './checked-cap.ts';
export * from './frontmatter.ts';
export * from './property.ts';
export * from './ref.ts';
export * from './split.ts';
export * from './split-command.ts';
export * from './uses-file.ts';
export * from './validate.ts';
