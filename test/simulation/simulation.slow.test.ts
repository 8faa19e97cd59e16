/** Bad nights of the whole stack, and the planted defects that such nights must find. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEEP, runSeed } from '../support/depth.ts';
import { PLANTS } from './plants.ts';
import { runSimulations } from './runner.ts';

const SEEDS = DEEP ? 200 : 2;
const PLANT_SEEDS = 100;
/** A busy machine takes several times as long as a quiet one. */
const MS_PER_SEED = 15_000;
/** Computed once, by the first test: no planted defect is in it. */
const CLEAN = ['--clean', join(tmpdir(), `clean-${process.pid}.json`)];

it(
  `after each of ${SEEDS} simulated nights, each upload has the one outcome that it has without faults; the first night has the same trace twice`,
  async () => {
    const { status, output } = await runSimulations(
      ...['--seed', String(runSeed()), '--count', String(SEEDS), '--twice', ...CLEAN],
    );
    expect(status, output).toBe(0);
    expect(output).toContain(`${SEEDS} seeds, 0 failed`);
  },
  120_000 + SEEDS * MS_PER_SEED,
);

// Each in a process of its own: at the end of the slow tests, nothing else occupies the other cores.
it.for(Object.entries(PLANTS).filter(([, { seed }]) => seed !== undefined))(
  `finds the planted defect %s within ${PLANT_SEEDS} seeds, and prints how to repeat it`,
  { concurrent: true, timeout: PLANT_SEEDS * MS_PER_SEED },
  async ([name, { seed }], { expect }) => {
    const { status, output } = await runSimulations(
      ...['--seed', String(seed), '--count', String(PLANT_SEEDS), '--plant', name, '--first', ...CLEAN],
    );
    expect(status, output).toBe(1);
    expect(output).toMatch(new RegExp(`replay: .* --seed \\d+ --plant ${name} --trace`));
  },
);
