/** Each way in which work can stop, injected, and the planted defects that only these find. */
import { expect, it } from 'vitest';
import { PLANTS } from './plants.ts';
import { runSimulations } from './runner.ts';

/** A busy machine takes several times as long as a quiet one. */
const LIMIT_MS = 900_000;

it(
  'each way in which work can stop raises its alarm, and no other',
  async () => {
    const { status, output } = await runSimulations('--stops');
    expect(status, output).toBe(0);
    expect(output).toContain(' 0 failed');
  },
  LIMIT_MS,
);

it.each(Object.entries(PLANTS).filter(([, { seed }]) => seed === undefined))(
  'an alarm that is not raised shows the planted defect %s',
  async (name) => {
    const { status, output } = await runSimulations('--stops', '--plant', name);
    expect(status, output).toBe(1);
    expect(output).toContain('raised no alarm, expected WorkFailed');
  },
  LIMIT_MS,
);
