/** What is said of references that come to nothing. */
import type { Failing } from '../git/repository.ts';
import type { RemoteProblem } from './target.ts';

export type Refused = { readonly ok: false; readonly problem: RemoteProblem };
export type Found<T> = { readonly ok: true; readonly value: T } | Refused;

export function refuse(code: RemoteProblem['code'], message: string, help: string): Refused {
  return { ok: false, problem: { code, message, help } };
}

/** `commit`: the one that was looked for. */
export function failingProblem(failing: Failing, where: string, commit?: string): Refused {
  const { kind, why } = failing;
  switch (kind) {
    case 'absent':
      return refuse(
        'TOO5311',
        `${where} cannot be fetched: ${why}.`,
        `Look at the spelling. If it is private, "git ls-remote https://${where}" must work without asking for a password.`,
      );
    case 'unreachable':
      return refuse(
        'TOO5312',
        `${where} cannot be reached: ${why}.`,
        `Try again later; "git ls-remote https://${where}" shows whether git gets there.`,
      );
    case 'no-object':
      return refuse(
        'TOO5313',
        commit === undefined ? `${where}: ${why}.` : `${where} has no commit ${commit}.`,
        'It may have been removed there. Write a branch, a tag or another commit, or update the lock.',
      );
    case 'offline':
      return refuse(
        'TOO5319',
        commit === undefined
          ? `which commits ${where} has now is not known, and nothing may be fetched.`
          : `${where} at ${commit.slice(0, 12)} is not in the cache, and nothing may be fetched.`,
        'Do it once without --offline.',
      );
    case 'local':
      return refuse(
        'TOO5323',
        `the cache cannot be used: ${why}.`,
        'Look at its permissions and at the space that is left.',
      );
    case 'damaged':
      return refuse(
        'TOO5323',
        `the cache of ${where} cannot be read${why === '' ? '' : `: ${why}`}.`,
        'Do it again without --offline, or remove the folder "cache" of the root.',
      );
  }
}
