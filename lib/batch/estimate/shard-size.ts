/** TODO */
import { numberText } from '../quantities.ts';

/** Smallest shard of a job: what starts a function should be worth it. */
const MIN_SHARD_BYTES = 16 * 1024 * 1024;

/**
 * Most shards of a job. A joined file has at most 10,000 parts, and a shard takes two of them where its first bytes
 * have to go to what stands before it.
 */
const MAX_SHARDS = 4_900;

/** How long a shard should take, in seconds of one vCPU: long beside a start, short beside a function's time. */
const SHARD_SECONDS = 120;

/** Bytes of a shard for a file of so many bytes, at that cost. */
export function shardBytesFor(bytes: number, usPerByte: number): number {
  const byTime = usPerByte > 0 ? (SHARD_SECONDS * 1e6) / usPerByte : Number.POSITIVE_INFINITY;
  const wanted = Math.max(MIN_SHARD_BYTES, Math.min(byTime, MAX_WANTED_SHARD_BYTES));
  return Math.max(Math.ceil(wanted), Math.ceil(bytes / MAX_SHARDS));
}

/** Larger shards save nothing. */
const MAX_WANTED_SHARD_BYTES = 64 * 1024 * 1024;

/**
 * Why a file cannot be one job, as a sentence; undefined where it can. A shard that outlasts a function comes in several
 * pieces, and a joined file has at most 10,000 parts: what would come to more is refused before anything is spent.
 */
export function tooManyPieces(bytes: number, usPerByte: number): string | undefined {
  const seconds = (bytes * usPerByte) / 1e6;
  if (seconds / PIECE_SECONDS <= MAX_PIECES) return undefined;
  const hours = Math.round(seconds / 3600).toLocaleString('en-US');
  const parts = Math.ceil(seconds / PIECE_SECONDS / MAX_PIECES);
  return `the file would take about ${hours} hours of functions, more than its results could be joined from: split it into ${parts} or more`;
}

/**
 * Why a file cannot be parted into shards of a size that somebody asked for, as a sentence; undefined where it can. A
 * size that follows from the file never comes to too many.
 */
export function tooManyShards(bytes: number, shardBytes: number): string | undefined {
  const shards = Math.ceil(bytes / shardBytes);
  if (shards <= MAX_SHARDS) return undefined;
  const least = Math.ceil(bytes / MAX_SHARDS);
  const [found, size, most, enough] = [shards, shardBytes, MAX_SHARDS, least].map(numberText);
  return `the file would come to ${found} shards of ${size} bytes, and results are joined from ${most} at most: make them ${enough} bytes or more`;
}

/** What a function solves for certain, in seconds of one vCPU; and the pieces that a joined file may come in. */
const PIECE_SECONDS = 600;
const MAX_PIECES = 9_800;
