/** Opens the pipeline from blocks of puzzles in cells to result files, for a whole file or a piece of one. */
import { openWriter, type PuzzleDetection } from '../../formats/formats.ts';
import type { JobRequest } from '../job/job-run.ts';
import type { Hashing } from '../ports.ts';
import { type FilePosition, ResultWriter } from '../results/result-writer.ts';
import { JobStatistics } from '../results/statistics.ts';
import { BlockPipeline, type PipelineDependencies } from './block-pipeline.ts';
import { BlockPool } from './block-pool.ts';
import { puzzleLimits } from './solve-block.ts';

export interface PipelineRequest
  extends Pick<JobRequest, 'options' | 'files' | 'maxMs' | 'deadlineMs' | 'countOnly'> {
  readonly detection: PuzzleDetection | { readonly kind: 'empty' };
  /** Index in the file of the first record, from 1. @default 1 */
  readonly firstIndex?: number;
  /** Position of the records in the file. @default the whole file */
  readonly position?: FilePosition;
  /** Largest number of records of a block. @default limited by memory only */
  readonly maxBlockRecords?: number;
  /** Called after a block is written and counted. */
  readonly onBlock?: () => void;
}

export interface OpenPipeline {
  /** Provides the readers with blocks. */
  readonly pool: BlockPool;
  readonly pipeline: BlockPipeline;
  readonly results: ResultWriter;
  readonly statistics: JobStatistics;
}

/** Opens the result files, and the pipeline that writes to them. */
export function openPipeline(
  request: PipelineRequest,
  dependencies: PipelineDependencies & { readonly hashing: Hashing },
): OpenPipeline {
  const { options, detection, files, countOnly = false, firstIndex = 1, position } = request;
  const { onBlock = () => {} } = request;
  const pool = new BlockPool(dependencies.solver.sharedMemory, request.maxBlockRecords);
  const writer = openWriter(options.output, detection);
  const results = new ResultWriter(writer, options, files, dependencies.hashing, position);
  const statistics = new JobStatistics();
  const limits = puzzleLimits(options, request);
  const settings = { limits, pool, results, statistics, countOnly, firstIndex, onBlock };
  return { pool, pipeline: new BlockPipeline(dependencies, settings), results, statistics };
}
