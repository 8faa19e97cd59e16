/** What is decided about a large job before any of it is solved; kept, so that every step and every retry sees the same. */
import type { PuzzleDetection } from '../../formats/formats.ts';
import type { ReaderState } from '../../formats/reader.ts';
import type { InputIdentity } from '../delivery/manifest.ts';
import type { CostSample } from '../estimate/cost-sample.ts';
import type { ObjectSource } from '../storage/object-source.ts';
import type { ShardItem } from './steps.ts';

/** `plan.json`. */
export interface ShardPlan {
  readonly schema: 'dlx-batch/plan@1';
  readonly jobId: string;
  readonly attempt: string;
  /** `PROGRAM_VERSION` of the function that made it; every step must have the same. Older programs wrote none. */
  readonly program?: string;
  /** Time of day, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly input: InputIdentity;
  /** In their canonical form. */
  readonly options: string;
  readonly source: ObjectSource;
  readonly detection: PuzzleDetection;
  /** Bytes of a shard, more or less: shards end between puzzles. */
  readonly shardBytes: number;
  readonly sample: CostSample;
}

/** A stretch to be counted: bytes `from` (inclusive) to `to` (exclusive), which say nothing of puzzles. */
export interface RangeItem extends ShardItem {
  readonly from: number;
  readonly to: number;
}

/** A stretch that begins and ends between two puzzles. */
export interface Shard extends ShardItem {
  /** Bytes; what lies behind `to` is read only as far as the last puzzle needs it. */
  readonly from: number;
  readonly to: number;
  /** What a reader remembers at `from`; left out at the file's front. */
  readonly state?: ReaderState;
  /** Index of its first record, from 1. */
  readonly firstIndex: number;
  readonly records: number;
  /** Whether the file ends with it. */
  readonly last: boolean;
}

/** The stretches of a file, a shard's bytes each. */
export function ranges(bytes: number, shardBytes: number): RangeItem[] {
  return Array.from({ length: Math.ceil(bytes / shardBytes) }, (_, shard) => ({
    shard,
    from: shard * shardBytes,
    to: Math.min((shard + 1) * shardBytes, bytes),
  }));
}
