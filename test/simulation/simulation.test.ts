/** The whole stack on bad days, in a process of its own that has a simulated clock, network and disk. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEEP, runSeed } from '../support/depth.ts';
import { PLANTS, planted } from './plants.ts';

const ROOT = join(import.meta.dirname, '../..');
const RUNNER = join(import.meta.dirname, 'run.ts');
const SEEDS = DEEP ? 200 : 5;
const PLANT_SEEDS = 100;
const NODE_FLAGS = [
  // Collections of garbage take a tenth less of the processor.
  '--max-semi-space-size=64',
  '--single-threaded-gc',
  // Types are stripped once, not at each start.
  '--import',
  new URL('../../bin/compile-cache.mjs', import.meta.url).href,
];
/** A busy machine takes several times as long as a quiet one. */
const MS_PER_SEED = 15_000;

/** Runs simulations. @returns the exit status and the output */
function run(...flags: string[]): Promise<{ readonly status: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...NODE_FLAGS, RUNNER, ...flags], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

describe('after every simulated night, each upload has the one outcome that it has without faults', () => {
  it(
    `with ${SEEDS} seeds, of which the first is run twice and gives the same trace`,
    async () => {
      const { status, output } = await run('--seed', String(runSeed()), '--count', String(SEEDS), '--twice');
      expect(status, output).toBe(0);
      expect(output).toContain(`${SEEDS} seeds, 0 failed`);
    },
    120_000 + SEEDS * MS_PER_SEED,
  );
});

/**
 * Seeds that have found a defect: the message of the commit that fixed it says which. A change of the simulation makes other
 * worlds of them.
 */
const FORMER_FAILURES = [124];
if (DEEP) {
  it.each(FORMER_FAILURES)(
    'seed %i, which has found a defect, finds none',
    async (seed) => {
      const { status, output } = await run('--seed', String(seed));
      expect(status, output).toBe(0);
    },
    120_000,
  );
}

describe('the simulation', () => {
  for (const [name, plant] of Object.entries(PLANTS)) {
    const findsPlant = async () => {
      const { status, output } = await run('--count', String(PLANT_SEEDS), '--plant', name, '--first');
      expect(status, output).toBe(1);
      expect(output).toMatch(new RegExp(`replay: .* --seed \\d+ --plant ${name} --trace`));
    };
    const title = `finds the planted defect ${name} within ${PLANT_SEEDS} seeds, and prints how to repeat it`;
    if (DEEP) it(title, findsPlant, PLANT_SEEDS * MS_PER_SEED);

    it(`can plant the defect ${name}`, () => {
      const source = readFileSync(join(ROOT, plant.path), 'utf8');
      expect(planted(plant, source)).not.toBe(source);
    });
  }
});
