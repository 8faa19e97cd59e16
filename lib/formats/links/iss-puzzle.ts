/**
 * Strings of the Interactive Sudoku Solver: constraints, each after a dot, with arguments after tildes.
 *
 *     .Shape~6x6.Jigsaw~000111...NoBoxes.Diagonal~1.Diagonal~-1.~R1C1_5~R2C3_1_2
 *
 * A given has one digit; several are the candidates of a cell. The boxes hold unless `NoBoxes` is there, with a region
 * map as well.
 */
import { hasUsualBox } from '../../sudoku/geometry/geometry.ts';
import { makeFault } from '../records/fault.ts';
import { ruleNamed } from '../rules/rule-names.ts';
import { type LinkResult, refused } from './link-result.ts';

/** Rows and columns are one digit each, as in that solver. */
const CELL = /^R([1-9A-G])C([1-9A-G])((?:_\d{1,2})*)$/i;
const DIGIT_BASE = 17;
const GIVEN = 'a cell of the grid and its digits, such as R1C2_3';
const SHAPE = /^(\d{1,2})x(\d{1,2})$/;

export function readIss(text: string): LinkResult {
  const constraints = text
    .slice(1)
    .split('.')
    .map((item) => item.split('~'));
  const shape =
    constraints
      .find(([type]) => type === 'Shape')
      ?.slice(1)
      .join('~') ?? '9x9';
  const [, rows, columns] = SHAPE.exec(shape) ?? [];
  const size = Number(rows);
  if (rows === undefined || rows !== columns) return refused(`the shape ${JSON.stringify(shape)}`);
  const digits = new Array<number>(size * size).fill(0);
  const candidates = new Array<number[] | undefined>(size * size).fill(undefined);
  const object: Record<string, unknown> = hasUsualBox(size) ? {} : { boxes: false };
  for (const [type, ...values] of constraints) {
    if (type === 'Shape') continue;
    if (type === '' || type === 'Given') {
      for (const value of values) {
        const wrong = placeGiven(value, size, digits, candidates);
        if (wrong !== undefined) return makeFault('bad_character', 0, wrong, GIVEN);
      }
    } else if (type === 'Jigsaw') object.regions = values.at(-1) ?? '';
    else if (type === 'NoBoxes') object.boxes = false;
    else if (type === 'Windoku') object.windoku = true;
    else if (type === 'Diagonal') object[values[0] === '-1' ? 'diagonal-' : 'diagonal+'] = true;
    else return refused(`${type} (${ruleNamed(type) ?? 'a rule'}) of the Interactive Sudoku Solver`);
  }
  const rowsOf = (cells: readonly unknown[]) =>
    Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
  // Without regions, boxes are the usual rule and need no word.
  if (object.regions !== undefined) object.boxes ??= true;
  const marked = candidates.some((marks) => marks !== undefined);
  const cells = marked ? digits.map((value, at) => ({ value, givenPencilMarks: candidates[at] })) : digits;
  return { object: { ...object, puzzle: rowsOf(cells) } };
}

/** Places a given or the candidates of a cell; returns what is wrong with it, if anything. */
function placeGiven(
  text: string,
  size: number,
  digits: number[],
  candidates: Array<number[] | undefined>,
): string | undefined {
  const [, row, column, list = ''] = CELL.exec(text) ?? [];
  const values = list.split('_').slice(1).map(Number);
  const at = (Number.parseInt(row, DIGIT_BASE) - 1) * size + Number.parseInt(column, DIGIT_BASE) - 1;
  const inside = Math.max(Number.parseInt(row, DIGIT_BASE), Number.parseInt(column, DIGIT_BASE)) <= size;
  if (!inside || values.length === 0 || values.some((value) => value < 1 || value > size)) return text;
  if (digits[at] !== 0 || candidates[at] !== undefined) return `${text}, a cell that was given before`;
  if (values.length === 1) digits[at] = values[0];
  else candidates[at] = values;
  return undefined;
}
