/** The plan of a large job: decided before solving and stored, so that every step and every retry uses the same. */
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
  /** `PROGRAM_VERSION` of the planning function; every step must have the same. Older programs omitted it. */
  readonly program?: string;
  /** Time of day, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** The day on which the job counts; omitted without ceilings. */
  readonly usageDay?: string;
  readonly input: InputIdentity;
  /** Canonical form. */
  readonly options: string;
  readonly source: ObjectSource;
  readonly detection: PuzzleDetection;
  /** Approximate, because shards end between puzzles. */
  readonly shardBytes: number;
  readonly sample: CostSample;
}

/** A range to count: bytes `from` (inclusive) to `to` (exclusive), which may cut puzzles. */
export interface RangeItem extends ShardItem {
  readonly from: number;
  readonly to: number;
}

/** A part of the file that begins and ends between two puzzles. */
export interface Shard extends ShardItem {
  /** First byte, and end (exclusive); bytes after `to` are read only if the last puzzle needs them. */
  readonly from: number;
  readonly to: number;
  /** Reader state at `from`; omitted at the beginning of the file. */
  readonly state?: ReaderState;
  /** From 1. */
  readonly firstIndex: number;
  readonly records: number;
  readonly commentLines: number;
  /** Whether it is the last shard of the file. */
  readonly last: boolean;
}

/** Splits a file into ranges of `shardBytes`. */
export function ranges(bytes: number, shardBytes: number): RangeItem[] {
  return Array.from({ length: Math.ceil(bytes / shardBytes) }, (_, shard) => ({
    shard,
    from: shard * shardBytes,
    to: Math.min((shard + 1) * shardBytes, bytes),
  }));
}
