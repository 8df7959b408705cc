/** Where a shorthand is looked for: repositories of its owner and paths in them, in this order. The first hit wins. */
import type { ShorthandRef } from '../ref.ts';
import type { RemoteKind } from './target.ts';

export interface Probe {
  readonly repo: string;
  /** The files that are tried; of a skill, its `SKILL.md`. */
  readonly paths: readonly string[];
}

export function probesOf(kind: RemoteKind, { name, repo }: Pick<ShorthandRef, 'name' | 'repo'>): readonly Probe[] {
  const file = kind === 'skill' ? `${name}/SKILL.md` : `${name}.${kind === 'agent' ? 'too' : 'md'}`;
  const paths = [`${kind}s/${file}`, file];
  const repos = kind === 'agent' ? ['agents'] : [`agent-${kind}s`, `${kind}s`, 'agents'];
  return (repo === undefined ? repos : [repo]).map((each) => ({ repo: each, paths }));
}
