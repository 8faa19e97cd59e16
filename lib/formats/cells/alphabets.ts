/**
 * Alphabets, the symbols of the digits: names them and decides which one a file uses.
 *
 * Up to 9 digits, each puzzle shows its alphabet. Above, the same text can mean different grids: `A` is 1 in `A-P`, 10 in
 * `1-9A-G`, and 10 after a 0 in `0-9A-F`. So the alphabet of a large size is decided once per file, from the symbols of
 * all puzzles of that size in the head, by the first rule that applies:
 *
 *     a token of several digits                          1-16        (0-15 if 0 occurs with another blank)
 *     a letter beyond the 7th (n - 9), or letters only   A-P
 *     the 7th letter, and a digit                        1-9A-G
 *     0 with another blank, or in a grid without blanks  0-9A-F
 *     0 and no other blank                               1-9A-G
 *     otherwise                                          0-9A-F, with the warning `alphabet_assumed`
 */

import { NINE, ZERO } from '../bytes/ascii.ts';
import { kept } from '../bytes/kept.ts';
import type { Alphabet } from '../records/layout.ts';
import { BLANK_CODES } from './blanks.ts';
import { type CellCode, CODE_COUNT, MINUS_ONE, NUMBER } from './grid-buffer.ts';

/** Smallest size of a puzzle. */
const MIN_SIZE = 4;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FROM_ONE = `123456789${LETTERS}`;
const FROM_ZERO = `0${FROM_ONE}`;

const cache = new Map<string, Alphabet>();
const decimals = new Map<string, Alphabet>();

/** @returns the same object for the same symbols */
function interned(name: string, symbols: readonly string[]): Alphabet {
  return kept(cache, symbols.join(' '), () => ({
    name,
    symbols: ['', ...symbols],
    singleCharacter: symbols.every((symbol) => symbol.length === 1),
  }));
}

/** Alphabet of `size` decimal numbers starting with `first` (0 or 1), without leading zeros. */
export function decimalAlphabet(size: number, first: 0 | 1 = 1): Alphabet {
  const name = `${first}-${size - 1 + first}`;
  return kept(decimals, name, () =>
    interned(
      name,
      Array.from({ length: size }, (_, k) => String(k + first)),
    ),
  );
}

/** Alphabet of single ASCII characters, in order. */
export function characterAlphabet(characters: string): Alphabet {
  return interned(rangeName(characters), [...characters]);
}

/**
 * The alphabet that a setting or a user names.
 *
 * @param text its symbols in order (`ABCDEFGHIJKLMNOP`), or its name (`A-P`, `1-16`)
 * @returns undefined if the text is not an alphabet of `size` digits
 */
export function alphabetOf(size: number, text: string): Alphabet | undefined {
  if (text.length === size) return problemOf(text) === undefined ? characterAlphabet(text) : undefined;
  return usualAlphabets(size).find((alphabet) => alphabet.name === text);
}

/** The text of an alphabet, which `alphabetOf` takes. */
export function alphabetText({ singleCharacter, symbols, name }: Alphabet): string {
  return singleCharacter ? symbols.join('') : name;
}

/** Why a user's alphabet is invalid, as a sentence; undefined if it is valid. */
export function alphabetProblem(text: string, size?: number): string | undefined {
  if (size !== undefined) {
    if (alphabetOf(size, text) !== undefined) return undefined;
    return text.length === size
      ? problemOf(text)
      : `alphabet "${text}" has ${text.length} symbols, and a ${size}x${size} puzzle needs ${size}: give ${size} different characters in order, or a name such as ${usualAlphabets(
          size,
        )
          .map((alphabet) => alphabet.name)
          .join(', ')}`;
  }
  for (let n = MIN_SIZE; n <= FROM_ONE.length; n++) if (alphabetOf(n, text) !== undefined) return undefined;
  return problemOf(text) ?? `alphabet "${text}" has ${text.length} symbols: no puzzle size has that number`;
}

function problemOf(characters: string): string | undefined {
  for (const [index, character] of [...characters].entries()) {
    if (character < '!' || character > '~') {
      return `alphabet "${characters}" has ${JSON.stringify(character)}: symbols must be printable ASCII characters other than space`;
    }
    if (characters.indexOf(character) !== index) {
      return `alphabet "${characters}" has ${JSON.stringify(character)} twice: each digit needs its own symbol`;
    }
  }
  return characters.length === 0 ? 'the alphabet is empty: give the symbols in order' : undefined;
}

/** The alphabets that files of a size use. */
export function usualAlphabets(size: number): Alphabet[] {
  const characters = [LETTERS, FROM_ONE, FROM_ZERO].filter(({ length }) => size <= length);
  return [
    ...new Set([
      decimalAlphabet(size),
      decimalAlphabet(size, 0),
      ...characters.map((all) => characterAlphabet(all.slice(0, size))),
    ]),
  ];
}

/** `ABCDEFGHIJKLMNOP` as `A-P`: three or more consecutive characters become a range. */
function rangeName(characters: string): string {
  let name = '';
  for (let at = 0; at < characters.length; ) {
    let end = at + 1;
    while (end < characters.length && characters.charCodeAt(end) === characters.charCodeAt(end - 1) + 1)
      end++;
    name += end - at > 2 ? `${characters[at]}-${characters[end - 1]}` : characters.slice(at, end);
    at = end;
  }
  return name;
}

/** The alphabet of a text, and whether it was a guess. */
export interface AlphabetChoice {
  readonly alphabet: Alphabet;
  /** No rule applied: the alphabet is assumed, and every puzzle gets a warning. */
  readonly assumed: boolean;
}

/** The symbols of a puzzle, and the number of puzzles that have them. */
interface SymbolSet {
  readonly symbols: readonly number[];
  count: number;
}

/**
 * Collects the symbols of the puzzles of one size, as one set per puzzle, so that symbols of single damaged puzzles can be
 * ignored.
 */
export type SymbolSurvey = ReturnType<typeof symbolSurvey>;

export function symbolSurvey(size: number) {
  /** By distinct set, as text. */
  const sets = new Map<string, SymbolSet>();
  /** The set of the last puzzle, which most others have as well. */
  let last: SymbolSet = { symbols: [], count: 0 };
  /** By symbol: cells of the current puzzle, and whether the last one had it. */
  const cells = new Uint16Array(CODE_COUNT);
  const wasSeen = new Uint8Array(CODE_COUNT - MANY_ZEROS);

  /** Enters the cells of one puzzle. */
  function add(codes: ArrayLike<CellCode>, count: number, spaced: boolean): void {
    const symbols: number[] = [];
    for (let cell = 0; cell < count; cell++) {
      const code = codes[cell];
      if (cells[code]++ === 0) symbols.push(code);
    }
    const hasManyZeros = cells[ZERO] > size;
    for (const symbol of symbols) cells[symbol] = 0;
    if (spaced) symbols.push(SPACED);
    if (hasManyZeros) symbols.push(MANY_ZEROS);
    const isLast =
      symbols.length === last.symbols.length && symbols.every((symbol) => wasSeen[symbol - MANY_ZEROS] === 1);
    if (!isLast) {
      for (const symbol of last.symbols) wasSeen[symbol - MANY_ZEROS] = 0;
      for (const symbol of symbols) wasSeen[symbol - MANY_ZEROS] = 1;
      last = setOf(symbols);
    }
    last.count++;
  }

  function setOf(symbols: number[]): SymbolSet {
    const key = symbols.sort((a, b) => a - b).join();
    const set = sets.get(key) ?? { symbols, count: 0 };
    if (sets.size < MAX_SETS) sets.set(key, set);
    return set;
  }

  /**
   * Decides the alphabet of all these puzzles. If their symbols contradict each other, symbols of only a few puzzles are
   * ignored.
   */
  function decide(): AlphabetChoice {
    const support = new Map<number, number>();
    let puzzles = 0;
    for (const { symbols, count } of sets.values()) {
      puzzles += count;
      for (const symbol of symbols) support.set(symbol, (support.get(symbol) ?? 0) + count);
    }
    const choice = decideAlphabet(size, new Set(support.keys()));
    const fitting = countFitting(choice.alphabet);
    if (fitting === puzzles) return choice;
    const common = [...support].filter(([, count]) => count > Math.max(1, puzzles / 10));
    const other = decideAlphabet(size, new Set(common.map(([symbol]) => symbol)));
    return countFitting(other.alphabet) > fitting ? other : choice;
  }

  /** Number of puzzles with only symbols of the alphabet and blanks. */
  function countFitting(alphabet: Alphabet): number {
    let fitting = 0;
    for (const { symbols, count } of sets.values()) if (fits(alphabet, symbols)) fitting += count;
    return fitting;
  }

  return {
    add,
    decide,
    countFitting,
  };
}

/** Maximum number of distinct symbol sets kept per size; a head of 1 MiB rarely has more puzzles. */
const MAX_SETS = 4096;
/** Marks a set of a puzzle whose cells are separated by white space. */
export const SPACED = -1;
/** Marks a set of a puzzle with more zeros than a digit has cells. */
const MANY_ZEROS = -2;

const X_BLANKS = [88, 120];
const LOWER_A = 97;

/**
 * Decides the alphabet of a set of symbols by the rules at the top of this file.
 *
 * @param symbols cell codes, all that occur
 */
export function decideAlphabet(size: number, symbols: ReadonlySet<number>): AlphabetChoice {
  const codes = [...symbols];
  const hasBlank = codes.some((code) => BLANK_CODES.has(code));
  // Up to 23x23, x is no digit: it is the blank if there is no other.
  const isX = (code: number) => size < 24 && X_BLANKS.includes(code);
  const letters = codes.filter((code) => isLetter(code) && (hasBlank || !isX(code)));
  const hasUpper = letters.some((code) => code < LOWER_A);
  const hasLower = letters.some((code) => code >= LOWER_A);
  /** Positions in the alphabet, from 1; lower case starts at 27 if both cases occur. */
  const places = letters.map((code) => (code | 32) - 96 + (code >= LOWER_A && hasUpper ? 26 : 0));
  const lastLetter = Math.max(0, ...places);
  const digits = codes.some((code) => code > ZERO && code <= NINE);
  const numbers = codes.filter((code) => code > NUMBER && code !== MINUS_ONE);
  // A grid without blanks, of 0 to F: as many zeros as rows, and none of the last letter.
  const isFull = lastLetter === size - 10 && digits;
  const zeroIsValue =
    symbols.has(ZERO) && !symbols.has(MANY_ZEROS) && (hasBlank || codes.some(isX) || isFull);
  const choice = (alphabet: Alphabet, assumed = false) => ({ alphabet, assumed });
  /** The first characters, in lower case if all letters of the file are. */
  const charactersOf = (all: string) => {
    const own = all.slice(0, size);
    const isLower = hasLower && !hasUpper && own === own.toUpperCase();
    return characterAlphabet(isLower ? own.toLowerCase() : own);
  };
  if (size <= 9) return choice(lastLetter > 0 && !digits ? charactersOf(LETTERS) : decimalAlphabet(size));
  if (numbers.length > 0 || (symbols.has(SPACED) && lastLetter === 0)) {
    const largest = Math.max(0, ...numbers) - NUMBER;
    return choice(decimalAlphabet(size, zeroIsValue && largest < size ? 0 : 1));
  }
  if (size > LETTERS.length) return choice(decimalAlphabet(size));
  if (lastLetter > size - 9 || (lastLetter > 0 && !digits && !zeroIsValue))
    return choice(charactersOf(LETTERS));
  if (lastLetter > 0 && lastLetter === size - 9 && digits) return choice(charactersOf(FROM_ONE));
  if (zeroIsValue) return choice(charactersOf(FROM_ZERO));
  if (symbols.has(ZERO)) return choice(charactersOf(FROM_ONE));
  return choice(charactersOf(FROM_ZERO), true);
}

export function isLetter(code: CellCode): boolean {
  return (code | 32) >= LOWER_A && (code | 32) <= 122;
}

/** Whether all of a puzzle's symbols are blanks or symbols of the alphabet. */
function fits(alphabet: Alphabet, symbols: readonly number[]): boolean {
  const values = valueTable(alphabet);
  const zeroIsBlank = values[ZERO] === NO_VALUE;
  const manyZeros = symbols.includes(MANY_ZEROS);
  const dotted = symbols.some((code) => BLANK_CODES.has(code));
  return symbols.every((code) => {
    if (code === SPACED || BLANK_CODES.has(code) || X_BLANKS.includes(code)) return true;
    if (code === MANY_ZEROS) return zeroIsBlank;
    // With another blank, 0 is a value: an alphabet without it does not fit such a puzzle.
    if (code === ZERO) return !(zeroIsBlank && dotted) || manyZeros;
    return values[code] !== NO_VALUE;
  });
}

/** In a table of values: the code is neither digit nor blank. */
export const NO_VALUE = 255;

const tables = new WeakMap<Alphabet, Uint8Array>();

/** The value of every code under an alphabet; letters in either case, unless the alphabet has both. */
export function valueTable(alphabet: Alphabet): Uint8Array {
  return kept(tables, alphabet, () => {
    const { symbols } = alphabet;
    const table = new Uint8Array(CODE_COUNT).fill(NO_VALUE);
    for (const [value, symbol] of symbols.entries()) {
      if (symbol.length === 1) {
        for (const form of [symbol.toUpperCase(), symbol.toLowerCase()]) {
          if (form === symbol || !symbols.includes(form)) table[form.charCodeAt(0)] = value;
        }
      }
      if (/^\d+$/.test(symbol)) table[NUMBER + Number(symbol)] = value;
    }
    if (!symbols.includes('0')) table[NUMBER] = 0;
    return table;
  });
}
