import { afterEach, expect, test, vi } from 'vitest';
import { isRunId } from '../../../lib/batch/bulk-run/run-keys.ts';
import { newRunId } from '../../../lib/cli/remote/new-run-id.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('ids of runs sort by the millisecond in which a user starts them', () => {
  vi.useFakeTimers();
  const ids = ['02:00:00.007', '02:00:00.010', '02:00:00.123', '02:00:01.000'].map((time) => {
    vi.setSystemTime(`2026-11-21T${time}Z`);
    return newRunId();
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.filter(isRunId)).toEqual(ids);
  expect(ids[2]).toMatch(/^2026-11-21T02-00-00Z-123[\da-f]{6}$/);
  expect(newRunId()).not.toBe(ids[3]);
});
