import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

// No test needs the network. Node reads this list of certificates at every start, which takes three times as long as the
// start itself, and tests start hundreds of programs.
delete process.env.NODE_EXTRA_CA_CERTS;

const isDeep = Boolean(process.env.TOOLANG_DEEP);

export default defineConfig({
  test: {
    include: ['{src,test,grammar,bench}/**/*.test.ts'],
    // To pack, install and show the whole program belongs to the long tests.
    exclude: [...configDefaults.exclude, ...(isDeep ? [] : ['test/pack.test.ts', 'test/demo.test.ts'])],
    // Far more than anything takes: it ends what hangs, and says nothing about how fast a machine is.
    testTimeout: isDeep ? 1_800_000 : 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    // By default one core is left idle, which on two cores is half of them.
    maxWorkers: '100%',
    // Test files share two processes and what they import: no test changes a module, and each cleans up what it did. One
    // project for all: vitest ends a process, with all it has imported, when the next file is of another.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
