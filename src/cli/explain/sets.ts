/** The sets of a thunk as it would have them here: what its file says, less what the command line and the scopes leave out. */
import type { ThunkImage } from '../../agent/index.ts';
import type { EffectiveSet, Preview, SetItem, SetKey } from '../../program/index.ts';
import type { CapKind } from '../../too/index.ts';

export interface SetHere extends EffectiveSet {
  /** What it would have by its file, and has not here. */
  readonly leftOut: readonly SetItem[];
}

export type SetsHere = Readonly<Record<SetKey, SetHere>>;

export interface SetsAround {
  /** Why a cap that there is cannot be used. */
  readonly hidden: (kind: CapKind, name: string) => string | undefined;
  /** Why the models are those of the image, where the file names none. */
  readonly usual: string | undefined;
}

export function setsHere(sets: Preview['sets'], thunk: ThunkImage, { hidden, usual }: SetsAround): SetsHere {
  const caps = (key: 'skills' | 'services' | 'psyches', kind: CapKind, names: readonly string[]) =>
    split(sets[key], ({ name, why }) =>
      names.includes(name)
        ? { in: [{ name, why }] }
        : { out: hidden(kind, name) ?? (kind === 'service' ? noTools : 'it cannot be used: toolang check') },
    );
  const { tools } = thunk;
  return {
    ...sets,
    hands: { ...sets.hands, leftOut: [] },
    handoffs: { ...sets.handoffs, leftOut: [] },
    skills: caps('skills', 'skill', thunk.skills),
    services: caps('services', 'service', thunk.services),
    psyches: caps(
      'psyches',
      'psyche',
      thunk.psyches.map(({ name }) => name),
    ),
    tools: split(sets.tools, ({ name, why }) => {
      if (tools.includes(name)) return { in: [{ name, why }] };
      const parts = tools.filter((each) => each.startsWith(`${name}/`));
      if (parts.length > 0) return { in: parts.map((each) => ({ name: each, why: `${why}, as far as --tools goes` })) };
      const service = sets.services.items.find((each) => each.name === name.split('/', 1)[0]);
      return { out: (service && hidden('service', service.name)) ?? '--tools leaves it out' };
    }),
    models: modelsHere(sets.models, thunk.models, usual),
  };
}

const noTools = 'none of its tools may be used: --tools';

function modelsHere(set: EffectiveSet, models: readonly string[], usual: string | undefined): SetHere {
  if (usual !== undefined) return { ...set, items: models.map((name) => ({ name, why: usual })), leftOut: [] };
  return split(set, (item) => (models.includes(item.name) ? { in: [item] } : { out: '--models leaves it out' }));
}

function split(
  set: EffectiveSet,
  judge: (item: SetItem) => { readonly in: readonly SetItem[] } | { readonly out: string },
): SetHere {
  const items: SetItem[] = [];
  const leftOut: SetItem[] = [];
  for (const item of set.items) {
    const judged = judge(item);
    if ('in' in judged) items.push(...judged.in);
    else leftOut.push({ name: item.name, why: judged.out });
  }
  return { ...set, items, leftOut };
}
