/** `toolang test --update`: takes the outputs that came for those that were expected. All else in the file stays as it is. */
import type { Json } from '../../plan/index.ts';
import { applyEdits, type Edit, positionAt } from '../../text/index.ts';
import { fieldText } from '../../toon/index.ts';
import type { Context } from '../context.ts';
import { printProblems } from '../report.ts';
import { writeBack } from '../write.ts';
import type { CaseResult } from './run-case.ts';

/** How many were written. Only of cases in which nothing else differs. */
export async function acceptOutputs(results: readonly CaseResult[], context: Context): Promise<number> {
  const files = new Map<string, { readonly result: CaseResult; readonly edits: Edit[] }>();
  for (const result of results) {
    const { one, file, outcome, failures } = result;
    const output = one.expect.output;
    const isOnly = failures.length > 0 && failures.every(({ update }) => update === 'output');
    if (!isOnly || output === undefined || outcome?.output === undefined) continue;
    const known = files.get(file.file) ?? { result, edits: [] };
    known.edits.push(outputEdit(result, outcome.output));
    files.set(file.file, known);
  }
  let written = 0;
  for (const { result, edits } of files.values()) {
    const { file } = result;
    const { text } = applyEdits(file.suite.source.text, edits);
    const problem = await writeBack(file.file, file.name, text);
    if (problem) printProblems([problem], context);
    else written += edits.length;
  }
  return written;
}

function outputEdit({ one, file }: CaseResult, output: Json): Edit {
  const { entry } = one.expect.output as NonNullable<typeof one.expect.output>;
  const { source } = file.suite;
  const { column } = positionAt(source, entry.key.span.start);
  const [first = '', ...rest] = fieldText(entry.key.text, output, column - 1);
  // The line begins where the key does, whatever stands before it.
  return { span: entry.span, text: [first.trimStart(), ...rest].join('\n') };
}
