/** Shows what references bring, and asks whether it may be used. Nothing of it is obeyed by the terminal. */
import type { Brought } from '../../caps/index.ts';
import { type Painter, painter, printable, wrap } from '../../text/index.ts';
import { bytesText } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { count } from '../report.ts';

const mostFiles = 12;

export async function accept(
  brought: readonly Brought[],
  args: Args,
  context: Context,
  signal?: AbortSignal,
): Promise<boolean> {
  const { stderr, stdin } = context;
  const paint = painter(stderr.color);
  for (const each of brought) stderr.write(`${broughtText(each, paint, stderr.columns)}\n`);
  const fresh = brought.filter(({ before }) => before === undefined).length;
  const what = fresh === brought.length ? 'new' : fresh === 0 ? 'changed' : 'new or changed';
  if (args.switches.yes === true) return true;
  if (!stdin.isTTY) {
    throw new UsageError(
      `${count(brought.length, `${what} reference`)} must be accepted, and nobody can be asked here; nothing was changed. (TOO5404)`,
      'Read what is shown above. To accept it: --yes',
    );
  }
  return confirm(brought.length === 1 ? 'Use it?' : `Use all ${brought.length}?`, args, context, 'no', signal);
}

function broughtText(brought: Brought, paint: Painter, columns: number): string {
  const { kind, name, ref, target, before, description, files, command, address, variables, allowedTools, diff } =
    brought;
  const commit = (of: Brought['target']) => of.commit?.slice(0, 12) ?? of.sha256?.slice(0, 12) ?? '';
  const version = before === undefined ? commit(target) : `${commit(before)} → ${commit(target)}`;
  const rows: string[] = [`${paint.bold(`${kind} ${printable(name)}`)}  ${printable(ref)}  ${paint.dim(version)}`];
  const add = (label: string, text: string) => {
    const [first = '', ...rest] = wrap(printable(text), Math.max(20, columns - 12));
    rows.push(`  ${paint.dim(label.padEnd(9))} ${first}`, ...rest.map((line) => `            ${line}`));
  };
  add('from', `${target.url}${target.path ? ` ${target.path}` : ''}`);
  if (description !== undefined) add('says', description);
  if (command !== undefined) add('runs', command.map(quoted).join(' '));
  if (address !== undefined) add('calls', address);
  if (variables !== undefined) add('is given', variables.map((name) => `$${name}`).join(', '));
  if (allowedTools !== undefined) add('asks for', `${allowedTools} (it is not granted by that)`);
  for (const file of files.slice(0, mostFiles)) {
    add(file.isScript ? 'script' : 'file', `${file.path}  ${bytesText(file.bytes)}`);
  }
  if (files.length > mostFiles)
    add('', `and ${files.length - mostFiles} more, ${files.filter((f) => f.isScript).length} scripts in all`);
  if (diff !== undefined)
    rows.push(
      ...diff
        .split('\n')
        .slice(0, -1)
        .map((line) => `  ${colored(printable(line), paint)}`),
    );
  return rows.join('\n');
}

function colored(line: string, paint: Painter): string {
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : line;
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : JSON.stringify(word);
}
