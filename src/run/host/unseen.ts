/** Says of a step that failed that its code names a variable which steps do not see, and what would show it to them. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Outcome, StepSpec } from '../../machine/index.ts';
import { hiddenNamesIn } from './step-environment.ts';

export interface Unseen {
  /** From where modules are named. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** What steps see of it. */
  readonly shown: Readonly<Record<string, string>>;
}

const longestModule = 256 * 1024;
const mostNames = 3;

export function tellUnseen(outcome: Outcome, spec: StepSpec, { folder, env, shown }: Unseen): Outcome {
  if (!('err' in outcome) || outcome.err.code === 'cancelled') return outcome;
  const text = spec.kind === 'run' ? String(spec.code) : moduleText(String(spec.module), folder);
  const names = hiddenNamesIn(text, env, shown).slice(0, mostNames);
  if (names.length === 0) return outcome;
  const [what, them] = names.length === 1 ? ['is a secret', 'it'] : ['are secrets', 'them'];
  const list = names.map((name) => JSON.stringify(name)).join(', ');
  const hint = `${names.join(', ')} ${what} that steps do not see; to show ${them} to steps, write env = [${list}] under [runs] in config.toml`;
  return { err: { ...outcome.err, message: `${outcome.err.message}\n${hint}` } };
}

/** Of a local module, as far as it is one file: this is a hint, and whether the module can be read was told before. */
function moduleText(module: string, folder: string): string {
  const file = resolve(folder, module);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > longestModule) return '';
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
