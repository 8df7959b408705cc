/** `toolang <kind> edit NAME` and `delete NAME`: the files of one's own caps. */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { splitCommand } from '../../caps/index.ts';
import { displayPath } from '../../sys/index.ts';
import { hasErrors, printable } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printDiagnostics } from '../report.ts';
import { ownCapFile } from './cap-file.ts';
import { capsHere } from './caps-here.ts';
import { capsFound, capsNamed, scopeOf } from './find-cap.ts';
import { ownPlaces } from './places.ts';

export async function editCap(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const written = await writtenCap(kind, args, context, 'edited');
  const file = kind === 'skill' && written.line === undefined ? path.join(written.path, 'SKILL.md') : written.path;
  const [program, ...words] = editorOf(context);
  if (program === undefined) {
    throw new UsageError(
      'there is no editor: VISUAL and EDITOR are not set.',
      `The file is ${displayPath(file, context.cwd)}`,
    );
  }
  const code = await edit(program, [...words, file], context);
  if (code !== 0) throw new UsageError(`the editor ended with ${code}.`, undefined, exit.failed);
  const after = await capsHere(ownPlaces(args, context), args, context);
  const told = after.diagnostics.filter(({ source }) => source.name === displayPath(file, context.cwd));
  printDiagnostics(told, context.stderr);
  return hasErrors(told) ? exit.usage : exit.done;
}

export async function deleteCap(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const { path: at, line } = await writtenCap(kind, args, context, 'deleted');
  const shown = displayPath(at, context.cwd);
  if (line !== undefined) {
    const name = printable(args.positionals[0] ?? '');
    throw new UsageError(`the ${kind} "${name}" is written in ${shown}:${line}.`, 'Take it out of that file.');
  }
  const files = fileCount(at);
  const what = files > 1 ? `${shown} with its ${files} files` : shown;
  if (!(await confirm(`Delete ${printable(what)}?`, args, context))) {
    context.stderr.write('nothing was deleted\n');
    return exit.failed;
  }
  await rm(at, { recursive: true });
  context.stderr.write(`deleted ${printable(what)}\n`);
  return exit.done;
}

/** A file of its own, or the directory of a skill; with a line, what stands in the source of an agent. */
interface WrittenCap {
  readonly path: string;
  readonly line?: number;
}

/** The one of that name that is written here, right or wrong; what comes from elsewhere is not one's own. */
async function writtenCap(kind: CapKind, args: Args, context: Context, done: string): Promise<WrittenCap> {
  const [name = ''] = args.positionals;
  const places = ownPlaces(args, context);
  const here = await capsHere(places, args, context);
  const inline = capsFound(kind, name, here, args).find(({ cap }) => cap.form === 'inline')?.cap;
  if (inline) return { path: inline.file, line: inline.line };
  const own = ownCapFile(kind, name, places, scopeOf(args));
  if (own !== undefined) return { path: own };
  const found = capsNamed(kind, name, here, args);
  const [first] = found;
  const ref = first && 'ref' in first.cap ? first.cap.ref : '';
  throw new UsageError(
    `the ${kind} "${printable(name)}" comes from ${printable(ref)}, and is not ${done} here.`,
    done === 'edited'
      ? `Make a copy of your own: toolang ${kind} new ${name} --from ${ref}`
      : `To use it no longer: toolang ${kind} remove ${name}${args.texts.scope === undefined ? '' : ` --scope ${args.texts.scope}`}`,
  );
}

function fileCount(at: string): number {
  if (!statSync(at).isDirectory()) return 1;
  return readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).length;
}

function editorOf({ env }: Context): readonly string[] {
  const text = env.VISUAL || env.EDITOR;
  if (!text) return [];
  const split = splitCommand(text);
  return split.ok ? split.words.map((word) => word.text) : [text];
}

function edit(program: string, args: readonly string[], { env, cwd }: Context): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: 'inherit', cwd, env: env as NodeJS.ProcessEnv });
    child.on('error', (error) =>
      reject(new UsageError(`the editor could not be started: ${error.message}.`, undefined, exit.failed)),
    );
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
