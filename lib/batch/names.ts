/** Names shared by the stack and the functions: key prefixes, environment variables, metrics. */
import type { PuzzleStatus } from './solving/puzzle-status.ts';

/** Prefixes in the input bucket. */
export const INBOX_PREFIX = 'inbox/';
export const SCHEDULED_PREFIX = 'scheduled/';

/** Prefixes of uploads, of which neither begins with the other. */
export interface UploadPrefixes {
  /** Uploads that an event reports. */
  readonly inbox: string;
  /** Uploads that wait for the next bulk run. */
  readonly scheduled: string;
}

export const UPLOAD_PREFIXES: UploadPrefixes = { inbox: INBOX_PREFIX, scheduled: SCHEDULED_PREFIX };

/** Prefixes in the results bucket; functions may write under these only. */
export const RESULTS_PREFIX = 'results/';
export const REJECTS_PREFIX = 'rejects/';
export const DONE_PREFIX = 'done/';
export const STATUS_PREFIX = 'status/';
export const RUNS_PREFIX = 'runs/';
export const WORK_PREFIX = 'work/';

/** Prefix of the object metadata that holds the options of an upload (S3 adds `x-amz-meta-` before it). */
export const OPTION_METADATA_PREFIX = 'dlx-';

/** Environment variables of the functions. */
export const ENVIRONMENT = {
  resultsBucket: 'RESULTS_BUCKET',
  /** Folder of all keys in the results bucket. @default the whole bucket */
  resultsPrefix: 'RESULTS_PREFIX',
  /** The stack's default options as a JSON object, such as `{"engine":"dlx","max-nodes":"1000000"}`. */
  defaultOptions: 'DEFAULT_OPTIONS',
  /**
   * The operator's limits of a job as a JSON object of texts, see `parseJobLimits`. The variable keeps its name: a deployment
   * updates the code of a function a moment before its variables. @default the program's own
   */
  jobLimits: 'CEILINGS',
  /** How often the queue delivers a message before it goes to the dead-letter queue. */
  maxReceives: 'MAX_RECEIVES',
  /** ARN of the state machine for large files. */
  stateMachine: 'STATE_MACHINE_ARN',
  /** Bytes of a shard of a large file; by default, the size follows from the cost. */
  shardBytes: 'SHARD_BYTES',
  /** A file that takes one function more seconds than this is large. @default `LARGE_JOB_SECONDS` of the limits */
  largeJobSeconds: 'LARGE_JOB_SECONDS',
  inputBucket: 'INPUT_BUCKET',
  /** @default {@link INBOX_PREFIX} */
  inboxPrefix: 'INBOX_PREFIX',
  /** @default {@link SCHEDULED_PREFIX} */
  scheduledPrefix: 'SCHEDULED_PREFIX',
  /** URL of the queue of uploads. */
  queueUrl: 'QUEUE_URL',
  queueArn: 'QUEUE_ARN',
  /** ARN of the queue of its dead letters. */
  deadLettersArn: 'DEAD_LETTERS_ARN',
  /** ARN of the state machine for bulk runs. */
  bulkRun: 'BULK_RUN_ARN',
  /** Name of the stack in metrics; for a construct in another stack, with its path there: `App/Puzzles`. */
  stackName: 'STACK_NAME',
  /** Bulk runs skip versions under `inbox/` newer than this many minutes. @default `DEFAULT_GRACE_MINUTES` of the limits */
  graceMinutes: 'GRACE_MINUTES',
  /** Name or ARN of the event bus that receives the events of outcomes; without it, none are sent. */
  eventBus: 'EVENT_BUS',
} as const;

/** Description of the rule that sends uploads to their queue. */
export function uploadRuleDescription(prefix: string): string {
  return `Sends new objects under ${prefix} to the upload queue`;
}

/** Source of the events of outcomes on the event bus. */
export const EVENT_SOURCE = 'dlx-batch';
/** Their types; `docs/reference/events.md` documents their fields. */
export const EVENT_TYPES = ['JobCompleted', 'JobRejected', 'JobFailed', 'RunCompleted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Namespace and service of logs and metrics; the stack's alarms refer to these. */
export const METRIC_NAMESPACE = 'DlxBatch';
export const SERVICE_NAME = 'solve-batch';
/** Dimension that separates the metrics of stacks, and of constructs, in the same account and region. */
export const METRIC_STACK_DIMENSION = 'stack';
export const METRICS = {
  jobsCompleted: 'JobsCompleted',
  jobsDuplicate: 'JobsDuplicate',
  jobsRejected: 'JobsRejected',
  jobsFailed: 'JobsFailed',
  jobsHandedOver: 'JobsHandedOver',
  /** Uploads that failed for the third time, and large files that did not finish: each is counted once. */
  jobsFailing: 'JobsFailing',
  puzzles: 'Puzzles',
  puzzlesUnsolved: 'PuzzlesUnsolved',
  solveTime: 'SolveTime',
  /** Of each job, over its wall time. */
  puzzlesPerSecond: 'PuzzlesPerSecond',
  /** Percentiles of the solve time of one puzzle, of each job in which an engine solved one. */
  puzzleTimeP50: 'PuzzleTimeP50',
  puzzleTimeP99: 'PuzzleTimeP99',
  /** Shards of each large job. */
  shards: 'Shards',
} as const;

/** Names of the metrics that count the puzzles of each status. */
export const STATUS_METRICS = {
  solved: 'PuzzlesSolved',
  multiple: 'PuzzlesMultiple',
  unsolvable: 'PuzzlesUnsolvable',
  invalid: 'PuzzlesInvalid',
  unreadable: 'PuzzlesUnreadable',
  limit: 'PuzzlesLimit',
} as const satisfies Record<PuzzleStatus, string>;

/** Name of the error of an event of an outcome that the event bus did not accept. */
export const EVENT_NOT_SENT_ERROR = 'EventNotSentError';

/** Name of the error of a step whose program version differs from that of its job's plan. */
export const PROGRAM_VERSION_ERROR = 'ProgramVersionError';
