/** What every other folder knows of texts: sources, spans, diagnostics, frames, names. */
export * from './cells.ts';
export * from './closest.ts';
export * from './codes.ts';
export * from './color.ts';
export * from './diagnostic.ts';
export * from './edit.ts';
export * from './error.ts';
export * from './frame.ts';
export * from './likeness.ts';
export * from './pattern.ts';
export * from './source.ts';
export * from './span.ts';
export * from './width.ts';
export * from './wrap.ts';
