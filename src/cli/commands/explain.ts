/** `toolang explain`: what a thunk would send, how a workflow runs, or what a code means. */
import type { AgentProgram, Host, Preview } from '../../program/index.ts';
import { readTextFile } from '../../sys/index.ts';
import { closest, codes, type DiagnosticJson, didYouMean, hasErrors, painter, toJson } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { docsFile } from '../docs.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions } from '../home-options.ts';
import { type InputProblem, languageOf, readWord, STDIN } from '../input.ts';
import { jsonText } from '../json.ts';
import { printDiagnostics, printErrors, printProblems } from '../report.ts';

/** The shape of `--json` for a file, as in `spec/json/explain.schema.json`. */
interface ExplainJson {
  version: 1;
  file: string;
  /** The names of its thunks; none when there are errors. */
  thunks: string[];
  preview?: Preview;
  diagnostics: DiagnosticJson[];
  problems: readonly InputProblem[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [what = '', name] = args.positionals;
  const json = args.switches.json ?? false;
  const number = /^(?:TOO)?(\d+)$/i.exec(what)?.[1];
  if (number !== undefined) {
    if (name !== undefined) throw new UsageError(`a code has no thunks; "${name}" is one word too many.`);
    return explainCode(`TOO${number}`, json, context);
  }
  const stdinName = args.texts['stdin-name'];
  if (languageOf({ path: undefined, name: what === STDIN ? (stdinName ?? what) : what }) !== 'agent') {
    const { explainWorkflowFile } = await import('./explain-workflow.ts');
    return explainWorkflowFile(args, context);
  }
  if (args.switches.cost === true) {
    throw new UsageError(
      '--cost is for workflows.',
      'How much an agent asks is up to it; the limits of config.toml end it.',
    );
  }
  const read = await readWord(what, context, stdinName);
  const printShape = (rest: Partial<ExplainJson>) => {
    const shape: ExplainJson = {
      version: 1,
      file: read.file.name,
      thunks: [],
      diagnostics: [],
      problems: [],
      ...rest,
    };
    context.stdout.write(jsonText(shape));
  };
  if (!read.ok) {
    if (json) printShape({ problems: [read.problem] });
    else printProblems([read.problem], context);
    return exit.usage;
  }
  const { checkSource } = await import('../../program/index.ts');
  const { hostFinder } = await import('../host.ts');
  const { host, diagnostics: around, ofCaps } = await hostFinder(context, [], homeOptions(args.texts))(read.file);
  const { program, diagnostics: own } = checkSource(read.source, host);
  const diagnostics = [...ofCaps, ...around, ...own];
  // A cap that is wrong need not be one that the agent uses.
  if (hasErrors([...around, ...own])) {
    if (json) printShape({ diagnostics: diagnostics.map(toJson) });
    else printErrors(diagnostics, context);
    return exit.usage;
  }
  const thunks = [...program.thunks.keys()];
  const preview = await makePreview(program, host, chooseThunk(read.file.name, thunks, name));
  if (json) printShape({ thunks, preview, diagnostics: diagnostics.map(toJson) });
  else {
    const { printPreview } = await import('../preview.ts');
    context.stdout.write(printPreview(preview, program, painter(context.stdout.color)));
    printDiagnostics(diagnostics, context.stderr);
  }
  return exit.done;
}

async function makePreview(program: AgentProgram, host: Host, name: string): Promise<Preview> {
  const { previewThunk } = await import('../../program/index.ts');
  const thunk = program.thunks.get(name);
  if (!thunk) throw new Error(`the thunk "${name}" is gone`);
  return previewThunk(program, thunk, host);
}

/** The thunk that is named, else `default`, else the only one. */
function chooseThunk(file: string, names: readonly string[], wanted: string | undefined): string {
  if (names.length === 0) throw new UsageError(`"${file}" has no thunk to explain.`, 'Declare one: "thunk:".');
  const list = `Its thunks: ${names.join(', ')}.`;
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    throw new UsageError(`"${file}" has no thunk "${wanted}".${didYouMean(closest(wanted, names))}`, list);
  }
  if (names.includes('default')) return 'default';
  const [only = '', ...more] = names;
  if (more.length === 0) return only;
  throw new UsageError(`"${file}" has several thunks and none is the default; name one.`, list);
}

/** The shape of `--json` is in `spec/json/explain-code.schema.json`. */
async function explainCode(code: string, json: boolean, context: Context): Promise<ExitCode> {
  if (!Object.hasOwn(codes, code)) {
    const near = didYouMean(closest(code, Object.keys(codes)));
    throw new UsageError(`there is no code ${code}.${near}`, 'All codes are in docs/errors/README.md.');
  }
  const page = await readTextFile(docsFile(`errors/${code}.md`));
  if (!page.ok) throw new Error(page.problem.message);
  context.stdout.write(json ? jsonText({ version: 1, code, page: page.text }) : page.text);
  return exit.done;
}
