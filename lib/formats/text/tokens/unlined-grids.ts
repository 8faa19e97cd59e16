/** Plain data. */
export interface UnlinedState {
  readonly size: number;
  /** The next line directly follows the puzzle. */
  readonly follows: boolean;
}

/** The last puzzle whose cells were counted without regard to lines: the next one probably has the same size. */
export class UnlinedGrids {
  #size: number | undefined;
  /** Number of the line after the puzzle. */
  #nextLine = 0;

  get size(): number | undefined {
    return this.#size;
  }

  set(size: number, nextLine: number): void {
    this.#size = size;
    this.#nextLine = nextLine;
  }

  /** Whether line `line` of the file directly follows the puzzle. */
  endBefore(line: number): boolean {
    return this.#nextLine === line;
  }

  state(line: number): UnlinedState | undefined {
    return this.#size === undefined ? undefined : { size: this.#size, follows: this.#nextLine === line };
  }

  restore({ size, follows }: UnlinedState, line: number): void {
    this.set(size, follows ? line : 0);
  }
}
