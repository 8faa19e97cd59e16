/** Texts of any size that a seed makes from files of every format: pieces are damaged, nested, spliced and repeated. */
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { wellFormedFiles } from '../formats/catalogue.ts';

/** A text that grows: its start, and a part that is repeated up to its size. */
export interface GrownText {
  readonly start: string;
  readonly unit: string;
  readonly end: string;
}

const FILES = Object.values(wellFormedFiles()).map((pieces) => pieces.join(''));
/** Signs of the formats, and characters that stand for them. */
const SIGNS = [
  ...[
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    ',',
    ':',
    ';',
    '|',
    '\t',
    ' ',
    '\n',
    '\r',
    '#',
    '/',
    '\\',
    '<',
    '>',
    '&',
    '=',
    '-',
  ],
  ...[
    '.',
    '0',
    '1',
    '9',
    'a',
    'x',
    '_',
    '*',
    '+',
    '~',
    '(',
    ')',
    '%',
    '\0',
    '·',
    '１',
    '\u00a0',
    '\u200b',
    '│',
    'é',
  ],
  ...[
    '[[',
    '{"a":',
    '"puzzle":',
    '[1,',
    '],[',
    '<game ',
    'Grid 1\n',
    'sep=,\n',
    '9 9\n',
    'a: ',
    '[ ]',
    '1. ',
    '| ',
  ],
];
const MAX_START = 400;
const MAX_UNIT = 200;

/** The text of a seed. */
export function grownText(seed: number): GrownText {
  const random = new RandomSource(seed);
  const below = (count: number) => random.next() % count;
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const slice = (length: number) => {
    const file = oneOf(FILES);
    const from = below(2) === 0 ? 0 : below(file.length);
    return file.slice(from, from + 1 + below(length));
  };
  /** One to four signs. */
  const signs = () => Array.from({ length: 1 + below(4) }, () => oneOf(SIGNS)).join('');
  const damaged = (text: string) => {
    const at = below(text.length + 1);
    return text.slice(0, at) + signs() + text.slice(at + below(3));
  };
  const unit = [
    () => signs(),
    () => slice(MAX_UNIT),
    () => damaged(slice(MAX_UNIT)),
    () => slice(20) + signs() + slice(20),
    () => slice(20).replaceAll('\n', ''),
  ][below(5)]!();
  const start = ['', signs(), slice(MAX_START), damaged(slice(MAX_START))][below(4)]!;
  return { start, unit, end: below(2) === 0 ? '' : signs() };
}

/** The text with that many characters, or a few more. */
export function textOf({ start, unit, end }: GrownText, length: number): string {
  return start + unit.repeat(Math.ceil(length / unit.length)) + end;
}
