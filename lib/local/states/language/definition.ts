/**
 * The subset of the states language that the project uses. A definition with any other state, field or value is
 * rejected with its location when it is loaded, so that no unsupported part is ignored. (Amazon States Language
 * specification, https://states-language.net.)
 */

import {
  anyString,
  type Check,
  checkObject,
  DefinitionError,
  exactly,
  fields,
  listOf,
  matching,
  nonNegativeNumber,
  oneOf,
  referencePath,
  resultPath,
  stringList,
  template,
} from './definition-checks.ts';
import { isObject, type Json } from './reference-path.ts';

/** Which errors are retried, and with which delays. */
export interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds?: number;
  readonly MaxAttempts?: number;
  readonly BackoffRate?: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: 'FULL' | 'NONE';
}

interface Transition {
  readonly Next?: string;
  readonly End?: true;
}

export interface PassState extends Transition {
  readonly Type: 'Pass';
  readonly Parameters?: Json;
  readonly ResultPath?: string | null;
}

export interface TaskState extends Transition {
  readonly Type: 'Task';
  readonly Resource: string;
  readonly Parameters: Json;
  readonly ResultSelector?: Json;
  readonly ResultPath?: string | null;
  readonly TimeoutSeconds?: number;
  readonly Retry?: readonly Retrier[];
}

export interface ChoiceRule {
  readonly Variable: string;
  readonly StringEquals?: string;
  readonly BooleanEquals?: boolean;
  readonly Next: string;
}

export interface ChoiceState {
  readonly Type: 'Choice';
  readonly Choices: readonly ChoiceRule[];
  readonly Default?: string;
}

export interface WaitState extends Transition {
  readonly Type: 'Wait';
  readonly Seconds?: number;
  readonly SecondsPath?: string;
  readonly Timestamp?: string;
  readonly TimestampPath?: string;
}

/** An S3 object or prefix that a map reads or writes. */
export interface MapFile {
  readonly Resource: string;
  readonly Parameters: Json;
}

export interface MapState extends Transition {
  readonly Type: 'Map';
  readonly ItemReader: MapFile & { readonly ReaderConfig: { readonly InputType: 'JSONL' } };
  readonly ItemSelector?: Json;
  readonly ItemProcessor: StateMachine;
  readonly ResultWriter?: MapFile;
  readonly ResultPath?: string | null;
  readonly MaxConcurrency?: number;
  readonly Label?: string;
  readonly Retry?: readonly Retrier[];
}

export interface SucceedState {
  readonly Type: 'Succeed';
}

export interface FailState {
  readonly Type: 'Fail';
  readonly Error?: string;
  readonly Cause?: string;
}

export type State = PassState | TaskState | ChoiceState | WaitState | MapState | SucceedState | FailState;

export interface StateMachine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
  readonly TimeoutSeconds?: number;
}

const ARN = 'arn:[a-z-]+:states:::';
const retriers = listOf(
  fields(
    { ErrorEquals: stringList },
    {
      IntervalSeconds: nonNegativeNumber,
      MaxAttempts: nonNegativeNumber,
      BackoffRate: nonNegativeNumber,
      MaxDelaySeconds: nonNegativeNumber,
      JitterStrategy: oneOf('FULL', 'NONE'),
    },
  ),
);
const transition = { Next: anyString, End: exactly(true), Comment: anyString, Type: anyString };
const choice = fields(
  { Variable: referencePath, Next: anyString },
  { StringEquals: anyString, BooleanEquals: oneOf(true, false) },
);

/** Required and optional fields of each state type. */
const STATE_FIELDS: Readonly<Record<string, Check>> = {
  Pass: fields({}, { ...transition, Parameters: template, ResultPath: resultPath }),
  Task: fields(
    {
      Resource: matching(`${ARN}lambda:invoke`),
      Parameters: fields({ FunctionName: anyString, Payload: template }, {}),
    },
    {
      ...transition,
      ResultSelector: template,
      ResultPath: resultPath,
      TimeoutSeconds: nonNegativeNumber,
      Retry: retriers,
    },
  ),
  Choice: fields({ Choices: listOf(choice) }, { Type: anyString, Comment: anyString, Default: anyString }),
  Wait: fields(
    {},
    {
      ...transition,
      Seconds: nonNegativeNumber,
      SecondsPath: referencePath,
      Timestamp: anyString,
      TimestampPath: referencePath,
    },
  ),
  Map: fields(
    {
      ItemReader: fields(
        {
          Resource: matching(`${ARN}s3:getObject`),
          ReaderConfig: fields({ InputType: exactly('JSONL') }, {}),
          Parameters: fields({ Bucket: anyString, 'Key.$': referencePath }, {}),
        },
        {},
      ),
      ItemProcessor: checkMachine,
    },
    {
      ...transition,
      ItemSelector: template,
      ResultWriter: fields(
        {
          Resource: matching(`${ARN}s3:putObject`),
          Parameters: fields({ Bucket: anyString, 'Prefix.$': referencePath }, {}),
        },
        {},
      ),
      ResultPath: resultPath,
      MaxConcurrency: nonNegativeNumber,
      Label: anyString,
      Retry: retriers,
    },
  ),
  Succeed: fields({}, { Type: anyString, Comment: anyString }),
  Fail: fields({}, { Type: anyString, Comment: anyString, Error: anyString, Cause: anyString }),
};

/** States that need exactly one of `Next` and `End`. */
const WITH_TRANSITION = ['Pass', 'Task', 'Map', 'Wait'];

/**
 * Parses a definition and checks that every part of it is supported.
 *
 * @throws DefinitionError with the location of the first part that is not
 */
export function loadDefinition(text: string): StateMachine {
  const definition: unknown = JSON.parse(text);
  checkMachine(definition, '$');
  return definition as StateMachine;
}

function checkMachine(value: unknown, location: string): void {
  const machine = checkObject(value, location);
  const child = location !== '$';
  fields(
    {
      StartAt: anyString,
      States: checkObject,
      ...(child && {
        ProcessorConfig: fields({ Mode: exactly('DISTRIBUTED'), ExecutionType: exactly('STANDARD') }, {}),
      }),
    },
    child
      ? {}
      : { Comment: anyString, TimeoutSeconds: nonNegativeNumber, QueryLanguage: exactly('JSONPath') },
  )(value, location);
  const states = machine.States as Record<string, unknown>;
  checkTarget(machine.StartAt, states, `${location}.StartAt`);
  for (const [name, state] of Object.entries(states)) checkState(state, states, `${location}.States.${name}`);
}

function checkState(value: unknown, states: Record<string, unknown>, location: string): void {
  const state = checkObject(value, location);
  const type = state.Type;
  if (typeof type !== 'string' || !Object.hasOwn(STATE_FIELDS, type)) {
    throw new DefinitionError(`${location}.Type`, type, `one of ${Object.keys(STATE_FIELDS).join(', ')}`);
  }
  STATE_FIELDS[type]!(state, location);
  if (WITH_TRANSITION.includes(type)) checkExactlyOne(state, ['Next', 'End'], location);
  if (type === 'Wait')
    checkExactlyOne(state, ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'], location);
  for (const field of ['Next', 'Default']) {
    if (field in state) checkTarget(state[field], states, `${location}.${field}`);
  }
  const choices = (Array.isArray(state.Choices) ? state.Choices : []) as Record<string, unknown>[];
  for (const [index, rule] of choices.entries()) {
    const ruleLocation = `${location}.Choices[${index}]`;
    checkExactlyOne(rule, ['StringEquals', 'BooleanEquals'], ruleLocation);
    checkTarget(rule.Next, states, `${ruleLocation}.Next`);
  }
}

function checkExactlyOne(object: Record<string, unknown>, names: readonly string[], location: string): void {
  if (names.filter((name) => name in object).length === 1) return;
  throw new DefinitionError(location, Object.keys(object), `exactly one of the fields ${names.join(', ')}`);
}

function checkTarget(name: unknown, states: Record<string, unknown>, location: string): void {
  if (typeof name === 'string' && isObject(states) && Object.hasOwn(states, name)) return;
  throw new DefinitionError(location, name, `the name of a state: ${Object.keys(states).join(', ')}`);
}
