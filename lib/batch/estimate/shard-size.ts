/** Chooses the shard size of a large job by the cost of a sample, and finds the jobs that are too large to join. */
import { LARGE_JOB_SECONDS } from '../limits.ts';
import { numberText } from '../quantities.ts';

/** Larger shards save nothing; only files with too many shards of this size get larger ones. */
const MAX_WANTED_SHARD_BYTES = 64 * 1024 * 1024;

/**
 * S3 joins at most 10,000 parts, and a shard takes two if its first bytes have to fill up the part before it.
 */
const MAX_SHARDS = 4_900;

/** Seconds of one vCPU that any function has for solving one part of a shard. */
const PART_SECONDS = 600;
/** S3 joins at most 10,000 parts. */
const MAX_PARTS = 9_800;

/**
 * A shard takes at most the time that makes a file large, and so at least half of it.
 *
 * @param bytes size of the file
 * @param usPerByte microseconds of one vCPU for a byte
 * @param largeSeconds a file that takes one function longer is large
 */
export function shardBytesFor(bytes: number, usPerByte: number, largeSeconds = LARGE_JOB_SECONDS): number {
  const byTime = Math.ceil((bytes * usPerByte) / (largeSeconds * 1e6));
  const bySize = Math.ceil(bytes / MAX_WANTED_SHARD_BYTES);
  const shards = Math.max(1, Math.min(Math.max(byTime, bySize), MAX_SHARDS));
  return Math.max(1, Math.ceil(bytes / shards));
}

/**
 * Rejects a file before any solving if its shards would have more parts than S3 joins: a shard that exceeds the time of
 * one function has several parts.
 *
 * @returns the reason as a sentence, or undefined
 */
export function tooManyParts(bytes: number, usPerByte: number): string | undefined {
  const seconds = (bytes * usPerByte) / 1e6;
  if (seconds / PART_SECONDS <= MAX_PARTS) return undefined;
  const hours = Math.round(seconds / 3600).toLocaleString('en-US');
  const parts = Math.ceil(seconds / PART_SECONDS / MAX_PARTS);
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
