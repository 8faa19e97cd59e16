/**
 * The subset of the states language that the project uses. A definition with any other state, field or value is
 * rejected with its location when it is loaded, so that no unsupported part is ignored. (Amazon States Language
 * specification, https://states-language.net.)
 */
import * as z from 'zod';
import { isPath } from './reference-path.ts';

const text = z.string();
/** The integers of the language: counts, and seconds. */
const count = z.number().int().nonnegative().max(99_999_999);
const seconds = count.min(1);
const isReferencePath = 'expected a reference path such as $.a.b or $$.Execution.Name';
const referencePath = text.refine(isPath, isReferencePath);

/** A path into the data, or null to discard the result. */
const resultPath = referencePath
  .refine((path) => !path.startsWith('$$'), 'expected a path into the data')
  .nullable();

/** JSON in which the value of each field whose name ends in `.$` is a path. */
const template = z.json().superRefine((value, context) => checkPaths(value, context, []));

function checkPaths(value: unknown, context: z.RefinementCtx, path: readonly PropertyKey[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    if (!name.endsWith('.$')) checkPaths(item, context, inner);
    else if (!isPath(item)) context.addIssue({ code: 'custom', message: isReferencePath, path: inner });
  }
}

/** Rejects an object that has none of these fields, or several. */
function exactlyOne(names: readonly string[]) {
  return [
    (object: object) => names.filter((name) => name in object).length === 1,
    `expected exactly one of the fields ${names.join(', ')}`,
  ] as const;
}

function service(name: string) {
  return text.regex(new RegExp(`^arn:[a-z-]+:states:::${name}$`));
}

/** Which errors are retried, and with which delays. */
const retrier = z.strictObject({
  ErrorEquals: z.array(text).min(1),
  IntervalSeconds: seconds.optional(),
  MaxAttempts: count.optional(),
  BackoffRate: z.number().min(1).optional(),
  MaxDelaySeconds: seconds.max(31_622_399).optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).optional(),
});
export type Retrier = z.infer<typeof retrier>;

const comment = { Comment: text.optional() };
const transition = { ...comment, Next: text.optional(), End: z.literal(true).optional() };
const oneTransition = exactlyOne(['Next', 'End']);
const retries = { Retry: z.array(retrier).min(1).optional() };

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
    Parameters: z.strictObject({ FunctionName: text, Payload: template }),
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

const wait = z
  .strictObject({
    ...transition,
    Type: z.literal('Wait'),
    Seconds: count.optional(),
    SecondsPath: referencePath.optional(),
    Timestamp: text.optional(),
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
  .superRefine(checkTargets);

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
  .superRefine(checkTargets);

/** A state machine, or that of a map's children. */
export type StateMachine = Pick<z.infer<typeof machine>, 'StartAt' | 'States' | 'TimeoutSeconds'>;

/** Every transition leads to a state of the same machine. */
function checkTargets({ StartAt, States }: StateMachine, context: z.RefinementCtx): void {
  const check = (name: string | undefined, ...path: PropertyKey[]) => {
    if (name === undefined || Object.hasOwn(States, name)) return;
    const message = `expected the name of a state: ${Object.keys(States).join(', ')}`;
    context.addIssue({ code: 'custom', message, path });
  };
  check(StartAt, 'StartAt');
  for (const [name, each] of Object.entries(States)) {
    if ('Next' in each) check(each.Next, 'States', name, 'Next');
    if (each.Type !== 'Choice') continue;
    check(each.Default, 'States', name, 'Default');
    for (const [index, { Next }] of each.Choices.entries()) {
      check(Next, 'States', name, 'Choices', index, 'Next');
    }
  }
}

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
  const location = path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`)).join('');
  const found = path.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], given);
  const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing';
  throw new Error(`The local stack cannot run the state machine: $${location} is ${shown}: ${issue.message}`);
}
