/** Built-in tools. */
export { type Bounded, boundedText, createBounded, leftOutMark, mostText } from './bounded-text.ts';
export * from './names.ts';
export * from './tool.ts';
export * from './toolbox.ts';
