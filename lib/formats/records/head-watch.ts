/** What readers say while the head of a file is surveyed; none of it changes what they read. */
import type { Decoding } from '../cells/cell-decoder.ts';
import type { GridPlace } from './found.ts';
import type { ParseError, RecordBlock } from './record-block.ts';

export interface HeadWatch {
  /** The last grid that `takeGrid` accepted. */
  readonly lastGrid: GridPlace | undefined;
  /**
   * Takes a grid whose alphabet is not decided yet.
   *
   * @returns false if the alphabet of its size is known
   */
  takeGrid(codes: Uint16Array, info: GridPlace): boolean;
  /** Takes a grid whose cells are no puzzle. */
  onWrongCells(codes: Uint16Array, info: GridPlace): void;
  onPuzzle(format: string): void;
  /** Whether puzzles of a size with 0 and another blank must be surveyed one by one. */
  surveysZeros(size: number): boolean;
  /** Takes a puzzle with several blanks. */
  onMixedBlanks(codes: Uint16Array, info: GridPlace, decoding: Decoding): void;
  /** Takes the records of a finished block. */
  onBlock(block: RecordBlock): void;
  /**
   * Takes a line that no recogniser takes.
   *
   * @param isDamaged whether it may have been a puzzle
   * @param size set if it is a puzzle of that size, once each line is read alone
   */
  onUnreadableLine(isDamaged: boolean, size: number | undefined): void;
  /** Some heading has a solution below it. */
  onSolution(): void;
  /** Some line introduces a puzzle. */
  onHeader(): void;
  onError(error: ParseError): void;
}
