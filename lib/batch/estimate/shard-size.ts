/** Chooses the shard size of a large job by the cost of a sample, and finds the jobs that are too large to join. */
import { numberText } from '../quantities.ts';

/** Solving a smaller shard is not worth starting a function. */
const MIN_SHARD_BYTES = 16 * 1024 * 1024;
/** Larger shards save nothing; only files with too many shards of this size get larger ones. */
const MAX_WANTED_SHARD_BYTES = 64 * 1024 * 1024;

/**
 * S3 joins at most 10,000 parts, and a shard takes two if its first bytes have to fill up the part before it.
 */
const MAX_SHARDS = 4_900;

/** Target time of a shard in seconds of one vCPU: long compared to a start, short compared to a function's time. */
const SHARD_SECONDS = 120;

/** Seconds of one vCPU that any function has for solving one piece of a shard. */
const PIECE_SECONDS = 600;
/** S3 joins at most 10,000 parts. */
const MAX_PIECES = 9_800;

/**
 * @param bytes size of the file
 * @param usPerByte microseconds of one vCPU for a byte
 */
export function shardBytesFor(bytes: number, usPerByte: number): number {
  const byTime = usPerByte > 0 ? (SHARD_SECONDS * 1e6) / usPerByte : Number.POSITIVE_INFINITY;
  const wanted = Math.max(MIN_SHARD_BYTES, Math.min(byTime, MAX_WANTED_SHARD_BYTES));
  return Math.max(Math.ceil(wanted), Math.ceil(bytes / MAX_SHARDS));
}

/**
 * Rejects a file before any solving if its shards would have more pieces than S3 joins: a shard that exceeds the time of
 * one function has several pieces.
 *
 * @returns the reason as a sentence, or undefined
 */
export function tooManyPieces(bytes: number, usPerByte: number): string | undefined {
  const seconds = (bytes * usPerByte) / 1e6;
  if (seconds / PIECE_SECONDS <= MAX_PIECES) return undefined;
  const hours = Math.round(seconds / 3600).toLocaleString('en-US');
  const parts = Math.ceil(seconds / PIECE_SECONDS / MAX_PIECES);
  return `the file needs about ${hours} hours of function time, which gives more results than S3 can join: split it into ${parts} or more files`;
}

/**
 * Rejects a configured shard size that gives too many shards; `shardBytesFor` never does.
 *
 * @returns the reason as a sentence, or undefined
 */
export function tooManyShards(bytes: number, shardBytes: number): string | undefined {
  const shards = Math.ceil(bytes / shardBytes);
  if (shards <= MAX_SHARDS) return undefined;
  const min = Math.ceil(bytes / MAX_SHARDS);
  const [found, size, max, enough] = [shards, shardBytes, MAX_SHARDS, min].map(numberText);
  return `the file gives ${found} shards of ${size} bytes, but S3 can join the results of at most ${max}: use shards of ${enough} bytes or more`;
}
