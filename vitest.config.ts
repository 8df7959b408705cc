import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

export default defineConfig({
  test: {
    // Far more than anything takes: it ends what hangs, and says nothing about how fast a machine is.
    testTimeout: process.env.TOOLANG_DEEP ? 1_800_000 : 300_000,
    hookTimeout: 300_000,
    setupFiles: ['test/setup.ts'],
    // By default one core is left idle, which on two cores is half of them.
    maxWorkers: '100%',
    // Test files share two processes and what they import: no test changes a module, and each cleans up what it did.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.ts', 'grammar/**/*.test.ts', 'bench/**/*.test.ts'] },
      },
      // The tests of the built program: the build runs once before them.
      {
        extends: true,
        test: { name: 'built', include: ['test/**/*.test.ts'], globalSetup: ['test/global-setup.ts'] },
      },
    ],
  },
});
