/** The services that a command sees, with what is known of each: those that others shadow are left out. */
import { existsSync } from 'node:fs';
import { type AuthoredCap, capText, filesAs, type Service, validateCapFile } from '../../caps/index.ts';
import { createSource, type Diagnostic, hasErrors, ToolangError } from '../../text/index.ts';
import { whereIs } from '../caps/cap-show.ts';
import { type CapsHere, capsHere } from '../caps/caps-here.ts';
import { type CapPlaces, placesHere } from '../caps/places.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';

export interface ServiceHere {
  readonly cap: AuthoredCap;
  /** Absent where a reference was not synced, or what it brought is wrong. */
  readonly definition?: Service;
  readonly isSynced: boolean;
  /** Why there is no definition, though it was synced. */
  readonly wrong?: string;
}

export interface ServicesHere {
  readonly places: CapPlaces;
  readonly here: CapsHere;
  readonly services: readonly ServiceHere[];
  /** Of what cannot be read: it is no service here. */
  readonly diagnostics: readonly Diagnostic[];
}

export function servicesHere(args: Args, context: Context, agent?: string): Promise<ServicesHere> {
  return servicesIn(placesHere(args, context, agent), args, context);
}

export async function servicesIn(places: CapPlaces, args: Args, context: Context): Promise<ServicesHere> {
  const here = await capsHere(places, args, context);
  const active = here.all.filter(({ cap, status }) => cap.kind === 'service' && status === 'active');
  return {
    places,
    here,
    services: active.map(({ cap }) => describe(cap, places, here)),
    diagnostics: here.diagnostics.filter((each) => hasErrors([each])),
  };
}

/** Of what comes from elsewhere only that counts which was accepted: the file must be as the lock has it. */
export function describe(cap: AuthoredCap, places: CapPlaces, here: Pick<CapsHere, 'lockOf'>): ServiceHere {
  if ('cap' in cap) return { cap, isSynced: true, ...(cap.cap.kind === 'service' && { definition: cap.cap }) };
  const path = whereIs(cap, places);
  const locked = here.lockOf(cap);
  if (path === undefined || locked === undefined || !existsSync(path)) return { cap, isSynced: false };
  const { kind, name } = cap;
  try {
    const source = createSource(path, capText({ kind, name, path, files: filesAs(name, locked) }));
    const { cap: checked } = validateCapFile('service', name, source, { origin: 'remote' });
    if (checked?.kind === 'service') return { cap, isSynced: true, definition: checked };
    return { cap, isSynced: true, wrong: 'what its reference brought is wrong' };
  } catch (error) {
    if (!(error instanceof ToolangError)) throw error;
    return { cap, isSynced: true, wrong: error.message };
  }
}
