/** A case as it is written into a test file: a new one, or behind those that stand there. */
import type { Json } from '../../plan/index.ts';
import { applyEdits, createSource } from '../../text/index.ts';
import { itemText, parseToon } from '../../toon/index.ts';
import { UsageError } from '../command.ts';

export interface MadeCase {
  readonly name: string;
  readonly target: string;
  readonly input?: Json;
  readonly with?: Json;
  readonly recording?: string;
  readonly tools: readonly { readonly [key: string]: Json }[];
  readonly decisions: readonly { readonly [key: string]: Json }[];
  readonly expect: { readonly [key: string]: Json };
}

/** A file with this case alone. */
export function caseText(made: MadeCase): string {
  return `cases[1]:\n${linesOf(made).join('\n')}\n`;
}

function linesOf({ tools, decisions, expect, ...rest }: MadeCase): string[] {
  return itemText(
    {
      ...rest,
      ...(tools.length > 0 && { tools }),
      ...(decisions.length > 0 && { decisions }),
      ...(Object.keys(expect).length > 0 && { expect }),
    },
    2,
  ).map((line) => line.replace(/^(\s*(?:calls|callsHave)): \[\]$/, '$1[0]:'));
}

const head = '# Made of runs by "toolang test --from"; change it as you like.\n';

/** `before`: the file as it is, without errors. Everything in it stays. */
export function addCase(before: string | undefined, made: MadeCase): string {
  if (before === undefined) return `${head}${caseText(made)}`;
  const { document } = parseToon(createSource('', before), { profile: true });
  const entry =
    document.root.kind === 'object' ? document.root.entries.find(({ key }) => key.text === 'cases') : undefined;
  const { value } = entry ?? {};
  if (value?.kind !== 'array' || value.header?.form !== 'list') {
    throw new UsageError(
      'the test file has its cases in a table: nothing can be added to it.',
      'Name another file: --out FILE',
    );
  }
  const { length } = value.header;
  const end = before.indexOf('\n', Math.max(value.span.start, value.span.end - 1));
  const at = end === -1 ? before.length : end + 1;
  const lines = `${end === -1 ? '\n' : ''}\n${linesOf(made).join('\n')}\n`;
  return applyEdits(before, [
    { span: length.span, text: String(length.value + 1) },
    { span: { start: at, end: at }, text: lines },
  ]).text;
}
