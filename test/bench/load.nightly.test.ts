/** The load of `npm run load`, small: counts and results, no times. */
import { expect, onTestFinished, test } from 'vitest';
import { serveStack } from '../cli/served-stack.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { DEEP } from '../support/depth.ts';
import { runLoad } from './load-run.ts';

test('each upload of a burst, and of a run over time, has exactly one correct result', {
  timeout: 120_000,
}, async () => {
  const stack = await serveStack(temporaryFolder());
  onTestFinished(() => stack.stop());
  const options = { sampleMs: 200, pid: stack.pid };
  const burst = await runLoad(stack, { ...options, folder: 'burst', uploads: DEEP ? 400 : 6 });
  expect(burst.faults).toEqual([]);
  expect(burst.uploads).toBe(DEEP ? 400 : 6);
  expect(burst.samples.at(-1)!.processes.length).toBeGreaterThan(1);
  const overTime = await runLoad(stack, { ...options, folder: 'time', uploads: 3, seconds: DEEP ? 20 : 1 });
  expect(overTime.faults).toEqual([]);
  expect(overTime.uploads).toBeGreaterThanOrEqual(3);
});
