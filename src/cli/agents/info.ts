/** `toolang info AGENT`: what an agent is, where it lies, what it offers, and which caps it has. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../api/index.ts';
import { agentKey, readState, staleness } from '../../caps/index.ts';
import { agentPlaces } from '../../config/index.ts';
import { checkSource } from '../../program/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { createSource, hasErrors, painter, printable, ToolangError, toJson } from '../../text/index.ts';
import { capKinds } from '../../too/index.ts';
import { capsHere } from '../caps/caps-here.ts';
import { capJson } from '../caps/list.ts';
import { placesHere } from '../caps/places.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { count, printDiagnostics } from '../report.ts';
import { shownPath } from '../shown-path.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const places = placesHere(args, context, args.positionals[0]);
  const { agent, home } = places;
  if (!agent || !home) throw new Error('an agent was named, and none was found');
  const read = await readTextFile(agent.file);
  if (!read.ok) throw new ToolangError('TOO5007', read.problem.message);
  const { program } = checkSource(createSource(displayPath(agent.file, context.cwd), read.text));
  const here = await capsHere(places, args, context);
  const state = await readState(agentPlaces(home, agentKey(agent), path).state, version);
  const synced = state === undefined ? 'never' : staleness(state) === undefined ? 'yes' : 'stale';
  const thunks = [...program.thunks.values()].map(({ name, doc }) => ({ name, ...(doc !== undefined && { doc }) }));
  const { stdout, stderr } = context;
  const code = hasErrors(here.diagnostics) ? exit.usage : exit.done;
  if (args.switches.json) {
    const caps = here.all.map((row) => capJson(row, here, context));
    const about = { name: agent.name, kind: agent.kind, source: agent.file, home: home.dir };
    stdout.write(
      jsonText({
        version: 1,
        ...about,
        ...(program.doc !== undefined && { doc: program.doc }),
        synced,
        thunks,
        caps,
        diagnostics: here.diagnostics.map(toJson),
      }),
    );
    return code;
  }
  printDiagnostics(here.diagnostics, stderr);
  const paint = painter(stdout.color);
  const rows: [string, string][] = [
    ['source', shownPath(agent.file, context)],
    ['home', shownPath(home.dir, context)],
    ['thunks', thunks.map(({ name }) => name || '(default)').join(', ') || 'none'],
  ];
  for (const kind of capKinds) {
    const names = here.all
      .filter(({ cap, status }) => cap.kind === kind && status === 'active')
      .map(({ cap }) => cap.name);
    if (names.length > 0) rows.push([`${kind}s`, names.join(', ')]);
  }
  const hidden = here.all.filter(({ status }) => status !== 'active').length;
  if (hidden > 0) rows.push(['others', `${count(hidden, 'cap')} shadowed or switched off`]);
  rows.push(['synced', synced], ['locked', existsSync(home.lock) ? shownPath(home.lock, context) : 'nothing']);
  stdout.write(`${paint.bold(printable(agent.name))}  ${agent.kind}\n`);
  if (program.doc !== undefined)
    stdout.write(
      `${program.doc
        .split('\n')
        .map((line) => `  ${printable(line)}`)
        .join('\n')}\n`,
    );
  for (const [label, text] of rows) stdout.write(`  ${paint.dim(label.padEnd(8))} ${printable(text)}\n`);
  return code;
}
