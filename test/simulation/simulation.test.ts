/** One bad night of the whole stack; `simulation.slow.test.ts` has more, and the planted defects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runSeed } from '../support/depth.ts';
import { PLANTS, planted } from './plants.ts';
import { runSimulations } from './runner.ts';
import { STOPS } from './stops.ts';

const ROOT = join(import.meta.dirname, '../..');

it('after a simulated night, each upload has the one outcome that it has without faults', async () => {
  const { status, output } = await runSimulations('--seed', String(runSeed()));
  expect(status, output).toBe(0);
  expect(output).toContain('1 seeds, 0 failed');
});

it('each row of the table in the runbook is simulated, with its alarm', () => {
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  const rows = [...runbook.matchAll(/^\| (.+) \| (\w+)\b.* \|$/gm)].slice(1);
  expect(STOPS.map(({ what, alarm = 'none' }) => [what, alarm])).toEqual(
    rows.map(([, what, alarm]) => [what, alarm]),
  );
});

it.each(Object.entries(PLANTS))('the defect %s can be planted', (_name, plant) => {
  const source = readFileSync(join(ROOT, plant.path), 'utf8');
  expect(planted(plant, source)).not.toBe(source);
});
