/** The plan of a large job: decided before solving and stored, so that every step and every retry uses the same. */
import type { CoverDetection, PuzzleDetection } from '../../formats/formats.ts';
import type { ReaderState } from '../../formats/reader.ts';
import type { InputIdentity } from '../delivery/manifest.ts';
import type { CostSample } from '../estimate/cost-sample.ts';
import type { ObjectSource } from '../storage/object-source.ts';
import type { ShardItem } from './steps.ts';

/** What all plans have. */
interface JobPlan {
  readonly schema: 'dlx-batch/plan@1';
  readonly jobId: string;
  readonly attempt: string;
  /** `PROGRAM_VERSION` of the planning function; every step must have the same. Older programs omitted it. */
  readonly program?: string;
  /** Time of day, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly input: InputIdentity;
  /** Canonical form. */
  readonly options: string;
  readonly source: ObjectSource;
}

/** The plan of a file of puzzles, whose shards are parts of the file. */
export interface ShardPlan extends JobPlan {
  readonly detection: PuzzleDetection;
  /** Approximate, because shards end between puzzles. */
  readonly shardBytes: number;
  readonly sample: CostSample;
}

/** The plan of an exact-cover file, whose shards are parts of searches (covers/cover-ranges.ts). */
export interface CoverPlan extends JobPlan {
  readonly detection: CoverDetection;
}

/** `plan.json`. */
export type LargePlan = ShardPlan | CoverPlan;

export function isCoverPlan(plan: LargePlan): plan is CoverPlan {
  return plan.detection.kind === 'exact-cover';
}

/** @throws Error for the plan of an exact-cover file: the steps ran in the wrong order */
export function shardPlanOf(plan: LargePlan): ShardPlan {
  if (isCoverPlan(plan)) throw new Error(`job ${plan.jobId} is planned as an exact-cover file`);
  return plan;
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
