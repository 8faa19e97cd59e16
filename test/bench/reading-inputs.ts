/**
 * The inputs of the reading benchmark: for every format a text of several megabytes with different puzzles, and the
 * ways in which real files are untidy: blanks that change, damage, lines that are not puzzles.
 *
 * Everything is generated from seeds, so it is the same everywhere.
 */
import { decimalAlphabet } from '../../lib/formats/cells/alphabets.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { SAMURAI, SAMURAI_LINES, SAMURAI_TEXTS } from '../formats/samurai-texts.ts';

/**
 * Promised minimum of the reading rate, in MB/s.
 *
 * - `puzzles`: well-formed text of any format.
 * - `rare`: well-formed text in layouts of few files, which have no fast path: spaces for blanks, walls, drawings with
 *   two-digit numbers.
 * - `inferred`: well-formed text whose separators or columns are inferred from the text.
 * - `damaged`: every other puzzle is damaged. Each is one record that reports what was found, what was expected and
 *   where, after every format was tried: about 3 us.
 * - `junk`: text with few or no puzzles.
 * - `scraps`: junk of a few bytes in each line. A line takes about 1 us for any length, since nearly every one could
 *   be a cell, a row or part of one, and only the following lines decide: a rule for the line alone would lose puzzles
 *   with a cell in each line, and rows with blank lines between. A megabyte still takes less than a second.
 */
export const MIN_RATE = { puzzles: 30, rare: 10, inferred: 5, damaged: 15, junk: 8, scraps: 1 } as const;

export interface ReadingInput {
  readonly name: string;
  /** The format in the records, one of `FORMAT_NAMES`; `-` for text without puzzles. */
  readonly format: string;
  readonly kind: keyof typeof MIN_RATE;
  /** The format that the user gives: a matrix of zeros and ones is not detected. */
  readonly asked?: 'sparse' | 'dense' | 'matrix';
  /** The text of puzzle `k`, from 0, with the separator after it. */
  readonly entry: (k: number) => string;
  /** Text before the first entry, and after the last one. */
  readonly front?: string;
  readonly back?: string;
}

/** Number of different puzzles of each size; a text repeats them. */
const PUZZLES = 500;

/** Puzzles of one size with their solutions: `.` for a blank, symbols of one character or numbers. */
interface Puzzles {
  readonly puzzle: (k: number) => string[];
  readonly solution: (k: number) => string[];
}

/** About a third of the cells are givens, as in real files. */
function puzzlesOf(size: number, symbols: readonly string[]): Puzzles {
  const geometry = standardGeometry(size);
  const engine = createEngine('bitboard');
  const grids = Array.from({ length: size > 9 ? PUZZLES / 10 : PUZZLES }, (_, seed) => {
    const givens = Math.floor(geometry.cellCount / 3);
    return generatePuzzle(geometry, { seed, givens, unique: false }, engine);
  });
  const texts = (cells: Uint8Array) => Array.from(cells, (value) => symbols[value]);
  const puzzles = grids.map(({ cells }) => texts(cells));
  const solutions = grids.map(({ solution }) => texts(solution));
  return { puzzle: (k) => puzzles[k % puzzles.length], solution: (k) => solutions[k % solutions.length] };
}

const characters = (text: string) => ['.', ...text];
const numbers = (size: number) => ['.', ...decimalAlphabet(size).symbols.slice(1)];

function rowsOf(cells: readonly string[], separator = ''): string[] {
  const size = Math.sqrt(cells.length);
  return Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size).join(separator));
}

/** Returns cells with another symbol for blanks. */
function blanked(cells: readonly string[], blank: string): string[] {
  return cells.map((cell) => (cell === '.' ? blank : cell));
}

/** Generates all inputs at each call, which takes about a second. */
export function readingInputs(): ReadingInput[] {
  const nine = puzzlesOf(9, characters('123456789'));
  return [
    ...lines(nine),
    ...grids(nine),
    ...drawings(nine),
    ...cells(nine),
    ...variants(nine),
    ...wholeFiles(nine),
    ...covers(),
    ...damaged(nine),
    ...junk(),
  ];
}

function rare(input: ReadingInput): ReadingInput {
  return { ...input, kind: 'rare' };
}

function lines({ puzzle, solution }: Puzzles): ReadingInput[] {
  const four = puzzlesOf(4, characters('1234'));
  const sixteen = puzzlesOf(16, characters('ABCDEFGHIJKLMNOP'));
  const line = (k: number) => puzzle(k).join('');
  const of = (name: string, format: string, entry: (k: number) => string): ReadingInput => ({
    name,
    format,
    kind: 'puzzles',
    entry,
  });
  return [
    of('lines', 'line', (k) => `${line(k)}\n`),
    of('lines, CR LF', 'line', (k) => `${line(k)}\r\n`),
    of('lines with labels', 'line', (k) => `${line(k)} puzzle ${k}, rated ${k % 97}\n`),
    of('lines, blanks that change', 'line', (k) => `${blanked(puzzle(k), '.0'[k % 2]).join('')}\n`),
    of('lines, blanks that change at random', 'line', (k) => {
      return `${blanked(puzzle(k), '.0*_-'[(k * 2654435761) % 5]).join('')}\n`;
    }),
    of('lines, two blanks in each puzzle', 'line', (k) => `${line(k).replace('.', '0')}\n`),
    rare(of('lines, spaces for blanks', 'line', (k) => `${blanked(puzzle(k), ' ').join('')}\n`)),
    of('lines, a comment before each', 'line', (k) => `# number ${k}\n${line(k)}\n`),
    of('lines, 4x4', 'line', (k) => `${four.puzzle(k).join('')}\n`),
    of('lines, 16x16', 'line', (k) => `${sixteen.puzzle(k).join('')}\n`),
    of('lines, sizes that change', 'line', (k) => {
      return `${(k % 3 === 0 ? sixteen.puzzle(k) : puzzle(k)).join('')}\n`;
    }),
    of('expected count', 'expected', (k) => `${line(k)}:1\n`),
    of('expected solution', 'expected', (k) => `${line(k)}:1:${solution(k).join('')}\n`),
    of('puzzle bank', 'bank', (k) => {
      return `${k.toString(16).padStart(12, '0')} ${blanked(puzzle(k), '0').join('')}  ${k % 10}.${k % 7}\n`;
    }),
    {
      ...of('links', 'link', (k) => `https://example.com/?puzzle=${blanked(puzzle(k), '0').join('')}\n`),
      kind: 'inferred',
    },
  ];
}

function grids({ puzzle }: Puzzles): ReadingInput[] {
  const six = puzzlesOf(6, characters('123456'));
  const sixteen = puzzlesOf(16, characters('ABCDEFGHIJKLMNOP'));
  const large = puzzlesOf(16, numbers(16));
  const of = (name: string, format: string, entry: (k: number) => string): ReadingInput => ({
    name,
    format,
    kind: 'puzzles',
    entry,
  });
  const rows = (k: number) => rowsOf(puzzle(k)).join('\n');
  const tokens = (k: number, blank: string) => rowsOf(blanked(puzzle(k), blank), ' ').join('\n');
  const wide = (cells: readonly string[]) =>
    rowsOf(
      cells.map((cell) => cell.padStart(2)),
      ' ',
    ).join('\n');
  return [
    of('rows', 'rows', (k) => `${rows(k)}\n\n`),
    of('rows, CR LF', 'rows', (k) => `${rows(k)}\n\n`.replaceAll('\n', '\r\n')),
    of('rows without blank lines', 'rows', (k) => `${rows(k)}\n`),
    of('rows, a blank line after each', 'rows', (k) => `${rowsOf(puzzle(k)).join('\n\n')}\n\n`),
    of('rows, blanks that change', 'rows', (k) => {
      return `${rowsOf(blanked(puzzle(k), '.0'[k % 2])).join('\n')}\n\n`;
    }),
    rare(of('rows, spaces for blanks', 'rows', (k) => `${rowsOf(blanked(puzzle(k), ' ')).join('\n')}\n\n`)),
    of('rows, 6x6', 'rows', (k) => `${rowsOf(six.puzzle(k)).join('\n')}\n\n`),
    of('rows, 16x16 (POJ 3076)', 'rows', (k) => {
      return `${rowsOf(blanked(sixteen.puzzle(k), '-')).join('\n')}\n\n`;
    }),
    of('Project Euler', 'rows', (k) => `Grid ${String(k + 1).padStart(2, '0')}\n${rows(k)}\n`),
    of('SadMan sections', 'rows', (k) => {
      return `#ASomeone\n#DNumber ${k}\n[Puzzle]\n${rows(k)}\n[State]\n${rows(k)}\n\n`;
    }),
    of('tokens (HDU 1426)', 'tokens', (k) => `${tokens(k, '?')}\n\n`),
    of('tokens, zeros', 'tokens', (k) => `${tokens(k, '0')}\n\n`),
    of('tokens without blank lines', 'tokens', (k) => `${tokens(k, '0')}\n`),
    of('tokens, a puzzle a line', 'tokens', (k) => `${blanked(puzzle(k), '0').join(' ')}\n`),
    of('tokens, a cell a line', 'tokens', (k) => `${blanked(puzzle(k), '0').join('\n')}\n`),
    of('tokens, 16x16', 'tokens', (k) => {
      return `${rowsOf(blanked(large.puzzle(k), '0'), ' ').join('\n')}\n\n`;
    }),
    of('tokens, 16x16 in columns', 'tokens', (k) => `${wide(blanked(large.puzzle(k), '0'))}\n\n`),
    of('size first', 'tokens', (k) => `9\n${tokens(k, '0')}\n`),
    of('size first, 16x16', 'tokens', (k) => {
      return `16\n${rowsOf(blanked(large.puzzle(k), '0'), ' ').join('\n')}\n`;
    }),
    of('size first, blank -1', 'tokens', (k) => `9\n${tokens(k, '-1')}\n\n`),
    of('number first', 'rows', (k) => `${k + 1}\n${rows(k)}\n\n`),
  ];
}

function drawings({ puzzle }: Puzzles): ReadingInput[] {
  const groups = (row: string) => row.match(/.../g) ?? [];
  const drawn = (k: number, ruler: string, row: (text: string) => string) => {
    const texts = rowsOf(puzzle(k)).map(row);
    return [texts.slice(0, 3), texts.slice(3, 6), texts.slice(6)]
      .map((band) => band.join('\n'))
      .join(`\n${ruler}\n`);
  };
  const simple = (k: number) => drawn(k, '|---+---+---|', (row) => `|${groups(row).join('|')}|`);
  const large = puzzlesOf(16, numbers(16));
  const ruled = (cells: readonly string[]) =>
    rowsOf(
      cells.map((cell) => cell.padStart(2)),
      ' ',
    )
      .map((row, at) => {
        const boxes = [0, 12, 24, 36].map((from) => row.slice(from, from + 11)).join(' | ');
        return at % 4 === 0 && at > 0 ? `${'-'.repeat(12)}+${'-'.repeat(13)}\n${boxes}` : boxes;
      })
      .join('\n');
  const of = (name: string, entry: (k: number) => string): ReadingInput => ({
    name,
    format: 'boxed',
    kind: 'puzzles',
    entry,
  });
  return [
    of('Simple Sudoku', (k) => `*-----------*\n${simple(k)}\n*-----------*\n\n`),
    of('boxed', (k) => {
      const row = (text: string) => groups(text).map((box) => [...box].join(' '));
      return `${drawn(k, '------+-------+------', (text) => row(text).join(' | '))}\n\n`;
    }),
    of('boxed, blanks that change', (k) => {
      const text = `${drawn(k, '------+-------+------', (row) => groups(row).join(' | '))}\n\n`;
      return k % 2 === 0 ? text : text.replaceAll('.', '0');
    }),
    of('boxed by gaps', (k) => `${drawn(k, '', (text) => groups(text).join(' '))}\n\n\n`),
    rare(of('boxed, 16x16', (k) => `${ruled(blanked(large.puzzle(k), '.'))}\n\n`)),
  ];
}

/** Layouts with separators, frames or brackets around the cells. */
function cells({ puzzle }: Puzzles): ReadingInput[] {
  const of = (
    name: string,
    kind: 'puzzles' | 'inferred',
    entry: (cells: readonly string[], k: number) => string,
    format = 'cells',
  ): ReadingInput => ({ name: `cells, ${name}`, format, kind, entry: (k) => entry(puzzle(k), k) });
  const large = puzzlesOf(16, numbers(16));
  const wrapped = (texts: readonly string[], separator: string, before: string, after: string) =>
    rowsOf(texts, separator)
      .map((row) => `${before}${row}${after}\n`)
      .join('');
  const frame = `+${'---+'.repeat(9)}\n`;
  const boxes = (row: string) => row.match(/.../g)!.map((box) => ` ${[...box].join(' ')} `);
  return [
    of('commas', 'puzzles', (texts) => `${wrapped(blanked(texts, '0'), ',', '', '')}\n`),
    of('commas, blanks empty', 'inferred', (texts) => `${wrapped(blanked(texts, ''), ',', '', '')}\n`),
    of('tabs, blanks empty', 'inferred', (texts) => `${wrapped(blanked(texts, ''), '\t', '', '')}\n`),
    of('commas, 16x16', 'inferred', (_, k) => `${wrapped(blanked(large.puzzle(k), '0'), ',', '', '')}\n`),
    of('lists', 'inferred', (texts) => `[${wrapped(blanked(texts, '0'), ', ', '[', '],')}];\n\n`),
    of('named lists', 'inferred', (texts, k) => {
      return `puzzle${k} = [\n${wrapped(blanked(texts, '0'), ', ', '    [', '],')}]\n`;
    }),
    of('quoted rows', 'puzzles', (texts) => `${wrapped(texts, '', '"', '",')}\n`),
    of('frames, blanks that are spaces', 'inferred', (texts) => {
      return `${frame}${wrapped(blanked(texts, ' '), ' | ', '| ', ` |\n${frame.trimEnd()}`)}\n`;
    }),
    of('boxes, blanks that are spaces', 'inferred', (texts) => {
      const rows = rowsOf(blanked(texts, ' ')).map((row) => `|${boxes(row).join('|')}|\n`);
      const ruler = `+${'-------+'.repeat(3)}\n`;
      return `${[0, 3, 6].map((row) => `${ruler}${rows.slice(row, row + 3).join('')}`).join('')}${ruler}\n`;
    }),
    of('a puzzle a line', 'inferred', (texts) => `${blanked(texts, '0').join(',')}\n`, 'cells-line'),
    of('groups', 'inferred', (texts) => `${rowsOf(blanked(texts, '0')).join('/')}\n`, 'cells-line'),
    of('quoted lines', 'inferred', (texts) => `"${texts.join('')}",\n`, 'cells-line'),
    of('numbered lines', 'inferred', (texts, k) => `${k + 1}. ${texts.join('')}\n`, 'line'),
    of('HoDoKu library', 'inferred', (texts) => `:0000:x:${texts.join('')}:::\n`, 'line'),
  ];
}

/** A map of a jigsaw: boxes, with two cells swapped between neighbours that depend on `k`. */
function mapOf(k: number): string {
  const map = Array.from({ length: 81 }, (_, cell) => Math.floor(cell / 27) * 3 + Math.floor((cell % 9) / 3));
  // Across the border of two adjacent boxes: the upper cell of one and the lower cell of the other.
  const band = k % 3;
  const at = band * 27 + (Math.floor(k / 3) % 2 === 0 ? 2 : 5);
  const [left, right] = [at, at + 19];
  [map[left], map[right]] = [map[right], map[left]];
  return map.map((region) => 'abcdefghi'[region]).join('');
}

/** The numbers of HDU 4069: digits and the walls of boxes. */
function walled(cells: readonly string[]): string {
  const values = cells.map((cell, at) => {
    const [row, column] = [Math.floor(at / 9), at % 9];
    const walls =
      (row % 3 === 0 ? 16 : 0) +
      (column % 3 === 2 ? 32 : 0) +
      (row % 3 === 2 ? 64 : 0) +
      (column % 3 === 0 ? 128 : 0);
    return String((cell === '.' ? 0 : Number(cell)) + walls);
  });
  return rowsOf(values, ' ').join('\n');
}

/** Candidates in columns, as solvers print them: the digits that rows leave for each cell. */
function drawnMarks(cells: readonly string[]): string {
  const frame = `+${`${'-'.repeat(31)}+`.repeat(3)}`;
  const lines = Array.from({ length: 9 }, (_, row) => {
    const left = [...'123456789']
      .filter((digit) => !cells.slice(row * 9, row * 9 + 9).includes(digit))
      .join('');
    const texts = cells.slice(row * 9, row * 9 + 9).map((cell) => (cell === '.' ? left : cell).padEnd(9));
    const boxes = [0, 3, 6].map((from) => texts.slice(from, from + 3).join(' '));
    return `${row % 3 === 0 ? `${frame}\n` : ''}| ${boxes.join(' | ')} |`;
  });
  return `${lines.join('\n')}\n${frame}\n`;
}

function variants({ puzzle }: Puzzles): ReadingInput[] {
  const of = (name: string, format: string, entry: (k: number) => string): ReadingInput => ({
    name,
    format,
    kind: 'puzzles',
    entry,
  });
  const rows = (cells: readonly string[]) => rowsOf(cells).join('\n');
  const marks = (k: number) =>
    puzzle(k)
      .map((cell) => (cell === '.' ? '123456789' : cell.padStart(Number(cell), '.').padEnd(9, '.')))
      .join('');
  return [
    of('jigsaw', 'jigsaw', (k) => `${puzzle(k).join('')}${mapOf(0)}\n`),
    of('jigsaw, separated by a space', 'jigsaw', (k) => `${puzzle(k).join('')} ${mapOf(0)}\n`),
    of('jigsaw, maps that change', 'jigsaw', (k) => `${puzzle(k).join('')}${mapOf(k)}\n`),
    of('jigsaw, map below', 'rows', (k) => `${rows(puzzle(k))}\n\n${rows([...mapOf(0)])}\n\n`),
    rare(of('walls (HDU 4069)', 'walls', (k) => `${walled(puzzle(k))}\n\n`)),
    of('pencilmarks', 'pencilmarks', (k) => `${marks(k)}\n`),
    of('pencilmarks, drawn', 'pencilmarks', (k) => `${drawnMarks(puzzle(k))}\n`),
    of('samurai', 'samurai', () => `${SAMURAI_TEXTS['spaces in the gaps'](SAMURAI)}\n`),
    of('samurai, drawn', 'samurai', () => `${SAMURAI_TEXTS['lines around it'](SAMURAI)}\n`),
    of('samurai on a line', 'samurai-line', () => SAMURAI_LINES['dots in the gaps'](SAMURAI)),
  ];
}

function wholeFiles({ puzzle, solution }: Puzzles): ReadingInput[] {
  const of = (
    name: string,
    format: string,
    entry: (k: number) => string,
    front = '',
    back = '',
  ): ReadingInput => ({ name, format, kind: 'puzzles', entry, front, back });
  const line = (k: number) => puzzle(k).join('');
  const solved = (k: number) => solution(k).join('');
  const board = (k: number) => JSON.stringify(rowsOf(puzzle(k)).map((row) => [...row]));
  const digits = (k: number) =>
    JSON.stringify(rowsOf(blanked(puzzle(k), '0')).map((row) => [...row].map(Number)));
  const next = (k: number, text: string) => (k === 0 ? text : `,\n${text}`);
  return [
    of('CSV, two columns', 'csv', (k) => `${line(k)},${solved(k)}\n`, 'quizzes,solutions\n'),
    of('CSV, puzzles alone', 'csv', (k) => `${k},${line(k)}\n`, 'id,puzzle\n'),
    of(
      'CSV, five columns',
      'csv',
      (k) => `${k},${line(k)},${solved(k)},27,${k % 8}.2\n`,
      'id,puzzle,solution,clues,difficulty\n',
    ),
    of('CSV, in quotes', 'csv', (k) => `"${k}","${line(k)}","${solved(k)}"\n`, '"id","puzzle","solution"\n'),
    of('JSON boards', 'json', (k) => next(k, board(k)), '[', ']\n'),
    of('JSON boards of numbers', 'json', (k) => next(k, digits(k)), '[', ']\n'),
    of('JSON boards, one a line', 'json', (k) => `${board(k)}\n`),
    of('JSON rows', 'json', (k) => next(k, JSON.stringify(rowsOf(puzzle(k)))), '[', ']\n'),
    of('JSON lines', 'json', (k) => next(k, JSON.stringify(line(k))), '[', ']\n'),
    of('JSON objects', 'json', (k) => `${JSON.stringify({ id: k, puzzle: line(k), solution: solved(k) })}\n`),
    of(
      'OpenSudoku',
      'opensudoku',
      (k) => `<game data="${blanked(puzzle(k), '0').join('')}" />\n`,
      '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n<name>All</name>\n',
      '</opensudoku>\n',
    ),
  ];
}

/** Exact-cover problems: the options of a sudoku in every format; one problem of millions of bytes. */
function covers(): ReadingInput[] {
  const of = (
    name: string,
    format: string,
    entry: (k: number) => string,
    front: string,
    asked?: 'sparse' | 'dense' | 'matrix',
  ): ReadingInput => ({ name, format, kind: 'puzzles', entry, front, asked });
  const items = (size: number) => {
    const all = Array.from({ length: size * size }, (_, k) => [Math.floor(k / size), k % size]);
    return ['p', 'r', 'c', 'b'].flatMap((kind) => all.map(([a, b]) => `${kind}${a},${b}`));
  };
  const names = items(25);
  const chosen = (size: number, k: number) => {
    const root = Math.sqrt(size);
    const [row, column, digit] = [Math.floor(k / size / size) % size, Math.floor(k / size) % size, k % size];
    const box = Math.floor(row / root) * root + Math.floor(column / root);
    return [row * size + column, row * size + digit, column * size + digit, box * size + digit].map(
      (item, kind) => kind * size * size + item,
    );
  };
  const named = (k: number) => chosen(25, k).map((item) => names[item]);
  const cellNames = Array.from({ length: 60 }, (_, cell) => `${Math.floor(cell / 10)}${cell % 10}`);
  const zeros = '0'.repeat(64);
  const ones = (k: number) => [...zeros].map((zero, item) => (chosen(4, k).includes(item) ? '1' : zero));
  const knuth = `| a comment\n${names.join(' ')}`;
  return [
    of('exact cover, Knuth', 'dlx', (k) => `${named(k).join(' ')}\n`, `${knuth}\n`),
    of(
      'exact cover, pentominoes',
      'dlx',
      (k) =>
        `${'FILNPTUVWXYZ'[k % 12]} ${[0, 1, 2, 3, 5].map((step) => cellNames[(k + step) % 60]).join(' ')}\n`,
      `| a comment\nF I L N P T U V W X Y Z ${cellNames.join(' ')}\n`,
    ),
    of(
      'exact cover, colours',
      'dlx',
      (k) => `${named(k).join(' ')} x:${k % 9} y:${'ABC'[k % 3]}\n`,
      `${knuth} | x y\n`,
    ),
    of('exact cover, sparse', 'sparse', (k) => `${chosen(25, k).join(' ')}\n`, '2500\n', 'sparse'),
    of(
      'exact cover, sparse, many problems',
      'sparse',
      (k) => `${k % 65 === 0 ? '\n64\n' : ''}${chosen(4, k).join(' ')}\n`,
      '',
      'sparse',
    ),
    of('exact cover, dense', 'dense', (k) => `${ones(k).join(' ')}\n`, '64\n', 'dense'),
    of('exact cover, dense without spaces', 'dense', (k) => `${ones(k).join('')}\n`, '64\n', 'dense'),
    of('exact cover, sets with names', 'sets', (k) => `S${k}: ${chosen(25, k).join(' ')}\n`, ''),
    of('exact cover, dense with commas', 'matrix', (k) => `${ones(k).join(',')}\n`, '', 'matrix'),
  ];
}

/** Texts in which every second puzzle is damaged. */
function damaged({ puzzle }: Puzzles): ReadingInput[] {
  const of = (name: string, format: string, entry: (k: number) => string): ReadingInput => ({
    name,
    format,
    kind: 'damaged',
    entry,
  });
  const damage = (k: number, text: string, replacement: string) =>
    k % 2 === 0 ? text : `${replacement}${text.slice(2)}`;
  return [
    of('lines, every other one short', 'line', (k) => `${damage(k, puzzle(k).join(''), '')}\n`),
    of('lines, every other one with a letter', 'line', (k) => `${damage(k, puzzle(k).join(''), 'y.')}\n`),
    of('rows, every other grid short', 'rows', (k) => {
      return `${rowsOf(puzzle(k))
        .slice(k % 2)
        .join('\n')}\n\n`;
    }),
    of('tokens, every other grid with a word', 'tokens', (k) => {
      return `${damage(k, rowsOf(blanked(puzzle(k), '0'), ' ').join('\n'), '++ ')}\n\n`;
    }),
    of('JSON boards, every other one broken', 'json', (k) => {
      return `${damage(k, JSON.stringify(rowsOf(puzzle(k)).map((row) => [...row])), '[')}\n`;
    }),
  ];
}

/** Texts without puzzles, except the first one, without which they would be rejected as a whole. */
function junk(): ReadingInput[] {
  const first = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
  const of = (name: string, entry: (k: number) => string, front = `${first}\n\n`): ReadingInput => ({
    name,
    format: '-',
    kind: 'junk',
    entry,
    front,
  });
  const scrap = (name: string, entry: (k: number) => string): ReadingInput => ({
    ...of(name, entry),
    kind: 'scraps',
  });
  const board = JSON.stringify(rowsOf([...first]).map((row) => [...row]));
  const random = new RandomSource(1);
  const noise = Array.from({ length: 64 }, () =>
    String.fromCharCode(...Array.from({ length: 200 }, () => 10 + random.below(117))),
  );
  return [
    of('blank lines', () => '\n'),
    of('comments', (k) => `# ${k}\n`),
    of('prose', () => 'Dear reader, there is no puzzle today.\n'),
    scrap('x, a blank line after each', () => 'x\n\n'),
    of('words', () => 'words\n'),
    scrap('rulers', () => '---\n'),
    scrap('dashes and a blank line', () => '---\n\n'),
    scrap('lone numbers of two digits', () => '77\n\n'),
    scrap('lone numbers, blank lines', () => '12345\n\n'),
    of('short rows', () => '53..7\n'),
    of('rows of eight', () => '53..7...\n'),
    of('bars', () => '|\n'),
    of('short words', () => 'so it is as we go\n'),
    of('lines of 80', () => `${first.slice(1)}\n`),
    of('killer', () => '3x3::k:3840:3840:1537:7183:3585\n'),
    of('random ASCII', (k) => noise[k % noise.length]),
    of('one line without end', () => '7'.repeat(1000)),
    { ...of('JSON nulls', () => ',null', `[${board}`), kind: 'scraps' },
    of('JSON empty lists', () => ',[]', `[${board}`),
    of('JSON open brackets', () => '[[', `${board}\n`),
    of('JSON words', () => ',word', `[${board}`),
    of('XML without games', () => '<a b="c"/>', `<opensudoku><game data="${first}"/>`),
    of('CSV of short rows', (k) => `${k},none\n`, `id,puzzle\n1,${first}\n`),
  ];
}

/** Returns the text of an input: entries up to at least `bytes` bytes. */
export function inputText({ entry, front = '', back = '' }: ReadingInput, bytes: number): Uint8Array {
  const parts = [front];
  let length = front.length;
  for (let k = 0; length < bytes; k++) {
    const text = entry(k);
    parts.push(text);
    length += text.length;
  }
  parts.push(back);
  return new TextEncoder().encode(parts.join(''));
}
