/** `toolang <kind> new NAME`: a cap file of one's own, from nothing or as a copy of what a reference brings. */
import path from 'node:path';
import { broughtBy, factsOf, placeTree, remoteContent, type Tree } from '../../caps/index.ts';
import { isCapName, prepareHome } from '../../config/index.ts';
import { displayPath, quotePath } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printDiagnostics } from '../report.ts';
import { programName, quoteForShell } from '../shell.ts';
import { accept } from './accept.ts';
import { scopeFor } from './cap-add.ts';
import { capFileAt, sameCapFile } from './cap-file.ts';
import { fetchRefs } from './fetch.ts';
import { type CapPlaces, ownPlaces, refusal } from './places.ts';

export async function newCap(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const [name = ''] = args.positionals;
  if (!isCapName(name)) {
    const help = 'Write letters, digits, "_", "-" and ".", at most 128 of them; no "-" or "." at either end.';
    throw new UsageError(`"${printable(name)}" is not a name that agents can use.`, help);
  }
  const places = ownPlaces(args, context);
  const scope = scopeFor(args, places);
  if (scope === 'here') {
    throw new UsageError(
      `a ${kind} of the agent alone is written in its .too file.`,
      `Write "${kind} ${name}:" there.`,
    );
  }
  const folder = (scope === 'home' ? places.home?.caps : places.root.caps)?.[kind];
  if (folder === undefined) throw new UsageError('an agent that visits has no caps of its own.');
  const at = capFileAt(kind, name, folder);
  const same = sameCapFile(kind, name, folder);
  if (same !== undefined)
    throw new UsageError(`${quotePath(displayPath(same, context.cwd))} is there already.`, 'Choose another name.');
  const tree = await contentOf(kind, name, places, args, context);
  if (tree === undefined) return exit.usage;
  if (scope === 'home' && places.home) await prepareHome(places.home);
  await placeTree(at, tree, path.join(scope === 'home' ? (places.home?.state ?? '') : places.root.dir, '.new'));
  const { stdout, cwd, env } = context;
  const file = kind === 'skill' ? path.join(at, 'SKILL.md') : at;
  const paint = painter(stdout.color);
  stdout.write(`${paint.green('made')} ${displayPath(file, cwd)}\n\n${paint.bold('next')}\n`);
  stdout.write(`  ${programName(env)} ${kind} edit ${quoteForShell(name)}\n  ${programName(env)} sync\n`);
  return exit.done;
}

async function contentOf(
  kind: CapKind,
  name: string,
  places: CapPlaces,
  args: Args,
  context: Context,
): Promise<Tree | undefined> {
  const ref = args.texts.from;
  if (ref === undefined) {
    const bytes = Buffer.from(`${templates[kind].join('\n')}\n`);
    const isDirectory = kind === 'skill';
    return { isDirectory, files: [{ path: isDirectory ? 'SKILL.md' : `${name}.md`, bytes, isExecutable: false }] };
  }
  const resolved = (await fetchRefs([{ key: ref, kind, ref, isWired: true }], places.root, context)).get(ref);
  if (!resolved?.ok) throw refusal(resolved?.problem ?? { code: 'TOO9001', message: `"${ref}" was not looked up.` });
  const { target, files } = resolved;
  const directory = (target.path || target.url).split('/').at(-1);
  const read = remoteContent(kind, name, files, ref, directory);
  if (!read.ok) {
    printDiagnostics(read.diagnostics, context.stderr);
    return undefined;
  }
  const { cap, tree, extra } = read.content;
  const offer = { kind, name, ref, target, tree, facts: factsOf(cap), ...(extra && { extra }) };
  return (await accept([broughtBy(offer)], args, context)) ? tree : undefined;
}

const templates: Readonly<Record<CapKind, readonly string[]>> = {
  psyche: [
    "Describe the agent's stable behavior preferences here. Keep this focused on",
    'tone, judgment, and defaults that should apply across many runs.',
  ],
  skill: [
    '---',
    'description: Trigger this skill for requests that need ...',
    '---',
    '',
    'When to use:',
    '',
    '- ...',
    '',
    'Workflow:',
    '',
    '1. ...',
  ],
  service: [
    '---',
    'description: Trigger this service when the agent needs ...',
    'transport: stdio',
    'target: example-mcp-server --stdio',
    '---',
    '',
    'Document what the server can do, and what it needs.',
  ],
  prompt: ['Write the reusable prompt text here.', '', 'Use {{input}} for what the caller says.'],
};
