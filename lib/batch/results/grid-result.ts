/** A puzzle of a block, and its answer. */
import { countJson, type SolutionCount } from '../../exact-cover/solution-count.ts';
import { gridText, puzzleText } from '../../formats/formats.ts';
import type { RecordOutcome, SolvedRecord } from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { recordShape } from '../../formats/records/record-shape.ts';
import { Stop } from '../../sudoku/engine.ts';
import { thousandths } from '../quantities.ts';
import { type BlockAnswers, ratingOf, solutionsOf, TOO_LARGE } from '../solving/block-answers.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import { expectationError } from './expected-result.ts';
import { clashError, countGivens } from './givens.ts';
import { type JobRecord, RecordResult, someWarnings } from './job-record.ts';
import type { LimitAdvice } from './limit-advice.ts';
import { limitError, type RecordError, UNEXPECTED_RESULT } from './record-error.ts';

/** The warning of a puzzle that has too many digits for a rating. */
const NOT_RATED = 'rating_unsupported';

export class GridResult extends RecordResult {
  readonly #block: RecordBlock;
  readonly #answers: BlockAnswers;
  readonly #i: number;
  readonly #advice: LimitAdvice | undefined;

  /**
   * @param i the puzzle's index in the block
   * @param index its index in the file, from 1
   * @param advice on a budget that ran out
   */
  constructor(block: RecordBlock, answers: BlockAnswers, i: number, index: number, advice?: LimitAdvice) {
    super(index);
    this.#block = block;
    this.#answers = answers;
    this.#i = i;
    this.#advice = advice;
  }

  get line(): number {
    return this.#block.line[this.#i]!;
  }

  get code(): number {
    return this.#answers.status[this.#i]!;
  }

  get solutions(): SolutionCount {
    return solutionsOf(this.#answers, this.#i);
  }

  get exact(): boolean {
    return this.#answers.stop[this.#i] === Stop.exhausted;
  }

  override get place(): { readonly block: RecordBlock; readonly index: number } {
    return { block: this.#block, index: this.#i };
  }

  /** It has no proven single solution, or not the one that its file expects. */
  get isException(): boolean {
    return this.code !== StatusCode.solved || this.ownError !== undefined;
  }

  isKept(onlyUnique: boolean, isEnumerated: boolean): boolean {
    if (isEnumerated) return this.solutions > 0;
    if (onlyUnique) return this.code === StatusCode.solved;
    return this.solutions > 0 && this.code !== StatusCode.limit;
  }

  solution(isEnumerated: boolean): SolvedRecord {
    const { cells } = this.#answers;
    const { block, index } = this.place;
    const offset = this.#offset;
    if (!isEnumerated) return { block, index, cells, offset };
    return { block, index, cells: cells.slice(offset, offset + block.geometry.cellCount), offset: 0 };
  }

  override get source(): string | undefined {
    return this.#block.textOf(this.#i);
  }

  /** A difference from what the file expects is told, also if not all solutions are written. */
  override get error(): RecordError | undefined {
    const own = this.cut === undefined || this.code === StatusCode.limit ? undefined : this.ownError;
    return own?.code === UNEXPECTED_RESULT ? own : super.error;
  }

  record(isTimed: boolean): JobRecord<string> {
    const answers = this.#answers;
    const i = this.#i;
    const { code, status, error } = this;
    const notes = this.#block.notes.get(i);
    const isTooLarge = answers.rating[i] === TOO_LARGE;
    const warnings = someWarnings([...(notes?.warnings ?? []), ...(isTooLarge ? [NOT_RATED] : [])]);
    if (code === StatusCode.unreadable) return { ...this.#lines(), status, warnings, error };
    const { puzzle, ...shape } = this.#shape();
    const { geometry, layout } = this.#block;
    const givens = countGivens(this.#block.cells, this.#offset, geometry.cellCount);
    const given = { ...this.#lines(), ...shape, status, puzzle };
    if (code === StatusCode.invalid) return { ...given, givens, warnings, error };
    return {
      ...given,
      solution: this.solutions > 0 ? gridText(layout, answers.cells, this.#offset) : undefined,
      solutions: countJson(this.solutions),
      exact: this.exact,
      givens,
      nodes: answers.nodes[i]!,
      guesses: answers.guesses[i]!,
      ...this.#rating(),
      solveUs: isTimed ? thousandths(answers.solveUs[i]!) : undefined,
      warnings,
      error,
    };
  }

  override outcome(isCounted?: boolean): RecordOutcome {
    const rating = ratingOf(this.#answers, this.#i);
    const outcome = super.outcome(isCounted);
    return rating === undefined ? outcome : { ...outcome, rating };
  }

  solutionRecord(ordinal: number): object {
    const solution = gridText(this.#block.layout, this.#answers.cells, this.#offset);
    return { ...this.#lines(ordinal), ...this.#shape(), solution };
  }

  protected findError(): RecordError | undefined {
    const block = this.#block;
    const answers = this.#answers;
    const i = this.#i;
    const { geometry, cells, layout } = block;
    switch (this.code) {
      case StatusCode.unreadable:
        return block.notes.get(i)?.error;
      case StatusCode.invalid:
        return clashError(geometry, cells, this.#offset, layout.alphabet.symbols);
      case StatusCode.limit: {
        const nodes = answers.nodes[i]!;
        return limitError(answers.solutions[i]!, nodes, this.#advice?.(block, i, nodes, this.index));
      }
      default:
        return block.notes.size > 0 ? expectationError(block, answers, i) : undefined;
    }
  }

  get #offset(): number {
    return this.#i * this.#block.geometry.cellCount;
  }

  #lines(ordinal?: number) {
    const { notes, lineEnd } = this.#block;
    const { index, line } = this;
    return { index, ordinal, id: notes.get(this.#i)?.id, line, lineEnd: lineEnd[this.#i]! };
  }

  #rating() {
    const rated = ratingOf(this.#answers, this.#i);
    if (rated === undefined) return undefined;
    const { rating, isLowerBound, grade, technique } = rated;
    return { rating, ratingIsLowerBound: isLowerBound, grade, technique };
  }

  #shape() {
    const block = this.#block;
    const i = this.#i;
    return { ...recordShape(block.layout, block.blankOf(i)), puzzle: puzzleText(block, i) };
  }
}
