/** The services that a command sees, with what is known of each: those that others shadow are left out. */
import { existsSync } from 'node:fs';
import { type AuthoredCap, type Service, validateCapFile } from '../../caps/index.ts';
import { readTextFile } from '../../sys/index.ts';
import { createSource, type Diagnostic, hasErrors } from '../../text/index.ts';
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
    services: await Promise.all(active.map(({ cap }) => describe(cap, places))),
    diagnostics: here.diagnostics.filter((each) => hasErrors([each])),
  };
}

export async function describe(cap: AuthoredCap, places: CapPlaces): Promise<ServiceHere> {
  if ('cap' in cap) {
    return { cap, isSynced: true, ...(cap.cap.kind === 'service' && { definition: cap.cap }) };
  }
  const file = whereIs(cap, places);
  if (file === undefined || !existsSync(file)) return { cap, isSynced: false };
  const read = await readTextFile(file);
  if (!read.ok) return { cap, isSynced: false };
  const { cap: checked } = validateCapFile('service', cap.name, createSource(file, read.text), { origin: 'remote' });
  return { cap, isSynced: true, ...(checked?.kind === 'service' && { definition: checked }) };
}
