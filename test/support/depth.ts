/**
 * How deep the tests go. `npm test` has a fixed seed and moderate counts; `npm run test:deep` a new seed, which it prints,
 * and twenty times the counts.
 */

/** Whether this is `npm run test:deep`. */
export const DEEP = process.env.DLX_BATCH_TEST_DEEP === '1';
const DEEP_FACTOR = 20;
const FIXED_SEED = 20_261_122;

/** Runs of a property, of which `npm test` makes `moderate`. */
export function propertyRuns(moderate: number): number {
  return DEEP ? moderate * DEEP_FACTOR : moderate;
}

/** The seed of all properties: that of the environment, else a new one for deep tests and a fixed one for others. */
export function runSeed(): number {
  const { DLX_BATCH_TEST_SEED } = process.env;
  if (DLX_BATCH_TEST_SEED !== undefined) return Number(DLX_BATCH_TEST_SEED);
  return DEEP ? Math.floor(Math.random() * 2 ** 31) : FIXED_SEED;
}
