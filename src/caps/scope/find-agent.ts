/** What `AGENT|FILE|DIR|REF` on a command line means: residents by name, files, all agents of a directory, guests. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import {
  absolutePath,
  findRoot,
  type HomeHost,
  type HomeOptions,
  type HomePlaces,
  type HomeProblem,
  homeOfFile,
  homeOfGuest,
  homeOfResident,
  isUsesFile,
} from '../../config/index.ts';
import { displayPath, quotePath, systemCode } from '../../sys/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { checkUseRef } from '../ref.ts';
import { agentFiles, listAgents, residentName } from './agent-list.ts';
import { isLocalRef } from './local-ref.ts';

/** A source that lies on this machine. */
export interface LocalAgent {
  readonly kind: 'resident' | 'roaming';
  readonly name: string;
  readonly file: string;
  readonly home: HomePlaces;
}

/** One that comes from elsewhere. */
export interface VisitingAgent {
  readonly kind: 'visiting';
  readonly name: string;
  /** As it is written. */
  readonly ref: string;
  readonly home: HomePlaces;
}

export type Agent = LocalAgent | VisitingAgent;

export type AgentsResult =
  | { readonly ok: true; readonly agents: readonly Agent[] }
  | { readonly ok: false; readonly problem: HomeProblem };

export type AgentResult =
  | { readonly ok: true; readonly agent: Agent }
  | { readonly ok: false; readonly problem: HomeProblem };

/** The one agent that a text names; of a directory with several, it must say which. */
export function findAgent(text: string, host: HomeHost, options: HomeOptions = {}): AgentResult {
  const found = findAgents(text, host, options);
  if (!found.ok) return found;
  const [agent, ...more] = found.agents;
  if (agent && more.length === 0) return { ok: true, agent };
  const names = found.agents.map((each) => (each.kind === 'visiting' ? each.ref : path.basename(each.file)));
  return fail(`${quotePath(text)} has several agents.`, `Name one of them: ${names.join(', ')}.`);
}

/** Every agent that a text names: those of a directory, else one. */
export function findAgents(text: string, host: HomeHost, options: HomeOptions = {}): AgentsResult {
  if (text === '') return fail('no agent is named.', forms);
  if (isLocalRef(text)) return fail(`"${text}" names a cap, and no agent.`, forms);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)) return visiting(text, host, options);
  if (/\.toon$/i.test(text)) return fail(`${quotePath(text)} is a workflow, and no agent.`, 'Name a .too file.');
  const full = absolutePath(host, text);
  const isWord = !/[/\\]|^[.~]|\.too$/i.test(text);
  // A directory of the same name is meant by `./name`.
  if (isWord)
    return resident(text, host, options) ?? ofDirectory(text, full, host, options) ?? unknown(text, host, options);
  const what = kindOf(full);
  if (what === 'directory') return ofDirectory(text, full, host, options) ?? unknown(text, host, options);
  if (what === 'file') return ofFile(text, full, host, options);
  const isPath = /^(?:\.{1,2}[/\\]|[/\\~]|[A-Za-z]:[/\\])|\\|\.too$|\/$/i.test(text);
  return isPath ? missing(text, full, host) : visiting(text, host, options);
}

const forms =
  'Name a resident agent, a .too file, a directory of them, or a reference such as owner/name or github://owner/repo/path.too@rev.';

/** Undefined where no resident has that name. */
function resident(name: string, host: HomeHost, options: HomeOptions): AgentsResult | undefined {
  const found = homeOfResident(name, host, options);
  if (!found.ok) return undefined;
  const home = found.places;
  if (kindOf(home.dir) !== 'directory') return undefined;
  const bases = new Set(['agent.too', `${name}.too`]);
  const files = [...bases].map((base) => path.join(home.dir, base)).filter((each) => kindOf(each) === 'file');
  const [file, second] = files;
  if (file === undefined) {
    const help = `Write ${quotePath(path.join(home.dir, 'agent.too'))}.`;
    return fail(`the agent "${name}" has no source.`, help);
  }
  if (second !== undefined) {
    const both = files.map((each) => quotePath(path.basename(each))).join(' and ');
    return fail(`the agent "${name}" has two sources, ${both}.`, 'Keep one of them, or give the other another name.');
  }
  return { ok: true, agents: [{ kind: 'resident', name, file, home }] };
}

/** Undefined where there is no such directory. */
function ofDirectory(text: string, dir: string, host: HomeHost, options: HomeOptions): AgentsResult | undefined {
  if (kindOf(dir) !== 'directory') return undefined;
  const files = agentFiles(dir);
  if (files.length === 0) return fail(`there is no .too file in ${quotePath(text)}.`, 'Make one: toolang new NAME');
  const agents: Agent[] = [];
  for (const file of files) {
    const found = ofFile(displayPath(file, host.cwd), file, host, options);
    if (!found.ok) return found;
    agents.push(...found.agents);
  }
  return { ok: true, agents };
}

function ofFile(text: string, file: string, host: HomeHost, options: HomeOptions): AgentsResult {
  if (!/\.too$/i.test(file)) return fail(`${quotePath(text)} is not a .too file.`, forms);
  if (isUsesFile(file, path)) {
    const help = 'It lists what all agents of its home use: name one of them.';
    return fail(`${quotePath(text)} is never an agent.`, help);
  }
  const found = homeOfFile(file, host, options);
  if (!found.ok) return found;
  const home = found.places;
  const kind = home.kind === 'resident' ? 'resident' : 'roaming';
  const name = kind === 'resident' ? residentName(file, home.dir) : path.basename(file).replace(/\.too$/i, '');
  return { ok: true, agents: [{ kind, name, file, home }] };
}

function visiting(ref: string, host: HomeHost, options: HomeOptions): AgentsResult {
  const checked = checkUseRef('agent', ref);
  if (!checked.ok) {
    const { code, message, help } = checked.problem;
    return { ok: false, problem: { code, message, help } };
  }
  const { name } = checked.ref;
  const hash = createHash('sha256').update(ref).digest('hex').slice(0, 12);
  const found = homeOfGuest(name, hash, host, options);
  return found.ok ? { ok: true, agents: [{ kind: 'visiting', name, ref, home: found.places }] } : found;
}

function unknown(text: string, host: HomeHost, options: HomeOptions): AgentsResult {
  const residents = listAgents(findRoot(host, options)).residents.map((agent) => agent.name);
  const files = agentFiles(host.cwd).map((file) => path.basename(file));
  const near =
    files.find((file) => file === `${text}.too`) ??
    closest(text, [...residents, ...files]) ??
    closest(`${text}.too`, files);
  const known = residents.length === 0 ? '' : `Residents: ${residents.slice(0, 12).join(', ')}. `;
  return fail(`there is no agent "${text}".${didYouMean(near)}`, known + forms);
}

function missing(text: string, full: string, host: HomeHost): AgentsResult {
  const beside = agentFiles(path.dirname(full)).map((file) => path.basename(file));
  const near = closest(path.basename(full), beside);
  const other = near === undefined ? undefined : displayPath(path.join(path.dirname(full), near), host.cwd);
  const help = other === undefined ? 'Check the spelling of the path.' : `Did you mean ${quotePath(other)}?`;
  return { ok: false, problem: { code: 'TOO5001', message: `${quotePath(text)} does not exist.`, help } };
}

function kindOf(file: string): 'file' | 'directory' | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() ? 'file' : stats?.isDirectory() ? 'directory' : undefined;
  } catch (error) {
    // A path that leads through a file or in a circle, or that may not be looked at, names nothing for us.
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
}

function fail(message: string, help: string): { readonly ok: false; readonly problem: HomeProblem } {
  return { ok: false, problem: { code: 'TOO5247', message, help } };
}
