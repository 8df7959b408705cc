/** `--record[=FILE]` and `--replay[=FILE]`: where a run is recorded, and the recording that answers for its models. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Recorded } from '../../run/index.ts';
import { displayPath, type ReadResult } from '../../sys/index.ts';
import { createSource, printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';

/** Who answers for the models of a run, and where that is recorded: as a new run has it. */
export interface AnswerWish {
  /** `--script` or `--replay`, absolute. */
  readonly script?: string | undefined;
  readonly replay?: true | undefined;
  /** Absolute. */
  readonly record?: string | undefined;
}

/** `file`: the source, absolute; undefined for standard input. */
export async function answerWish(args: Args, file: string | undefined, { cwd }: Context): Promise<AnswerWish> {
  const { script } = args.texts;
  const isReplay = isGiven('replay', args);
  const isRecord = isGiven('record', args);
  if (isReplay && script !== undefined)
    throw exclusive('--replay', '--script', 'Each answers for every model of the run.');
  if (isReplay && isRecord)
    throw exclusive('--replay', '--record', 'A replay asks nobody, so there is nothing new to record.');
  if (isReplay) return { script: await pathOf('replay', args, file, cwd), replay: true };
  return {
    ...(script !== undefined && { script: resolve(cwd, script === '-' ? '<stdin>' : script) }),
    ...(isRecord && { record: await recordPath(args, file, cwd) }),
  };
}

/** Where a run that goes on is recorded from now on; undefined where nothing is said. */
export async function recordWish(args: Args, file: string | undefined, { cwd }: Context): Promise<string | undefined> {
  return isGiven('record', args) ? recordPath(args, file, cwd) : undefined;
}

function isGiven(name: 'record' | 'replay', { switches, texts }: Args): boolean {
  return switches[name] === true || texts[name] !== undefined;
}

function exclusive(a: string, b: string, help: string): UsageError {
  return new UsageError(`${a} and ${b} exclude each other.`, help);
}

async function recordPath(args: Args, file: string | undefined, cwd: string): Promise<string> {
  const path = await pathOf('record', args, file, cwd);
  if (existsSync(dirname(path))) return path;
  throw new UsageError(
    `--record: the folder of ${printable(displayPath(path, cwd))} does not exist.`,
    'Make it first.',
  );
}

async function pathOf(
  name: 'record' | 'replay',
  { texts }: Args,
  file: string | undefined,
  cwd: string,
): Promise<string> {
  const { recordBeside } = await import('../../run/index.ts');
  const given = texts[name];
  if (given !== undefined) {
    const path = resolve(cwd, given);
    if (/\.toon$/i.test(path) && path !== file && !/\.script\.toon$/i.test(path)) return path;
    const why = path === file ? 'it is the source itself' : 'a recording is called NAME.record.toon';
    throw new UsageError(
      `--${name}: "${printable(given)}" is no place for a recording: ${why}.`,
      `Write --${name}=NAME.record.toon`,
    );
  }
  if (file !== undefined) return recordBeside(file);
  throw new UsageError(
    `--${name}: what is piped in has no place beside it for a recording.`,
    `Name one: --${name}=FILE.record.toon`,
  );
}

/** The models that agents were recorded with, by the names of agents: what answers for those that name none. */
export async function recordedModels(
  path: string,
  read: (path: string) => Promise<ReadResult>,
): Promise<(agent: string) => readonly string[] | undefined> {
  const [file, { readScript, recordingOf }] = await Promise.all([read(path), import('../../model/index.ts')]);
  const { script } = file.ok ? readScript(createSource(path, file.text)) : {};
  const models = new Map<string, readonly string[]>();
  for (const { agent, lines } of script ? recordingOf(script).exchanges : []) {
    const [, model] = /^model (.+)$/.exec(lines[0] ?? '') ?? [];
    if (agent !== undefined && model !== undefined && !models.has(agent)) models.set(agent, [model]);
  }
  return (agent) => models.get(agent);
}

/** What a run that was recorded ends with. */
export function recordedText({ path, added, dropped, problem }: Recorded, cwd: string): string {
  const name = printable(displayPath(path, cwd));
  if (problem !== undefined) return `not recorded: ${printable(problem)}`;
  const what = `${added} ${added === 1 ? 'exchange' : 'exchanges'} recorded in ${name}`;
  if (dropped === 0) return what;
  return `${what}; ${dropped} that ${dropped === 1 ? 'is' : 'are'} not asked any more left out`;
}
