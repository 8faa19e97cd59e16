/**
 * Reads the symbols of one puzzle: which are digits, which are blanks, which are errors.
 *
 * The readers of files decide this for all puzzles of a file (lib/formats/cells); one puzzle alone needs much less, so
 * that a page with one engine stays small.
 */
import {
  alphabetOf,
  alphabetProblem,
  decideAlphabet,
  decimalAlphabet,
  SPACED,
} from '../formats/cells/alphabets.ts';
import { MINUS_ONE, NUMBER } from '../formats/cells/grid-buffer.ts';
import type { Alphabet } from '../formats/records/layout.ts';
import type { ParseErrorCode } from '../formats/records/record-block.ts';
import { DlxBatchError } from './errors.ts';

/** Blanks, in order of preference; a symbol of the alphabet is a digit. */
const BLANKS = ['.', '0', '_', '*', '?', '-', 'X', 'x', '-1'];

export interface Symbols {
  readonly alphabet: Alphabet;
  readonly blank: string;
  /** 0 for a blank, else 1 to size. */
  readonly values: Uint8Array;
  readonly warnings?: readonly string[];
}

/** The first cell that is neither a digit nor a blank, or cannot be decided. */
export interface SymbolFault {
  readonly cell: number;
  readonly code: ParseErrorCode;
  readonly found: string;
  readonly expected: string;
}

/**
 * @param cells the symbol of each cell
 * @param spaced whether white space separates them
 * @param alphabet name or symbols of the alphabet, if the caller gives one
 * @throws DlxBatchError if the alphabet does not fit the size
 */
export function readSymbols(
  cells: readonly string[],
  spaced: boolean,
  size: number,
  alphabet?: string,
): Symbols | SymbolFault {
  const seen = [...new Set(cells)];
  const choice = alphabet === undefined ? chosenAlphabet(seen, cells, spaced, size) : undefined;
  if (choice !== undefined && 'cell' in choice) return choice;
  const used = choice?.alphabet ?? namedAlphabet(size, alphabet!);
  const valueBySymbol = valuesOf(used);
  const values = new Uint8Array(cells.length);
  for (let cell = 0; cell < cells.length; cell++) {
    const value = valueBySymbol.get(cells[cell]!);
    if (value === undefined) return strayFault(cell, cells[cell]!, used);
    values[cell] = value;
  }
  const blank = BLANKS.find((symbol) => valueBySymbol.get(symbol) === 0 && seen.includes(symbol)) ?? '.';
  return {
    alphabet: used,
    blank,
    values,
    warnings: choice?.assumed === true ? ['alphabet_assumed'] : undefined,
  };
}

/** @throws DlxBatchError if the alphabet does not fit the size */
export function namedAlphabet(size: number, text: string): Alphabet {
  const alphabet = alphabetOf(size, text);
  if (alphabet !== undefined) return alphabet;
  throw new DlxBatchError('bad_option', `option "alphabet": ${alphabetProblem(text, size)}`);
}

/** The alphabet of a puzzle without a given one. Up to 9x9, 0 with another blank may be a digit. */
function chosenAlphabet(
  seen: readonly string[],
  cells: readonly string[],
  spaced: boolean,
  size: number,
): { readonly alphabet: Alphabet; readonly assumed: boolean } | SymbolFault {
  const others = BLANKS.filter((blank) => blank !== '0');
  const mayBeDigit =
    size <= 9 &&
    seen.includes('0') &&
    !seen.includes(String(size)) &&
    seen.some((symbol) => others.includes(symbol));
  if (mayBeDigit && cells.filter((symbol) => symbol === '0').length <= size) {
    const digits = seen.filter((symbol) => symbol >= '0' && symbol < String(size)).length;
    // A puzzle with one solution lacks at most one digit.
    if (digits >= size - 1) return { alphabet: decimalAlphabet(size, 0), assumed: false };
    return {
      cell: cells.indexOf('0'),
      code: 'ambiguous_alphabet',
      found: '0',
      expected: `another blank than "0" and ".", or the option alphabet: "1-${size}" if 0 is a blank, "0-${size - 1}" if it is a digit`,
    };
  }
  const codes = seen.map(codeOf);
  return decideAlphabet(size, new Set(spaced ? [...codes, SPACED] : codes));
}

function codeOf(symbol: string): number {
  if (symbol.length === 1) return symbol.charCodeAt(0);
  return symbol === '-1' ? MINUS_ONE : NUMBER + Number(symbol);
}

const tables = new WeakMap<Alphabet, ReadonlyMap<string, number>>();

/** The digits by symbol, and 0 for blanks; letters in either case, unless the alphabet has both. */
function valuesOf(alphabet: Alphabet): ReadonlyMap<string, number> {
  const known = tables.get(alphabet);
  if (known !== undefined) return known;
  const { symbols } = alphabet;
  const table = new Map(BLANKS.map((blank) => [blank, 0]));
  for (const [value, symbol] of symbols.entries()) {
    if (value === 0) continue;
    const other = symbol === symbol.toUpperCase() ? symbol.toLowerCase() : symbol.toUpperCase();
    table.set(symbol, value);
    if (!symbols.includes(other)) table.set(other, value);
  }
  tables.set(alphabet, table);
  return table;
}

function strayFault(cell: number, found: string, { name }: Alphabet): SymbolFault {
  const code = /^[0-9A-Za-z]+$/.test(found) ? 'symbol_out_of_range' : 'bad_character';
  return { cell, code, found, expected: `${name}, or "." for a blank` };
}
