/** What wakes the driver: a bell that remembers that it was rung. Waiting makes nothing that has to be cleaned up. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves when it rings, at once if it has rung since it was heard last. */
  readonly heard: () => Promise<void>;
}

export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async heard() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = undefined;
      isRung = false;
    },
  };
}
