/** Keeps V8's optimizer out of commands that read a large text and are over before it has paid for itself. */
const large = 100_000;
let isSet = false;

/** Whether V8 has other flags than when the program was started. */
export function hasOtherFlags(): boolean {
  return isSet;
}

/**
 * What the optimizer makes of code that has seen little is often thrown away again. With a larger budget a file of 10,000
 * lines is checked in less than half the time (`bench/toon.mjs`). Small files are not worth it: after any change of a flag
 * Node reads its own modules anew. Later versions of Node have no such flag, and complain about it.
 */
export function optimizeLater(chars: number): void {
  if (isSet || chars < large || Number.parseInt(process.versions.node, 10) >= 22) return;
  isSet = true;
  // Not imported: most commands would load it for nothing.
  process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=600000');
}
