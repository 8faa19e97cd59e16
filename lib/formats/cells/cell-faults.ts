/** Why the cells of a grid are no puzzle. */
import { type Fault, makeFault } from '../records/fault.ts';
import type { Alphabet } from '../records/layout.ts';
import { decimalAlphabet } from './alphabets.ts';
import { type CellCode, codeText } from './grid-buffer.ts';

/** The option that would read a symbol, if there is one. */
function advice(found: string, alphabet: Alphabet, isOwn: boolean): string {
  const size = alphabet.symbols.length - 1;
  if (size <= 9 && alphabet === decimalAlphabet(size, 0) && found === String(size)) {
    const symbols = decimalAlphabet(size).symbols.join('');
    return `; in most puzzles 0 is a digit: pass --alphabet ${symbols} if it is a blank`;
  }
  return isOwn ? `; if the puzzles have their own ${size} symbols, name them with --alphabet` : '';
}

/** The fault of a cell whose code is neither digit nor blank. */
export function symbolFault(
  stray: CellCode,
  blank: CellCode | undefined,
  codes: ArrayLike<CellCode>,
  count: number,
  alphabet: Alphabet,
  isOwn: boolean,
): Fault {
  let cell = 0;
  while (cell < count && codes[cell] !== stray) cell++;
  const found = codeText(stray);
  const code = /^[0-9A-Za-z]+$/.test(found) ? 'symbol_out_of_range' : 'bad_character';
  const blankName = blank === undefined ? 'a blank' : `"${codeText(blank)}" for a blank`;
  const expected = `${alphabet.name}, or ${blankName}${advice(found, alphabet, isOwn)}`;
  return makeFault(code, cell, found, expected, { isQuote: true });
}

/** Why a puzzle is rejected if 0 may be a digit or a blank. */
export function undecidedZero(size: number): Fault {
  const [from0, from1] = [decimalAlphabet(size, 0), decimalAlphabet(size)].map(({ symbols }) =>
    symbols.join(''),
  );
  const where = `and another blank, and too few digits to decide what 0 is in ${size}x${size} puzzles`;
  const expected = `--alphabet ${from0} if it is a digit, --alphabet ${from1} if it is a blank`;
  return makeFault('ambiguous_alphabet', 0, '0', expected, { where });
}

/** The puzzle has more symbols than digits, so the wrong ones are unknown. */
export function tooManySymbols({ at, found }: Fault, symbols: number, size: number): Fault {
  const where = `in a ${size}x${size} puzzle, ${JSON.stringify(found)} among them`;
  const advice = 'name them, in addition to the blank, with --alphabet';
  return makeFault('ambiguous_alphabet', at, `${symbols} symbols`, `${size} symbols`, { where, advice });
}
