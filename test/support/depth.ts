/**
 * How deep the tests go. `npm test` and `npm run test:slow` have a fixed seed and moderate counts. The workflow
 * `.github/workflows/nightly.yml` has a new seed each night and twenty times the counts.
 */

/** Whether this is the run of a night, or a repetition of it: `DLX_BATCH_TEST_DEEP=1 npm test`. */
export const DEEP = process.env.DLX_BATCH_TEST_DEEP === '1';
const DEEP_FACTOR = 20;
const FIXED_SEED = 20_261_122;

/** Runs of a property, of which `npm test` makes `moderate`. */
export function propertyRuns(moderate: number): number {
  return DEEP ? moderate * DEEP_FACTOR : moderate;
}

/** The seed of all properties: `DLX_BATCH_TEST_SEED` of the environment, or else a fixed one. */
export function runSeed(): number {
  return Number(process.env.DLX_BATCH_TEST_SEED ?? FIXED_SEED);
}
