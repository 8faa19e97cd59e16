/**
 * Passes blocks of records through a solver, in their order.
 *
 *     blocks -> [ pending, up to the solver's depth ] -> solved
 */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { BlockPool } from './block-pool.ts';
import type { BlockSolver } from './block-solver.ts';
import type { PuzzleLimits } from './drive.ts';
import { refuseUnsupported } from './refuse-block.ts';

interface BlockSolving {
  readonly solver: Pick<BlockSolver, 'depth' | 'solve'>;
  /** The engine of the solver, which knows what it supports. */
  readonly engine: Engine;
  readonly limits: PuzzleLimits;
}

/**
 * Solves blocks of a pool; the answers to a block are complete when it is yielded. At its end, no block is being solved.
 *
 * @throws OutOfTimeError at the deadline, and what the solver throws
 */
export async function* solvedBlocks(
  blocks: AsyncIterable<RecordBlock>,
  pool: BlockPool,
  { solver, engine, limits }: BlockSolving,
): AsyncGenerator<RecordBlock, void, void> {
  const pending: { readonly block: RecordBlock; readonly solved: Promise<void> }[] = [];
  try {
    for await (const block of blocks) {
      refuseUnsupported(block, engine);
      const solved = solver.solve(block, limits, pool.answersOf(block));
      // A failure is handled when the block is awaited; until then it must not count as unhandled.
      solved.catch(() => {});
      pending.push({ block, solved });
      if (pending.length >= solver.depth) yield* oldest();
    }
    while (pending.length > 0) yield* oldest();
  } finally {
    await Promise.allSettled(pending.map(({ solved }) => solved));
  }

  async function* oldest(): AsyncGenerator<RecordBlock, void, void> {
    await pending[0]!.solved;
    yield pending.shift()!.block;
  }
}
