import { expect, test } from 'vitest';
import { manualClock, realClock } from './clock.ts';

test('the manual clock wakes sleepers in order, and those who sleep again', async () => {
  const clock = manualClock(1000);
  const seen: string[] = [];
  const ticking = (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(10);
      seen.push(`tick ${clock.now()}`);
    }
  })();
  const late = clock.sleep(25).then(() => seen.push(`late ${clock.now()}`));
  await clock.advance(29);
  expect(seen).toEqual(['tick 1010', 'tick 1020', 'late 1025']);
  expect(clock.now()).toBe(1029);
  expect(clock.sleeping()).toBe(1);
  await clock.advance(1);
  await Promise.all([ticking, late]);
  expect(seen.at(-1)).toBe('tick 1030');
});

test.each([
  ['manual', manualClock()],
  ['real', realClock],
])('a sleep on the %s clock ends with the signal', async (_, clock) => {
  const controller = new AbortController();
  const sleeping = clock.sleep(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(clock.sleep(60_000, controller.signal)).rejects.toThrow('enough');
});

test('the real clock sleeps, and does not wake early from a sleep longer than a timer holds', async () => {
  const before = realClock.now();
  await realClock.sleep(5);
  expect(realClock.now() - before).toBeGreaterThanOrEqual(4);
  const controller = new AbortController();
  let woke = false;
  const long = realClock.sleep(2 ** 40, controller.signal).then(() => {
    woke = true;
  });
  await realClock.sleep(20);
  expect(woke).toBe(false);
  controller.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
});
