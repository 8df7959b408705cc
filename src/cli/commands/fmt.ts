/** `toolang fmt`: files in the one layout; nothing is written where there are syntax errors. */
import { writeFileAtomic } from '../../sys/index.ts';
import { hasErrors } from '../../text/index.ts';
import { format, parse } from '../../too/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { expandInputs, type InputProblem, readInput } from '../input.ts';
import { count, printDiagnostics, printProblems } from '../report.ts';

/** The shape of `--json`, as in `spec/json/fmt.schema.json`. */
interface FmtJson {
  version: 1;
  files: { file: string; status: Status }[];
  problems: string[];
}

/** `changed` means "would change" with `--check`. */
type Status = 'same' | 'changed' | 'error';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { json = false, check = false } = args.switches;
  const { files, problems } = await expandInputs(args.positionals, context);
  const unread: InputProblem[] = [...problems];
  const results: FmtJson['files'] = [];
  for (const file of files) {
    const named = file.path === undefined ? { ...file, name: args.texts['stdin-name'] ?? file.name } : file;
    const read = await readInput(named, context);
    if (!read.ok) {
      unread.push({ message: read.problem.message });
      continue;
    }
    const { source } = read;
    const { tokens, diagnostics } = parse(source);
    const errors = diagnostics.filter((d) => d.severity === 'error');
    if (hasErrors(errors)) {
      if (!json) printDiagnostics(errors, context.stderr);
      results.push({ file: named.name, status: 'error' });
      continue;
    }
    const text = format(source, tokens);
    const changed = text !== source.text;
    results.push({ file: named.name, status: changed ? 'changed' : 'same' });
    if (file.path === undefined) {
      if (!check && !json) context.stdout.write(text);
    } else if (changed && !check) await writeFileAtomic(file.path, text);
    if (changed && !json && (check || file.path !== undefined)) context.stdout.write(`${named.name}\n`);
  }
  const broken = results.filter((result) => result.status === 'error').length;
  if (json) {
    const shape: FmtJson = { version: 1, files: results, problems: unread.map((problem) => problem.message) };
    context.stdout.write(`${JSON.stringify(shape, null, 2)}\n`);
  } else {
    printProblems(unread, context);
    if (broken > 0) context.stderr.write(`${count(broken, 'file')} left as written: mend the errors first\n`);
  }
  const differs = check && results.some((result) => result.status === 'changed');
  return unread.length > 0 || broken > 0 || differs ? exit.usage : exit.done;
}
