/** Agents from elsewhere: their source, looked at and accepted before it is kept. */
import { type Brought, broughtBy, checkUseRef, type Target } from '../../caps/index.ts';
import type { RootPlaces } from '../../config/index.ts';
import { type AgentProgram, checkSource } from '../../program/index.ts';
import { decodeText } from '../../sys/index.ts';
import { createSource, hasErrors, painter, printable } from '../../text/index.ts';
import { accept } from '../caps/accept.ts';
import { fetchRefs } from '../caps/fetch.ts';
import { refusal } from '../caps/places.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { count, printDiagnostics } from '../report.ts';

export interface RemoteAgent {
  readonly bytes: Uint8Array;
  readonly target: Target;
  readonly program: AgentProgram;
  readonly brought: Brought;
}

export interface FetchWish {
  readonly offline?: boolean;
  /** Only this target is taken. */
  readonly locked?: Target;
  /** What was accepted of it before: what has changed since is shown. */
  readonly before?: { readonly target: Target; readonly bytes: Uint8Array };
}

/** The name that a reference gives its agent. */
export function agentName(ref: string): string {
  const checked = checkUseRef('agent', ref);
  if (!checked.ok) throw refusal(checked.problem);
  return checked.ref.name;
}

/** Undefined, and told, where it is not written as an agent is. */
export async function fetchAgent(
  ref: string,
  root: RootPlaces,
  context: Context,
  { offline, locked, before }: FetchWish = {},
): Promise<RemoteAgent | undefined> {
  const wanted = { key: ref, kind: 'agent' as const, ref, ...(locked && { locked }) };
  const resolved = (await fetchRefs([wanted], root, context, { offline })).get(ref);
  if (!resolved?.ok) throw refusal(resolved?.problem ?? { code: 'TOO9001', message: `"${ref}" was not looked up.` });
  const { target, files } = resolved;
  const [file] = files;
  if (!file) throw new Error(`"${ref}" brought no file`);
  const text = decodeText(file.bytes, ref);
  if (!text.ok) throw refusal({ code: 'TOO5005', message: text.problem.message });
  const { program, diagnostics } = checkSource(createSource(ref, text.text));
  // What it names besides its own is known once it is here.
  const broken = diagnostics.filter(({ code }) => code.startsWith('TOO1'));
  if (hasErrors(broken)) {
    printDiagnostics(broken, context.stderr);
    return undefined;
  }
  const tree = { isDirectory: false, files: [file] };
  const old = before && {
    before: { target: before.target, tree: { isDirectory: false, files: [{ ...file, bytes: before.bytes }] } },
  };
  return {
    bytes: file.bytes,
    target,
    program,
    brought: broughtBy({ kind: 'agent', name: agentName(ref), ref, target, tree, ...old }),
  };
}

/** Whether it may be used; what it runs and whom it calls is shown before. */
export async function acceptAgent({ program, brought }: RemoteAgent, args: Args, context: Context): Promise<boolean> {
  context.stderr.write(bringsText(program, context));
  if (await accept([brought], args, context)) return true;
  context.stderr.write('not accepted: nothing was changed\n');
  return false;
}

function bringsText({ thunks, caps, uses }: AgentProgram, { stderr }: Context): string {
  const lines = [`${count(thunks.size, 'thunk')}: ${[...thunks.keys()].join(', ')}`];
  for (const cap of caps) {
    const what =
      cap.kind !== 'service' ? '' : cap.transport === 'stdio' ? `  runs ${cap.target}` : `  calls ${cap.target}`;
    lines.push(`${cap.kind} ${cap.name}${what}`);
  }
  for (const { kind, ref } of uses) lines.push(`uses ${kind} ${ref}`);
  return `${painter(stderr.color).dim('the agent brings')}\n${lines.map((line) => `  ${printable(line)}`).join('\n')}\n`;
}
