import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    setupFiles: ['test/setup.ts'],
    // By default one core is left idle, which on two cores is half of them.
    maxWorkers: '100%',
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
