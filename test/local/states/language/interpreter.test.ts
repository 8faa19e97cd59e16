import { describe, expect, test } from 'vitest';
import { errorNamed, ITEM_READER, scripted, task } from './scripted-run.ts';

const RETRY = { IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 3, MaxDelaySeconds: 10 };
const all = { ErrorEquals: ['States.ALL'], ...RETRY };

describe('a state', () => {
  test.each([
    {
      what: 'Pass builds its output from data and context',
      state: { Type: 'Pass', Parameters: { 'n.$': '$$.Execution.Name', 'b.$': '$.a', c: null } },
      input: { a: [1] },
      output: { n: 'x', b: [1], c: null },
    },
    { what: 'Pass returns its input', state: { Type: 'Pass' }, input: { a: 1 }, output: { a: 1 } },
    {
      what: 'Pass writes its result to its result path',
      state: { Type: 'Pass', Parameters: { c: 1 }, ResultPath: '$.p.q' },
      input: { a: 1 },
      output: { a: 1, p: { q: { c: 1 } } },
    },
    {
      what: 'Task returns the payload with version, status code and metadata of the response',
      state: task({
        ResultSelector: {
          'version.$': '$.ExecutedVersion',
          'payload.$': '$.Payload',
          'status.$': '$.StatusCode',
          'http.$': '$.SdkHttpMetadata.HttpStatusCode',
        },
      }),
      input: {},
      output: { version: '$LATEST', payload: { x: 5, y: null }, status: 200, http: 200 },
    },
    {
      what: 'Task returns the version that it called',
      state: task({
        Parameters: { FunctionName: 'arn:aws:lambda:us-east-1:000000000000:function:f:7', Payload: {} },
        ResultSelector: { 'version.$': '$.ExecutedVersion' },
      }),
      input: {},
      output: { version: '7' },
    },
    {
      what: 'Task selects from the response',
      state: task({ ResultSelector: { 'x.$': '$.Payload.x', 'y.$': '$.Payload.y' }, ResultPath: '$.r' }),
      input: { a: 1, r: 0 },
      output: { a: 1, r: { x: 5, y: null } },
    },
    { what: 'Task drops the response', state: task({ ResultPath: null }), input: { a: 1 }, output: { a: 1 } },
  ])('$what', async ({ state, input, output }) => {
    const { run } = scripted({ A: { ...state, End: true } }, () => ({ x: 5, y: null }));
    expect(await run(input as never)).toEqual(output);
  });

  test.each([
    { what: 'Seconds', state: { Seconds: 7 }, waited: 7000 },
    { what: 'SecondsPath', state: { SecondsPath: '$.s' }, waited: 9000 },
    { what: 'Timestamp', state: { Timestamp: '2026-01-01T00:01:00Z' }, waited: 60_000 },
    { what: 'Timestamp in the past', state: { Timestamp: '2025-01-01T00:01:00Z' }, waited: 0 },
    { what: 'TimestampPath', state: { TimestampPath: '$.t' }, waited: 1000 },
  ])('Wait waits as specified by $what', async ({ state, waited }) => {
    const { run, waits } = scripted({ A: { Type: 'Wait', ...state, End: true } });
    const input = { s: 9, t: '2026-01-01T00:00:01Z' };
    expect(await run(input)).toEqual(input);
    expect(waits).toEqual([waited]);
  });

  const choice = {
    Type: 'Choice',
    Choices: [
      { Variable: '$.a', StringEquals: 'b', Next: 'B' },
      { Variable: '$.a', BooleanEquals: true, Next: 'C' },
    ],
  };
  const ends = { B: { Type: 'Fail', Error: 'B' }, C: { Type: 'Succeed' } };
  const byDefault = { Default: 'D' };
  test.each([
    { input: { a: 'b' }, further: {}, error: 'B' },
    { input: { a: 'x' }, further: byDefault, error: 'D' },
    { input: { a: 'x' }, further: {}, error: 'States.NoChoiceMatched' },
    { input: { a: 'true' }, further: {}, error: 'States.NoChoiceMatched' },
    { input: {}, further: {}, error: 'States.Runtime' },
  ])('Choice leads from $input to $error', async ({ input, further, error }) => {
    const last: Record<string, object> = further === byDefault ? { D: { Type: 'Fail', Error: 'D' } } : {};
    const { run } = scripted({ A: { ...choice, ...further }, ...ends, ...last });
    await expect(run(input as never)).rejects.toMatchObject({ errorName: error });
  });

  test('Choice matches a boolean', async () => {
    expect(await scripted({ A: choice, ...ends }).run({ a: true })).toEqual({ a: true });
  });

  test.each([
    {
      what: 'a path without a value in the parameters',
      state: { Type: 'Pass', Parameters: { 'b.$': '$.b' } },
      error: 'States.Runtime',
    },
    {
      what: 'a path without a value in the response',
      state: task({ ResultSelector: { 'b.$': '$.Payload.b' } }),
      error: 'States.Runtime',
    },
    {
      what: 'a result path through a number',
      state: { Type: 'Pass', ResultPath: '$.a.b' },
      error: 'States.ResultPathMatchFailure',
    },
    {
      what: 'a response over 256 KiB',
      state: task(),
      error: 'States.DataLimitExceeded',
      answer: 'x'.repeat(262_144),
    },
  ])('fails for $what', async ({ state, error, answer }) => {
    const { run } = scripted({ A: { ...state, End: true } }, () => answer ?? {});
    await expect(run({ a: 1 })).rejects.toMatchObject({ errorName: error });
  });
});

describe('a retry', () => {
  test('waits longer each time, up to the maximum delay', async () => {
    const { run, waits, calls } = scripted({ A: task({ Retry: [all], End: true }) }, () => {
      throw errorNamed('TypeError');
    });
    await expect(run({})).rejects.toMatchObject({ errorName: 'TypeError' });
    expect(waits).toEqual([2000, 6000, 10_000]);
    expect(calls).toHaveLength(4);
  });

  test('waits a fraction of the delay if jitter is full', async () => {
    const retry = [{ ...all, JitterStrategy: 'FULL' }];
    const fails = () => {
      throw errorNamed('TypeError');
    };
    const { run, waits } = scripted({ A: task({ Retry: retry, End: true }) }, fails, { random: () => 0.5 });
    await expect(run({})).rejects.toThrow();
    expect(waits).toEqual([1000, 3000, 5000]);
  });

  test('stops at the first success: a function that fails twice, then succeeds', async () => {
    const { run, waits } = scripted(
      { A: task({ Retry: [all], ResultPath: null, End: true }) },
      (_payload, call) => {
        if (call < 3) throw errorNamed('Runtime.ExitError');
        return {};
      },
    );
    expect(await run({ a: 1 })).toEqual({ a: 1 });
    expect(waits).toEqual([2000, 6000]);
  });

  test('counts attempts for each retrier separately', async () => {
    const errors = ['Lambda.TooManyRequestsException', 'E', 'Lambda.TooManyRequestsException', 'E'];
    const Retry = [
      { ErrorEquals: ['Lambda.TooManyRequestsException'], MaxAttempts: 2 },
      { ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1 },
    ];
    const { run, calls } = scripted({ A: task({ Retry, End: true }) }, (_payload, call) => {
      throw errorNamed(errors[call - 1] ?? 'none');
    });
    await expect(run({})).rejects.toMatchObject({ errorName: 'E' });
    expect(calls).toHaveLength(4);
  });

  test.each([
    { error: 'E', equals: 'E', retried: true },
    { error: 'E', equals: 'F', retried: false },
    { error: 'E', equals: 'States.TaskFailed', retried: true },
    { error: 'States.Timeout', equals: 'States.TaskFailed', retried: false },
    { error: 'States.Timeout', equals: 'States.Timeout', retried: true },
    { error: 'States.Timeout', equals: 'States.ALL', retried: true },
    { error: 'States.DataLimitExceeded', equals: 'States.ALL', retried: false },
  ])('for $equals retries $error: $retried', async ({ error, equals, retried }) => {
    const { run, calls } = scripted(
      { A: task({ Retry: [{ ErrorEquals: [equals], MaxAttempts: 1 }], End: true }) },
      () => {
        throw errorNamed(error);
      },
    );
    await expect(run({})).rejects.toMatchObject({ errorName: error });
    expect(calls).toHaveLength(retried ? 2 : 1);
  });

  test('follows a timeout of the function', async () => {
    const Retry = [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1 }];
    const { run, waits } = scripted(
      { A: task({ TimeoutSeconds: 60, Retry, ResultPath: null, End: true }) },
      (_payload, call) => (call === 1 ? null : {}),
    );
    expect(await run({})).toEqual({});
    expect(waits).toEqual([60_000, 1000]);
  });
});

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
  End: true,
};
const WRITER = {
  Resource: 'arn:aws:states:::s3:putObject',
  Parameters: { Bucket: 'b', 'Prefix.$': '$.prefix' },
};
const INPUT = { key: 'items', name: 'n', prefix: 'map/' };
const ITEMS = '{"i":0}\n{"i":1}\n{"i":2}\n';
const itemOf = (payload: unknown) => (payload as { in: { item: { i: number } } }).in.item.i;

describe('a map', () => {
  test.each([1, 2, 8])(
    'runs a child for each line, %i at a time, and returns outputs in the order of the lines',
    async (concurrency) => {
      const running = { now: 0, max: 0 };
      const { run, files, calls } = scripted(
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
      expect(await run(INPUT)).toEqual([{ y: 0 }, { y: 10 }, { y: 20 }]);
      expect(calls[1]).toEqual({ in: { name: 'n', item: { i: 1 }, index: 1 } });
      expect(running.max).toBe(Math.min(concurrency, 3));
    },
  );

  test('runs at most as many children at a time as its definition allows', async () => {
    let now = 0;
    const { run, files } = scripted(
      { A: { ...MAP, MaxConcurrency: 1 } },
      async () => {
        now++;
        await new Promise(setImmediate);
        return { y: now-- };
      },
      { concurrency: 8 },
    );
    files.set('b/items', ITEMS);
    expect(await run(INPUT)).toEqual([{ y: 1 }, { y: 1 }, { y: 1 }]);
  });

  test('writes the outcomes of its children, and returns its input', async () => {
    const { run, files } = scripted({ A: { ...MAP, ResultWriter: WRITER, ResultPath: null } }, () => ({
      y: 1,
    }));
    files.set('b/items', ITEMS);
    expect(await run(INPUT)).toEqual(INPUT);
    const manifest = JSON.parse(files.get('b/map/run/manifest.json') ?? '');
    const [{ Key, Size }] = manifest.ResultFiles.SUCCEEDED;
    const text = files.get(`b/${Key}`) ?? '';
    expect([Buffer.byteLength(text), JSON.parse(text).length]).toEqual([Size, 3]);
  });

  test('without items returns an empty list', async () => {
    const { run, files } = scripted({ A: MAP });
    files.set('b/items', '');
    expect(await run(INPUT)).toEqual([]);
  });

  test.each([
    { what: 'does not exist', text: undefined },
    { what: 'is not JSON', text: '{"i":0}\n{"i":\n' },
  ])('fails with ItemReaderFailed if its list $what, and is retried', async ({ text }) => {
    const Retry = [{ ErrorEquals: ['States.ItemReaderFailed'], MaxAttempts: 2 }];
    const { run, files, waits } = scripted({ A: { ...MAP, Retry } });
    if (text !== undefined) files.set('b/items', text);
    await expect(run(INPUT)).rejects.toMatchObject({ errorName: 'States.ItemReaderFailed' });
    expect(waits).toEqual([1000, 2000]);
  });

  test('stops at the first child that fails, names it, and after a redrive runs only the remaining children', async () => {
    const first = scripted({ A: { ...MAP, ResultWriter: WRITER } }, (payload) => {
      if (itemOf(payload) === 1) throw errorNamed('TypeError', 'bad');
      return { y: 0 };
    });
    first.files.set('b/items', ITEMS);
    await expect(first.run(INPUT)).rejects.toMatchObject({
      errorName: 'States.ExceedToleratedFailureThreshold',
      message: expect.stringContaining('item 1 failed with TypeError'),
    });
    expect([...first.files.keys()].filter((key) => key.includes('/run/')).sort()).toEqual(
      ['FAILED_0.json', 'PENDING_0.json', 'SUCCEEDED_0.json', 'manifest.json'].map(
        (name) => `b/map/run/${name}`,
      ),
    );
    first.progress.redrive();
    const second = scripted({ A: MAP }, () => ({ y: 7 }), { earlier: first.entries });
    second.files.set('b/items', ITEMS);
    expect(await second.run(INPUT)).toEqual([{ y: 0 }, { y: 7 }, { y: 7 }]);
    expect(second.calls.map(itemOf)).toEqual([1, 2]);
  });
});

test('a run continues from any entry of its journal, and calls no function again whose response was recorded', async () => {
  const states = {
    A: task({ ResultPath: null, Next: 'Map' }),
    Map: MAP,
  };
  const { End: _, ...map } = MAP;
  states.Map = { ...map, ResultPath: null, Next: 'D' } as never;
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

test('the metadata of a response counts for its size', async () => {
  const response = 'x'.repeat(262_144 - 600);
  const { run } = scripted({ A: task({ ResultPath: null, End: true }) }, () => response);
  await expect(run({})).rejects.toMatchObject({ errorName: 'States.DataLimitExceeded' });
});
