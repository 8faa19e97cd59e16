/** The side of a thread that solves ranges of records. */
import type { EngineName } from '../../sudoku/engine.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { type Geometry, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import type { Clock } from '../ports.ts';
import { type BlockAnswers, createBlockAnswers } from './block-answers.ts';
import { OutOfTimeError, type PuzzleLimits } from './drive.ts';
import { type RangeOptions, RangeSolver } from './range-solver.ts';
import type { Reply } from './thread-pool.ts';

/** A range of records for a thread. */
export interface RangeMessage {
  readonly id: number;
  readonly kind: 'range';
  readonly engine: EngineName;
  /** Undefined if it is that of the range before. */
  readonly geometry: Geometry | undefined;
  readonly cells: Uint8Array;
  /** In shared memory, the thread writes into them; else it reads which records are marked as unreadable. */
  readonly answers: Pick<BlockAnswers, 'status'>;
  readonly isShared: boolean;
  readonly from: number;
  readonly to: number;
  readonly limits: PuzzleLimits;
  /** Milliseconds until the deadline: each thread has another clock. */
  readonly leftMs: number;
}

/** What is known of a range at its end. */
export interface RangeAnswer {
  /** Its duration. */
  readonly ms: number;
  /** Undefined if they are in shared memory. */
  readonly answers: BlockAnswers | undefined;
}

/** Solves ranges, one after the other. @param send sends the answer to a range */
export function serveRanges(
  send: (reply: Reply) => void,
  clock: Clock,
  options: Pick<RangeOptions, 'rate'> = {},
): (message: RangeMessage) => void {
  const solvers = new Map<EngineName, RangeSolver>();
  let geometry: Geometry;
  return (message) => {
    const { id, engine, cells, from, to, limits, leftMs, isShared } = message;
    if (message.geometry !== undefined) geometry = received(message.geometry);
    let solver = solvers.get(engine);
    if (solver === undefined) {
      // Only threads with shared memory search subproblems.
      solver = new RangeSolver(createEngine(engine), clock, { ...options, splits: isShared });
      solvers.set(engine, solver);
    }
    const own = isShared ? undefined : createBlockAnswers(to, geometry.cellCount);
    own?.status.set(message.answers.status);
    const answers = own ?? (message.answers as BlockAnswers);
    const startMs = clock.monotonicMs();
    const range = {
      puzzles: { geometry, cells },
      from,
      to,
      limits: { ...limits, deadlineMs: startMs + leftMs },
      answers,
    };
    try {
      for (const _ of solver.solve(range));
      const known: RangeAnswer = { ms: clock.monotonicMs() - startMs, answers: own };
      send({ id, isEnd: true, known });
    } catch (error) {
      send({ id, isEnd: true, error: error instanceof OutOfTimeError ? error.name : asError(error) });
    }
  };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Engines recognise ordinary geometries by identity, which a copy from another thread lacks. */
function received(copy: Geometry): Geometry {
  const { variant, size, boxRows, boxColumns } = copy;
  return variant === 'standard' && copy.candidates === undefined
    ? standardGeometry(size, boxRows, boxColumns)
    : copy;
}
