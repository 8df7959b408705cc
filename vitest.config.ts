import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

// No test needs the network. Node reads this list of certificates at every start, which takes three times as long as the
// start itself, and tests start hundreds of programs.
delete process.env.NODE_EXTRA_CA_CERTS;

const isDeep = Boolean(process.env.TOOLANG_DEEP);

/**
 * Whole programs, real repositories, huge texts and killed processes: what they show is shown in small by the tests beside them, and
 * they take as long as all others together. `npm run test:deep` runs them; each says so in its second line.
 */
const long = [
  'test/pack.test.ts',
  'test/demo.test.ts',
  'test/program.test.ts',
  'test/adversarial{,-workflow}.test.ts',
  'test/docs-services.test.ts',
  'test/services-run.test.ts',
  'test/cli/{run-stores,streams,runs,run-views,files}.test.ts',
  'test/examples-run.test.ts',
  'test/agents/outside.test.ts',
  'test/record/kill.test.ts',
  'test/engine/{worktree,edit-process,processes,owner-deaths,owners,approvals,store,cache,services,tools,thunks}.test.ts',
  'src/run/worktree/{steps,tree,snapshot,people,forget,branch,inside}.test.ts',
  'src/run/host/services.test.ts',
  'src/run/host/{plugin,services}-run.test.ts',
  'src/tool/service/{large-answers,stdio-service}.test.ts',
  'src/caps/resolve/cache.test.ts',
  'src/cli/caps/cap-add.test.ts',
  'src/cli/agents/agents.test.ts',
  'src/cli/commands/sync.test.ts',
  'test/caps/sync-{kill,many,tamper}.test.ts',
  'test/cli-agents/{claude-code,codex,gemini}.test.ts',
  'test/chat/tmux.test.ts',
];

export default defineConfig({
  test: {
    include: ['{src,test,grammar,bench}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isDeep ? [] : long)],
    // Far more than anything takes: it ends what hangs, and says nothing about how fast a machine is.
    testTimeout: isDeep ? 1_800_000 : 300_000,
    hookTimeout: 300_000,
    // The default is one second, in which a busy machine may have done nothing.
    expect: { poll: { timeout: 120_000, interval: 20 } },
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    // By default one core is left idle, which on two cores is half of them.
    maxWorkers: '100%',
    // Tests make much that is soon gone: with more room for it less is looked through again and again.
    execArgv: ['--max-semi-space-size=64'],
    // Test files share two processes and what they import: no test changes a module, and each cleans up what it did. One
    // project for all: vitest ends a process, with all it has imported, when the next file is of another. Long tests start
    // thousands of programs, and a process that has grown large takes several times as long to start one.
    isolate: isDeep,
    sequence: { sequencer: LongestFirst },
  },
});
