/**
 * Kinds of files that people have, written with puzzles of our own: each kind is one layout at several sizes, with the
 * result that must come out. Numbers in a kind's name are sizes of grids.
 */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import LZString from 'lz-string';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../../lib/sudoku/generator/generate.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../../lib/sudoku/geometry/variants.ts';
import { zipOf } from '../../support/zip.ts';

export interface OwnPuzzle {
  readonly size: number;
  readonly boxRows: number;
  readonly boxColumns: number;
  /** 0 for a blank. */
  readonly cells: readonly number[];
  readonly solution: readonly number[];
}

/** What must come out of a record. */
export type Expected =
  | { readonly status: 'solved'; readonly solution: readonly number[]; readonly line?: number }
  | { readonly status: 'unreadable'; readonly code: string; readonly words: RegExp; readonly line?: number };

export interface WildFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly exit: 0 | 1 | 2;
  /** Of a file that is refused: what the error names. */
  readonly refused?: RegExp;
  readonly records?: readonly Expected[];
  /** The value of a symbol of the solutions, from 1. */
  readonly digitOf?: (symbol: string) => number;
  /** What the summary says. */
  readonly summary?: RegExp;
}

const engine = createEngine('dlx');
const cache = new Map<string, OwnPuzzle>();

/** The puzzle of a geometry and a seed: with enough givens to be solved at once. */
function puzzleOf(geometry: Geometry, seed: number): OwnPuzzle {
  const { size, boxRows, boxColumns, variant, cellCount } = geometry;
  const key = `${variant} ${size} ${seed}`;
  let puzzle = cache.get(key);
  if (puzzle === undefined) {
    const givens = size <= 6 ? 'minimal' : Math.round(cellCount * (size <= 9 ? 0.38 : 0.6));
    const { cells, solution } = generatePuzzle(geometry, { seed, givens }, engine);
    puzzle = { size, boxRows, boxColumns, cells: [...cells], solution: [...solution] };
    cache.set(key, puzzle);
  }
  return puzzle;
}

export const own = (size: number, seed: number) => puzzleOf(standardGeometry(size), seed);
const diagonal = (size: number, seed: number) => puzzleOf(variantGeometry({ variant: 'x', size }), seed);

const solved = (puzzle: OwnPuzzle, line?: number): Expected => ({
  status: 'solved',
  solution: puzzle.solution,
  line,
});
const refused = (code: string, words: RegExp, line?: number): Expected => ({
  status: 'unreadable',
  code,
  words,
  line,
});

/** Rows of symbols. */
export function rowsOf({ size, cells }: OwnPuzzle, symbol: (value: number) => string): string[][] {
  return Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size).map(symbol));
}
const digits = (blank: string) => (value: number) => (value === 0 ? blank : String(value));
const line = (puzzle: OwnPuzzle, blank = '.') => puzzle.cells.map(digits(blank)).join('');
const solutionLine = (puzzle: OwnPuzzle) => puzzle.solution.join('');
const joined = (rows: readonly (readonly string[])[], between: string) =>
  rows.map((row) => `${row.join(between)}\n`).join('');

type Grid = (puzzle: OwnPuzzle) => string;
const separated =
  (between: string, blank = '0'): Grid =>
  (puzzle) =>
    joined(rowsOf(puzzle, digits(blank)), between);
/** Rows with bars between boxes, framed or not, with rulers between bands. */
function drawnWith(blank: string, framed: boolean, bar = '|', cross = '+', dash = '-'): Grid {
  return (puzzle) => {
    const { boxRows, boxColumns, size } = puzzle;
    const dashes = Array(size / boxColumns).fill(dash.repeat(boxColumns * 2 + 1));
    const ruler = framed ? `${cross}${dashes.join(cross)}${cross}` : dashes.join(cross);
    const rows = rowsOf(puzzle, digits(blank)).map((row) => {
      const boxes = Array.from(
        { length: size / boxColumns },
        (_, box) => ` ${row.slice(box * boxColumns, (box + 1) * boxColumns).join(' ')} `,
      );
      return framed ? `${bar}${boxes.join(bar)}${bar}` : boxes.join(bar);
    });
    const lines = rows.flatMap((row, k) => (k > 0 && k % boxRows === 0 ? [ruler, row] : [row]));
    return `${(framed ? [ruler, ...lines, ruler] : lines).join('\n')}\n`;
  };
}
/** Every cell in its own frame. */
const framedCells: Grid = (puzzle) => {
  const ruler = `${'+---'.repeat(puzzle.size)}+\n`;
  const rows = rowsOf(puzzle, digits(' ')).map((row) => `|${row.map((cell) => ` ${cell} `).join('|')}|\n`);
  return `${ruler}${rows.join(ruler)}${ruler}`;
};
const markdown: Grid = (puzzle) => {
  const [first, ...rest] = rowsOf(puzzle, digits(' ')).map((row) => `| ${row.join(' | ')} |\n`);
  return `${first}${'|---'.repeat(puzzle.size)}|\n${rest.join('')}`;
};
const bracketed =
  (open: string, close: string, before: string, after: string): Grid =>
  (puzzle) =>
    `${before}${rowsOf(puzzle, digits('0'))
      .map((row) => `${open}${row.join(',')}${close}`)
      .join(',\n')}${after}\n`;

/** Files of two grids of each size, with a blank line between. */
function grids(name: string, sizes: readonly number[], grid: Grid, extension = 'txt'): WildFile[] {
  return sizes.map((size) => {
    const puzzles = [own(size, 1), own(size, 2)];
    return {
      name: `${name}-${size}.${extension}`,
      content: puzzles.map(grid).join('\n'),
      exit: 0,
      records: puzzles.map((puzzle) => solved(puzzle)),
    };
  });
}

/** Files of three puzzles, one on each line. */
function lines(
  name: string,
  each: (puzzle: OwnPuzzle, k: number) => string,
  extension = 'txt',
  header = '',
): WildFile {
  const puzzles = [own(9, 1), own(9, 2), own(9, 3)];
  return {
    name: `${name}.${extension}`,
    content: `${header}${puzzles.map((puzzle, k) => `${each(puzzle, k)}\n`).join('')}`,
    exit: 0,
    records: puzzles.map((puzzle) => solved(puzzle)),
  };
}

/** A file of one JSON document with a puzzle; if that is unreadable, the whole file is refused. */
function document(name: string, value: object, result: Expected): WildFile {
  const file = { name: `${name}.json`, content: JSON.stringify(value) };
  return result.status === 'solved'
    ? { ...file, exit: 0, records: [result] }
    : { ...file, exit: 2, refused: result.words };
}

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

const THREE = [own(9, 1), own(9, 2), own(9, 3)] as const;
const [ONE, TWO] = THREE;
const PLAIN = THREE.map((puzzle) => `${line(puzzle)}\n`).join('');
const ALL = THREE.map((puzzle) => solved(puzzle));
const zeroBased = (puzzle: OwnPuzzle, blank: string) =>
  puzzle.cells.map((value) => (value === 0 ? blank : String(value - 1)));
const board = (puzzle: OwnPuzzle) => rowsOf(puzzle, digits('.')).map((row) => row);
const numbers = (puzzle: OwnPuzzle) =>
  Array.from({ length: puzzle.size }, (_, row) =>
    puzzle.cells.slice(row * puzzle.size, (row + 1) * puzzle.size),
  );
const fPuzzles = (puzzle: OwnPuzzle, more: object = {}) => ({
  size: puzzle.size,
  title: 'own',
  grid: numbers(puzzle).map((row) => row.map((value) => (value === 0 ? {} : { value, given: true }))),
  ...more,
});
const wrong = (puzzle: OwnPuzzle) =>
  solutionLine(puzzle).replaceAll(/[12]/g, (digit) => (digit === '1' ? '2' : '1'));
const otherWise = (code: string) => refused('unsupported_variant', new RegExp(code, 'i'));

/** A 0/1 matrix, and the rows of its one cover. */
const MATRIX = ['101000', '010010', '000101', '110100', '001001'];

export const WILD_FILES: readonly WildFile[] = [
  // One puzzle per line.
  lines('plain', (puzzle) => line(puzzle)),
  lines('zeros', (puzzle) => line(puzzle, '0')),
  lines('middle-dots', (puzzle) => line(puzzle, '·')),
  lines('squares', (puzzle) => line(puzzle, '□')),
  lines('numbered', (puzzle, k) => `${k + 1}. ${line(puzzle)}`),
  lines('quoted', (puzzle) => `"${line(puzzle)}",`),
  lines('labels', (puzzle, k) => `${line(puzzle)} ${k}.5 # easy`),
  ...['/', '|', ' '].map((between, k) =>
    lines(`groups-${k}`, (puzzle) =>
      rowsOf(puzzle, digits('0'))
        .map((row) => row.join(''))
        .join(between),
    ),
  ),
  lines('hash', (puzzle) => line(puzzle, '#')),
  lines('hodoku', (puzzle) => `:0000:x:${line(puzzle)}:::`),
  lines('sudokuwiki', (puzzle) => `https://www.sudokuwiki.org/sudoku.htm?bd=${line(puzzle, '0')}`),
  lines('cells-81', (puzzle) => puzzle.cells.join(','), 'csv'),
  lines(
    'cells-81-header',
    (puzzle) => puzzle.cells.join(','),
    'csv',
    `${Array.from({ length: 81 }, (_, k) => `c${k}`).join(',')}\n`,
  ),
  {
    name: 'small-sizes.txt',
    content: [own(4, 1), own(4, 2), own(6, 1)].map((puzzle) => `${line(puzzle)}\n`).join(''),
    exit: 0,
    records: [own(4, 1), own(4, 2), own(6, 1)].map((puzzle) => solved(puzzle)),
  },
  // A cell a field, and drawings.
  ...grids('cells-comma', [4, 6, 9, 12], separated(','), 'csv'),
  ...grids('cells-semicolon', [6, 9], separated(';'), 'csv'),
  ...grids('cells-tab', [9, 16], separated('\t'), 'tsv'),
  ...grids('cells-comma-space', [9], separated(', '), 'csv'),
  ...grids('cells-empty', [6, 9], separated(',', ''), 'csv'),
  ...grids('brackets', [4, 9], bracketed('[', ']', '', ',')),
  ...grids('braces', [9], bracketed('{', '}', '{', '};')),
  ...grids('python', [6, 9], bracketed('[', ']', 'puzzle = [', ']')),
  ...grids('tokens', [4, 9, 16], separated(' ')),
  ...grids('pipes', [9], separated(' | ')),
  ...grids('drawn-framed-spaces', [4, 6, 9], drawnWith(' ', true)),
  ...grids('drawn-unframed-dots', [4, 9], drawnWith('.', false)),
  ...grids('drawn-unicode', [6, 9], drawnWith('·', true, '│', '┼', '─')),
  ...grids('drawn-cells', [4, 9], framedCells),
  ...grids('drawn-markdown', [4, 9], markdown, 'md'),
  ...grids('size-first', [6, 9], (puzzle) => `${puzzle.size} ${puzzle.size}\n${separated(' ', '-')(puzzle)}`),
  ...grids('grid-headers', [9], (puzzle) => `Grid 01\n${separated('')(puzzle)}`),
  // Values from 0.
  {
    name: 'zero-based-minus-one.txt',
    content: [ONE, TWO]
      .map((puzzle) => {
        const cells = zeroBased(puzzle, '-1');
        return numbers(puzzle)
          .map((_, row) => `${cells.slice(row * 9, row * 9 + 9).join(' ')}\n`)
          .join('');
      })
      .join('\n'),
    exit: 0,
    records: [solved(ONE), solved(TWO)],
    digitOf: (symbol) => Number(symbol) + 1,
  },
  {
    name: 'zero-based-dots.txt',
    content: THREE.map((puzzle) => `${zeroBased(puzzle, '.').join('')}\n`).join(''),
    exit: 0,
    records: ALL,
    digitOf: (symbol) => Number(symbol) + 1,
  },
  {
    name: 'zero-based-hexadecimal.txt',
    content: joined(
      rowsOf(own(16, 1), (value) => (value === 0 ? '.' : (value - 1).toString(16).toUpperCase())),
      '',
    ),
    exit: 0,
    records: [solved(own(16, 1))],
    digitOf: (symbol) => Number.parseInt(symbol, 16) + 1,
  },
  {
    name: 'letters-16.txt',
    content: joined(
      rowsOf(own(16, 1), (value) => (value === 0 ? '-' : String.fromCharCode(64 + value))),
      '',
    ),
    exit: 0,
    records: [solved(own(16, 1))],
    digitOf: (symbol) => symbol.charCodeAt(0) - 64,
  },
  // Tables.
  ...(
    ['quizzes,solutions', 'input,output', 'Q,A', 'first,second', 'sudoku_puzzle,sudoku_solution'] as const
  ).map((header, k) =>
    lines(`header-${k}`, (puzzle) => `${line(puzzle, '0')},${solutionLine(puzzle)}`, 'csv', `${header}\n`),
  ),
  lines('solution-first', (puzzle) => `${solutionLine(puzzle)},${line(puzzle)}`, 'csv', 'solution,puzzle\n'),
  lines('sep', (puzzle) => `${line(puzzle)};${solutionLine(puzzle)}`, 'csv', 'sep=;\npuzzle;solution\n'),
  lines('quoted-table', (puzzle, k) => `${k},"${line(puzzle)}","a, b"`, 'csv', 'id,puzzle,note\n'),
  {
    name: 'unused-columns.csv',
    content: `puzzle,rating\n${line(ONE)},3\n`,
    exit: 0,
    records: [solved(ONE)],
    summary: /unused column: rating/,
  },
  {
    ...lines(
      'expected-wrong',
      (puzzle, k) => `${line(puzzle)},${k === 1 ? wrong(puzzle) : solutionLine(puzzle)}`,
      'csv',
      'puzzle,solution\n',
    ),
    exit: 1,
    summary: /1 expected result differs/,
  },
  {
    ...lines(
      'expected-wrong-colon',
      (puzzle, k) => `${line(puzzle)}:1:${k === 1 ? wrong(puzzle) : solutionLine(puzzle)}`,
    ),
    exit: 1,
    summary: /1 expected result differs/,
  },
  // Malformed lines keep their place.
  {
    name: 'malformed.txt',
    content: `${line(ONE)}\n${line(ONE).slice(1)}\n${line(ONE)}1\n${line(ONE).replace('.', '%')}\n${line(TWO)}\n`,
    exit: 1,
    records: [
      solved(ONE, 1),
      refused('bad_length', /80/, 2),
      refused('bad_length', /82/, 3),
      refused('bad_character', /%/, 4),
      solved(TWO, 5),
    ],
  },
  {
    name: 'comments.txt',
    content: `# a\n#${line(TWO)}\n${line(ONE)}\n// b\n; c\n${line(TWO)}`,
    exit: 0,
    records: [solved(ONE, 3), solved(TWO, 6)],
    summary: /4 comment lines/,
  },
  // JSON.
  document('board', board(ONE), solved(ONE)),
  document('board-4', numbers(own(4, 1)), solved(own(4, 1))),
  document('flat', ONE.cells, solved(ONE)),
  document('wrapper-puzzles', { puzzles: [{ puzzle: line(ONE), difficulty: 'easy' }] }, solved(ONE)),
  document('wrapper-newboard', { newboard: { grids: [{ value: numbers(ONE) }], results: 1 } }, solved(ONE)),
  document('fpuzzles', fPuzzles(ONE), solved(ONE)),
  document('diagonal', { puzzle: line(diagonal(9, 4)), diagonal: true }, solved(diagonal(9, 4))),
  document('rules-off', { puzzle: line(ONE), cages: [], antiknight: false, arrows: null }, solved(ONE)),
  document(
    'cages',
    { puzzle: line(ONE), cages: [{ cells: ['R1C1', 'R1C2'], sum: 10 }] },
    otherWise('cage|killer'),
  ),
  document('antiknight', { puzzle: line(ONE), antiknight: true }, otherWise('knight')),
  document(
    'fpuzzles-cage',
    fPuzzles(ONE, { killercage: [{ cells: ['R1C1'], value: '5' }] }),
    otherWise('cage|killer'),
  ),
  document('fpuzzles-half-diagonal', fPuzzles(ONE, { 'diagonal+': true }), otherWise('diagonal')),
  document('bad-regions', { puzzle: line(ONE), regions: '1'.repeat(81) }, refused('bad_regions', /region/i)),
  document('input-output', { input: line(ONE), output: solutionLine(ONE) }, solved(ONE)),
  document('other-names', { clues: line(ONE, '0'), full: solutionLine(ONE) }, solved(ONE)),
  document('pairs', [[line(ONE), solutionLine(ONE)]], solved(ONE)),
  document('lists-apart', { quizzes: [line(ONE)], solutions: [solutionLine(ONE)] }, solved(ONE)),
  document('odd-corner', { puzzle: line(ONE), odd: [[0, 0]] }, otherWise('odd')),
  { name: 'mark.json', content: `\ufeff{"puzzle":"${line(ONE)}"}`, exit: 0, records: [solved(ONE)] },
  {
    name: 'thermometers.jsonl',
    content: `${JSON.stringify({ puzzle: line(ONE) })}\n${JSON.stringify({ puzzle: line(TWO), thermometers: [[0, 1]] })}\n`,
    exit: 1,
    records: [solved(ONE), otherWise('thermo')],
  },
  {
    name: 'iss-cage.txt',
    content: '.Cage~10~R1C1~R1C2.~R1C3_9~R1C6_6\n',
    exit: 2,
    refused: /cage|killer/i,
  },
  {
    name: 'iss-plain.txt',
    content: `.${ONE.cells.map((value, cell) => (value === 0 ? '' : `~R${Math.floor(cell / 9) + 1}C${(cell % 9) + 1}_${value}`)).join('')}\n`,
    exit: 0,
    records: [solved(ONE)],
  },
  {
    name: 'link-cage.txt',
    content: `https://www.f-puzzles.com/?load=${LZString.compressToBase64(JSON.stringify(fPuzzles(ONE, { killercage: [{ cells: ['R1C1'], value: '5' }] })))}\n${line(TWO)}\n`,
    exit: 1,
    records: [otherWise('cage|killer'), solved(TWO)],
  },
  // Containers and encodings.
  { name: 'packed', content: gzipSync(PLAIN), exit: 0, records: ALL },
  { name: 'packed.zst', content: zstdCompressSync(PLAIN), exit: 0, records: ALL },
  { name: 'packed.zip', content: zipOf({ name: 'a.txt', content: PLAIN }), exit: 0, records: ALL },
  {
    name: 'two.zip',
    content: zipOf({ name: 'a.txt', content: PLAIN }, { name: 'b.txt', content: PLAIN }),
    exit: 2,
    refused: /zip/i,
  },
  { name: 'utf16le.txt', content: utf16(PLAIN), exit: 0, records: ALL },
  { name: 'utf16be.txt', content: utf16(PLAIN, true), exit: 0, records: ALL },
  { name: 'mark-crlf.txt', content: `\ufeff${PLAIN.replaceAll('\n', '\r\n')}`, exit: 0, records: ALL },
  { name: 'lone-cr.txt', content: PLAIN.replaceAll('\n', '\r'), exit: 0, records: ALL },
  { name: 'ctrl-z.txt', content: `${PLAIN}\u001a`, exit: 0, records: ALL },
  { name: 'nul-end.txt', content: `${PLAIN}${'\0'.repeat(100)}`, exit: 0, records: ALL },
  { name: 'no-break.txt', content: PLAIN.replaceAll('\n', '\u00a0\n'), exit: 0, records: ALL },
  { name: 'zero-width.txt', content: PLAIN.replaceAll('\n', '\u200b\n'), exit: 0, records: ALL },
  // Exact cover.
  ...[',', ';', ' ', ''].map(
    (between, k): WildFile => ({
      name: `cover-${k}.csv`,
      content: MATRIX.map((row) => `${[...row].join(between)}\n`).join(''),
      exit: 0,
      summary: /5 options.*\n.*Altogether 1 solution/,
    }),
  ),
  // Files without puzzles.
  { name: 'empty.txt', content: '', exit: 0, records: [], summary: /no puzzles/ },
  { name: 'only-comments.txt', content: '# a\n', exit: 0, records: [], summary: /no puzzles/ },
  {
    name: 'empty-list.json',
    content: '{"puzzles":[]}',
    exit: 0,
    records: [],
    summary: /no puzzles: the list/,
  },
  { name: 'only-header.csv', content: 'puzzle,solution\n', exit: 0, records: [], summary: /no puzzles/ },
  { name: 'prose.txt', content: 'There is no puzzle in this file.\n', exit: 2, refused: /no puzzles/ },
];
