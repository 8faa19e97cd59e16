/** Names that the stack and the functions must agree on: prefixes of keys, and environment variables. */

/** Prefixes in the input bucket. */
export const INBOX_PREFIX = 'inbox/';
export const SCHEDULED_PREFIX = 'scheduled/';

/** Prefixes in the results bucket; a function may write under these and nowhere else. */
export const RESULTS_PREFIX = 'results/';
export const REJECTS_PREFIX = 'rejects/';
export const DONE_PREFIX = 'done/';
export const STATUS_PREFIX = 'status/';
export const RUNS_PREFIX = 'runs/';
export const WORK_PREFIX = 'work/';

/** Options travel with an upload as object metadata under this prefix (S3 puts `x-amz-meta-` before it). */
export const OPTION_METADATA_PREFIX = 'dlx-';

/** Environment variables of the functions. */
export const ENVIRONMENT = {
  /** Name of the results bucket. */
  resultsBucket: 'RESULTS_BUCKET',
  /** The stack's default options as a JSON object, such as `{"engine":"dlx","max-nodes":"1000000"}`. */
  defaultOptions: 'DEFAULT_OPTIONS',
  /** How often the queue delivers a message before it goes to the dead-letter queue. */
  maxReceives: 'MAX_RECEIVES',
  /** ARN of the state machine for files that outgrow one function. */
  stateMachine: 'STATE_MACHINE_ARN',
  /** Bytes of a shard of a large file; by its cost where this is not set. */
  shardBytes: 'SHARD_BYTES',
  /** Seconds of one function from which on a file is large; `LARGE_JOB_SECONDS` of the limits where this is not set. */
  largeJobSeconds: 'LARGE_JOB_SECONDS',
  /** Name of the input bucket. */
  inputBucket: 'INPUT_BUCKET',
  /** URL of the queue that uploads wait in. */
  queueUrl: 'QUEUE_URL',
  /** ARN of the state machine for bulk runs. */
  bulkRun: 'BULK_RUN_ARN',
  /** Name of the stack that a function belongs to. */
  stackName: 'STACK_NAME',
  /** Minutes for which a version under `inbox/` is left to its event; `DEFAULT_GRACE_MINUTES` where this is not set. */
  graceMinutes: 'GRACE_MINUTES',
} as const;

/** Namespace and service of logs and metrics; the alarms of the stack watch these. */
export const METRIC_NAMESPACE = 'DlxBatch';
export const SERVICE_NAME = 'solve-batch';
/** Dimension that keeps the metrics of one stack from those of another in the same account and region. */
export const METRIC_STACK_DIMENSION = 'stack';
export const METRICS = {
  jobsCompleted: 'JobsCompleted',
  jobsDuplicate: 'JobsDuplicate',
  jobsRejected: 'JobsRejected',
  jobsFailed: 'JobsFailed',
  jobsHandedOver: 'JobsHandedOver',
  /** Messages that failed for the third time, each counted once. */
  thirdFailures: 'ThirdFailures',
  puzzles: 'Puzzles',
  puzzlesUnsolved: 'PuzzlesUnsolved',
  solveTime: 'SolveTime',
} as const;

/** Name of the error of a step that belongs to another version of the program than its job's plan. */
export const PROGRAM_VERSION_ERROR = 'ProgramVersionError';
