/** The properties of the fuzzer's targets hold for the stored inputs; `npm run fuzz` searches for others. */
import { readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEEP } from '../support/depth.ts';
import { readCorpus } from './corpus.ts';
import { loadTarget, TARGET_NAMES } from './targets.ts';

const CORPUS = new URL('corpus/', import.meta.url);
const MAX_STORED_BYTES = 200_000;
/** Inputs of each target that are run; in the run of a night all are. */
const MODERATE_INPUTS = 12;

/** Some inputs, of all lengths. */
function sample(inputs: readonly Buffer[]): readonly Buffer[] {
  const step = DEEP ? 1 : Math.ceil(inputs.length / MODERATE_INPUTS);
  return inputs.filter((_, at) => at % step === 0);
}

describe.each(TARGET_NAMES)('%s', (name) => {
  it('has its properties for each stored input', async () => {
    const target = await loadTarget(name);
    const inputs = [...sample(readCorpus(name, 'corpus')), ...readCorpus(name, 'found')];
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) {
      try {
        await target.run(input);
      } catch (cause) {
        throw new Error(`for the input ${JSON.stringify(input.toString('latin1'))}`, { cause });
      }
    }
  });
});

it('the stored inputs are few, and each belongs to a target', () => {
  const names = readdirSync(CORPUS);
  expect(names.filter((name) => !TARGET_NAMES.includes(name.split('.')[0]))).toEqual([]);
  expect(names.reduce((sum, name) => sum + statSync(new URL(name, CORPUS)).size, 0)).toBeLessThan(
    MAX_STORED_BYTES,
  );
});
