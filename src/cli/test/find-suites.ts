/** The test files that words mean: files, folders with all below them, and patterns; each read and checked. */
import { dirname } from 'node:path';
import { type Diagnostic, fitsPattern, hasErrors } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { expandInputs, type InputFile, type InputProblem, languageOf, readInput } from '../input.ts';
import { toolLookup } from '../tool-lookup.ts';
import { openWorkflows } from '../workflows.ts';
import { checkSuite } from './check-suite.ts';
import type { SuiteFile } from './suite-file.ts';

export interface FoundSuites {
  readonly files: readonly SuiteFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly problems: readonly InputProblem[];
}

export async function findSuites(args: Args, context: Context): Promise<FoundSuites> {
  const problems: InputProblem[] = [];
  const found = await suiteInputs(args.positionals, context, problems);
  const files: SuiteFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const workflows = openWorkflows(args, context, toolLookup(args, context));
  try {
    for (const file of found) {
      const read = await readInput(file, context);
      if (!read.ok || file.path === undefined) {
        if (!read.ok) problems.push(read.problem);
        continue;
      }
      const folder = dirname(file.path);
      const checked = await checkSuite(read.source, { cwd: context.cwd, folder, plan: workflows.plan });
      diagnostics.push(...checked.diagnostics);
      if (checked.suite && !hasErrors(checked.diagnostics)) {
        files.push({ file: file.path, folder, name: file.name, suite: checked.suite });
      }
    }
  } finally {
    await workflows.close();
  }
  return { files, diagnostics, problems };
}

async function suiteInputs(
  words: readonly string[],
  context: Context,
  problems: InputProblem[],
): Promise<readonly InputFile[]> {
  const patterns = words.filter((word) => word.includes('*'));
  const plain = words.filter((word) => !word.includes('*'));
  const found = new Map<string, InputFile>();
  if (plain.length > 0 || patterns.length === 0) {
    const expanded = await expandInputs(plain, context);
    const named = new Set(plain);
    for (const file of expanded.files) {
      if (languageOf(file) === 'test') found.set(file.path ?? file.name, file);
      else if (named.has(file.name) || plain.some((word) => file.name === word.replace(/^\.[\\/]/, '')))
        problems.push(noSuite(file.name));
    }
    // A folder in which nothing is ours has no tests either; that is told for all of them.
    problems.push(...expanded.problems.filter(({ code }) => code !== undefined));
  }
  if (patterns.length > 0) {
    const { files } = await expandInputs(['.'], context);
    const suites = files.filter((file) => languageOf(file) === 'test');
    for (const pattern of patterns) {
      const wanted = pattern.replaceAll('\\', '/').replace(/^\.\//, '');
      const fitting = suites.filter(({ name }) =>
        fitsPattern(wanted.replace(/\*\*\/?/g, '*'), name.replaceAll('\\', '/')),
      );
      if (fitting.length === 0)
        problems.push({ message: `no test file fits "${pattern}".`, help: 'Test files end in .test.toon.' });
      for (const file of fitting) found.set(file.path ?? file.name, file);
    }
  }
  return [...found.values()];
}

function noSuite(name: string): InputProblem {
  const beside = name.replace(/(?:\.(?:script|record))?\.toon?$/i, '.test.toon');
  return {
    message: `"${name}" is no test file: those end in .test.toon.`,
    help: `Its tests would stand in ${beside}.`,
  };
}
