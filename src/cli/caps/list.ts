/** Lists of caps: as a table for people, as JSON for programs. */
import path from 'node:path';
import { type AuthoredCap, agentFiles, localRefOf, type Ranked, readSelector } from '../../caps/index.ts';
import { displayPath } from '../../sys/index.ts';
import { displayWidth, hasErrors, painter, printable, toJson } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { shortenName } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { count, printDiagnostics } from '../report.ts';
import { quoteForShell } from '../shell.ts';
import { shownPath } from '../shown-path.ts';
import { type CapsHere, capsHere } from './caps-here.ts';
import { placesHere } from './places.ts';

export async function listCaps(kind: CapKind | undefined, args: Args, context: Context): Promise<ExitCode> {
  const selected = readSelector(args.texts.filter ?? '');
  if (!selected.ok)
    throw new UsageError(`${selected.problem.message} (${selected.problem.code})`, selected.problem.help);
  const places = placesHere(args, context, args.positionals[0] ?? args.texts.agent);
  const here = await capsHere(places, args, context);
  const rows = here.all.filter(
    ({ cap, status }) => (kind === undefined || cap.kind === kind) && selected.selector({ ...cap, status }),
  );
  const code = hasErrors(here.diagnostics) ? exit.usage : exit.done;
  if (args.switches.json) {
    const caps = rows.map((row) => capJson(row, here, context));
    context.stdout.write(jsonText({ version: 1, caps, diagnostics: here.diagnostics.map(toJson) }));
    return code;
  }
  printDiagnostics(here.diagnostics, context.stderr);
  if (rows.length === 0) context.stderr.write(noneText(kind, args.texts.filter));
  else context.stdout.write(table(rows, here, context));
  const [file, ...more] = places.agent ? [] : agentFiles(context.cwd);
  if (file !== undefined && more.length > 0) {
    const sample = quoteForShell(path.basename(file));
    context.stderr.write(
      `${count(more.length + 1, 'agent')} lie here, each with its own besides: toolang caps list ${sample}\n`,
    );
  }
  return code;
}

function noneText(kind: CapKind | undefined, filter: string | undefined): string {
  const what = kind === undefined ? 'caps' : `${kind}s`;
  return filter === undefined ? `no ${what} here\n` : `no ${what} here fit "${printable(filter)}"\n`;
}

export function capJson(row: Ranked<AuthoredCap>, here: CapsHere, { cwd }: Context): Record<string, unknown> {
  const { cap, status } = row;
  const { kind, name, scope, form, file, line, column } = cap;
  const locked = here.lockOf(cap);
  return {
    kind,
    name,
    scope,
    form,
    status,
    path: displayPath(file, cwd),
    line,
    column,
    ref: 'ref' in cap ? cap.ref : localRefOf(cap),
    ...(locked ? { origin: locked.target.ref } : !('ref' in cap) && { origin: localRefOf(cap) }),
    ...('ref' in cap && { locked: locked !== undefined }),
    ...(here.hasLogin(cap) && { login: true }),
    ...(row.status === 'shadowed' && {
      by: { scope: row.by.scope, form: row.by.form, path: displayPath(row.by.file, cwd), line: row.by.line },
    }),
  };
}

function table(rows: readonly Ranked<AuthoredCap>[], here: CapsHere, context: Context): string {
  const paint = painter(context.stdout.color);
  const cells = rows.map((row) => {
    const { cap } = row;
    const source = `${shownPath(cap.file, context)}:${cap.line}`;
    const ref = 'ref' in cap ? cap.ref : '';
    return [cap.kind, cap.name, source, cap.form, cap.scope, ref, statusText(row, here)].map(printable);
  });
  const head = ['KIND', 'NAME', 'SOURCE', 'FORM', 'SCOPE', 'REF', 'STATUS'];
  const whole = head.map((title, i) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[i] ?? ''))),
  );
  // What goes into a file or another program is never cut.
  const widths = context.stdout.isTTY ? fitted(whole, context.stdout.columns) : whole;
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => shortenName(cell, widths[i] ?? 0))
      .map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell))))
      .join('  ');
  return `${[paint.dim(line(head)), ...cells.map(line)].map((text) => text.trimEnd()).join('\n')}\n`;
}

const shrinking = [1, 2, 5];
const narrowest = 12;

/** The widest of names, sources and references give way, as far as they can still be told apart. */
function fitted(widths: readonly number[], columns: number): number[] {
  const fit = [...widths];
  const total = () => fit.reduce((sum, width) => sum + width, 2 * (fit.length - 1));
  while (total() > columns) {
    const widest = shrinking.reduce((a, b) => ((fit[b] ?? 0) > (fit[a] ?? 0) ? b : a));
    const width = fit[widest] ?? 0;
    if (width <= narrowest) break;
    fit[widest] = width - 1;
  }
  return fit;
}

export function statusText(row: Ranked<AuthoredCap>, here: CapsHere): string {
  const unlocked = 'ref' in row.cap && here.lockOf(row.cap) === undefined ? ', not synced' : '';
  if (row.status === 'shadowed') return `shadowed by ${row.by.scope} ${row.by.form}${unlocked}`;
  if (row.status === 'hidden') return `${row.cap.scope} is off${unlocked}`;
  return `active${unlocked}${here.hasLogin(row.cap) ? ', logged in' : ''}`;
}
