/**
 * Converts the codes of a grid to values: decides which symbols are digits, blanks or errors.
 *
 * Almost every puzzle of a file is written like the one before, so the last table that fitted its size is tried first:
 * one look-up per cell. Only if it does not fit are the symbols examined as a set.
 */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { HASH, NINE, ZERO } from '../bytes/ascii.ts';
import type { Fault } from '../records/fault.ts';
import type { Alphabet } from '../records/layout.ts';
import {
  type AlphabetChoice,
  alphabetOf,
  alphabetText,
  decideAlphabet,
  decimalAlphabet,
  isLetter,
  NO_VALUE,
  SPACED,
  valueTable,
} from './alphabets.ts';
import { isPlainBlank, isUsualBlank, mayBeMixed, usualBlanks } from './blanks.ts';
import { symbolFault, tooManySymbols, undecidedZero } from './cell-faults.ts';
import { type CellCode, CODE_COUNT, codeText, NUMBER } from './grid-buffer.ts';

/** The notation of a puzzle. */
export interface Decoding {
  readonly alphabet: Alphabet;
  readonly blank: string;
  /** `table[code]` is the cell's value, 0 for a blank, `NO_VALUE` for an error. */
  readonly table: Uint8Array;
  /** Assumptions about the puzzle. */
  readonly warnings: readonly string[] | undefined;
  readonly blanks: readonly CellCode[];
  /** Every puzzle that fits the table has this notation and these warnings. */
  readonly reusable: boolean;
  /**
   * Every puzzle that fits the table, and has all blanks if there are several, has this alphabet and blank and no
   * warnings: the fast path can take it.
   */
  readonly plain: boolean;
}

export type DecoderState = ReturnType<CellDecoder['state']>;

/** Maximum number of decodings kept of a size; a file has only a few. */
const MAX_DECODINGS = 32;

export class CellDecoder {
  /** Values of the last grid decoded. */
  values = new Uint8Array(1296);
  /** Why the last `decode` failed: at the first cell that cannot be decoded. */
  fault: Fault | undefined;
  /** By size: its decodings, that of the last puzzle first, as files from several sources alternate between them. */
  readonly #known: Decoding[][] = [];
  readonly #flags = new Uint8Array(CODE_COUNT);
  /** The alphabets that are given, by size. */
  readonly #chosen: ReadonlyMap<number, Alphabet | undefined>;
  readonly #assumed: readonly number[];
  readonly #undecided: readonly number[];

  /**
   * @param alphabets alphabets by size, as `alphabetOf` takes them
   * @param assumed sizes whose alphabet is a guess
   * @param undecided sizes up to 9x9 for which 0 may be a digit or a blank
   */
  constructor(
    alphabets: Readonly<Record<string, string>>,
    assumed: readonly number[],
    undecided: readonly number[] = [],
  ) {
    this.#chosen = new Map(
      Object.entries(alphabets).map(([size, text]) => [Number(size), alphabetOf(Number(size), text)]),
    );
    this.#assumed = assumed;
    this.#undecided = undecided;
  }

  /** The decoding of the last puzzle of a size. */
  last(size: number): Decoding | undefined {
    return this.#known[size]?.[0];
  }

  /**
   * Decodes a grid whose cells are bytes, if it is written like the last one of its size, or like an earlier one with
   * another blank, and in an alphabet: one look-up for each cell.
   *
   * @param at the first cell, from which `offsets` count the others; they are adjacent if it is omitted
   * @param into receives the values from `to` on
   * @returns undefined if the grid is written in another way
   */
  decodeBytes(
    { size, cellCount }: Geometry,
    alphabet: Alphabet,
    bytes: Uint8Array,
    at: number,
    offsets: Int32Array | undefined,
    into: Uint8Array,
    to: number,
  ): Decoding | undefined {
    const all = this.#known[size];
    const last = all?.[0];
    if (last === undefined || !last.plain || last.alphabet !== alphabet) return undefined;
    if (fillFrom(bytes, at, offsets, cellCount, last.table, into, to) < NO_VALUE) {
      return last.reusable || hasAll(last.blanks, bytes, at, offsets, cellCount) ? last : undefined;
    }
    // The byte that does not fit may be another blank.
    let cell = 0;
    while (cell < cellCount && last.table[bytes[at + (offsets?.[cell] ?? cell)]] !== NO_VALUE) cell++;
    const blank = bytes[at + (offsets?.[cell] ?? cell)];
    for (let k = 1; k < all!.length; k++) {
      const other = all![k];
      const { plain, blanks, table } = other;
      if (!plain || blanks.length !== 1 || blanks[0] !== blank || other.alphabet !== alphabet) continue;
      const values = fillFrom(bytes, at, offsets, cellCount, table, into, to);
      if (values >= NO_VALUE) continue;
      // One sign alone may be a line between puzzles.
      if (values === 0) return undefined;
      all![k] = last;
      all![0] = other;
      return other;
    }
    return undefined;
  }

  /**
   * Fills `values` with the grid's values.
   *
   * @param codes one per cell, `count` of them
   * @param spaced whether white space separates the cells
   * @returns undefined if a cell cannot be decoded; see `fault`
   */
  decode(size: number, codes: ArrayLike<CellCode>, count: number, spaced: boolean): Decoding | undefined {
    if (this.values.length < count) this.values = new Uint8Array(count);
    const last = this.#known[size]?.[0];
    if (last !== undefined && this.#fill(last.table, codes, count)) {
      if (last.reusable || hasAll(last.blanks, codes, 0, undefined, count)) return last;
    }
    const decoding = this.#choose(size, codes, count, spaced, last?.blank);
    if (decoding === undefined) return undefined;
    this.#keep(size, decoding);
    this.#fill(decoding.table, codes, count);
    return decoding;
  }

  /** The last decoding of each size, as plain data; ambiguous puzzles after it are read the same way. */
  state() {
    return this.#known.flatMap(([decoding], size) => {
      const { alphabet, blank, blanks } = decoding;
      return { size, alphabet: alphabetText(alphabet), assumed: isGuess(decoding), blank, blanks };
    });
  }

  /** Gives a new decoder the state of another one. */
  restore(state: DecoderState): void {
    for (const { size, alphabet: text, assumed, blank, blanks } of state) {
      const alphabet = alphabetOf(size, text);
      if (alphabet === undefined) throw new RangeError(`"${text}" is not an alphabet of size ${size}`);
      this.#keep(size, decodingOf(alphabet, blanks, blank, assumed));
    }
  }

  #fill(table: Uint8Array, codes: ArrayLike<CellCode>, count: number): boolean {
    const { values } = this;
    let wrong = 0;
    for (let cell = 0; cell < count; cell++) {
      const value = table[codes[cell]];
      values[cell] = value;
      wrong |= value === NO_VALUE ? 1 : 0;
    }
    return wrong === 0;
  }

  /** Makes a decoding the last one of a size. */
  #keep(size: number, decoding: Decoding): void {
    const others = (this.#known[size] ?? []).filter((each) => each !== decoding);
    this.#known[size] = [decoding, ...others.slice(0, MAX_DECODINGS)];
  }

  #choose(
    size: number,
    codes: ArrayLike<CellCode>,
    count: number,
    spaced: boolean,
    lastBlank: string | undefined,
  ): Decoding | undefined {
    const seen = this.#distinct(codes, count);
    if (this.#undecided.includes(size) && isDecimal(seen)) {
      let cell = 0;
      while (cell < count && codes[cell] !== ZERO) cell++;
      this.fault = { ...undecidedZero(size), at: cell < count ? cell : 0 };
      return undefined;
    }
    const { alphabet, assumed: isAssumed } = this.#alphabetFor(size, seen, spaced);
    const digits = valueTable(alphabet);
    const unknown = seen.filter((code) => digits[code] === NO_VALUE);
    const blanks = blanksAmong(unknown, size, codes, count);
    // Signs of two kinds without a digit are a drawing.
    const isDrawn = blanks.length > 1 && blanks.length === seen.length;
    const stray = isDrawn ? blanks[1] : unknown.find((code) => !blanks.includes(code));
    if (stray !== undefined) {
      const symbols = seen.length - blanks.length;
      // A typing error rarely occurs twice.
      const isOwn = size <= 9 && symbols <= size && stray < NUMBER && cellsOf(stray, codes, count) > 1;
      const fault = symbolFault(stray, blanks[0], codes, count, alphabet, isOwn);
      // Up to 9x9 the digits are known, and another symbol is a typing error.
      this.fault = size > 9 && symbols > size ? tooManySymbols(fault, symbols, size) : fault;
      return undefined;
    }
    const blank = blankText(blanks, lastBlank, alphabet);
    const same = this.#known[size]?.find((each) => {
      const isSame = each.alphabet === alphabet && each.blank === blank && isGuess(each) === isAssumed;
      return isSame && each.blanks.join() === blanks.join();
    });
    return same ?? decodingOf(alphabet, blanks, blank, isAssumed);
  }

  /** The distinct codes of a grid, in the order of their first cells. */
  #distinct(codes: ArrayLike<CellCode>, count: number): CellCode[] {
    const distinct: CellCode[] = [];
    for (let cell = 0; cell < count; cell++) {
      const code = codes[cell];
      if (this.#flags[code] === 0) {
        this.#flags[code] = 1;
        distinct.push(code);
      }
    }
    for (const code of distinct) this.#flags[code] = 0;
    return distinct;
  }

  #alphabetFor(size: number, seen: readonly CellCode[], spaced: boolean): AlphabetChoice {
    const alphabet = this.#chosen.get(size);
    if (alphabet !== undefined) return { alphabet, assumed: this.#assumed.includes(size) };
    if (size <= 9 && isDecimal(seen)) return { alphabet: decimalAlphabet(size), assumed: false };
    return decideAlphabet(size, new Set(spaced ? [...seen, SPACED] : seen));
  }
}

/** Whether the alphabet is assumed. */
function isGuess({ warnings }: Decoding): boolean {
  return warnings?.includes('alphabet_assumed') === true;
}

/**
 * Looks up the values of cells. See `decodeBytes`.
 *
 * @returns the bits of all values: `NO_VALUE` or more if a cell is neither digit nor blank, 0 if all are blanks
 */
function fillFrom(
  bytes: Uint8Array,
  at: number,
  offsets: Int32Array | undefined,
  count: number,
  table: Uint8Array,
  into: Uint8Array,
  to: number,
): number {
  let seen = 0;
  if (offsets === undefined) {
    for (let cell = 0; cell < count; cell++) {
      const value = table[bytes[at + cell]];
      into[to + cell] = value;
      seen |= value;
    }
  } else {
    for (let cell = 0; cell < count; cell++) {
      const value = table[bytes[at + offsets[cell]]];
      into[to + cell] = value;
      seen |= value;
    }
  }
  return seen;
}

/** Whether each of some codes occurs in a grid; if a blank does not, the grid is written in another way. */
function hasAll(
  wanted: readonly CellCode[],
  codes: ArrayLike<CellCode>,
  at: number,
  offsets: Int32Array | undefined,
  count: number,
): boolean {
  for (const code of wanted) {
    let cell = 0;
    while (cell < count && codes[at + (offsets?.[cell] ?? cell)] !== code) cell++;
    if (cell === count) return false;
  }
  return true;
}

/** The text of the blank: the last puzzle's if this one has it too, else the preferred one. */
function blankText(blanks: readonly CellCode[], lastBlank: string | undefined, alphabet: Alphabet): string {
  if (blanks.length === 0) return lastBlank ?? defaultBlank(alphabet);
  const texts = blanks.map(codeText);
  return lastBlank !== undefined && texts.includes(lastBlank) ? lastBlank : texts[0];
}

function decodingOf(
  alphabet: Alphabet,
  blanks: readonly CellCode[],
  blank: string,
  assumed: boolean,
): Decoding {
  const table = valueTable(alphabet).slice();
  for (const code of blanks) table[code] = 0;
  const warnings: string[] = assumed ? ['alphabet_assumed'] : [];
  if (blanks.length > 1 && !blanks.every(mayBeMixed)) {
    warnings.push('blanks_mixed');
  }
  if (!blanks.every(isUsualBlank)) warnings.push('blank_assumed');
  // Only the recognisers know whether a line that starts with `#` is a comment.
  const reusable = blanks.length <= 1 && blanks.every((code) => isUsualBlank(code) && code !== HASH);
  return {
    alphabet,
    blank,
    blanks,
    table,
    warnings: warnings.length === 0 ? undefined : warnings,
    reusable,
    plain:
      warnings.length === 0 && isPlainBlank(blank) && blanks.every((code) => isPlainBlank(codeText(code))),
  };
}

/** Whether a small puzzle with these symbols is written in digits: one is a digit, or none is a letter. */
function isDecimal(seen: readonly CellCode[]): boolean {
  return seen.some((code) => code > ZERO && code <= NINE) || !seen.some(isLetter);
}

/**
 * The codes of blanks, the preferred one first: the usual blanks, or else the only other character of the grid. A
 * character with fewer cells than a row is a typing error; if it has all cells, the text is not a puzzle.
 *
 * @param unknown codes that are not digits
 */
function blanksAmong(
  unknown: readonly CellCode[],
  size: number,
  codes: ArrayLike<CellCode>,
  count: number,
): CellCode[] {
  const usual = usualBlanks(unknown);
  if (usual.length > 0) return usual;
  const [other] = unknown;
  if (unknown.length !== 1 || other <= 32 || other >= 127) return [];
  const cells = cellsOf(other, codes, count);
  return cells >= size && cells < count ? [other] : [];
}

function cellsOf(code: CellCode, codes: ArrayLike<CellCode>, count: number): number {
  let cells = 0;
  for (let cell = 0; cell < count; cell++) if (codes[cell] === code) cells++;
  return cells;
}

function defaultBlank(alphabet: Alphabet): string {
  return alphabet.singleCharacter ? '.' : '0';
}
