/** Definitions of state machines. */
import { loadDefinition } from '../../../lib/local/states/definition.ts';
import type { StateDependencies } from '../../../lib/local/states/interpreter.ts';
import { runStates } from '../../../lib/local/states/interpreter.ts';
import { StateError } from '../../../lib/local/states/paths.ts';
import { applyProgress, type Progress, type ProgressEntry } from '../../../lib/local/states/progress.ts';
import { documented, type Target } from '../target.ts';

const TASK = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: {
    FunctionName: 'arn:aws:lambda:eu-west-1:000000000000:function:f:1',
    Payload: { 'in.$': '$.a' },
  },
  ResultSelector: { 'x.$': '$.Payload' },
  ResultPath: '$.b.c',
  Retry: [
    { ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 1.5, MaxDelaySeconds: 2 },
  ],
  TimeoutSeconds: 9,
  Next: 'C',
};
const MAP = {
  Type: 'Map',
  ItemReader: {
    Resource: 'arn:aws:states:::s3:getObject',
    ReaderConfig: { InputType: 'JSONL' },
    Parameters: { Bucket: 'b', 'Key.$': '$.key' },
  },
  ItemSelector: { 'item.$': '$$.Map.Item.Value' },
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'X',
    States: { X: { Type: 'Pass', End: true } },
  },
  ResultWriter: {
    Resource: 'arn:aws:states:::s3:putObject',
    Parameters: { Bucket: 'b', 'Prefix.$': '$.key' },
  },
  MaxConcurrency: 2,
  ResultPath: null,
  End: true,
};
const INPUT = { a: 1, key: 'k', s: 'x', t: '2026-03-01T12:00:00Z', yes: true };

/** Definitions of state machines; those that load are run. */
export const definitions: Target = {
  name: 'definitions',
  seeds: () =>
    [
      { StartAt: 'A', States: { A: TASK, C: { Type: 'Succeed' } } },
      {
        StartAt: 'A',
        States: {
          A: { Type: 'Pass', Parameters: { 'n.$': '$$.Execution.Name', l: [{ 'a.$': '$' }] }, Next: 'C' },
          C: {
            Type: 'Choice',
            Choices: [
              { Variable: '$.n', StringEquals: 'y', Next: 'A' },
              { Variable: '$.yes', BooleanEquals: true, Next: 'F' },
            ],
            Default: 'W',
          },
          W: { Type: 'Wait', SecondsPath: '$.a', Next: 'F' },
          F: { Type: 'Fail', Error: 'e', Cause: 'c' },
        },
      },
      { StartAt: 'M', States: { M: MAP }, TimeoutSeconds: 5 },
      { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 5, End: true } } },
    ].map((definition) => JSON.stringify(definition)),
  tokens: [
    '"End":true',
    '"Next":"A"',
    '"$.a"',
    '"$"',
    '"$$"',
    '"$$.Execution"',
    '"$.__proto__"',
    '"ResultPath":',
    '"x.$":',
    '"__proto__":{}',
    '"Type":"Pass"',
    '"Type":"Map"',
    '"Seconds":',
    '"StartAt":"',
    '"States":{',
    'null',
    '[]',
  ],
  maxBytes: 2500,
  maxWork: { base: 100_000, perByte: 1_000 },
  async run(input) {
    const text = input.toString();
    const { value: machine } = await documented(
      () => loadDefinition(text),
      (error) =>
        error instanceof SyntaxError ||
        /^The local stack cannot run the state machine: /.test((error as Error).message),
    );
    if (machine === undefined) return;
    const ending = new AbortController();
    let steps = 0;
    const step = () => {
      if (++steps >= MAX_STEPS) ending.abort(STOPPED);
    };
    const progress: Progress = {};
    const record = (entry: ProgressEntry) => {
      applyProgress(progress, entry);
      step();
    };
    const invoke: StateDependencies['invoke'] = async (_arn, payload) => {
      step();
      return { requestId: 'r', ok: true, payload };
    };
    await documented(
      () =>
        runStates({
          machine,
          input: INPUT,
          context: CONTEXT,
          progress,
          record,
          signal: ending.signal,
          dependencies: { ...RUN, invoke },
          isAllowed: () => true,
        }),
      (error) => error instanceof StateError || error === STOPPED,
    );
  },
};

/** States and calls after which a run is stopped. */
const MAX_STEPS = 30;
const STOPPED = new Error('stopped');
const CONTEXT = { Execution: { Name: 'x' }, StateMachine: { Id: 'arn:machine' } };
/** Timers fire at once, and each object has two lines. */
const RUN: Omit<StateDependencies, 'invoke'> = {
  readText: async () => '{"a":1}\n2\n',
  clock: {
    nowEpochMs: () => Date.UTC(2026, 2, 1),
    after(_delayMs, run) {
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  },
  random: () => 0.5,
  newId: () => 'run',
  concurrency: 2,
};
