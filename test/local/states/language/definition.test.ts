import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../../../lib/local/states/language/definition.ts';
import { ITEM_READER } from './scripted-run.ts';

const TASK = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: 'arn', Payload: { 'a.$': '$.a' } },
  End: true,
};
const CHILD = {
  ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
  StartAt: 'B',
  States: { B: TASK },
};
const MAP = {
  Type: 'Map',
  ItemReader: ITEM_READER,
  ItemProcessor: CHILD,
  End: true,
};

/** A machine with one state. */
const machineOf = (state: object, further: object = {}) => ({
  StartAt: 'A',
  States: { A: state },
  ...further,
});
const load = (definition: object) => loadDefinition(JSON.stringify(definition));

describe('a definition is accepted', () => {
  test.each([
    ['a task', TASK],
    [
      'a task with every field',
      {
        ...TASK,
        Comment: 'c',
        TimeoutSeconds: 1,
        ResultPath: null,
        ResultSelector: { 'x.$': '$.Payload' },
        Retry: [
          {
            ErrorEquals: ['States.ALL'],
            IntervalSeconds: 1,
            MaxAttempts: 0,
            BackoffRate: 1.5,
            MaxDelaySeconds: 2,
            JitterStrategy: 'FULL',
          },
        ],
      },
    ],
    [
      'a pass',
      { Type: 'Pass', Parameters: { 'n.$': '$$.Execution.Name', list: [{ 'a.$': '$' }] }, End: true },
    ],
    [
      'a choice',
      { Type: 'Choice', Choices: [{ Variable: '$.a', BooleanEquals: false, Next: 'A' }], Default: 'Last' },
    ],
    ['a wait', { Type: 'Wait', SecondsPath: '$.s', Next: 'Last' }],
    ['a map', MAP],
    [
      'a map with every field',
      {
        ...MAP,
        Label: 'A',
        MaxConcurrency: 2,
        ResultPath: '$.r',
        ItemSelector: { 'i.$': '$$.Map.Item.Value' },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Parameters: { Bucket: 'b', 'Prefix.$': '$.p' },
        },
        Retry: [{ ErrorEquals: ['States.ItemReaderFailed'] }],
      },
    ],
    ['a fail', { Type: 'Fail', Error: 'E', Cause: 'c' }],
  ])('with %s', (_name, state) => {
    const next = JSON.stringify(state).includes('"Last"') ? { Last: { Type: 'Succeed' } } : {};
    expect(load({ StartAt: 'A', States: { A: state, ...next } }).States.A).toEqual(state);
  });
});

const REJECTED: readonly (readonly [what: string, definition: object, place: string])[] = [
  ['an unsupported top-level field', machineOf(TASK, { Version: '1.0' }), '$.Version'],
  ['another query language', machineOf(TASK, { QueryLanguage: 'JSONata' }), '$.QueryLanguage'],
  ['a start state that does not exist', { StartAt: 'B', States: { A: TASK } }, '$.StartAt'],
  ['an unsupported state type', machineOf({ Type: 'Parallel', Branches: [], End: true }), '$.States.A.Type'],
  ['a state without type', machineOf({ End: true }), '$.States.A.Type'],
  ['Catch', machineOf({ ...TASK, Catch: [] }), '$.States.A.Catch'],
  ['InputPath', machineOf({ ...TASK, InputPath: '$.a' }), '$.States.A.InputPath'],
  ['OutputPath', machineOf({ Type: 'Succeed', OutputPath: null }), '$.States.A.OutputPath'],
  ['Assign', machineOf({ Type: 'Pass', Assign: {}, End: true }), '$.States.A.Assign'],
  ['HeartbeatSeconds', machineOf({ ...TASK, HeartbeatSeconds: 1 }), '$.States.A.HeartbeatSeconds'],
  [
    'an unsupported service',
    machineOf({ ...TASK, Resource: 'arn:aws:states:::sqs:sendMessage' }),
    '$.States.A.Resource',
  ],
  [
    'an unsupported parameter of a function',
    machineOf({ ...TASK, Parameters: { FunctionName: 'a', Payload: {}, Qualifier: '1' } }),
    '$.States.A.Parameters.Qualifier',
  ],
  [
    'a path with a filter',
    machineOf({ ...TASK, Parameters: { FunctionName: 'a', Payload: { 'x.$': '$.a[0]' } } }),
    '$.States.A.Parameters.Payload.x.$',
  ],
  [
    'an intrinsic function',
    machineOf({ ...TASK, ResultSelector: { 'x.$': "States.Format('a')" } }),
    '$.States.A.ResultSelector.x.$',
  ],
  ['a result path into the context', machineOf({ ...TASK, ResultPath: '$$.a' }), '$.States.A.ResultPath'],
  ['a next state that does not exist', machineOf({ ...TASK, End: undefined, Next: 'C' }), '$.States.A.Next'],
  ['a state with neither Next nor End', machineOf({ ...TASK, End: undefined }), '$.States.A'],
  [
    'an unknown retry field',
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], Jitter: 1 }] }),
    '$.States.A.Retry[0].Jitter',
  ],
  [
    'an unknown jitter strategy',
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], JitterStrategy: 'HALF' }] }),
    '$.States.A.Retry[0].JitterStrategy',
  ],
  [
    'more retries than the service allows',
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], MaxAttempts: 1e25 }] }),
    '$.States.A.Retry[0].MaxAttempts',
  ],
  [
    'half a retry',
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], MaxAttempts: 1.5 }] }),
    '$.States.A.Retry[0].MaxAttempts',
  ],
  [
    'no time between retries',
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], IntervalSeconds: 0 }] }),
    '$.States.A.Retry[0].IntervalSeconds',
  ],
  [
    'delays that become shorter',
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], BackoffRate: 0.5 }] }),
    '$.States.A.Retry[0].BackoffRate',
  ],
  ['no time', machineOf({ ...TASK, TimeoutSeconds: 0 }), '$.States.A.TimeoutSeconds'],
  ['half a second', machineOf({ Type: 'Wait', Seconds: 0.5, End: true }), '$.States.A.Seconds'],
  [
    'an unsupported comparison',
    machineOf({ Type: 'Choice', Choices: [{ Variable: '$.a', NumericEquals: 1, Next: 'A' }] }),
    '$.States.A.Choices[0].NumericEquals',
  ],
  [
    'a nested choice rule',
    machineOf({ Type: 'Choice', Choices: [{ And: [], Next: 'A' }] }),
    '$.States.A.Choices[0].And',
  ],
  [
    'a choice of a state that does not exist',
    machineOf({ Type: 'Choice', Choices: [{ Variable: '$.a', StringEquals: 'a', Next: 'C' }] }),
    '$.States.A.Choices[0].Next',
  ],
  [
    'a wait with two durations',
    machineOf({ Type: 'Wait', Seconds: 1, Timestamp: '2026-01-01T00:00:00Z', End: true }),
    '$.States.A',
  ],
  ['ItemBatcher', machineOf({ ...MAP, ItemBatcher: { MaxItemsPerBatch: 2 } }), '$.States.A.ItemBatcher'],
  ['ItemsPath', machineOf({ ...MAP, ItemsPath: '$.a' }), '$.States.A.ItemsPath'],
  [
    'a tolerated failure',
    machineOf({ ...MAP, ToleratedFailurePercentage: 5 }),
    '$.States.A.ToleratedFailurePercentage',
  ],
  [
    'an unsupported reader',
    machineOf({ ...MAP, ItemReader: { ...MAP.ItemReader, ReaderConfig: { InputType: 'CSV' } } }),
    '$.States.A.ItemReader.ReaderConfig.InputType',
  ],
  [
    'an item limit',
    machineOf({
      ...MAP,
      ItemReader: { ...MAP.ItemReader, ReaderConfig: { InputType: 'JSONL', MaxItems: 1 } },
    }),
    '$.States.A.ItemReader.ReaderConfig.MaxItems',
  ],
  [
    'a map in a map',
    machineOf({ ...MAP, ItemProcessor: { ...CHILD, States: { B: MAP } } }),
    '$.States.A.ItemProcessor.States.B.Type',
  ],
  ['a map without reader', machineOf({ ...MAP, ItemReader: undefined }), '$.States.A.ItemReader'],
  [
    'an inline map',
    machineOf({
      ...MAP,
      ItemProcessor: { ...CHILD, ProcessorConfig: { Mode: 'INLINE', ExecutionType: 'STANDARD' } },
    }),
    '$.States.A.ItemProcessor.ProcessorConfig.Mode',
  ],
  [
    'EXPRESS children',
    machineOf({
      ...MAP,
      ItemProcessor: { ...CHILD, ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' } },
    }),
    '$.States.A.ItemProcessor.ProcessorConfig.ExecutionType',
  ],
  [
    'an unsupported field in a child',
    machineOf({ ...MAP, ItemProcessor: { ...CHILD, States: { B: { ...TASK, Catch: [] } } } }),
    '$.States.A.ItemProcessor.States.B.Catch',
  ],
  [
    'an unsupported writer field',
    machineOf({
      ...MAP,
      ResultWriter: {
        Resource: 'arn:aws:states:::s3:putObject',
        Parameters: { Bucket: 'b', 'Prefix.$': '$.p' },
        WriterConfig: {},
      },
    }),
    '$.States.A.ResultWriter.WriterConfig',
  ],
];

describe('a definition is rejected, with the location,', () => {
  test.each(REJECTED)('for %s', (_what, definition, place) => {
    expect(() => load(definition)).toThrow(`: ${place} is `);
  });
});
