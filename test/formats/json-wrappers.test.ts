import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat, openReader } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from './reading.ts';

const board = rowsOf(CLASSIC).map((row) => [...row].map((cell) => (cell === '.' ? 0 : Number(cell))));
const puzzle = { puzzle: CLASSIC, id: 1 };
const CLASSIC_JSON = JSON.stringify(puzzle);
const ZEROS = CLASSIC.replaceAll('.', '0');

const gridsOf = (text: string) => readText(text).records.map(({ grid }) => grid.replaceAll('.', '0'));
const statesOf = (text: string) =>
  readText(text).records.map(({ notes, variant }) => notes?.error?.code ?? variant);

describe('objects around puzzles', () => {
  const wrappers: ReadonlyArray<readonly [name: string, wrapper: unknown, puzzles: number]> = [
    ['puzzles', { puzzles: [puzzle, puzzle] }, 2],
    ['data', { status: 'ok', data: [puzzle, puzzle], count: 2 }, 2],
    ['sudokus', { sudokus: [CLASSIC, CLASSIC, CLASSIC] }, 3],
    ['boards', { boards: [board, board] }, 2],
    ['lists of cells', { puzzles: [board.flat(), board.flat()] }, 2],
    [
      'an answer of an API',
      { newboard: { grids: [{ value: board, difficulty: 'Hard' }], results: 1, message: 'Ok' } },
      1,
    ],
    ['lists by difficulty', { easy: [puzzle], hard: [puzzle, puzzle], expert: [] }, 3],
    ['texts by difficulty', { easy: CLASSIC, hard: CLASSIC }, 2],
    ['objects by name', { first: puzzle, second: { board } }, 2],
    [
      'levels',
      {
        levels: [
          { name: 'easy', puzzles: [CLASSIC] },
          { name: 'hard', puzzles: [board, board] },
        ],
      },
      3,
    ],
    ['a puzzle in an object', { sudoku: puzzle }, 1],
    ['a list with its solutions', { quizzes: [CLASSIC], solutions: [CLASSIC_SOLUTION] }, 1],
    ['solutions first', { solutions: [CLASSIC_SOLUTION], quizzes: [CLASSIC] }, 1],
    [
      'columns',
      { puzzle: { 0: CLASSIC, 1: CLASSIC }, solution: { 0: CLASSIC_SOLUTION, 1: CLASSIC_SOLUTION } },
      2,
    ],
    ['a list of wrappers', [{ puzzles: [puzzle] }, { puzzles: [puzzle] }], 2],
    [
      'puzzles named like labels',
      { categories: [{ name: 'easy', puzzles: [CLASSIC] }], source: { list: [board] } },
      2,
    ],
    [
      'labels of any kind',
      { tags: ['a', { b: 1 }], meta: { a: { b: [1] } }, note: '] } "', list: [puzzle], empty: {} },
      1,
    ],
  ];
  it.each(wrappers)('are read: %s', (_name, wrapper, puzzles) => {
    for (const indent of [0, 1, '\t']) {
      const text = JSON.stringify(wrapper, undefined, indent);
      expect(statesOf(text)).toEqual(Array(puzzles).fill('standard'));
      expect(gridsOf(text)).toEqual(Array(puzzles).fill(ZEROS));
      // Several in one file.
      expect(gridsOf(`${text}\n${text}`)).toEqual(Array(2 * puzzles).fill(ZEROS));
    }
  });

  it.each(wrappers)('are read the same with any chunk boundaries: %s', (_name, wrapper) => {
    const text = JSON.stringify(wrapper, undefined, 1);
    const { records } = readText(text);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        expect(
          readText(
            text,
            {},
            cuts.sort((a, b) => a - b),
          ).records,
        ).toEqual(records);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['{"puzzles":[]}'],
    ['{"title":"A set","puzzles":[]}'],
    ['{"data":{"puzzles":[]},"count":0}'],
    ['{"newboard":{"grids":[],"results":0,"message":"All Ok"}}'],
    ['{"easy":[],"hard":[]}'],
    ['\ufeff[]'],
    ['[{"level":"easy","puzzles":[]}]'],
  ])('may be empty: %s', (text) => {
    expect(readText(text).detection).toEqual({ kind: 'empty' });
    expect(gridsOf(`${text}\n{"puzzles":["${CLASSIC}"]}\n${text}\n`)).toEqual([ZEROS]);
  });

  it.each([
    ['{"id":1,"puzzle":[]}'],
    ['{"id":1,"grid":[]}'],
    ['[{"puzzles":[]},{"id":1,"puzzle":[]}]'],
    ['{"id":1}'],
    ['{"id":1,"tags":[]}'],
    ['{"id":1,"cages":[]}'],
    [`{"puzzle":"${CLASSIC}","unheard":[]}`],
    [`{"source":{"list":["${CLASSIC}"]},"rest":[]}`],
    ['{"puzzles":[],"cages":[[0,0]]}'],
  ])('are a record: %s', (text) => {
    expect(statesOf(`"${CLASSIC}"\n${text}`)).toHaveLength(2);
  });

  it.each([2, 2000])('with %i solutions alone are no empty files', (count) => {
    const solutions = Array(count).fill(CLASSIC_SOLUTION);
    expect(detectFormat(bytesOf(JSON.stringify({ solutions })), true, {}).kind).not.toBe('empty');
    const later = JSON.stringify({ name: 'x', quizzes: Array(count).fill(CLASSIC), solutions });
    expect(statesOf(later)).toEqual(Array(count).fill('standard'));
  });

  it('have the lines of their puzzles', () => {
    const { records } = readText(JSON.stringify({ note: 'x', puzzles: [CLASSIC, CLASSIC] }, undefined, 1));
    expect(records.map(({ line }) => line)).toEqual([4, 5]);
  });

  it('have their solutions on lines', () => {
    expect(
      rewrite(JSON.stringify({ puzzles: [{ puzzle: ZEROS.replaceAll('0', '1'), id: 5 }] }), 'same'),
    ).toBe(`{"solution":"${ZEROS.replaceAll('0', '1')}","id":5}\n`);
  });

  it('state rules for all their puzzles', () => {
    expect(statesOf(JSON.stringify({ variant: 'x', puzzles: [puzzle, CLASSIC, board] }))).toEqual([
      'x',
      'x',
      'x',
    ]);
    expect(statesOf(JSON.stringify({ puzzles: [CLASSIC], after: [puzzle], diagonal: true }))).toEqual([
      'x',
      'x',
    ]);
    const mixed = {
      easy: { windoku: true, list: [CLASSIC] },
      hard: [CLASSIC, { puzzle: CLASSIC, variant: 'x' }],
    };
    expect(statesOf(JSON.stringify(mixed))).toEqual(['windoku', 'standard', 'x']);
  });

  it('with rules that are not known refuse each puzzle', () => {
    expect(statesOf(`${JSON.stringify({ type: 'killer', list: [puzzle, board] })}\n"${CLASSIC}"`)).toEqual([
      'unsupported_variant',
      'unsupported_variant',
      'standard',
    ]);
  });

  it('named like rules are refused with their puzzles', () => {
    const text = JSON.stringify({ easy: [CLASSIC], killer: [puzzle, puzzle], hard: [CLASSIC] });
    expect(statesOf(text)).toEqual(['standard', 'unsupported_variant', 'standard']);
    expect(readText(text).records[1].notes?.error?.message).toContain('"killer"');
  });

  it.each<[string, object, string]>([
    ['a list', { puzzles: [CLASSIC], strange: [1, 2, 3] }, 'row_count'],
    ['an object', { strange: { deep: 1 }, puzzles: [CLASSIC] }, 'bad_character'],
    ['true', { strange: true, puzzles: [CLASSIC] }, 'unsupported_variant'],
  ])('have an unreadable record for %s that is no puzzle', (_name, wrapper, code) => {
    expect(statesOf(JSON.stringify(wrapper)).sort()).toEqual([code, 'standard'].sort());
  });

  it('are no records themselves if they have no puzzles', () => {
    const { records } = readText(`{"puzzle":"${CLASSIC}"}\n{"a":{"b":[1,2]},"c":"d"}\n"${CLASSIC}"`);
    expect(records.map(({ notes }) => notes?.error?.message)).toEqual([
      undefined,
      expect.stringContaining('an object with a, c'),
      undefined,
    ]);
  });

  it('may be nested to a limit', () => {
    const nested = (levels: number): unknown => (levels === 0 ? [CLASSIC] : { next: nested(levels - 1) });
    expect(statesOf(JSON.stringify(nested(8)))).toEqual(['standard']);
    expect(statesOf(`${JSON.stringify(nested(12))}\n"${CLASSIC}"\n`)).toContain('too_large');
  });

  it('with rules refuse the puzzles after damage, as the rules may no longer apply', () => {
    const text = `{"variant":"x","list":[{"puzzle":"${CLASSIC}"},{"puzzle":"53\n"},{"puzzle":"${CLASSIC}"}]}\n"${CLASSIC}"\n`;
    expect(statesOf(text)).toEqual(['x', 'bad_character', 'unsupported_variant', 'standard']);
  });

  it('end with the file', () => {
    expect(statesOf(`{"puzzles":[${JSON.stringify(puzzle)},{"puzzle":"53`)).toEqual([
      'standard',
      'truncated',
    ]);
  });
});

describe('solutions in a list of their own', () => {
  const wrong = `1${CLASSIC_SOLUTION.slice(1)}`;
  const values = (text: string) => Uint8Array.from(text, Number);
  const read = (wrapper: unknown, cuts: number[] = []) =>
    readText(typeof wrapper === 'string' ? wrapper : JSON.stringify(wrapper), {}, cuts).records.map(
      ({ grid, notes }) => notes?.error?.code ?? [grid.replaceAll('.', '0'), notes?.expected?.solution],
    );

  it.each<[name: string, wrapper: unknown]>([
    ['lists', { quizzes: [CLASSIC, ZEROS, CLASSIC], solutions: [CLASSIC_SOLUTION, wrong, null] }],
    [
      'solutions first',
      { solutions: [CLASSIC_SOLUTION, wrong, ''], note: 'a', puzzles: [CLASSIC, CLASSIC, CLASSIC] },
    ],
    [
      'columns',
      { puzzle: { a: CLASSIC, b: ZEROS, c: CLASSIC }, solution: { a: CLASSIC_SOLUTION, b: wrong, c: null } },
    ],
    [
      'rules around them',
      { variant: 'standard', data: [CLASSIC, CLASSIC, CLASSIC], solved: [CLASSIC_SOLUTION, wrong, []] },
    ],
  ])('are expected, in order: %s', (_name, wrapper) => {
    const text = JSON.stringify(wrapper);
    for (const cuts of [[], [...text].map((_, at) => at)]) {
      expect(read(`${text}\n${CLASSIC_JSON}`, cuts)).toEqual([
        [ZEROS, values(CLASSIC_SOLUTION)],
        [ZEROS, values(wrong)],
        [ZEROS, undefined],
        [ZEROS, undefined],
      ]);
    }
  });

  it('may be boards', () => {
    const solved = rowsOf(CLASSIC_SOLUTION).map((row) => [...row].map(Number));
    expect(read({ boards: [board, board], answers: [solved, solved] })).toEqual(
      Array(2).fill([ZEROS, values(CLASSIC_SOLUTION)]),
    );
  });

  it.each<[name: string, wrapper: unknown]>([
    ['fewer', { quizzes: [CLASSIC, CLASSIC], solutions: [CLASSIC_SOLUTION] }],
    ['more', { quizzes: [CLASSIC, CLASSIC], solutions: [wrong, wrong, wrong] }],
    ['for two lists', { easy: [CLASSIC], hard: [CLASSIC], solutions: [CLASSIC_SOLUTION, CLASSIC_SOLUTION] }],
    ['with other names', { puzzle: { 0: CLASSIC, 1: CLASSIC }, solution: { 1: wrong, 2: wrong } }],
  ])('are an error if they cannot be paired: %s', (_name, wrapper) => {
    expect(read(wrapper)).toEqual([[ZEROS, undefined], [ZEROS, undefined], 'bad_length']);
  });

  it('are an error if they are too long to be compared', () => {
    const puzzles = Array(5000).fill(CLASSIC);
    const records = read({ puzzles, solutions: Array(5000).fill(CLASSIC_SOLUTION) });
    expect(records).toHaveLength(5001);
    expect(records.at(-1)).toBe('bad_length');
  });
});

describe('an object of many MiB', () => {
  const COUNT = 20_000;
  const list = Array.from({ length: COUNT }, (_, id) => JSON.stringify({ id, puzzle: CLASSIC })).join(',\n');
  it.each([
    ['a list', `{"status":"ok","puzzles":[${list}],"total":${COUNT}}`],
    ['a list in an object', `{"a":{"b":{"puzzles":[${list}]}}}`],
    ['labels first', `{"note":"${'x'.repeat(100_000)}","puzzles":[${list}]}`],
  ])('is read in little memory: %s', (_name, text) => {
    const bytes = bytesOf(text);
    const detection = detectFormat(bytes.subarray(0, HEAD_BYTES), false, {});
    if (detection.kind !== 'puzzles') throw new Error(detection.kind);
    const blocks = new Map<number, RecordBlock>();
    const reader = openReader(
      detection,
      {},
      {
        acquire: (layout) => {
          const block = blocks.get(layout.geometry.cellCount) ?? new RecordBlock(layout, 512);
          blocks.set(layout.geometry.cellCount, block);
          block.reuse(layout);
          return block;
        },
      },
    );
    let count = 0;
    let unread = 0;
    for (let at = 0; at < bytes.length; at += 65_536) {
      for (const block of reader.push(bytes.subarray(at, at + 65_536))) count += block.count;
      if (at > HEAD_BYTES) unread = Math.max(unread, reader.checkpoint()?.unreadBytes ?? 0);
    }
    for (const block of reader.end()) count += block.count;
    expect(count).toBe(COUNT);
    expect(unread).toBeLessThan(1000);
  });

  it('with a rule after its puzzles has a record for the rule', () => {
    const { records } = readText(`{"puzzles":[${list}],"cages":[{"cells":["R1C1"]}],"variant":"x"}`);
    expect(records.length).toBe(COUNT + 2);
    expect(records.slice(-2).map(({ notes }) => notes?.error?.code)).toEqual(
      Array(2).fill('unsupported_variant'),
    );
  });
});
