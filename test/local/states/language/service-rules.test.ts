/** What CreateStateMachine refuses, the local stack refuses: each row changes one part of a valid definition. */
import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../../../lib/local/states/language/definition.ts';
import type { Json } from '../../../../lib/local/states/language/reference-path.ts';
import { ITEM_READER } from './scripted-run.ts';

/** A valid machine: a choice, a wait, a task, a map with one state for each item, a failure. */
const DEFINITION: Json = {
  StartAt: 'Choose',
  TimeoutSeconds: 60,
  States: {
    Choose: {
      Type: 'Choice',
      Choices: [{ Variable: '$.large', BooleanEquals: true, Next: 'Map' }],
      Default: 'Pause',
    },
    Pause: { Type: 'Wait', Seconds: 5, Next: 'Solve' },
    Solve: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: {
        FunctionName: 'arn:aws:lambda:eu-west-1:123456789012:function:solve:7',
        Payload: { 'name.$': '$$.Execution.Name', nested: { 'key.$': '$.key' } },
      },
      ResultSelector: { 'answer.$': '$.Payload' },
      Retry: [
        { ErrorEquals: ['States.TaskFailed'], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 2 },
        { ErrorEquals: ['States.ALL'] },
      ],
      TimeoutSeconds: 60,
      End: true,
    },
    Map: {
      Type: 'Map',
      Label: 'Shards',
      ItemReader: ITEM_READER,
      ItemSelector: { 'shard.$': '$$.Map.Item.Value' },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Shard',
        States: { Shard: { Type: 'Pass', Parameters: { 'all.$': '$' }, End: true } },
      },
      MaxConcurrency: 2,
      Next: 'Stop',
    },
    Stop: { Type: 'Fail', Error: 'Stopped', Cause: 'as planned' },
  },
};

const SOLVE = '$.States.Solve';
const RETRIER = `${SOLVE}.Retry[0]`;
const PAYLOAD = `${SOLVE}.Parameters.Payload`;
const CHILD = '$.States.Map.ItemProcessor';

type Change = (definition: Json) => Json;

/** Sets the value at a place such as `$.States.A.Retry[0]`, or adds it. */
function set(place: string, value: Json): Change {
  return (definition) => {
    const names = place
      .split(/[.[\]]+/)
      .slice(1)
      .filter((name) => name !== '');
    // A path in a template ends in `.$`.
    if (names.at(-1) === '$') names.splice(-2, 2, `${names.at(-2)}.$`);
    const changed = structuredClone(definition);
    let object = changed as Record<string, Json>;
    for (const name of names.slice(0, -1)) object = object[name] as Record<string, Json>;
    object[names.at(-1)!] = value;
    return changed;
  };
}

const all =
  (...changes: readonly Change[]): Change =>
  (definition) =>
    changes.reduce((changed, change) => change(changed), definition);

/** Changes every string, also names of members, that is equal to one. */
const rename =
  (from: string, to: string): Change =>
  (definition) =>
    JSON.parse(JSON.stringify(definition).replaceAll(`"${from}"`, JSON.stringify(to)));

const load = (definition: Json) => loadDefinition(JSON.stringify(definition));

test('the definition that the rows change is accepted', () => {
  expect(Object.keys(load(DEFINITION).States)).toHaveLength(5);
});

/** A value and the place where it is refused. */
describe.each<[place: string, values: readonly Json[]]>([
  [`${RETRIER}.BackoffRate`, [0.99, 0, -1, 'fast']],
  [`${RETRIER}.IntervalSeconds`, [0, -1, 1.5, 100_000_000]],
  [`${RETRIER}.MaxAttempts`, [-1, 0.5, 100_000_000]],
  [`${RETRIER}.MaxDelaySeconds`, [0, 1.5, 31_622_400]],
  [`${RETRIER}.ErrorEquals`, [[], ['States.ALL'], ['Lambda.Unknown', 'States.ALL'], 'States.Timeout']],
  [`${SOLVE}.Retry[1].ErrorEquals`, [['States.ALL', 'Lambda.Unknown']]],
  [`${RETRIER}.ErrorEquals[0]`, ['States.Timedout', 'States.', 'States.all']],
  [`${SOLVE}.TimeoutSeconds`, [0, -1, 1.5, 100_000_000]],
  ['$.TimeoutSeconds', [0, -1, 1.5, 100_000_000]],
  ['$.States.Pause.Seconds', [-1, 0.5, 100_000_000]],
  ['$.States.Map.MaxConcurrency', [-1, 0.5]],
  ['$.States.Map.TimeoutSeconds', [5]],
  [
    '$.States.Map.Label',
    ['', 'l'.repeat(41), 'a b', 'a/b', 'a*', 'a\u0007', 'a\u0085', 'a:b', 'a&b', 'a\\b'],
  ],
  [
    `${SOLVE}.Resource`,
    ['arn:aws:states:::lambda:invoke ', 'arn:amazon:states:::lambda:invoke', 'lambda:invoke'],
  ],
  [
    `${SOLVE}.Parameters.FunctionName`,
    [
      '',
      'a b',
      'f'.repeat(65),
      'arn:aws:lambda',
      'arn:aws:s3:::bucket',
      'arn:aws:lambda:eu-west-1:1234:function:solve',
    ],
  ],
  [
    `${PAYLOAD}.name.$`,
    [
      '$$.Execution.Nam',
      '$$.Executions',
      '$$.State.Name',
      '$$.StateMachine.Arn',
      '$$.Task.Token',
      '$$.Execution.Id.x',
      '$$.Map.Item.Value',
    ],
  ],
  [`${CHILD}.States.Shard.Parameters.all.$`, ['$$.Map.Item.Index']],
  [`${PAYLOAD}.name`, ['next to name.$']],
  [`${PAYLOAD}.nested.key`, ['next to key.$']],
])('%s is refused', (place, values) => {
  test.each(values.map((value) => [value]))('with the value %j', (value) => {
    expect(() => load(set(place, value)(DEFINITION))).toThrow(`: ${place} is `);
  });
});

test.each(['tomorrow', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00'])(
  'a wait until %s is refused',
  (Timestamp) => {
    const waiting = set('$.States.Pause', { Type: 'Wait', Timestamp, Next: 'Solve' })(DEFINITION);
    expect(() => load(waiting)).toThrow(': $.States.Pause.Timestamp is ');
  },
);

const PASS = { Type: 'Pass', End: true };
const LOOP = { Ping: { Type: 'Pass', Next: 'Pong' }, Pong: { Type: 'Pass', Next: 'Ping' } };

test.each<[what: string, change: Change, place: string]>([
  ['a state name of 81 characters', rename('Pause', 'p'.repeat(81)), `$.States.${'p'.repeat(81)}`],
  ['an empty state name', rename('Pause', ''), '$.States.'],
  ['a state name that a child has too', rename('Shard', 'Solve'), `${CHILD}.States.Solve`],
  [
    'a label that another map has',
    (definition) => {
      const { Map: map } = (definition as { States: { Map: Json } }).States;
      const again = rename('Shard', 'Piece')(map);
      return all(set('$.States.Again', again), set('$.States.Map.Next', 'Again'))(definition);
    },
    '$.States.Again.Label',
  ],
  ['a state that no state leads to', set('$.States.Alone', { Type: 'Succeed' }), '$.States.Alone'],
  [
    'states that lead only to each other',
    all(set('$.States.Ping', LOOP.Ping), set('$.States.Pong', LOOP.Pong)),
    '$.States.Ping',
  ],
  ['a machine without an end', () => ({ StartAt: 'Ping', States: LOOP }), '$.States'],
  [
    'a child without an end',
    set(`${CHILD}.States.Shard`, { Type: 'Pass', Next: 'Shard' }),
    `${CHILD}.States`,
  ],
  ['a child that no state leads to', set(`${CHILD}.States.Alone`, PASS), `${CHILD}.States.Alone`],
  [
    'a child that leads out of the map',
    set(`${CHILD}.States.Shard`, { Type: 'Pass', Next: 'Stop' }),
    `${CHILD}.States.Shard.Next`,
  ],
  ['no states', set('$.States', {}), '$.StartAt'],
])('%s is refused', (_what, change, place) => {
  expect(() => load(change(DEFINITION))).toThrow(`: ${place} is `);
});

describe('the text of a definition is refused', () => {
  test.each(['Stop', '\\u0053top'])('if an object has the name "%s" again', (name) => {
    const text = JSON.stringify(DEFINITION).replace('"Pause":{', `"${name}":{"Type":"Succeed"},"Pause":{`);
    expect(() => loadDefinition(text)).toThrow('$.States has the member "Stop" twice');
  });

  test('if it has over 1,048,576 bytes', () => {
    expect(() => load(set('$.Comment', 'é'.repeat(524_288))(DEFINITION))).toThrow('1,048,576 bytes');
  });
});

describe('the limits themselves are accepted', () => {
  test.each<[what: string, change: Change]>([
    ['a state name of 80 characters', rename('Pause', 'p'.repeat(80))],
    ['a label of 40 characters', set('$.States.Map.Label', 'l'.repeat(40))],
    ['a wait of no time', set('$.States.Pause.Seconds', 0)],
    ['no retries', set(`${RETRIER}.MaxAttempts`, 0)],
    ['a constant delay', set(`${RETRIER}.BackoffRate`, 1)],
    ['an unlimited concurrency', set('$.States.Map.MaxConcurrency', 0)],
    [
      'a wait until a time',
      set('$.States.Pause', { Type: 'Wait', Timestamp: '2026-01-01T00:00:00Z', Next: 'Solve' }),
    ],
    ['text that looks like the name of a state', set('$.Comment', '{"Stop":{}, "Stop":{}}')],
    [
      'a member of a value with the name of a state',
      set(`${PAYLOAD}.Pause`, { Pause: ['Pause', { Pause: 1 }] }),
    ],
  ])('%s', (_what, change) => {
    expect(() => load(change(DEFINITION))).not.toThrow();
  });
});
