/** What a step may leave behind in its host: another folder, another environment, something that still runs. Runs in hosts only. */

export function backIn(cwd: string): boolean {
  try {
    // Always: Node remembers the name of its folder, also where that is gone, or is another one now.
    process.chdir(cwd);
    return process.cwd() === cwd;
  } catch {
    // The folder is gone: the next step gets a new host, which says so.
    return false;
  }
}

export interface WatchedEnvironment {
  /** Changes are undone; false where that is not possible. */
  readonly restore: () => boolean;
  /** What was changed until now stays. */
  readonly keep: () => void;
}

/** Looked at only when there was a change: to read all of it takes longer than a step. */
export function watchedEnvironment(): WatchedEnvironment {
  const real = process.env;
  let before = { ...real };
  let isChanged = false;
  const changing = <A extends unknown[]>(change: (...args: A) => boolean) => {
    return (...args: A) => {
      isChanged = true;
      return change(...args);
    };
  };
  process.env = new Proxy(real, {
    set: changing((target, name, value) => Reflect.set(target, name, value)),
    deleteProperty: changing(Reflect.deleteProperty),
    defineProperty: changing(Reflect.defineProperty),
  }) as NodeJS.ProcessEnv;
  const ours = process.env;
  return {
    restore() {
      if (process.env !== ours) return false;
      if (!isChanged) return true;
      isChanged = false;
      for (const name of Object.keys(real)) if (!Object.hasOwn(before, name)) delete real[name];
      Object.assign(real, before);
      return true;
    },
    keep() {
      if (isChanged) before = { ...real };
      isChanged = false;
    },
  };
}

/** Connections stay for the next step, as they do in any server; all else that runs is work of a step that has ended. */
const harmless = /^(?:TCPSocketWrap|TLSWrap|PipeWrap|TTYWrap|MessagePort|HTTP.*)$/;

export async function isBusy(known: ReadonlyMap<string, number>): Promise<boolean> {
  for (let looks = 0; looks < 3; looks++) {
    if (isQuiet(known)) return false;
    // What has just ended is closed in the next turn.
    await turn();
  }
  return true;
}

function isQuiet(known: ReadonlyMap<string, number>): boolean {
  const active = process.getActiveResourcesInfo();
  if (active.every((kind) => harmless.test(kind))) return true;
  if (known.size === 0) return false;
  for (const [kind, count] of activeKinds()) if (count > (known.get(kind) ?? 0)) return false;
  return true;
}

/** How many of each kind run that a step must not leave behind. */
export function activeKinds(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (!harmless.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

export function turn(): Promise<void> {
  return new Promise((next) => setImmediate(next));
}
