/**
 * The symbols of the digits: how alphabets are named, told apart and decided.
 *
 * Up to 9 digits, a file shows its alphabet by itself. Beyond that the same text may mean different grids:
 * `A` is 1 in `A-P`, 10 in `1-9A-G`, and 10 after a 0 in `0-9A-F`. So the alphabet of a large size is decided once
 * for a file, from the symbols of all its puzzles of that size in the head, by the first rule that holds:
 *
 *     a token of several digits                          1-16        (0-15 where 0 stands beside another blank)
 *     a letter beyond the 7th (n - 9), or letters only   A-P
 *     the 7th letter, and a digit                        1-9A-G
 *     0 beside another blank                             0-9A-F
 *     0 and no other blank                               1-9A-G
 *     otherwise                                          0-9A-F, with the warning `alphabet_assumed`
 */

import type { Alphabet } from '../records/layout.ts';
import { type CellCode, CODE_COUNT, NUMBER } from './grid-buffer.ts';

/** Of a puzzle. */
const MIN_SIZE = 4;
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = UPPER + UPPER.toLowerCase();

const cache = new Map<string, Alphabet>();
const decimals = new Map<string, Alphabet>();

/** The same symbols give the same object. */
function interned(name: string, symbols: readonly string[]): Alphabet {
  const key = symbols.join(' ');
  let alphabet = cache.get(key);
  if (alphabet === undefined) {
    alphabet = {
      name,
      symbols: ['', ...symbols],
      singleCharacter: symbols.every((symbol) => symbol.length === 1),
    };
    cache.set(key, alphabet);
  }
  return alphabet;
}

/** Alphabet of `size` decimal numbers from `first` (0 or 1), written with as many digits as they need. */
export function decimalAlphabet(size: number, first: 0 | 1 = 1): Alphabet {
  const name = `${first}-${size - 1 + first}`;
  let alphabet = decimals.get(name);
  if (alphabet === undefined) {
    alphabet = interned(
      name,
      Array.from({ length: size }, (_, k) => String(k + first)),
    );
    decimals.set(name, alphabet);
  }
  return alphabet;
}

/** Alphabet of single characters in order, each an ASCII character. */
export function characterAlphabet(characters: string): Alphabet {
  return interned(rangeName(characters), [...characters]);
}

/**
 * The alphabet that a setting or a user names: its symbols in order (`ABCDEFGHIJKLMNOP`), or a name (`A-P`,
 * `1-16`).
 *
 * @returns undefined where the text is no alphabet of `size` digits
 */
export function alphabetOf(size: number, text: string): Alphabet | undefined {
  if (text.length === size) return problemOf(text) === undefined ? characterAlphabet(text) : undefined;
  return usualAlphabets(size).find((alphabet) => alphabet.name === text);
}

/** What is wrong with an alphabet given by a user, as a sentence; undefined where it can be used. */
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
  return problemOf(text) ?? `alphabet "${text}" has ${text.length} symbols: no size has so many`;
}

function problemOf(characters: string): string | undefined {
  for (const [index, character] of [...characters].entries()) {
    if (character < '!' || character > '~') {
      return `alphabet "${characters}" holds ${JSON.stringify(character)}: its symbols must be printable ASCII characters other than space`;
    }
    if (characters.indexOf(character) !== index) {
      return `alphabet "${characters}" holds ${JSON.stringify(character)} twice: each digit needs a symbol of its own`;
    }
  }
  return characters.length === 0 ? 'the alphabet is empty: give the symbols in order' : undefined;
}

/** The alphabets that files of a size use. */
export function usualAlphabets(size: number): Alphabet[] {
  if (size <= 9) {
    return [decimalAlphabet(size), characterAlphabet(UPPER.slice(0, size))];
  }
  const alphabets = [decimalAlphabet(size), decimalAlphabet(size, 0)];
  if (size <= LETTERS.length) alphabets.push(characterAlphabet(LETTERS.slice(0, size)));
  if (size <= LETTERS.length + 9) {
    alphabets.push(characterAlphabet(`123456789${LETTERS}`.slice(0, size)));
    alphabets.push(characterAlphabet(`0123456789${LETTERS}`.slice(0, size)));
  }
  return alphabets;
}

/** `ABCDEFGHIJKLMNOP` as `A-P`: runs of three or more neighbours are drawn together. */
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
  /** No rule told it: it was assumed, and every puzzle says so. */
  readonly assumed: boolean;
}

/**
 * The symbols of the puzzles of one size, kept as one set a puzzle, so that a single damaged puzzle can be told
 * from what all the others have in common.
 */
export class SymbolSurvey {
  readonly size: number;
  /** Distinct sets with how many puzzles have each. */
  readonly #sets = new Map<string, number>();

  readonly #flags = new Uint8Array(CODE_COUNT);

  constructor(size: number) {
    this.size = size;
  }

  /** Enters the cells of one puzzle. */
  add(codes: ArrayLike<CellCode>, count: number, spaced: boolean): void {
    const seen: number[] = spaced ? [SPACED] : [];
    for (let cell = 0; cell < count; cell++) {
      const code = codes[cell];
      if (this.#flags[code] === 1) continue;
      this.#flags[code] = 1;
      seen.push(code);
    }
    for (const code of seen) if (code >= 0) this.#flags[code] = 0;
    const key = seen.sort((a, b) => a - b).join();
    if (this.#sets.size < MAX_SETS || this.#sets.has(key)) {
      this.#sets.set(key, (this.#sets.get(key) ?? 0) + 1);
    }
  }

  /**
   * The alphabet of all these puzzles. Where the symbols of all together contradict each other, symbols that
   * only a few puzzles have are left out of the count.
   */
  decide(): AlphabetChoice {
    const sets = [...this.#sets].map(([key, count]) => ({ symbols: key.split(',').map(Number), count }));
    const support = new Map<number, number>();
    let puzzles = 0;
    for (const { symbols, count } of sets) {
      puzzles += count;
      for (const symbol of symbols) support.set(symbol, (support.get(symbol) ?? 0) + count);
    }
    let best = decideAlphabet(this.size, new Set(support.keys()));
    let bestMisfits = misfits(best.alphabet, sets);
    if (bestMisfits > 0) {
      const common = [...support].filter(([, count]) => count > Math.max(1, puzzles / 10));
      const choice = decideAlphabet(this.size, new Set(common.map(([symbol]) => symbol)));
      const misfit = misfits(choice.alphabet, sets);
      if (misfit < bestMisfits) [best, bestMisfits] = [choice, misfit];
    }
    return best;
  }

  /** How many of the puzzles use only symbols of the alphabet, and blanks. */
  countFitting(alphabet: Alphabet): number {
    let fitting = 0;
    for (const [key, count] of this.#sets) {
      if (fits(alphabet, key.split(',').map(Number))) fitting += count;
    }
    return fitting;
  }
}

/** Distinct symbol sets kept for a size; a head of 1 MiB rarely has more puzzles. */
const MAX_SETS = 4096;
/** Stands in a set for "its cells are parted by white space". */
export const SPACED = -1;

const ZERO = 48;
const NINE = 57;
const BLANKS = new Set([...'.*_-? '].map((character) => character.charCodeAt(0)));
const X_BLANKS = [88, 120];

/**
 * The alphabet that a set of symbols shows, by the rules at the head of this file.
 *
 * @param symbols cell codes, all that occur
 */
export function decideAlphabet(size: number, symbols: ReadonlySet<number>): AlphabetChoice {
  const other = otherBlank(size, symbols);
  const zeroIsValue = symbols.has(ZERO) && other;
  const numbers = [...symbols].filter((code) => code > NUMBER);
  const letters = [...symbols].map((code) => letterIndex(code, symbols)).filter((index) => index > 0);
  if (size < 24 && !hasLetterBlankOnly(letters, symbols)) removeX(letters);
  const lastLetter = Math.max(0, ...letters);
  const digits = [...symbols].some((code) => code > ZERO && code <= NINE);
  const sure = (alphabet: Alphabet) => ({ alphabet, assumed: false });
  if (size <= 9) {
    return sure(lastLetter > 0 && !digits ? letterAlphabet(size, symbols) : decimalAlphabet(size));
  }
  if (numbers.length > 0 || (symbols.has(SPACED) && lastLetter === 0)) {
    const largest = Math.max(0, ...numbers) - NUMBER;
    return sure(decimalAlphabet(size, zeroIsValue && largest < size ? 0 : 1));
  }
  if (size > LETTERS.length) return sure(decimalAlphabet(size));
  if (lastLetter > size - 9 || (lastLetter > 0 && !digits && !zeroIsValue)) {
    return sure(letterAlphabet(size, symbols));
  }
  if (lastLetter > 0 && lastLetter === size - 9 && digits) return sure(mixedAlphabet(1, size, symbols));
  if (zeroIsValue) return sure(mixedAlphabet(0, size, symbols));
  if (symbols.has(ZERO)) return sure(mixedAlphabet(1, size, symbols));
  return { alphabet: mixedAlphabet(0, size, symbols), assumed: true };
}

/** Whether a character other than 0 stands for blanks. */
function otherBlank(size: number, symbols: ReadonlySet<number>): boolean {
  for (const code of symbols) if (BLANKS.has(code)) return true;
  return size < 24 && X_BLANKS.some((code) => symbols.has(code));
}

function hasLetterBlankOnly(letters: number[], symbols: ReadonlySet<number>): boolean {
  for (const code of symbols) if (BLANKS.has(code)) return true;
  return letters.every((letter) => letter !== 24);
}

function removeX(letters: number[]): void {
  for (let k = letters.length - 1; k >= 0; k--) if (letters[k] === 24) letters.splice(k, 1);
}

/** Place of a letter in the alphabet from 1, 0 for other codes; lower case counts from 27 where both cases occur. */
function letterIndex(code: number, symbols: ReadonlySet<number>): number {
  if (code >= 65 && code <= 90) return code - 64;
  if (code >= 97 && code <= 122) return hasUpper(symbols) ? code - 96 + 26 : code - 96;
  return 0;
}

function hasUpper(symbols: ReadonlySet<number>): boolean {
  for (const code of symbols) if (code >= 65 && code <= 90) return true;
  return false;
}

function hasLower(symbols: ReadonlySet<number>): boolean {
  for (const code of symbols) if (code >= 97 && code <= 122) return true;
  return false;
}

/** Letters in the case of the file: a file in lower case gets lower-case symbols. */
function cased(characters: string, symbols: ReadonlySet<number>): Alphabet {
  const lower = hasLower(symbols) && !hasUpper(symbols) && characters === characters.toUpperCase();
  return characterAlphabet(lower ? characters.toLowerCase() : characters);
}

function letterAlphabet(size: number, symbols: ReadonlySet<number>): Alphabet {
  return cased(LETTERS.slice(0, size), symbols);
}

function mixedAlphabet(first: 0 | 1, size: number, symbols: ReadonlySet<number>): Alphabet {
  return cased(`${first === 0 ? '0' : ''}123456789${LETTERS}`.slice(0, size), symbols);
}

function misfits(alphabet: Alphabet, sets: readonly { symbols: number[]; count: number }[]): number {
  let count = 0;
  for (const set of sets) if (!fits(alphabet, set.symbols)) count += set.count;
  return count;
}

/** Whether a puzzle's symbols are all of the alphabet or blanks, and no more than the alphabet has. */
function fits(alphabet: Alphabet, symbols: readonly number[]): boolean {
  const known = new Set<number>();
  for (const symbol of alphabet.symbols) {
    known.add(symbol.charCodeAt(0));
    if (symbol.length > 1) known.add(NUMBER + Number(symbol));
    known.add(symbol.toUpperCase().charCodeAt(0)).add(symbol.toLowerCase().charCodeAt(0));
  }
  const zeroIsBlank = !alphabet.symbols.includes('0');
  const dotted = symbols.some((code) => BLANKS.has(code));
  return symbols.every((code) => {
    if (code === SPACED || BLANKS.has(code) || X_BLANKS.includes(code)) return true;
    // 0 beside another blank would be a value: an alphabet without it does not explain such a puzzle.
    if (code === ZERO) return !(zeroIsBlank && dotted);
    return known.has(code);
  });
}
