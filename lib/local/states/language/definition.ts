/**
 * The subset of the states language that the project uses. A definition with any other state, field or value is
 * rejected with its location when it is loaded, so that no unsupported part is ignored; so is whatever CreateStateMachine
 * rejects. (Amazon States Language specification, https://states-language.net; Step Functions Developer Guide.)
 */
import * as z from 'zod';
import { checkNames, checkStates } from './machine-rules.ts';
import { findRepeatedMember } from './member-names.ts';
import { isContextPath, isPath } from './reference-path.ts';
import { STATE_ERRORS } from './state-error.ts';

/** Bytes of UTF-8, inclusive. */
const MAX_DEFINITION_BYTES = 1_048_576;
/** Seconds of a timeout, a wait or a retry interval, inclusive; also the number of attempts. */
const MAX_AMOUNT = 99_999_999;
/** Seconds, exclusive: a year of 366 days. */
const MAX_DELAY_SECONDS = 31_622_400;

const text = z.string();
const count = z.int().nonnegative();
const isReferencePath = 'expected a reference path such as $.a.b or $$.Execution.Name';
const referencePath = text.refine(isPath, isReferencePath);
const seconds = z.int().positive().max(MAX_AMOUNT);

/** A path into the data, or null to discard the result. */
const resultPath = referencePath
  .refine((path) => !path.startsWith('$$'), 'expected a path into the data')
  .nullable();

/** JSON in which the value of each field whose name ends in `.$` is a path. */
const template = templateIn({});
const itemTemplate = templateIn({ hasItem: true });

function templateIn(scope: { readonly hasItem?: boolean }) {
  return z.json().superRefine((value, context) => {
    for (const [path, message] of templateFaults(value, scope)) {
      context.addIssue({ code: 'custom', message, path: [...path] });
    }
  });
}

function* templateFaults(
  value: unknown,
  scope: { readonly hasItem?: boolean },
  path: readonly PropertyKey[] = [],
): Generator<readonly [path: readonly PropertyKey[], message: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    if (!name.endsWith('.$')) {
      if (Object.hasOwn(value, `${name}.$`))
        yield [inner, `expected either this field or ${name}.$, not both`];
      yield* templateFaults(item, scope, inner);
    } else if (!isPath(item)) yield [inner, isReferencePath];
    else if (!isContextPath(item, scope))
      yield [inner, 'expected a path into the context object that exists here'];
  }
}

/** Rejects an object that has none of these fields, or several. */
function exactlyOne(names: readonly string[]) {
  return [
    (object: object) => names.filter((name) => name in object).length === 1,
    `expected exactly one of the fields ${names.join(', ')}`,
  ] as const;
}

const PARTITION = 'aws(-cn|-us-gov|-iso|-iso-b|-iso-e|-iso-f|-eusc)?';

function service(name: string) {
  return text.regex(new RegExp(`^arn:${PARTITION}:states:::${name}$`));
}

/** Name or ARN of a function, with or without version or alias. */
const functionName = text
  .regex(
    new RegExp(
      `^(arn:${PARTITION}:lambda:[a-z0-9-]+:\\d{12}:function:)?[\\w-]{1,64}(:([\\w-]+|\\$LATEST))?$`,
    ),
  )
  .max(170);

const errorName = text.refine(
  (name) => !name.startsWith('States.') || STATE_ERRORS.includes(name),
  `expected an error of a function, or one of ${STATE_ERRORS.join(', ')}`,
);

const comment = { Comment: text.optional() };

/** Which errors are retried, and with which delays. */
const retrier = z.strictObject({
  ...comment,
  ErrorEquals: z
    .array(errorName)
    .min(1)
    .refine((names) => names.length === 1 || !names.includes('States.ALL'), 'expected States.ALL alone'),
  IntervalSeconds: seconds.optional(),
  MaxAttempts: count.max(MAX_AMOUNT).optional(),
  BackoffRate: z.number().min(1).optional(),
  MaxDelaySeconds: z.int().positive().lt(MAX_DELAY_SECONDS).optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).optional(),
});
export type Retrier = z.infer<typeof retrier>;

const retriers = z.array(retrier).superRefine((all, context) => {
  const index = all.findIndex(({ ErrorEquals }) => ErrorEquals.includes('States.ALL'));
  if (index === -1 || index === all.length - 1) return;
  const path = [index, 'ErrorEquals'];
  context.addIssue({ code: 'custom', message: 'expected States.ALL in the last retrier', path });
});

const transition = { ...comment, Next: text.optional(), End: z.literal(true).optional() };
const oneTransition = exactlyOne(['Next', 'End']);
const retries = { Retry: retriers.optional() };

const pass = z
  .strictObject({
    ...transition,
    Type: z.literal('Pass'),
    Parameters: template.optional(),
    ResultPath: resultPath.optional(),
  })
  .refine(...oneTransition);

const task = z
  .strictObject({
    ...transition,
    ...retries,
    Type: z.literal('Task'),
    Resource: service('lambda:invoke'),
    Parameters: z.strictObject({ FunctionName: functionName, Payload: template }),
    ResultSelector: template.optional(),
    ResultPath: resultPath.optional(),
    TimeoutSeconds: seconds.optional(),
  })
  .refine(...oneTransition);
export type TaskState = z.infer<typeof task>;

const choice = z.strictObject({
  ...comment,
  Type: z.literal('Choice'),
  Choices: z
    .array(
      z
        .strictObject({
          ...comment,
          Variable: referencePath,
          StringEquals: text.optional(),
          BooleanEquals: z.boolean().optional(),
          Next: text,
        })
        .refine(...exactlyOne(['StringEquals', 'BooleanEquals'])),
    )
    .min(1),
  Default: text.optional(),
});
export type ChoiceState = z.infer<typeof choice>;

const timestamp = z.iso.datetime({ offset: true });

/** Whether a value is a time of RFC 3339 with an offset. */
export function isTimestamp(value: unknown): value is string {
  return timestamp.safeParse(value).success;
}

const wait = z
  .strictObject({
    ...transition,
    Type: z.literal('Wait'),
    Seconds: count.max(MAX_AMOUNT).optional(),
    SecondsPath: referencePath.optional(),
    Timestamp: timestamp.optional(),
    TimestampPath: referencePath.optional(),
  })
  .refine(...oneTransition)
  .refine(...exactlyOne(['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath']));
export type WaitState = z.infer<typeof wait>;

const succeed = z.strictObject({ ...comment, Type: z.literal('Succeed') });
const fail = z.strictObject({
  ...comment,
  Type: z.literal('Fail'),
  Error: text.optional(),
  Cause: text.optional(),
});

const child = z
  .strictObject({
    ProcessorConfig: z.strictObject({ Mode: z.literal('DISTRIBUTED'), ExecutionType: z.literal('STANDARD') }),
    StartAt: text,
    // Maps are not nested.
    States: z.record(text, z.discriminatedUnion('Type', [pass, task, choice, wait, succeed, fail])),
  })
  .superRefine(checkStates);

/** Part of the ARNs of map runs. */
const label = text
  .max(40)
  .regex(/^[^\s?*<>{}[\]"#%\\^|~`$&,;:/\p{Cc}]+$/u, 'expected a label without spaces and special characters');

/** A map over the lines of an S3 object, with its results under a prefix. */
const map = z
  .strictObject({
    ...transition,
    ...retries,
    Type: z.literal('Map'),
    ItemReader: z.strictObject({
      Resource: service('s3:getObject'),
      ReaderConfig: z.strictObject({ InputType: z.literal('JSONL') }),
      Parameters: z.strictObject({ Bucket: text, 'Key.$': referencePath }),
    }),
    ItemSelector: itemTemplate.optional(),
    ItemProcessor: child,
    ResultWriter: z
      .strictObject({
        Resource: service('s3:putObject'),
        Parameters: z.strictObject({ Bucket: text, 'Prefix.$': referencePath }),
      })
      .optional(),
    ResultPath: resultPath.optional(),
    MaxConcurrency: count.optional(),
    Label: label.optional(),
  })
  .refine(...oneTransition);
export type MapState = z.infer<typeof map>;

const state = z.discriminatedUnion('Type', [pass, task, choice, wait, map, succeed, fail]);
export type State = z.infer<typeof state>;

const machine = z
  .strictObject({
    ...comment,
    QueryLanguage: z.literal('JSONPath').optional(),
    StartAt: text,
    States: z.record(text, state),
    TimeoutSeconds: seconds.optional(),
  })
  .superRefine(checkStates)
  .superRefine(checkNames);

/** A state machine, or that of a map's children. */
export type StateMachine = Pick<z.infer<typeof machine>, 'StartAt' | 'States' | 'TimeoutSeconds'>;

/**
 * Parses a definition and checks that every part of it is supported.
 *
 * @throws Error with the location of the first part that is not
 */
export function loadDefinition(definition: string): StateMachine {
  const given: unknown = JSON.parse(definition);
  const bytes = Buffer.byteLength(definition);
  if (bytes > MAX_DEFINITION_BYTES) {
    throw refusal(`it has ${bytes.toLocaleString('en')} bytes, at most 1,048,576 bytes are allowed`);
  }
  const repeated = findRepeatedMember(definition);
  if (repeated !== undefined) {
    throw refusal(`${locationOf(repeated.path)} has the member ${JSON.stringify(repeated.name)} twice`);
  }
  const { data, error } = machine.safeParse(given);
  if (data !== undefined) return data;
  // An unknown field explains more than what is missing in its place.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]!;
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  const found = path.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], given);
  const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing';
  throw refusal(`${locationOf(path)} is ${shown}: ${issue.message}`);
}

function locationOf(path: readonly PropertyKey[]): string {
  return `$${path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`)).join('')}`;
}

function refusal(reason: string): Error {
  return new Error(`The local stack cannot run the state machine: ${reason}`);
}
