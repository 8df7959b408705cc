/** Builds the package once for all tests that need it, in a folder of its own, so that two test runs do not meet. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../scripts/build.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    build: { readonly dist: string; readonly error: string };
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-built-'));
  const dist = join(dir, 'dist');
  // A build that fails must fail the tests of the program, and still let the others run: `built()` throws it.
  const error = await build(dist).then(
    () => '',
    (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)) || 'the build failed',
  );
  project.provide('build', { dist, error });
  return () => rmSync(dir, { recursive: true, force: true });
}
