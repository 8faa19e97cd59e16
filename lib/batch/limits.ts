/** Limits shared by the stack and the functions, each with its unit and reason. */
import { receivesForOutage } from './retry-delay.ts';

/** Default budget of search nodes for one puzzle. */
export const DEFAULT_MAX_NODES = 50_000_000;

/** Timeout of one invocation: Lambda's maximum. */
export const DEFAULT_TIMEOUT_SECONDS = 900;

/** A function stops between puzzles if it has less time than this left: time to close files and commit. */
export const DEADLINE_RESERVE_MS = 20_000;

/** Memory in MiB for which Lambda gives one full vCPU. */
export const MB_PER_VCPU = 1769;

/** Memory of a function in MiB: one vCPU. */
export const DEFAULT_MEMORY_MB = MB_PER_VCPU;

/** A file that would take one function longer than this is split across many. */
export const LARGE_JOB_SECONDS = 60;

/** Smallest shard size that a user may set: a 9x9 of one line takes 82 bytes. */
export const MIN_SHARD_BYTES = 100;

/**
 * Messages for one invocation. One file may take nearly the whole timeout; a second message after it would use up its
 * receives without being tried, and end in the dead-letter queue.
 */
export const BATCH_SIZE = 1;

/** An outage shorter than this loses no message: the shortest delays between the attempts of a message add up to it. */
export const TOLERATED_OUTAGE_SECONDS = 4 * 3600;

/** Times that an upload is tried. */
export const MAX_RECEIVES = /* @__PURE__ */ receivesForOutage(TOLERATED_OUTAGE_SECONDS);

/**
 * Receives of a message after its last attempt, which only report that its job failed: the first at once, the others after
 * this delay if the report fails. So a job whose last attempt crashed is reported too, and an outage of two hours loses no
 * report.
 */
export const REPORT_RECEIVES = 3;
export const REPORT_DELAY_SECONDS = 3600;

/**
 * An upload that S3 does not find is tried again until its event is older than this: for up to 15 minutes after versioning
 * is first enabled on a bucket, S3 may answer 404 for new objects. (Amazon S3 User Guide, "Enabling versioning on buckets".)
 */
export const MISSING_UPLOAD_SECONDS = 20 * 60;

/** Failed attempts of one message that raise an alarm; fewer are transient in most cases. */
export const ALARM_FAILURE_COUNT = 3;

/** The queue's visibility timeout in function timeouts, as AWS recommends for an SQS trigger. */
export const VISIBILITY_TIMEOUT_FACTOR = 6;

/** Bulk runs skip versions under `inbox/` that are newer than this: the message of their upload may still be queued. */
export const DEFAULT_GRACE_MINUTES = 120;

/** Largest ratio of unpacked to compressed bytes, checked after the first 64 MiB. */
export const MAX_UNPACK_RATIO = 1000;
/** Unpacked bytes up to which the ratio is not checked. */
export const MIN_RATIO_CHECK_BYTES = 64 * 1024 * 1024;

/** Names of the limits of a job, as flags and in the environment of the functions; see `job-limits.ts`. */
export const JOB_LIMIT_NAMES = ['max-unpacked-mb', 'max-written', 'max-output-mb', 'max-job-nodes'] as const;
export type JobLimitName = (typeof JOB_LIMIT_NAMES)[number];

/** Files that a stack solves at the same time. */
export const DEFAULT_MAX_CONCURRENCY = 10;

/** Shards that it solves at the same time: a tenth of the default quota of an account. */
export const DEFAULT_SHARD_CONCURRENCY = 100;

/** MiB to which compressed data may unpack: three billion puzzles of 9x9. */
export const DEFAULT_MAX_UNPACKED_MB = 256 * 1024;

/** Solutions of one 9x9 that an enumeration writes, 100 MB; of a larger puzzle, as many as have the same number of cells. */
export const DEFAULT_MAX_WRITTEN = 1_000_000;

/** MiB of `solutions` and `exceptions.jsonl`, and bytes in addition for each byte of the text. */
export const DEFAULT_MAX_OUTPUT_MB = 4096;
/** A 4x4 as JSON lines takes 20 times its size. */
export const OUTPUT_BYTES_PER_BYTE = 64;
/** MiB of `exceptions.jsonl` alone: only files of nearly nothing but malformed records of a few characters exceed it. */
export const DEFAULT_MAX_EXCEPTIONS_MB = 64;

/** Search nodes of all puzzles of a file: as many as so many puzzles that use up the budget of a puzzle. */
export const JOB_NODES_PER_PUZZLE_BUDGET = 2000;
/** And nodes in addition for each byte of the text: a hundred times those of the hardest known 9x9. */
export const JOB_NODES_PER_BYTE = 10_000;

/** Longest input key, in UTF-8 bytes, that result keys contain unchanged. */
export const MAX_RESULT_KEY_BYTES = 800;

/** The settings of a stack on which its bulk runs depend; a stack has them as an output. */
export interface RunSettings {
  readonly memoryMb: number;
  /** Files solved in parallel, and shards of one large file. */
  readonly concurrency: number;
  readonly shardConcurrency: number;
  readonly graceMinutes: number;
}
