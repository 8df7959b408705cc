/** `toolang explain`: what a thunk would send, or what a code means. */
import { readTextFile } from '../../sys/index.ts';
import { closest, didYouMean, hasErrors, painter, toJson } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { docsFile } from '../docs.ts';
import { type ExitCode, exit } from '../exit.ts';
import { describeHost } from '../host.ts';
import { expandInput, readInput } from '../input.ts';
import { printDiagnostics, printProblems } from '../report.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [what = '-', name] = args.positionals;
  if (/^TOO\d{4}$/i.test(what)) return explainCode(what.toUpperCase(), args.switches.json ?? false, context);
  const { files, problems } = await expandInput(what, context);
  const [file] = files;
  const read = file && (await readInput(file, context));
  if (!file || !read?.ok) {
    printProblems(read && !read.ok ? [{ message: read.problem.message }] : problems, context);
    return exit.usage;
  }
  const { checkSource, previewThunk } = await import('../../program/index.ts');
  const { host, diagnostics: ofConfig } = await describeHost(file, context);
  const { program, diagnostics } = checkSource(read.source, host);
  const found = [...ofConfig, ...diagnostics];
  if (hasErrors(found)) {
    if (args.switches.json)
      context.stdout.write(
        `${JSON.stringify({ version: 1, file: file.name, thunks: [], diagnostics: found.map(toJson) }, null, 2)}\n`,
      );
    else
      printDiagnostics(
        found.filter((d) => d.severity === 'error'),
        context.stderr,
      );
    return exit.usage;
  }
  const thunk = chooseThunk(file.name, [...program.thunks.keys()], name);
  const chosen = program.thunks.get(thunk);
  if (!chosen) throw new Error(`the thunk "${thunk}" is gone`);
  const preview = previewThunk(program, chosen, host);
  if (args.switches.json) {
    const shape = {
      version: 1,
      file: file.name,
      thunks: [...program.thunks.keys()],
      preview,
      diagnostics: found.map(toJson),
    };
    context.stdout.write(`${JSON.stringify(shape, null, 2)}\n`);
    return exit.done;
  }
  const { printPreview } = await import('../preview.ts');
  const others = [...program.thunks.keys()].filter((other) => other !== thunk);
  context.stdout.write(printPreview(preview, program, others, painter(context.stdout.color)));
  printDiagnostics(found, context.stderr);
  return exit.done;
}

/** The thunk that is named, else `default`, else the only one. */
function chooseThunk(file: string, names: readonly string[], wanted: string | undefined): string {
  if (names.length === 0) throw new UsageError(`"${file}" has no thunk to explain.`, 'Declare one: "thunk:".');
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    throw new UsageError(
      `"${file}" has no thunk "${wanted}".${didYouMean(closest(wanted, names))}`,
      `Its thunks: ${names.join(', ')}.`,
    );
  }
  if (names.includes('default')) return 'default';
  const [only, ...more] = names;
  if (only !== undefined && more.length === 0) return only;
  throw new UsageError(
    `"${file}" has several thunks and none is the default; name one.`,
    `Its thunks: ${names.join(', ')}.`,
  );
}

async function explainCode(code: string, json: boolean, context: Context): Promise<ExitCode> {
  const { codes } = await import('../../text/index.ts');
  if (!Object.hasOwn(codes, code)) {
    throw new UsageError(`there is no code ${code}.${didYouMean(closest(code, Object.keys(codes)))}`);
  }
  const page = await readTextFile(docsFile(`errors/${code}.md`));
  if (!page.ok) throw new Error(page.problem.message);
  context.stdout.write(json ? `${JSON.stringify({ version: 1, code, page: page.text }, null, 2)}\n` : page.text);
  return exit.done;
}
