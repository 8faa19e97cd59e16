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
 *     0 with another blank                               0-9A-F
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
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = UPPER + UPPER.toLowerCase();

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
  for (let n = MIN_SIZE; n <= LETTERS.length + 9; n++)
    if (alphabetOf(n, text) !== undefined) return undefined;
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
  if (size <= 9) {
    return [decimalAlphabet(size), decimalAlphabet(size, 0), characterAlphabet(UPPER.slice(0, size))];
  }
  const alphabets = [decimalAlphabet(size), decimalAlphabet(size, 0)];
  if (size <= LETTERS.length) alphabets.push(characterAlphabet(LETTERS.slice(0, size)));
  if (size <= LETTERS.length + 9) {
    alphabets.push(characterAlphabet(`123456789${LETTERS}`.slice(0, size)));
    alphabets.push(characterAlphabet(`0123456789${LETTERS}`.slice(0, size)));
  }
  return alphabets;
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
  /** By symbol: 2 if the current puzzle has it, otherwise 1 if the last one had it. */
  const marks = new Uint8Array(CODE_COUNT - MANY_ZEROS);

  /** Enters the cells of one puzzle. */
  function add(codes: ArrayLike<CellCode>, count: number, spaced: boolean): void {
    const symbols: number[] = [];
    let others = 0;
    const see = (symbol: number) => {
      const mark = marks[symbol - MANY_ZEROS];
      if (mark === 2) return;
      if (mark === 0) others++;
      marks[symbol - MANY_ZEROS] = 2;
      symbols.push(symbol);
    };
    let zeros = 0;
    for (let cell = 0; cell < count; cell++) {
      const code = codes[cell];
      if (code === ZERO) zeros++;
      if (marks[code - MANY_ZEROS] < 2) see(code);
    }
    if (spaced) see(SPACED);
    if (zeros > size) see(MANY_ZEROS);
    if (others > 0 || symbols.length < last.symbols.length) {
      for (const symbol of last.symbols) marks[symbol - MANY_ZEROS] = 0;
      last = setOf(symbols);
    }
    last.count++;
    for (const symbol of symbols) marks[symbol - MANY_ZEROS] = 1;
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

/**
 * Decides the alphabet of a set of symbols by the rules at the top of this file.
 *
 * @param symbols cell codes, all that occur
 */
export function decideAlphabet(size: number, symbols: ReadonlySet<number>): AlphabetChoice {
  const other = otherBlank(size, symbols);
  const zeroIsValue = symbols.has(ZERO) && other && !symbols.has(MANY_ZEROS);
  const numbers = [...symbols].filter((code) => code > NUMBER && code !== MINUS_ONE);
  // Up to 23x23, x is no digit: it is the blank if there is no other.
  const xIsBlank = size < 24 && ![...BLANK_CODES].some((code) => symbols.has(code));
  const named = xIsBlank ? new Set([...symbols].filter((code) => !X_BLANKS.includes(code))) : symbols;
  const letters = [...named].map((code) => letterIndex(code, named)).filter((index) => index > 0);
  const lastLetter = Math.max(0, ...letters);
  const digits = [...symbols].some((code) => code > ZERO && code <= NINE);
  const sure = (alphabet: Alphabet) => ({ alphabet, assumed: false });
  if (size <= 9) {
    return sure(lastLetter > 0 && !digits ? letterAlphabet(size, named) : decimalAlphabet(size));
  }
  if (numbers.length > 0 || (symbols.has(SPACED) && lastLetter === 0)) {
    const largest = Math.max(0, ...numbers) - NUMBER;
    return sure(decimalAlphabet(size, zeroIsValue && largest < size ? 0 : 1));
  }
  if (size > LETTERS.length) return sure(decimalAlphabet(size));
  if (lastLetter > size - 9 || (lastLetter > 0 && !digits && !zeroIsValue)) {
    return sure(letterAlphabet(size, named));
  }
  if (lastLetter > 0 && lastLetter === size - 9 && digits) return sure(mixedAlphabet(1, size, named));
  if (zeroIsValue) return sure(mixedAlphabet(0, size, named));
  if (symbols.has(ZERO)) return sure(mixedAlphabet(1, size, named));
  return { alphabet: mixedAlphabet(0, size, named), assumed: true };
}

/** Whether a character other than 0 stands for blanks. */
function otherBlank(size: number, symbols: ReadonlySet<number>): boolean {
  for (const code of symbols) if (BLANK_CODES.has(code)) return true;
  return size < 24 && X_BLANKS.some((code) => symbols.has(code));
}

/** Position of a letter in the alphabet from 1, 0 for other codes; lower case starts at 27 if both cases occur. */
function letterIndex(code: number, symbols: ReadonlySet<number>): number {
  if (code >= 65 && code <= 90) return code - 64;
  if (code >= 97 && code <= 122) return code - 96 + (hasCase(symbols, 65) ? 26 : 0);
  return 0;
}

/** Whether a letter occurs that is one of 26 from `first` on. */
function hasCase(symbols: ReadonlySet<number>, first: number): boolean {
  for (const code of symbols) if (code >= first && code < first + 26) return true;
  return false;
}

/** The alphabet in lower case if all letters of the file are. */
function cased(characters: string, symbols: ReadonlySet<number>): Alphabet {
  const lower = hasCase(symbols, 97) && !hasCase(symbols, 65) && characters === characters.toUpperCase();
  return characterAlphabet(lower ? characters.toLowerCase() : characters);
}

function letterAlphabet(size: number, symbols: ReadonlySet<number>): Alphabet {
  return cased(LETTERS.slice(0, size), symbols);
}

function mixedAlphabet(first: 0 | 1, size: number, symbols: ReadonlySet<number>): Alphabet {
  return cased(`${first === 0 ? '0' : ''}123456789${LETTERS}`.slice(0, size), symbols);
}

/** Whether all of a puzzle's symbols are blanks or symbols of the alphabet. */
function fits(alphabet: Alphabet, symbols: readonly number[]): boolean {
  const known = new Set<number>();
  for (const symbol of alphabet.symbols) {
    known.add(symbol.charCodeAt(0));
    if (symbol.length > 1) known.add(NUMBER + Number(symbol));
    known.add(symbol.toUpperCase().charCodeAt(0)).add(symbol.toLowerCase().charCodeAt(0));
  }
  const zeroIsBlank = !alphabet.symbols.includes('0');
  const manyZeros = symbols.includes(MANY_ZEROS);
  const dotted = symbols.some((code) => BLANK_CODES.has(code));
  return symbols.every((code) => {
    if (code === SPACED || BLANK_CODES.has(code) || X_BLANKS.includes(code)) return true;
    if (code === MANY_ZEROS) return zeroIsBlank;
    // With another blank, 0 is a value: an alphabet without it does not fit such a puzzle.
    if (code === ZERO) return !(zeroIsBlank && dotted) || manyZeros;
    return known.has(code);
  });
}
