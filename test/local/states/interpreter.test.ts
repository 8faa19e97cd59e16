/** Maps, and runs that continue. Single states, retries and what is refused: `test/conformance/state-rows.txt`. */
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../lib/local/states/progress.ts';
import { errorNamed, ITEM_READER, scripted, task } from './scripted-run.ts';

const MAP = {
  Type: 'Map',
  ItemReader: ITEM_READER,
  ItemSelector: { 'name.$': '$.name', 'item.$': '$$.Map.Item.Value', 'index.$': '$$.Map.Item.Index' },
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'B',
    States: {
      B: task({ ResultSelector: { 'y.$': '$.Payload.y' }, Next: 'C' }),
      C: { Type: 'Pass', End: true },
    },
  },
  ResultWriter: {
    Resource: 'arn:aws:states:::s3:putObject',
    Parameters: { Bucket: 'b', 'Prefix.$': '$.prefix' },
  },
  ResultPath: null,
  End: true,
};
const INPUT = { key: 'items', name: 'n', prefix: 'map/' };
const ITEMS = '{"i":0}\n{"i":1}\n{"i":2}\n';
/** The outputs of a map's children, in the order of its items. */
const outputsIn = ({ mapRun }: Progress) =>
  Array.from(mapRun!.children, (child) => (child?.outcome as { readonly output?: unknown })?.output);
const itemOf = (payload: unknown) => (payload as { in: { item: { i: number } } }).in.item.i;

describe('a map', () => {
  test.each([1, 2, 8])(
    'runs a child for each line, %i at a time, and returns outputs in the order of the lines',
    async (concurrency) => {
      const running = { now: 0, max: 0 };
      const { run, files, calls, progress } = scripted(
        { A: MAP },
        async (payload) => {
          running.max = Math.max(running.max, ++running.now);
          await new Promise(setImmediate);
          running.now--;
          return { y: itemOf(payload) * 10 };
        },
        { concurrency },
      );
      files.set('b/items', ITEMS);
      expect(await run(INPUT)).toEqual(INPUT);
      expect(outputsIn(progress)).toEqual([{ y: 0 }, { y: 10 }, { y: 20 }]);
      expect(calls[1]).toEqual({ in: { name: 'n', item: { i: 1 }, index: 1 } });
      expect(running.max).toBe(Math.min(concurrency, 3));
    },
  );

  test('runs at most as many children at a time as its definition allows', async () => {
    let now = 0;
    const { run, files, progress } = scripted(
      { A: { ...MAP, MaxConcurrency: 1 } },
      async () => {
        now++;
        await new Promise(setImmediate);
        return { y: now-- };
      },
      { concurrency: 8 },
    );
    files.set('b/items', ITEMS);
    await run(INPUT);
    expect(outputsIn(progress)).toEqual([{ y: 1 }, { y: 1 }, { y: 1 }]);
  });

  test('stops at the first child that fails, names it, and after a redrive runs only the remaining children', async () => {
    const first = scripted({ A: MAP }, (payload) => {
      if (itemOf(payload) === 1) throw errorNamed('TypeError', 'bad');
      return { y: 0 };
    });
    first.files.set('b/items', ITEMS);
    await expect(first.run(INPUT)).rejects.toMatchObject({
      errorName: 'States.ExceedToleratedFailureThreshold',
      message: expect.stringContaining('item 1 failed with TypeError'),
    });
    expect(outputsIn(first.progress)).toEqual([{ y: 0 }, undefined, undefined]);
    const second = scripted({ A: MAP }, () => ({ y: 7 }), { earlier: first.entries });
    second.files.set('b/items', ITEMS);
    await second.run(INPUT);
    expect(outputsIn(second.progress)).toEqual([{ y: 0 }, { y: 7 }, { y: 7 }]);
    expect(second.calls.map(itemOf)).toEqual([1, 2]);
  });
});

test('a run continues from any entry of its journal, and calls no function again whose response was recorded', async () => {
  const states = {
    A: task({ ResultPath: null, Next: 'Map' }),
    Map: MAP,
  };
  const { End: _, ...map } = MAP;
  states.Map = { ...map, Next: 'D' } as never;
  const machine = { ...states, D: task({ ResultPath: null, End: true }) };
  const whole = scripted(machine, () => ({ y: 1 }));
  whole.files.set('b/items', ITEMS);
  const output = await whole.run(INPUT);
  expect(whole.calls).toHaveLength(5);
  for (let cut = 0; cut <= whole.entries.length; cut++) {
    const rest = scripted(machine, () => ({ y: 1 }), { earlier: whole.entries.slice(0, cut) });
    rest.files.set('b/items', ITEMS);
    expect(await rest.run(INPUT)).toEqual(output);
    const recorded = whole.entries
      .slice(0, cut)
      .filter((entry) => entry.op === 'enter' && ['D', 'Map'].includes(entry.position.state)).length;
    expect(rest.calls.length, `from entry ${cut}`).toBeLessThanOrEqual(5);
    if (recorded === 0) expect(rest.calls).toHaveLength(5);
    else expect(rest.calls.length).toBeLessThan(5);
  }
});

test('a response over 256 KiB is too large', async () => {
  const { run } = scripted({ A: task({ End: true }) }, () => 'x'.repeat(262_144));
  await expect(run({})).rejects.toMatchObject({ errorName: 'States.DataLimitExceeded' });
});
