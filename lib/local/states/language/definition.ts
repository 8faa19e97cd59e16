/**
 * The subset of the states language that the project uses. A definition with any other state or field is refused with its
 * location when it is loaded, so that no unsupported part is ignored. Whether Step Functions accepts a definition is not
 * checked here: tests check those of the template with a validator. (Amazon States Language, https://states-language.net)
 */
import * as z from 'zod';
import { isPath } from './reference-path.ts';

const text = z.string();
const count = z.number().nonnegative();
const referencePath = text.refine(isPath, 'expected a reference path such as $.a.b or $$.Execution.Name');

/** A path into the data, or null to discard the result. */
const resultPath = referencePath
  .refine((path) => !path.startsWith('$$'), 'expected a path into the data')
  .nullable();

/** JSON in which the value of each field whose name ends in `.$` is a path. */
const template = z.json().superRefine((value, context) => {
  for (const path of pathsThatAreNone(value)) {
    context.addIssue({ code: 'custom', message: 'expected a reference path such as $.a.b', path });
  }
});

function* pathsThatAreNone(value: unknown, path: PropertyKey[] = []): Generator<PropertyKey[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    if (!name.endsWith('.$')) yield* pathsThatAreNone(item, inner);
    else if (!isPath(item)) yield inner;
  }
}

const service = (name: string) => text.regex(new RegExp(`^arn:[a-z-]+:states:::${name}$`));

const comment = { Comment: text.optional() };

/** Which errors are retried, and with which delays. */
const retrier = z.strictObject({
  ...comment,
  ErrorEquals: z.array(text),
  IntervalSeconds: count.optional(),
  MaxAttempts: count.optional(),
  BackoffRate: count.optional(),
  MaxDelaySeconds: count.optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).optional(),
});
export type Retrier = z.infer<typeof retrier>;

const transition = { ...comment, Next: text.optional(), End: z.literal(true).optional() };
const retries = { Retry: z.array(retrier).optional() };

const pass = z.strictObject({
  ...transition,
  Type: z.literal('Pass'),
  Parameters: template.optional(),
  ResultPath: resultPath.optional(),
});

const task = z.strictObject({
  ...transition,
  ...retries,
  Type: z.literal('Task'),
  Resource: service('lambda:invoke'),
  Parameters: z.strictObject({ FunctionName: text, Payload: template }),
  ResultSelector: template.optional(),
  ResultPath: resultPath.optional(),
  TimeoutSeconds: count.optional(),
});
export type TaskState = z.infer<typeof task>;

const choice = z.strictObject({
  ...comment,
  Type: z.literal('Choice'),
  Choices: z.array(
    z.strictObject({
      ...comment,
      Variable: referencePath,
      StringEquals: text.optional(),
      BooleanEquals: z.boolean().optional(),
      Next: text,
    }),
  ),
  Default: text.optional(),
});
export type ChoiceState = z.infer<typeof choice>;

const timestamp = z.iso.datetime({ offset: true });

/** Whether a value is a time of RFC 3339 with an offset. */
export function isTimestamp(value: unknown): value is string {
  return timestamp.safeParse(value).success;
}

const wait = z.strictObject({
  ...transition,
  Type: z.literal('Wait'),
  Seconds: count.optional(),
  SecondsPath: referencePath.optional(),
  Timestamp: timestamp.optional(),
  TimestampPath: referencePath.optional(),
});
export type WaitState = z.infer<typeof wait>;

const succeed = z.strictObject({ ...comment, Type: z.literal('Succeed') });
const fail = z.strictObject({
  ...comment,
  Type: z.literal('Fail'),
  Error: text.optional(),
  Cause: text.optional(),
});

const child = z.strictObject({
  ProcessorConfig: z.strictObject({ Mode: z.literal('DISTRIBUTED'), ExecutionType: z.literal('STANDARD') }),
  StartAt: text,
  // Maps are not nested.
  States: z.record(text, z.discriminatedUnion('Type', [pass, task, choice, wait, succeed, fail])),
});

/** A map over the lines of an S3 object, with its results under a prefix. */
const map = z.strictObject({
  ...transition,
  ...retries,
  Type: z.literal('Map'),
  ItemReader: z.strictObject({
    Resource: service('s3:getObject'),
    ReaderConfig: z.strictObject({ InputType: z.literal('JSONL') }),
    Parameters: z.strictObject({ Bucket: text, 'Key.$': referencePath }),
  }),
  ItemSelector: template.optional(),
  ItemProcessor: child,
  ResultWriter: z
    .strictObject({
      Resource: service('s3:putObject'),
      Parameters: z.strictObject({ Bucket: text, 'Prefix.$': referencePath }),
    })
    .optional(),
  ResultPath: resultPath.optional(),
  MaxConcurrency: count.optional(),
  Label: text.optional(),
});
export type MapState = z.infer<typeof map>;

const state = z.discriminatedUnion('Type', [pass, task, choice, wait, map, succeed, fail]);
export type State = z.infer<typeof state>;

const machine = z.strictObject({
  ...comment,
  QueryLanguage: z.literal('JSONPath').optional(),
  StartAt: text,
  States: z.record(text, state),
  TimeoutSeconds: count.optional(),
});

/** A state machine, or that of a map's children. */
export type StateMachine = Pick<z.infer<typeof machine>, 'StartAt' | 'States' | 'TimeoutSeconds'>;

/**
 * Parses a definition and checks that every part of it is supported.
 *
 * @throws Error with the location of the first part that is not
 */
export function loadDefinition(definition: string): StateMachine {
  const given: unknown = JSON.parse(definition);
  const { data, error } = machine.safeParse(given);
  if (data !== undefined) return data;
  // An unknown field explains more than what is missing in its place.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]!;
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  const found = path.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], given);
  const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing';
  const location = path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`));
  throw new Error(
    `The local stack cannot run the state machine: $${location.join('')} is ${shown}: ${issue.message}`,
  );
}
