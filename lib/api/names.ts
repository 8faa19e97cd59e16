/** Names and records of the inner layers that callers see. */
import type { JobRecord } from '../batch/results/job-record.ts';
import type { RecordError as ErrorOfRecord } from '../batch/results/record-error.ts';
import type { EngineName as Engine } from '../sudoku/engine.ts';
import type { SymmetryName as Symmetry } from '../sudoku/generator/symmetry.ts';
import type { VariantName as Variant } from '../sudoku/geometry/variants.ts';

/**
 * Name of a search engine: `dlx`, `bitboard` or `backtrack`.
 *
 * @example
 * ```ts
 * import { type EngineName, solve } from 'dlx-batch';
 *
 * const engine: EngineName = 'backtrack';
 * solve('1.....3..4.....2', { engine }).status; // => 'solved'
 * ```
 */
export type EngineName = Engine;

/**
 * Name of the rules of a puzzle: `standard`, `latin`, `latin-x`, `x`, `windoku`, `windoku-x`, `jigsaw`, `jigsaw-x`,
 * `jigsaw-boxes` or `samurai`.
 *
 * @example
 * ```ts
 * import { solve, type VariantName } from 'dlx-batch';
 *
 * const variant: VariantName = 'latin';
 * solve('................', { variant, solutions: Infinity }).solutions; // => 576
 * ```
 */
export type VariantName = Variant;

/**
 * Symmetry of the cells of the givens: `none`, `rotational` and others.
 *
 * @example
 * ```ts
 * import { generate, type SymmetryName } from 'dlx-batch';
 *
 * const symmetry: SymmetryName = 'rotational';
 * const { puzzle } = generate({ symmetry, seed: 1 });
 * const blanks = [...puzzle].map((symbol) => symbol === '.');
 * blanks.join() === blanks.reverse().join(); // => true
 * ```
 */
export type SymmetryName = Symmetry;

/**
 * The outcome of a puzzle: `solved`, `multiple`, `unsolvable`, `invalid`, `unreadable` or `limit`; see `PuzzleResult`.
 *
 * @example
 * ```ts
 * import { type PuzzleStatus, solve } from 'dlx-batch';
 *
 * const statuses: PuzzleStatus[] = ['1.....3..4.....2', '123....4........'].map((puzzle) => solve(puzzle).status);
 * statuses; // => ['solved', 'unsolvable']
 * ```
 */
export type PuzzleStatus = 'solved' | 'multiple' | 'unsolvable' | 'invalid' | 'unreadable' | 'limit';

/**
 * Why a puzzle is not solved: a stable `code`, a sentence as `message`, and what was found and expected where.
 *
 * @example
 * ```ts
 * import { type RecordError, solve } from 'dlx-batch';
 *
 * const error: RecordError | undefined = solve('1...2...3...4..!').error;
 * error?.code; // => 'bad_character'
 * error?.message; // => 'found "!" at r4c4: expected 1-4, or "." for a blank'
 * ```
 */
export interface RecordError extends ErrorOfRecord {}

/**
 * The record of one puzzle of a file. Fields that do not apply are undefined.
 *
 * @example
 * ```ts
 * import { type PuzzleRecord, solveAll } from 'dlx-batch';
 *
 * for await (const record of solveAll('1.....3..4.....2')) {
 *   const { index, size, solution, exact } = record as PuzzleRecord;
 *   [index, size, solution, exact]; // => [1, 4, '1324423124133142', true]
 * }
 * ```
 */
export interface PuzzleRecord extends JobRecord<string> {}

/**
 * The record of one problem of an exact-cover file. Fields that do not apply are undefined.
 *
 * @example
 * ```ts
 * import { type CoverReport, solveAll } from 'dlx-batch';
 *
 * const problem = 'a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n';
 * for await (const record of solveAll(problem, { format: 'dlx' })) {
 *   (record as CoverReport).solution; // => ['c e', 'a d f', 'b g']
 * }
 * ```
 */
export interface CoverReport extends JobRecord<readonly string[]> {}
