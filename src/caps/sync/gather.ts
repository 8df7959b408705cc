/** Everything that is written down in one scope: its caps, what is wrong with it, and the files it was read from. */
import { realpathSync } from 'node:fs';
import type { HomePlaces, RootPlaces } from '../../config/index.ts';
import { fileDiagnostic, readConfig } from '../../config/index.ts';
import { isInside, type ReadResult, readTextFile } from '../../sys/index.ts';
import { createSource, type Diagnostic, type Source } from '../../text/index.ts';
import { capKinds } from '../../too/index.ts';
import type { CheckedCap } from '../checked-cap.ts';
import type { AuthoredCap } from '../scope/authored.ts';
import type { Scoped } from '../scope/effective.ts';
import { capsOfProgram, type UseLine } from '../scope/here-caps.ts';
import { lookAround } from '../scope/look.ts';
import { readScopeCaps } from '../scope/scope-caps.ts';
import type { AgentSource } from './request.ts';
import { type Stamps, stampAll } from './stamp.ts';
import { pathsOf } from './tree.ts';

export interface Gathered {
  readonly caps: readonly AuthoredCap[];
  readonly diagnostics: readonly Diagnostic[];
  /** All that may change what is gathered, also what is not there, as it was before it was read: whatever changes later is seen. */
  readonly inputs: Stamps;
}

/** What a compiler makes of a `.too` file: the program is kept as it is given, as JSON. */
export interface Compiled {
  readonly program: unknown;
  readonly caps: readonly CheckedCap[];
  readonly uses: readonly UseLine[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `wider` are the caps of the home and of the root, by their names. */
export type Compile = (source: Source, file: string, wider: readonly Scoped[]) => Compiled | Promise<Compiled>;

export type Shown = (path: string) => string;

export async function gatherScope(places: HomePlaces | RootPlaces, shown: Shown): Promise<Gathered> {
  const { config, uses, caps: folders } = places;
  const inputs = stampAll([
    config,
    uses,
    ...(folders ? capKinds.flatMap((kind) => capPaths(folders[kind], places, shown)) : []),
  ]);
  const loaded = await readConfig(config, shown(config));
  const { caps, ofFiles, ofWired, uses: used } = await readScopeCaps(places, loaded.layer, shown);
  return {
    caps,
    diagnostics: [...loaded.diagnostics, ...ofWired, ...used.diagnostics, ...ofFiles],
    inputs,
  };
}

/** With what lies behind links, as far as these may lead. */
function capPaths(folder: string, places: HomePlaces | RootPlaces, shown: Shown): string[] {
  const { allows } = lookAround(folder, 'root' in places ? 'home' : 'root', shown);
  // What holds the folder itself is no cap in it.
  return pathsOf(folder, (real) => allows(real) && !isInside(realpathSync(folder), real));
}

export interface GatheredAgent extends Gathered {
  readonly agent: AgentSource;
  readonly program: unknown;
}

export async function gatherAgent(
  agent: AgentSource,
  wider: readonly Scoped[],
  compile: Compile,
  shown: Shown,
  readSource: (file: string) => Promise<ReadResult> = readTextFile,
): Promise<GatheredAgent> {
  const { file } = agent;
  const inputs = stampAll([file]);
  const read = await readSource(file);
  if (!read.ok) {
    const diagnostics = [fileDiagnostic(shown(file), read.problem, file)];
    return { agent, caps: [], diagnostics, inputs, program: undefined };
  }
  const source = createSource(shown(file), read.text);
  const { program, caps, uses, diagnostics } = await compile(source, file, wider);
  return { agent, caps: capsOfProgram(source, caps, uses, file), diagnostics, inputs, program };
}
