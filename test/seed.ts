/** Where tests begin that count their seeds themselves: at 0, and elsewhere with `TOOLANG_SEED` (see `setup.ts`). */
export function firstSeed(count: number): number {
  const seed = process.env.TOOLANG_SEED ?? '0';
  return (seed === 'any' ? Date.now() % 1_000_000 : Number(seed)) * count;
}
