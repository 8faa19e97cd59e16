/** Solves a file of puzzles in cells, or an empty file. */
import { type PuzzleDetection, tableColumns } from '../../formats/formats.ts';
import type { JobWork } from '../job-limits.ts';
import { BlockPipeline } from '../solving/block-pipeline.ts';
import type { FileJob, JobRun } from './job-run.ts';

export function openPuzzleFile(
  run: JobRun,
  detection: PuzzleDetection | { readonly kind: 'empty' },
): FileJob {
  const onBlock = () => {
    run.puzzles = pipeline.written;
    run.report();
  };
  const onWork = (work: JobWork) => run.checkWork(work);
  const { jobLimits } = run;
  const pipeline = new BlockPipeline(
    { ...run.request, jobLimits, detection, onBlock, onWork, onSearch: run.request.onSearch },
    run.dependencies,
  );
  const { pool, results, statistics } = pipeline;
  statistics.table = tableColumns(detection);
  return {
    statistics,
    exceptions: results.exceptions,
    workers: run.dependencies.solver.workers,
    get writeMs() {
      return pipeline.writeMs;
    },
    async solve() {
      if (detection.kind === 'empty') run.source.readComments();
      else for await (const block of run.source.blocks(detection, pool)) await pipeline.take(block);
      await pipeline.drain();
      statistics.commentLines = run.source.comments?.count ?? 0;
    },
    close: () => results.close(),
    async abort() {
      await pipeline.settle();
      await results.abort();
    },
  };
}
