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

const REJECTED: readonly (readonly [definition: object, place: string])[] = [
  [machineOf(TASK, { Version: '1.0' }), '$.Version'],
  [machineOf(TASK, { QueryLanguage: 'JSONata' }), '$.QueryLanguage'],
  [machineOf({ Type: 'Parallel', Branches: [], End: true }), '$.States.A.Type'],
  [machineOf({ End: true }), '$.States.A.Type'],
  [machineOf({ ...TASK, Catch: [] }), '$.States.A.Catch'],
  [machineOf({ ...TASK, InputPath: '$.a' }), '$.States.A.InputPath'],
  [machineOf({ Type: 'Succeed', OutputPath: null }), '$.States.A.OutputPath'],
  [machineOf({ Type: 'Pass', Assign: {}, End: true }), '$.States.A.Assign'],
  [machineOf({ ...TASK, HeartbeatSeconds: 1 }), '$.States.A.HeartbeatSeconds'],
  [machineOf({ ...TASK, Resource: 'arn:aws:states:::sqs:sendMessage' }), '$.States.A.Resource'],
  [
    machineOf({ ...TASK, Parameters: { FunctionName: 'a', Payload: {}, Qualifier: '1' } }),
    '$.States.A.Parameters.Qualifier',
  ],
  [
    machineOf({ ...TASK, Parameters: { FunctionName: 'a', Payload: { 'x.$': '$.a[0]' } } }),
    '$.States.A.Parameters.Payload.x.$',
  ],
  [machineOf({ ...TASK, ResultSelector: { 'x.$': "States.Format('a')" } }), '$.States.A.ResultSelector.x.$'],
  [machineOf({ ...TASK, ResultPath: '$$.a' }), '$.States.A.ResultPath'],
  [machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], Jitter: 1 }] }), '$.States.A.Retry[0].Jitter'],
  [
    machineOf({ ...TASK, Retry: [{ ErrorEquals: ['a'], JitterStrategy: 'HALF' }] }),
    '$.States.A.Retry[0].JitterStrategy',
  ],
  [
    machineOf({ Type: 'Choice', Choices: [{ Variable: '$.a', NumericEquals: 1, Next: 'A' }] }),
    '$.States.A.Choices[0].NumericEquals',
  ],
  [machineOf({ Type: 'Choice', Choices: [{ And: [], Next: 'A' }] }), '$.States.A.Choices[0].And'],
  [machineOf({ ...MAP, ItemBatcher: { MaxItemsPerBatch: 2 } }), '$.States.A.ItemBatcher'],
  [machineOf({ ...MAP, ItemsPath: '$.a' }), '$.States.A.ItemsPath'],
  [machineOf({ ...MAP, ToleratedFailurePercentage: 5 }), '$.States.A.ToleratedFailurePercentage'],
  [
    machineOf({ ...MAP, ItemReader: { ...MAP.ItemReader, ReaderConfig: { InputType: 'CSV' } } }),
    '$.States.A.ItemReader.ReaderConfig.InputType',
  ],
  [
    machineOf({
      ...MAP,
      ItemReader: { ...MAP.ItemReader, ReaderConfig: { InputType: 'JSONL', MaxItems: 1 } },
    }),
    '$.States.A.ItemReader.ReaderConfig.MaxItems',
  ],
  [
    machineOf({ ...MAP, ItemProcessor: { ...CHILD, States: { B: MAP } } }),
    '$.States.A.ItemProcessor.States.B.Type',
  ],
  [machineOf({ ...MAP, ItemReader: undefined }), '$.States.A.ItemReader'],
  [
    machineOf({
      ...MAP,
      ItemProcessor: { ...CHILD, ProcessorConfig: { Mode: 'INLINE', ExecutionType: 'STANDARD' } },
    }),
    '$.States.A.ItemProcessor.ProcessorConfig.Mode',
  ],
  [
    machineOf({
      ...MAP,
      ItemProcessor: { ...CHILD, ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' } },
    }),
    '$.States.A.ItemProcessor.ProcessorConfig.ExecutionType',
  ],
  [
    machineOf({ ...MAP, ItemProcessor: { ...CHILD, States: { B: { ...TASK, Catch: [] } } } }),
    '$.States.A.ItemProcessor.States.B.Catch',
  ],
  [
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

describe('a definition with a part that is not implemented is refused, with its location:', () => {
  test.each(REJECTED)('%j: %s', (definition, place) => {
    expect(() => load(definition)).toThrow(`: ${place} is `);
  });
});
