/** Numbers beside a grid that state a rule for its cells: pairs of cells, signs, sums, clues. */

export interface Line {
  readonly text: string;
  readonly number: number;
}

/** Lines that are looked at: ordinary files of rows are not cut into cells once more. */
const MOST_LINES = 64;
const SIGNS = 'numbers for the signs between cells, as in futoshiki';

/**
 * What the numbers below or around a grid are, if they are none of its cells. No puzzle has rows of such widths, and none that
 * is valid has rows of such pairs: two cells in one row or column of the grid repeat its number.
 *
 * @param mayBeBinary whether rows of 0s and 1s may be no puzzles
 */
export function numbersAround(lines: readonly Line[], mayBeBinary: boolean) {
  const all = lines.slice(0, MOST_LINES).flatMap(rowIn);
  return aroundGrid(all, mayBeBinary) ?? belowCount(all);
}

type Row = ReturnType<typeof rowIn>[number];

function aroundGrid(all: readonly Row[], mayBeBinary: boolean) {
  // A size, or counts, may be above the grid.
  const start = all.findIndex(({ numbers }) => numbers.length > 2);
  const rows = all.slice(start);
  const widths = rows.map(({ numbers }) => numbers.length);
  const [size = 0] = widths;
  const areWide = (width: number, first: number, count: number) =>
    first + count <= widths.length && widths.slice(first, first + count).every((own) => own === width);
  const rule = (name: string, at: number, expected?: string) => ({ name, lines: [rows[at].line], expected });
  if (size > 3 && areWide(size + 2, 1, size) && areWide(size, size + 1, 1))
    return rule('numbers around a grid, as in skyscrapers and sandwich sudoku', 0);
  const isGrid = rows.length > 3 && areWide(size, 0, rows.length);
  // With another blank, a 0 is no blank.
  const areValues = new Set(rows.flatMap(({ words }) => words)).size > 2;
  if (mayBeBinary && isGrid && rows.every(isBinary) && (areValues || rows.some(hasTwoOnes)))
    return rule('rows of 0s and 1s alone', 0, 'rows with other digits, or a matrix without other text');
  const [above = 0] = all[start - 1]?.numbers ?? [];
  const values = rows.flatMap(({ numbers }) => numbers);
  if (isGrid && size === 2 * above - 1 && Math.min(...values) < 0 && Math.max(...values) <= above)
    return rule(SIGNS, 0);
  // The options of an exact cover may be as long, and have such names.
  if (size < 4 || !areWide(size, 0, size) || rows.slice(0, size).some(({ isNamed }) => isNamed))
    return undefined;
  const below = widths[size] === 1 ? size + 1 : size;
  if (areWide(size - 1, below, size) && areWide(size, below + size, size - 1)) return rule(SIGNS, below);
  let end = below;
  while (end < rows.length && areNeighbours(rows[end].numbers)) end++;
  // One row of numbers may also be that of a damaged puzzle.
  const isSure = end > below + 1 || /[a-i]/i.test(rows[below]?.line.text);
  return arePairs(rows.slice(below, end)) && isSure && widths[end] !== size
    ? rule('rows and columns of cells below a grid, as in futoshiki and killer sudoku', below)
    : undefined;
}

/** Pairs of cells, as many as a number above them says. */
function belowCount(all: readonly Row[]) {
  const at = all.findIndex(({ numbers }, row) => {
    const count = numbers.at(-1) ?? 0;
    const end = row + 1 + count;
    return numbers.length < 3 && count > 1 && end <= all.length && arePairs(all.slice(row + 1, end));
  });
  const name = 'rows and columns of cells below their number, as in futoshiki';
  return at < 0 ? undefined : { name, lines: [all[at + 1].line], expected: undefined };
}

function isBinary({ words }: Row): boolean {
  return words.every((word) => /^[01._*-]$/.test(word));
}

function hasTwoOnes({ numbers }: Row): boolean {
  return numbers.filter((number) => number === 1).length > 1;
}

/** Whether rows are cells that touch each other, and not those of a grid: some row has a number twice. */
function arePairs(rows: readonly Row[]): boolean {
  const hasTwice = ({ numbers: [a, b, c, d] }: Row) => (a === c && a > 0) || (b === d && b > 0);
  return rows.every(({ numbers }) => areNeighbours(numbers)) && rows.some(hasTwice);
}

/** Whether numbers are rows and columns of cells that touch each other, after their sum if there is one. */
function areNeighbours(numbers: readonly number[]): boolean {
  const first = numbers.length % 2;
  const cells = Array.from({ length: (numbers.length - first) / 2 }, (_, k) => numbers.slice(first + 2 * k));
  return (
    cells.length > 1 &&
    cells.every(([row, column]) => cells.some(([r, c]) => Math.abs(row - r) + Math.abs(column - c) === 1))
  );
}

/** The row of a line that has nothing but numbers, blanks, and cells such as `r1c2` and `A2`. */
function rowIn(line: Line) {
  const text = line.text
    .replace(/\br(\d+)c(\d+)\b/gi, '$1 $2')
    .replace(/\b([a-i])(\d)\b/gi, (_, row: string, column: string) => `${parseInt(row, 36) - 9} ${column}`);
  const words = /^[\d._*]{4,36}$/.test(text)
    ? [...text]
    : text.split(/[\s,;:=+|()[\]]+/).filter((word) => word);
  const isRow = words.every((word) => /^(?:-?\d{1,2}|[._*-])$/.test(word));
  return isRow && words.length > 0
    ? [{ words, numbers: words.map((word) => Number(word) || 0), line, isNamed: text !== line.text }]
    : [];
}
