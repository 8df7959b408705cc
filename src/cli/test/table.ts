/** The row of `toolang test`. */
import type { Command } from '../command.ts';

export const testCommands: readonly Command[] = [
  {
    name: 'test',
    group: 'write',
    summary: 'Run the cases of test files, offline',
    about:
      'Runs the cases of *.test.toon files: what each runs, who answers for its models, and what must come of it. Each case works\nin a copy of its folder, without keys and without network; nothing of yours is changed. Exit 0 when all passed, 1 when one failed,\n2 when a test file has errors. With --from it writes a case that is made of a run.',
    usage: ['[FILE|DIR|GLOB…]', '--from RUN [--out FILE]'],
    positionals: [
      {
        name: 'FILE|DIR',
        optional: true,
        many: true,
        complete: 'file',
        doc: 'Test files, folders with those below them, or patterns; the current directory if left out',
      },
    ],
    flags: [
      { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' },
      { name: 'junit', type: 'text', value: 'FILE', doc: "Write a report in JUnit's XML, for CI, too" },
      {
        name: 'filter',
        type: 'text',
        many: true,
        value: 'TEXT',
        doc: 'Only the cases with this in their names; may be given several times',
      },
      { name: 'bail', type: 'switch', doc: 'Begin no other case once one has failed' },
      { name: 'jobs', type: 'count', value: 'N', doc: 'Run so many cases at once, for one on each core' },
      {
        name: 'coverage',
        type: 'text',
        bare: true,
        value: 'PERCENT',
        doc: 'Tell which thunks, steps and branches no case reached; with a percentage, exit 1 below it',
      },
      { name: 'update', type: 'switch', doc: 'Take the outputs that came for those that were expected' },
      { name: 'keep', type: 'switch', doc: 'Leave the folders in which the cases ran, and say where they are' },
      { name: 'from', type: 'text', value: 'RUN', doc: 'Make a case of this run, with the answers of its models' },
      {
        name: 'out',
        type: 'text',
        value: 'FILE',
        doc: 'Where --from writes the case, for NAME.test.toon beside its file',
      },
      { name: 'store', type: 'text', value: 'FILE', doc: 'The store of the run of --from, for the one of the home' },
      { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
      { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
    ],
    examples: [
      { run: 'toolang test', doc: 'run all cases below the current directory' },
      { run: 'toolang test release.test.toon --filter publish', doc: 'those with "publish" in their names' },
      { run: 'toolang test --junit report.xml --coverage=80', doc: 'in CI' },
      { run: 'toolang test --from 7f3a', doc: 'make a case of a run that went as it should' },
    ],
    load: () => import('../commands/test.ts'),
  },
];
