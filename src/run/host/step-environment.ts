/**
 * What users' code sees of our environment: all of it but secrets (`environment-secrets.ts` of `sys`), because what a step
 * prints and returns is kept. The configuration may name those that steps need (`[runs] env`). Shown or not, their values are
 * taken out of whatever is kept.
 * Git tells by variables where its repository is to whatever it starts, as hooks: that is not where a step works, which may be
 * in a worktree, so steps do not see those either, unless the configuration names them.
 */
import { isSecretVariable } from '../../sys/index.ts';

export interface EnvironmentOptions {
  /** Secrets that steps see nevertheless. */
  readonly shown?: readonly string[] | undefined;
  /** More names that they do not see, as `key_env` of the configuration. */
  readonly hidden?: readonly string[] | undefined;
}

/** Which repository, which files and which index: git finds them by the folder. */
const gitPlaces = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
]);

export function stepEnvironment(
  env: NodeJS.ProcessEnv,
  options: EnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const out: Record<string, string> = {};
  const isHidden = new Set(options.hidden?.map((name) => name.toUpperCase()));
  const isShown = new Set(options.shown?.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const known = name.toUpperCase();
    const isSeen = !(gitPlaces.has(known) || isHidden.has(known) || isSecretVariable(name, value));
    if (isSeen || isShown.has(known)) out[name] = value;
  }
  return out;
}

/** The names in a text that stand for a secret that steps do not see. */
export function hiddenNamesIn(
  text: string,
  env: NodeJS.ProcessEnv,
  shown: Readonly<Record<string, string>>,
): readonly string[] {
  const words = new Set(text.match(/[\p{L}\p{N}_]+/gu));
  const isMissed = (name: string) => !Object.hasOwn(shown, name) && !gitPlaces.has(name.toUpperCase());
  return Object.keys(env).filter((name) => words.has(name) && isMissed(name));
}
