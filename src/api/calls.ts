/** Tool calls in text, `import { … } from 'toolang/calls'`. No dependency; works in browsers. `docs/tool-calls.md`. */
export * from '../calls/index.ts';
