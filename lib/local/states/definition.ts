/**
 * The subset of the states language that the project uses. A definition with anything else is refused when it is loaded, so
 * that no unsupported part is ignored. Whether Step Functions accepts a definition is not checked here: tests check those
 * of the template with a validator. (Amazon States Language, https://states-language.net)
 */
import * as z from 'zod';
import { isPath } from './paths.ts';

const text = z.string();
const count = z.number().nonnegative();
const path = text.refine(isPath, 'expected a reference path such as $.a.b or $$.Execution.Name');
/** Null discards the result. */
const resultPath = path
  .refine((value) => !value.startsWith('$$'), 'expected a path into the data')
  .nullable()
  .optional();
/** JSON in which the value of each field whose name ends in `.$` is a path. */
const template = z.json().refine(hasPaths, 'expected a reference path in each field that ends in .$');

function hasPaths(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => (name.endsWith('.$') ? isPath(item) : hasPaths(item)));
}

const retrier = z.strictObject({
  ErrorEquals: z.array(text),
  IntervalSeconds: count.default(1),
  MaxAttempts: count.default(3),
  BackoffRate: count.default(2),
  MaxDelaySeconds: count.optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).optional(),
});
export type Retrier = z.infer<typeof retrier>;

const transition = { Next: text.optional(), End: z.literal(true).optional(), ResultPath: resultPath };
const retries = { Retry: z.array(retrier).default([]) };

const task = z.strictObject({
  ...transition,
  ...retries,
  Type: z.literal('Task'),
  Resource: z.literal('arn:aws:states:::lambda:invoke'),
  Parameters: z.strictObject({ FunctionName: text, Payload: template }),
  ResultSelector: template.optional(),
  TimeoutSeconds: count.optional(),
});
export type TaskState = z.infer<typeof task>;

const simpleStates = [
  z.strictObject({ ...transition, Type: z.literal('Pass'), Parameters: template.optional() }),
  task,
  z.strictObject({
    Type: z.literal('Choice'),
    Choices: z.array(
      z.strictObject({
        Variable: path,
        StringEquals: text.optional(),
        BooleanEquals: z.boolean().optional(),
        Next: text,
      }),
    ),
    Default: text.optional(),
  }),
  z.strictObject({
    ...transition,
    Type: z.literal('Wait'),
    Seconds: count.default(0),
    SecondsPath: path.optional(),
  }),
  z.strictObject({ Type: z.literal('Succeed') }),
  z.strictObject({ Type: z.literal('Fail'), Error: text.default(''), Cause: text.default('') }),
] as const;

/** A map over the lines of an S3 object, whose result is discarded. Maps are not nested. */
const map = z.strictObject({
  ...transition,
  ...retries,
  Type: z.literal('Map'),
  ResultPath: z.null(),
  ItemReader: z.strictObject({
    Resource: z.literal('arn:aws:states:::s3:getObject'),
    ReaderConfig: z.strictObject({ InputType: z.literal('JSONL') }),
    Parameters: z.strictObject({ Bucket: text, 'Key.$': path }),
  }),
  ItemSelector: template.optional(),
  ItemProcessor: z.strictObject({
    ProcessorConfig: z.strictObject({ Mode: z.literal('DISTRIBUTED'), ExecutionType: z.literal('STANDARD') }),
    StartAt: text,
    States: z.record(text, z.discriminatedUnion('Type', simpleStates)),
  }),
  ResultWriter: z.strictObject({
    Resource: z.literal('arn:aws:states:::s3:putObject'),
    Parameters: z.strictObject({ Bucket: text, 'Prefix.$': path }),
  }),
  MaxConcurrency: count.optional(),
  Label: text.optional(),
});
export type MapState = z.infer<typeof map>;

const state = z.discriminatedUnion('Type', [...simpleStates, map]);
export type State = z.infer<typeof state>;

const machine = z.strictObject({
  StartAt: text,
  States: z.record(text, state),
  TimeoutSeconds: count.optional(),
});

/** A state machine, or that of a map's children. */
export type StateMachine = Pick<z.infer<typeof machine>, 'StartAt' | 'States' | 'TimeoutSeconds'>;

/** Parses a definition. @throws Error with the location of what is not supported */
export function loadDefinition(definition: string): StateMachine {
  const { data, error } = machine.safeParse(JSON.parse(definition));
  if (data !== undefined) return data;
  throw new Error(`The local stack cannot run the state machine: ${z.prettifyError(error)}`);
}
