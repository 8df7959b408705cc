/** `toolang new NAME`: a folder with an agent or a workflow in it. */
import { lstat, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { HomePlaces } from '../../config/index.ts';
import { displayPath } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions } from '../home-options.ts';
import { type ProjectFile, projectFiles, residentFiles } from '../project/files.ts';
import { nameProblem, suggestName } from '../project/name.ts';
import { workflowFiles } from '../project/workflow-files.ts';
import { programName, quoteForShell } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const name = args.positionals[0] ?? '';
  const workflow = args.switches.workflow === true;
  checkName(name, workflow, args.switches.agent === true);
  const resident = args.switches.agent === true ? await residentHome(name, args, context) : undefined;
  const parent = resolve(context.cwd, args.texts.dir ?? '.');
  const folder = resident?.dir ?? join(parent, name);
  const shown = resident ? displayPath(folder, context.cwd) : relative(context.cwd, folder) || folder;
  if (!resident) await checkParent(parent, args.texts.dir ?? '.');
  await checkFolder(folder, shown, args.switches.force === true);
  const files = resident ? residentFiles(name) : workflow ? workflowFiles(name) : projectFiles(name);
  // Looked at before anything is written: it is all or nothing.
  const existing = new Set<string>();
  for (const file of files) if (await isThere(join(folder, file.name), shown, file)) existing.add(file.name);
  await mkdir(folder, { recursive: true });
  for (const file of files) await writeFile(join(folder, file.name), file.text);
  for (const dir of Object.values(resident?.caps ?? {})) await mkdir(dir, { recursive: true });
  const commands = resident ? residentCommands(name) : workflow ? workflowCommands(name) : agentCommands(name);
  context.stdout.write(report(commands, shown, files, existing, context));
  return exit.done;
}

/** Where a resident agent lives: in the root, whatever the current directory is. */
async function residentHome(name: string, args: Args, context: Context): Promise<HomePlaces> {
  if (args.switches.workflow || args.texts.dir !== undefined) {
    const other = args.switches.workflow ? '--workflow' : '--dir';
    throw new UsageError(`a resident agent lives in the root: ${other} does not go with --agent`, `leave ${other} out`);
  }
  const { homeOfResident, machineHost } = await import('../../config/index.ts');
  const found = homeOfResident(name, machineHost(context), homeOptions(args.texts));
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  return found.places;
}

function residentCommands(name: string): string[] {
  return [`info ${name}`, `invoke ${name} hello`, `skill new NAME --agent ${name}`, `sync ${name}`];
}

function agentCommands(name: string): string[] {
  return [`check ${name}.too`, `explain ${name}.too`, `${name}.too hello`];
}

function workflowCommands(name: string): string[] {
  return [`check ${name}.toon`, `graph ${name}.toon`, `run ${name}.toon --input topic="durable agents"`];
}

function checkName(name: string, workflow: boolean, resident: boolean): void {
  const problem = nameProblem(name);
  if (problem === undefined) return;
  const suggested = suggestName(name);
  const command = `toolang new${workflow ? ' --workflow' : resident ? ' --agent' : ''}`;
  const sample = workflow ? 'release' : 'reviewer';
  throw new UsageError(
    `"${name}" cannot be the name of ${workflow ? 'a workflow' : 'an agent'}: ${problem}`,
    suggested === undefined ? `write for example: ${command} ${sample}` : `write: ${command} ${suggested}`,
  );
}

async function checkParent(parent: string, written: string): Promise<void> {
  const info = await stat(parent).catch(absent);
  if (info === undefined || info.isDirectory()) return;
  throw new UsageError(`--dir "${written}" is there and is not a folder`, 'name a folder, or one to be made');
}

async function checkFolder(folder: string, shown: string, force: boolean): Promise<void> {
  const info = await stat(folder).catch(absent);
  if (info === undefined) return;
  if (!info.isDirectory()) throw new UsageError(`"${shown}" is there and is not a folder`, 'choose another name');
  if (force || (await readdir(folder)).length === 0) return;
  throw new UsageError(`the folder "${shown}" is not empty`, 'choose another name, or add --force to write into it');
}

/** With `--force` a file is replaced; a link could lead out of the folder, so it is not. */
async function isThere(path: string, folder: string, file: ProjectFile): Promise<boolean> {
  const info = await lstat(path).catch(absent);
  if (info === undefined) return false;
  if (info.isFile()) return true;
  throw new UsageError(`"${join(folder, file.name)}" is not a plain file and would be replaced`, 'move it away first');
}

function report(
  commands: readonly string[],
  shown: string,
  files: readonly ProjectFile[],
  existing: ReadonlySet<string>,
  context: Context,
): string {
  const paint = painter(context.stdout.color);
  const width = Math.max(...files.map((file) => file.name.length));
  const program = programName(context.env);
  const next = [`cd ${quoteForShell(shown)}`, ...commands.map((command) => `${program} ${command}`)];
  return [
    `${paint.green('made')} ${printable(shown)}`,
    ...files.map((file) => {
      const replaced = existing.has(file.name) ? ' (replaced)' : '';
      return `  ${file.name.padEnd(width)}  ${paint.dim(file.what + replaced)}`;
    }),
    '',
    paint.bold('next'),
    ...next.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function absent(error: NodeJS.ErrnoException): undefined {
  // A file where a folder of the path should be comes as ENOTDIR; making the folder then says so.
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
