/** One puzzle: inputs of every form, rules, statuses, and errors of use. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  backtrack,
  bitboard,
  check,
  createSolver,
  DlxBatchError,
  generate,
  generateMany,
  solve,
  solveWith,
} from '../../lib/api/index.ts';
import { ENGINE_NAMES } from '../../lib/sudoku/engine.ts';
import { VARIANT_NAMES } from '../../lib/sudoku/geometry/variants.ts';
import { propertyRuns } from '../support/depth.ts';

const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const SOLUTION = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
const cells = Array.from(PUZZLE, (symbol) => (symbol === '.' ? 0 : Number(symbol)));

/** The code of the error that a call throws. */
function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof DlxBatchError) return error.code;
    throw error;
  }
  return undefined;
}

describe('a puzzle', () => {
  it.each([
    ['a string', PUZZLE],
    ['a string with zeros', PUZZLE.replaceAll('.', '0')],
    ['a string with X', PUZZLE.replaceAll('.', 'X')],
    ['rows of text', PUZZLE.match(/.{9}/g)!.join('\r\n')],
    ['symbols with spaces', `${[...PUZZLE].join(' ')}\n`],
    ['an array', cells],
    ['bytes', Uint8Array.from(cells)],
    ['an array with null', cells.map((cell) => (cell === 0 ? null : cell))],
    ['rows of numbers', Array.from({ length: 9 }, (_, row) => cells.slice(9 * row, 9 * row + 9))],
  ])('may be %s', (_, puzzle) => {
    const result = solve(puzzle);
    expect(result).toMatchObject({
      status: 'solved',
      solution: SOLUTION,
      solutions: 1,
      exact: true,
      givens: 30,
    });
    expect(result.cells).toEqual(Array.from(SOLUTION, Number));
  });

  it.each(ENGINE_NAMES)('has the same solution with engine %s', (engine) => {
    expect(solve(PUZZLE, { engine }).solution).toBe(SOLUTION);
  });

  it.each(VARIANT_NAMES)('of variant %s is solved, as its generated solution says', (variant) => {
    const size = variant === 'samurai' ? 9 : 4;
    const givens = variant === 'samurai' ? 200 : 'minimal';
    for (const { puzzle, solution, regions } of generateMany(2, { variant, size, givens, seed: 5 })) {
      expect(solve(puzzle, { variant, regions })).toMatchObject({ status: 'solved', solution });
      expect(check(solution, { variant, regions })).toMatchObject({ status: 'valid' });
    }
  });

  it.each([
    [6, [3, 2]],
    [12, [3, 4]],
    [16, [4, 4]],
    [16, [2, 8]],
  ] as const)('of size %i with boxes %j is solved', (size, box) => {
    const { puzzle, solution } = generate({ size, box, seed: 3, givens: size * size - 20 });
    expect(solve(puzzle, { box })).toMatchObject({ status: 'solved', solution });
  });

  it('is read in the alphabet that its symbols show, or that the caller names', () => {
    const { puzzle, solution } = generate({ size: 16, seed: 1, givens: 200 });
    expect(solve(puzzle).solution).toBe(solution);
    expect(solve(puzzle.toLowerCase()).solution).toBe(solution.toLowerCase());
    const hex = (text: string) =>
      text.replaceAll(/[A-P]/g, (letter) => '0123456789ABCDEF'['ABCDEFGHIJKLMNOP'.indexOf(letter)]!);
    expect(solve(hex(puzzle), { alphabet: '0-9A-F' }).solution).toBe(hex(solution));
    const numbers = (text: string) =>
      Array.from(text, (letter) => (letter === '.' ? '.' : letter.charCodeAt(0) - 64)).join(' ');
    expect(solve(numbers(puzzle)).solution).toBe(numbers(solution));
  });

  it('with 0 and another blank is decided by its digits, or refused', () => {
    const shifted = PUZZLE.replaceAll(/[1-9]/g, (digit) => String(Number(digit) - 1));
    expect(solve(shifted).solution).toBe(SOLUTION.replaceAll(/[1-9]/g, (digit) => String(Number(digit) - 1)));
    expect(solve(`0${PUZZLE.slice(1)}`).status).not.toBe('unreadable');
    expect(solve(`01.${'.'.repeat(78)}`).error).toMatchObject({ code: 'ambiguous_alphabet' });
    expect(solve(`01.${'.'.repeat(78)}`, { alphabet: '1-9' }).status).toBe('multiple');
  });
});

describe('a status', () => {
  it.each([
    ['multiple', '.'.repeat(81), undefined],
    ['unsolvable', '123....4........', undefined],
    ['invalid', '11..............', 'clashing_givens'],
    ['unreadable', '', 'bad_length'],
    ['unreadable', '1', 'bad_length'],
    ['unreadable', `${'.'.repeat(80)}é`, 'bad_character'],
    ['unreadable', `${'.'.repeat(15)}5`, 'symbol_out_of_range'],
    ['unreadable', [], 'bad_length'],
    ['unreadable', Array(16).fill(5), 'symbol_out_of_range'],
    ['unreadable', Array(16).fill(Number.NaN), 'symbol_out_of_range'],
    ['unreadable', Array(16).fill('1'), 'symbol_out_of_range'],
  ])('%s is that of %j', (status, puzzle, code) => {
    const result = solve(puzzle);
    expect(result.status).toBe(status);
    expect(result.error?.code).toBe(code);
  });

  it.each([
    ['bad_regions', '.'.repeat(16), { regions: 'AAAABBBBCCCCDDDE' }],
    ['bad_regions', '.'.repeat(16), { regions: 'AAAA' }],
    ['unsupported_variant', '.'.repeat(16), { variant: 'jigsaw' }],
    ['unsupported_variant', '.'.repeat(36), { variant: 'windoku' }],
    ['unsupported_variant', '.'.repeat(49), {}],
    ['unsupported_variant', '.'.repeat(36), { box: [2, 2] }],
    ['unsupported_variant', '.'.repeat(36), { engine: 'bitboard' }],
    ['bad_length', '.'.repeat(16), { size: 9 }],
    ['bad_length', '.'.repeat(81), { variant: 'samurai' }],
  ] as const)('unreadable with %s is that of rules that do not fit: %j %j', (code, puzzle, options) => {
    expect(solve(puzzle, options)).toMatchObject({ status: 'unreadable', error: { code } });
  });

  it('limit is that of a search whose budget ran out', () => {
    expect(solve('.'.repeat(81), { maxNodes: 5 })).toMatchObject({
      status: 'limit',
      error: { code: 'limit' },
    });
    const large = { engine: 'backtrack', maxMs: 1, maxNodes: Infinity, solutions: Infinity } as const;
    expect(solve('.'.repeat(625), large).exact).toBe(false);
  });

  it('limit has the size of the search tree if that takes a small part of the search', () => {
    const hard = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..';
    const message = (maxNodes: number) => solve(hard, { engine: 'backtrack', maxNodes }).error?.message;
    expect(message(100)).toMatch(/: undecided whether it has a solution$/);
    expect(message(200_000)).toMatch(
      /; dancing links alone take about 2\d0 \(.*\) nodes .*: use engine dlx$/,
    );
  });

  it('multiple has a second solution, and the cells in which it differs', async () => {
    const pair = '123.3.1.2.......';
    const solver = createSolver({ workers: 1 });
    for (const options of [{}, { solutions: Infinity }, { solutions: 5 }]) {
      const result = solve(pair, options);
      expect(result).toMatchObject({ status: 'multiple', solution: '1234341221434321', solutions: 2 });
      expect(await solver.solve(pair, options)).toEqual(result);
    }
    await solver.close();
    const { solution, otherSolution, differingCells } = solve('.'.repeat(81));
    expect(check(otherSolution!).status).toBe('valid');
    const differing = [...solution!].flatMap((symbol, cell) =>
      symbol === otherSolution![cell] ? [] : [cell],
    );
    expect(differingCells).toEqual(differing.map((cell) => `r${Math.floor(cell / 9) + 1}c${(cell % 9) + 1}`));
    expect(differing.length).toBeGreaterThan(0);
    expect(solve(pair, { solutions: 1 }).otherSolution).toBeUndefined();
  });

  it('counts solutions up to the limit', () => {
    const blank = '.'.repeat(16);
    expect(solve(blank, { solutions: Infinity })).toMatchObject({
      status: 'multiple',
      solutions: 288,
      exact: true,
    });
    expect(solve(blank, { solutions: 10 })).toMatchObject({ solutions: 10, exact: false });
    expect(solve(blank, { solutions: 1 })).toMatchObject({ status: 'solved', solutions: 1, exact: false });
  });

  it('never is an exception, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'123.0xA \n-'), maxLength: 40 })),
        (puzzle) => {
          const { status } = solve(puzzle, { maxNodes: 1000 });
          expect(check(puzzle).status === 'unreadable').toBe(status === 'unreadable');
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });
});

describe('wrong use throws a typed error:', () => {
  it.each([
    ['bad_argument', () => solve(undefined as never)],
    ['bad_argument', () => solve(5 as never)],
    ['bad_argument', () => solve({} as never)],
    ['bad_argument', () => solve(PUZZLE, null as never)],
    ['bad_argument', () => solve(PUZZLE, 'dlx' as never)],
    ['bad_option', () => solve(PUZZLE, { engin: 'dlx' } as never)],
    ['bad_option', () => solve(PUZZLE, { engine: 'toString' } as never)],
    ['bad_option', () => solve(PUZZLE, { solutions: 0 })],
    ['bad_option', () => solve(PUZZLE, { solutions: 1.5 })],
    ['bad_option', () => solve(PUZZLE, { maxNodes: Number.NaN })],
    ['bad_option', () => solve(PUZZLE, { maxMs: -1 })],
    ['bad_option', () => solve(PUZZLE, { size: 3 })],
    ['bad_option', () => solve(PUZZLE, { box: [3] } as never)],
    ['bad_option', () => solve(PUZZLE, { variant: 'killer' } as never)],
    ['bad_option', () => solve(PUZZLE, { variant: 'x', regions: SOLUTION })],
    ['bad_option', () => solve(PUZZLE, { alphabet: '12' })],
    ['bad_option', () => solveWith(bitboard, PUZZLE, { engine: 'dlx' } as never)],
    ['bad_argument', () => check(undefined as never)],
    ['bad_option', () => check(PUZZLE, { solutions: 1 } as never)],
    ['bad_option', () => generateMany(0)],
    ['bad_argument', () => generateMany(undefined as never)],
    ['bad_option', () => generate({ count: 2 } as never)],
    ['bad_option', () => generate({ size: 7 })],
    ['bad_option', () => generate({ size: 6, box: [2, 2] })],
    ['bad_option', () => generate({ unique: false })],
    ['bad_option', () => generate({ size: 4, alphabet: '123.' })],
  ])('%s for %s', (code, call) => {
    expect(codeOf(call)).toBe(code);
  });

  it('but an option that is undefined is absent', () => {
    expect(solve(PUZZLE, { engine: undefined, regions: undefined }).status).toBe('solved');
  });
});

it('generate gives the puzzles of the command, and needs no seed', () => {
  const [first, second] = [...generateMany(2, { seed: 11 })];
  expect(first).not.toEqual(second);
  expect(generate({ seed: 11 })).toEqual(first);
  const unseeded = generate();
  expect(generate({ seed: unseeded.seed })).toEqual(unseeded);
  expect(solveWith(backtrack, unseeded.puzzle).status).toBe('solved');
});
