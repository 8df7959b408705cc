/** `toolang <kind> show NAME` and `path NAME`: what a cap is, where it comes from, and where it lies. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type AuthoredCap, agentKey, localRefOf, placeOf, type Ranked } from '../../caps/index.ts';
import { agentPlaces } from '../../config/index.ts';
import { painter, printable } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { shownPath } from '../shown-path.ts';
import { ownCapFile } from './cap-file.ts';
import { type CapsHere, capsHere } from './caps-here.ts';
import { capsFound, capsNamed, scopeOf } from './find-cap.ts';
import { capJson, statusText } from './list.ts';
import { type CapPlaces, placesHere } from './places.ts';

export async function showCap(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const places = placesHere(args, context);
  const here = await capsHere(places, args, context);
  const found = capsNamed(kind, args.positionals[0] ?? '', here, args);
  const [first] = found;
  const text = first && (await textOfCap(first.cap, places));
  const { stdout } = context;
  if (args.switches.json) {
    const caps = found.map((row) => capJson(row, here, context));
    stdout.write(jsonText({ version: 1, caps, ...(text !== undefined && { text }) }));
    return exit.done;
  }
  if (first) stdout.write(`${rowText(first, found.slice(1), here, context)}\n`);
  if (text === undefined) context.stderr.write('its text comes with "toolang sync"\n');
  else stdout.write(`\n${text.split('\n').map(printable).join('\n')}`);
  return exit.done;
}

export async function showPath(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const [name = ''] = args.positionals;
  const places = placesHere(args, context);
  const here = await capsHere(places, args, context);
  const [first] = capsFound(kind, name, here, args);
  // One with mistakes in it is read by nobody, and still lies somewhere.
  const broken = first ? undefined : ownCapFile(kind, name, places, scopeOf(args));
  if (!first && broken === undefined) capsNamed(kind, name, here, args);
  const at = first ? whereIs(first.cap, places) : broken;
  if (at === undefined || !existsSync(at)) {
    throw new UsageError(`the ${kind} "${printable(name)}" was not synced yet.`, 'Run: toolang sync');
  }
  context.stdout.write(`${at}\n`);
  return exit.done;
}

/** The file that people write, or where a sync has put it. */
export function whereIs(cap: AuthoredCap, { root, home, agent }: CapPlaces): string | undefined {
  if (cap.form === 'file') return cap.path;
  const sync =
    cap.scope === 'root'
      ? root.sync
      : cap.scope === 'home'
        ? home?.sync
        : home && agent && agentPlaces(home, agentKey(agent), path).sync;
  return sync && path.join(sync, ...placeOf(cap));
}

/** Undefined of what was not synced. */
async function textOfCap(cap: AuthoredCap, places: CapPlaces): Promise<string | undefined> {
  const at = whereIs(cap, places);
  const file = at && (cap.kind === 'skill' ? path.join(at, 'SKILL.md') : at);
  return file && existsSync(file) ? readFile(file, 'utf8') : undefined;
}

function rowText(
  row: Ranked<AuthoredCap>,
  others: readonly Ranked<AuthoredCap>[],
  here: CapsHere,
  context: Context,
): string {
  const { cap } = row;
  const paint = painter(context.stdout.color);
  const rows: [string, string | undefined][] = [
    ['status', statusText(row, here)],
    ['scope', `${cap.scope}, ${cap.form}`],
    ['written', `${shownPath(cap.file, context)}:${cap.line}`],
    ['ref', 'ref' in cap ? cap.ref : localRefOf(cap)],
    ['is', here.lockOf(cap)?.target.ref],
    ...others.map((other): [string, string] => {
      const written = `${shownPath(other.cap.file, context)}:${other.cap.line}`;
      return ['also', `${other.cap.scope} ${other.cap.form}, ${written}: ${statusText(other, here)}`];
    }),
  ];
  const told = rows.flatMap(([label, text]) =>
    text === undefined ? [] : `  ${paint.dim(label.padEnd(8))} ${printable(text)}`,
  );
  return [paint.bold(`${cap.kind} ${printable(cap.name)}`), ...told].join('\n');
}
