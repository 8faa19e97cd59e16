/** The deployed definition, field by field: validators accept invalid fields of maps. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { STATUS_PREFIX, WORK_PREFIX } from '../../../lib/batch/names.ts';
import { allows, statementsOf } from '../role-permissions.ts';
import { outputLogicalId, resourceOf, templateWith } from '../synthesised.ts';

// CommonJS without types for ES modules.
const validate = createRequire(import.meta.url)('asl-validator') as (
  definition: object,
) => Promise<{ isValid: boolean }>;

const template = templateWith({
  'dlx:timeoutSeconds': 600,
  'dlx:shardMemoryMb': 3538,
  'dlx:shardConcurrency': 250,
  'dlx:logRetentionDays': 90,
});
const machine = resourceOf(template, 'SolveLargeArn').Properties;
const functions = Object.fromEntries(
  Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => [
    Properties.Handler.replace('.handler', ''),
    { id, ...Properties },
  ]),
);

/** The definition; references are replaced by logical ids: `<id>`. */
const definition = JSON.parse(
  machine.DefinitionString['Fn::Join'][1]
    .map((part: string | { Ref?: string; 'Fn::GetAtt'?: string[] }) =>
      typeof part === 'string' ? part : `<${part.Ref ?? part['Fn::GetAtt']?.[0]}>`,
    )
    .join(''),
);
const { States: states } = definition;
const bucket = `<${outputLogicalId(template, 'ResultsBucketName')}>`;
const own = (path: string) => ({ 'job.$': '$.job', 'attempt.$': '$.attempt', 'cursor.$': path });

describe('the state machine for large files', () => {
  it('is valid for an independent validator', async () => {
    // A copy, as the validator writes defaults into its argument; it accepts complete ARNs only.
    const whole = JSON.parse(JSON.stringify(definition).replaceAll('<AWS::Partition>', 'aws'));
    expect(await validate(whole)).toMatchObject({ isValid: true, errors: [] });
  });

  it('has these states and no others', () => {
    expect(definition.StartAt).toBe('Begin');
    expect(Object.keys(states).sort()).toEqual([
      'Begin',
      'CountShards',
      'End',
      'Merge',
      'Merged',
      'Plan',
      'Planned',
      'SolveShards',
    ]);
  });

  it('times out early enough that all pieces still exist for the last redrive', () => {
    expect(definition.TimeoutSeconds / 86_400).toBe(3);
    const { Rules } = resourceOf(template, 'ResultsBucketName').Properties.LifecycleConfiguration;
    const work = Rules.find(({ Prefix }: { Prefix?: string }) => Prefix === WORK_PREFIX);
    expect(work.ExpirationInDays).toBeGreaterThanOrEqual(14 + 2 * (definition.TimeoutSeconds / 86_400));
  });

  it('begins with the upload, its own name, and cursors that are null', () => {
    expect(states.Begin).toEqual({
      Type: 'Pass',
      Parameters: {
        'job.$': '$',
        'attempt.$': '$$.Execution.Name',
        step: { next: 'plan', cursor: null },
        merge: { done: false, cursor: null },
      },
      Next: 'Plan',
    });
  });

  it('continues with the step that the plan returns', () => {
    expect(states.Planned).toEqual({
      Type: 'Choice',
      Choices: [
        { Variable: '$.step.next', StringEquals: 'plan', Next: 'Plan' },
        { Variable: '$.step.next', StringEquals: 'count', Next: 'CountShards' },
        { Variable: '$.step.next', StringEquals: 'solve', Next: 'SolveShards' },
        { Variable: '$.step.next', StringEquals: 'end', Next: 'End' },
      ],
    });
    expect([states.Plan.Next, states.CountShards.Next, states.SolveShards.Next]).toEqual([
      'Planned',
      'Plan',
      'Merge',
    ]);
  });

  it('merges until the merge is done', () => {
    expect(states.Merge.Next).toBe('Merged');
    expect(states.Merged).toEqual({
      Type: 'Choice',
      Choices: [{ Variable: '$.merge.done', BooleanEquals: true, Next: 'End' }],
      Default: 'Merge',
    });
  });

  const solving = states.SolveShards.ItemProcessor.States;
  it('repeats an unfinished shard, with its cursor', () => {
    expect(solving.SolveShard.Next).toBe('Solved');
    expect(solving.Solved).toEqual({
      Type: 'Choice',
      Choices: [{ Variable: '$.step.done', BooleanEquals: true, Next: 'ShardEnd' }],
      Default: 'SolveShard',
    });
    expect(solving.ShardEnd).toEqual({ Type: 'Succeed' });
  });

  const shard = { 'job.$': '$.job', 'attempt.$': '$.attempt', 'shard.$': '$.shard' };
  it.each([
    {
      name: 'plan-shards',
      state: states.Plan,
      payload: own('$.step.cursor'),
      picks: ['next', 'cursor', 'items', 'work'],
      to: '$.step',
    },
    {
      name: 'merge-shards',
      state: states.Merge,
      payload: own('$.merge.cursor'),
      picks: ['done', 'cursor'],
      to: '$.merge',
    },
    {
      name: 'count-shard',
      state: states.CountShards.ItemProcessor.States.CountShard,
      payload: shard,
      to: null,
    },
    {
      name: 'solve-shard',
      state: solving.SolveShard,
      payload: { ...shard, 'cursor.$': '$.step.cursor' },
      picks: ['done', 'cursor'],
      to: '$.step',
    },
  ])('calls $name with its input, and keeps its output', ({ name, state, payload, picks, to }) => {
    expect(state).toMatchObject({
      Type: 'Task',
      Resource: 'arn:<AWS::Partition>:states:::lambda:invoke',
      Parameters: {
        FunctionName: expect.stringMatching(
          `^<${functions[name].id}>:<${functions[name].id.slice(0, -8)}CurrentVersion`,
        ),
        Payload: payload,
      },
      ResultPath: to,
    });
    expect(Object.keys(state.Parameters)).toEqual(['FunctionName', 'Payload']);
    expect(state.Parameters.Payload).toEqual(payload);
    expect(state.ResultSelector).toEqual(
      picks && Object.fromEntries(picks.map((field) => [`${field}.$`, `$.Payload.${field}`])),
    );
    expect(state.TimeoutSeconds).toBeGreaterThan(functions[name].Timeout);
    expect(state.Catch).toBeUndefined();
  });

  it.each([
    { what: 'throttling, which may last long', error: 'Lambda.TooManyRequestsException', min: 20 },
    { what: 'an error of Lambda itself', error: 'Lambda.ServiceException', min: 5 },
    { what: 'a lost response', error: 'Lambda.SdkClientException', min: 5 },
    { what: 'a timeout', error: 'States.Timeout', min: 2 },
    { what: 'any other error of a function', error: 'States.TaskFailed', min: 2 },
  ])('retries, with jitter, after $what', ({ error, min }) => {
    for (const state of [
      states.Plan,
      states.Merge,
      solving.SolveShard,
      states.CountShards.ItemProcessor.States.CountShard,
    ]) {
      const retry = state.Retry.find(({ ErrorEquals }: { ErrorEquals: string[] }) =>
        ErrorEquals.includes(error),
      );
      expect(retry).toMatchObject({
        MaxAttempts: expect.toSatisfy((attempts) => attempts >= min),
        JitterStrategy: 'FULL',
        MaxDelaySeconds: expect.any(Number),
      });
    }
  });

  it('waits over half a day for a free function, in fewer tries than the history can record', () => {
    for (const { Retry } of [states.Plan, states.Merge, solving.SolveShard]) {
      const [retry] = Retry;
      expect(retry.ErrorEquals).toEqual(['Lambda.TooManyRequestsException']);
      // Full jitter waits half of the longest delay on average.
      expect((retry.MaxAttempts * retry.MaxDelaySeconds) / 2).toBeGreaterThan(12 * 3600);
      // A try records up to five events; an execution may have 25,000.
      expect(retry.MaxAttempts * 5).toBeLessThan(25_000 / 2);
    }
  });

  it('matches the most general error last', () => {
    for (const { Retry } of [states.Plan, states.Merge, solving.SolveShard]) {
      expect(Retry.at(-1).ErrorEquals).toContain('States.TaskFailed');
      expect(JSON.stringify(Retry.slice(0, -1))).not.toContain('States.');
    }
  });
});

describe.each([
  { name: 'CountShards', extra: {} },
  { name: 'SolveShards', extra: { step: { cursor: null } } },
])('the map $name', ({ name, extra }) => {
  const map = states[name];

  it('reads one line for each child, from the list that the plan named', () => {
    expect(map.ItemReader).toEqual({
      Resource: 'arn:<AWS::Partition>:states:::s3:getObject',
      ReaderConfig: { InputType: 'JSONL' },
      Parameters: { Bucket: bucket, 'Key.$': '$.step.items' },
    });
  });

  it('passes to a child its job, its shard, and its start', () => {
    expect(map.ItemSelector).toEqual({
      'job.$': '$.job',
      'attempt.$': '$.attempt',
      'shard.$': '$$.Map.Item.Value',
      ...extra,
    });
  });

  it('has STANDARD children, which may take longer than five minutes and can be redriven', () => {
    expect(map.ItemProcessor.ProcessorConfig).toEqual({ Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' });
  });

  it('writes their results under work/, and leaves the data of the execution unchanged', () => {
    expect(map.ResultWriter).toEqual({
      Resource: 'arn:<AWS::Partition>:states:::s3:putObject',
      Parameters: { Bucket: bucket, 'Prefix.$': '$.step.work' },
    });
    expect(map.ResultPath).toBeNull();
  });

  it('runs at most as many children concurrently as the context sets', () => {
    expect(map.MaxConcurrency).toBe(250);
  });

  it('is retried if its list cannot be read or its results cannot be written, and not if a shard fails', () => {
    expect(map.Retry).toEqual([
      {
        ErrorEquals: ['States.ItemReaderFailed', 'States.ResultWriterFailed'],
        IntervalSeconds: 2,
        MaxAttempts: 5,
        BackoffRate: 2,
        MaxDelaySeconds: 60,
        JitterStrategy: 'FULL',
      },
    ]);
  });

  it.each([
    'ItemBatcher',
    'ItemsPath',
    'Catch',
    'ResultSelector',
    'ToleratedFailureCount',
    'ToleratedFailurePercentage',
  ])('has no %s', (field) => {
    expect(map).not.toHaveProperty(field);
  });
});

describe('the state machine in the stack', () => {
  it('logs every step, without the keys of uploads', () => {
    expect(machine.LoggingConfiguration).toMatchObject({ Level: 'ALL', IncludeExecutionData: false });
    const [log] = machine.LoggingConfiguration.Destinations;
    const id = log.CloudWatchLogsLogGroup.LogGroupArn['Fn::GetAtt'][0];
    expect(template.toJSON().Resources[id].Properties.RetentionInDays).toBe(90);
  });

  it('sends an event to the queue of uploads if an execution fails, times out or is stopped', () => {
    const [rule] = Object.values(template.findResources('AWS::Events::Rule')).filter(({ Properties }) =>
      JSON.stringify(Properties.EventPattern).includes(outputLogicalId(template, 'SolveLargeArn')),
    );
    expect(rule?.Properties.EventPattern).toEqual({
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: {
        stateMachineArn: [{ Ref: outputLogicalId(template, 'SolveLargeArn') }],
        status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
      },
    });
    expect(rule?.Properties.Targets).toMatchObject([
      {
        Arn: { 'Fn::GetAtt': [outputLogicalId(template, 'QueueUrl'), 'Arn'] },
        DeadLetterConfig: expect.anything(),
      },
    ]);
  });

  it.each(['plan-shards', 'count-shard', 'solve-shard', 'merge-shards'])(
    'runs %s with the runtime of the other functions and the configured timeout',
    (name) => {
      expect(functions[name]).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: 600,
        MemorySize: name === 'solve-shard' ? 3538 : 1769,
      });
    },
  );
});

const input = `<${outputLogicalId(template, 'InputBucketName')}>`;
const work = `${bucket}/${WORK_PREFIX}a/b`;
const status = `${bucket}/${STATUS_PREFIX}a.json`;
const result = `${bucket}/results/a/manifest.json`;

describe.each([
  { name: 'plan-shards', ends: true, merges: false },
  { name: 'count-shard', ends: false, merges: false },
  { name: 'solve-shard', ends: false, merges: false },
  { name: 'merge-shards', ends: true, merges: true },
])('the role of $name', ({ name, ends, merges }) => {
  const statements = statementsOf(template, functions[name].Role['Fn::GetAtt'][0]);

  it.each([
    {
      what: 'read versions of uploads',
      action: 's3:GetObjectVersion',
      resource: `${input}/inbox/a`,
      may: !merges,
    },
    {
      what: 'distinguish a missing upload from a forbidden one',
      action: 's3:ListBucket',
      resource: input,
      may: !merges,
    },
    { what: 'order the versions of an upload', action: 's3:ListBucketVersions', resource: input, may: ends },
    { what: 'change an upload', action: 's3:PutObject', resource: `${input}/inbox/a`, may: false },
    { what: 'read pieces', action: 's3:GetObject', resource: work, may: true },
    { what: 'write pieces', action: 's3:PutObject', resource: work, may: !merges },
    { what: 'remove pieces', action: 's3:DeleteObject', resource: work, may: false },
    { what: 'write results', action: 's3:PutObject', resource: result, may: ends },
    { what: 'list parts of results', action: 's3:ListMultipartUploadParts', resource: result, may: merges },
    { what: 'list parts of pieces', action: 's3:ListMultipartUploadParts', resource: work, may: false },
    { what: 'write a status', action: 's3:PutObject', resource: status, may: ends },
    { what: 'remove permanently', action: 's3:DeleteObjectVersion', resource: work, may: false },
    { what: 'write records of runs', action: 's3:PutObject', resource: `${bucket}/runs/a`, may: false },
    {
      what: 'start an execution',
      action: 'states:StartExecution',
      resource: `<${outputLogicalId(template, 'SolveLargeArn')}>`,
      may: false,
    },
  ])('lets it $what: $may', ({ action, resource, may }) => {
    expect(allows(statements, action, resource)).toBe(may);
  });
});

describe('the role of the state machine', () => {
  const statements = statementsOf(template, machine.RoleArn['Fn::GetAtt'][0]);
  const id = `<${outputLogicalId(template, 'SolveLargeArn')}>`;
  const executions = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${id}`;

  it.each([
    {
      what: 'call its functions',
      action: 'lambda:InvokeFunction',
      resource: `<${functions['solve-shard'].id}>`,
      may: true,
    },
    {
      what: 'call others',
      action: 'lambda:InvokeFunction',
      resource: `<${functions['solve-batch'].id}>`,
      may: false,
    },
    { what: 'start children', action: 'states:StartExecution', resource: id, may: true },
    { what: 'describe children', action: 'states:DescribeExecution', resource: `${executions}:a`, may: true },
    { what: 'stop children', action: 'states:StopExecution', resource: `${executions}:a`, may: true },
    {
      what: 'redrive counting children',
      action: 'states:RedriveExecution',
      resource: `${executions}/CountShards:a`,
      may: true,
    },
    {
      what: 'redrive solving children',
      action: 'states:RedriveExecution',
      resource: `${executions}/SolveShards:a`,
      may: true,
    },
    { what: 'read lists of shards', action: 's3:GetObject', resource: work, may: true },
    { what: 'write results of children', action: 's3:PutObject', resource: work, may: true },
    { what: 'write them in parts', action: 's3:ListMultipartUploadParts', resource: work, may: true },
    { what: 'read results', action: 's3:GetObject', resource: result, may: false },
    { what: 'write results', action: 's3:PutObject', resource: result, may: false },
    { what: 'read uploads', action: 's3:GetObject', resource: `${input}/inbox/a`, may: false },
  ])('lets it $what: $may', ({ action, resource, may }) => {
    expect(allows(statements, action, resource)).toBe(may);
  });
});
