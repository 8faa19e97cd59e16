import { describe, expect, it } from 'vitest';
import { solveText } from '../support/run-job.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from './reading.ts';

/** The first record of an object with a puzzle and other members. */
function recordOf(members: object) {
  const { records, detection } = readText(
    `${JSON.stringify({ puzzle: CLASSIC, ...members })}\n"${CLASSIC}"\n`,
  );
  if (detection.kind !== 'puzzles') throw new Error(detection.kind);
  return records[0];
}

const BOXES = ['aaabbbccc', 'dddeeefff', 'ggghhhiii'].flatMap((row) => [row, row, row]);

describe('members of a JSON object', () => {
  it.each<[string, object, string]>([
    ['cages', { cages: [{ sum: 3, cells: [[0, 0]] }] }, 'killer cages'],
    ['killer_cages', { killer_cages: [[1]] }, 'killer cages'],
    ['killercage', { killercage: [{ cells: ['R1C1'], value: '10' }] }, 'killer cages'],
    ['Killer Cages', { 'Killer Cages': { a: 1 } }, 'killer cages'],
    ['thermos', { thermos: [[1, 2]] }, 'thermometers'],
    ['thermometer', { thermometer: [{ lines: [['R1C1', 'R1C2']] }] }, 'thermometers'],
    ['anti-knight', { 'anti-knight': true }, 'anti-knight'],
    ['antiKing', { antiKing: 1 }, 'anti-king'],
    ['nonconsecutive', { nonconsecutive: 'yes' }, 'consecutive'],
    ['littlekillersum', { littlekillersum: [{ cell: 'R0C1' }] }, 'little killer'],
    ['xv', { xv: [{}, { v: 1 }] }, 'XV'],
    ['visual_elements', { visual_elements: [{ shape: 'circle' }] }, 'visual elements'],
    ['type', { type: 'killer' }, 'killer cages'],
    ['rules', { rules: ['x', 'thermo'] }, 'thermometers'],
    ['thermo', { variant: ['x', 'thermo'] }, 'variant'],
    ['rules', { rules: ['killer'] }, 'killer cages'],
    ['rules', { rules: [{ type: 'arrow', cells: ['R1C1'] }] }, 'arrows'],
    ['rules', { rules: 'Normal sudoku rules apply. In cages, digits have the given sum.' }, 'cages'],
    ['killer', { constraints: { killer: [{ cells: [1] }] } }, 'killer cages'],
    ['metadata.antiknight', { metadata: { antiknight: true } }, 'anti-knight'],
    ['diagonal+', { 'diagonal+': true }, 'one diagonal alone'],
    ['diagonals', { diagonals: ['-'] }, 'one diagonal alone'],
    ['odd', { odd: [[0, 0]] }, 'odd cells'],
    ['cages', { cages: [{ value: 'author: A' }, { value: '5', cells: [[0, 0]] }] }, 'killer cages'],
    ['cages', { cages: [{ value: 'title: A', sum: 7 }] }, 'killer cages'],
    ['cages.rules', { cages: [{ value: 'rules: Digits along an arrow sum to its circle.' }] }, 'arrow'],
    ['thermos', { thermos: [[0]] }, 'thermometers'],
    ['unheard', { unheard: [1] }, 'a list'],
    ['unheard', { unheard: [0] }, 'a list'],
    ['unheard', { unheard: { of: 1 } }, 'an object'],
    ['unheard', { unheard: true }, 'true'],
  ])('are refused by name if they are rules that are not known: %s', (key, members, rule) => {
    const { notes } = recordOf(members);
    expect(notes?.error?.code).toBe('unsupported_variant');
    expect(notes?.error?.message).toContain(`"${key}"`);
    expect(notes?.error?.message).toContain(rule);
  });

  it.each([
    [{ cages: [], thermometers: null, antiknight: false, arrows: {}, xv: '' }],
    [{ killer: 0, constraints: { antiknight: false, killer: [] }, unheard: false, rest: [] }],
    [{ type: 'sudoku', rules: 'classic', ruleset: 'Normal sudoku rules apply.' }],
    [{ variant: 'standard', visual_elements: [[]] }],
  ])('are no rules if they are off: %j', (members) => {
    expect(recordOf(members)).toMatchObject({ variant: 'standard', grid: CLASSIC });
    expect(recordOf(members).notes?.warnings).toBeUndefined();
  });

  it.each<[string, object]>([
    ['x', { diagonal: true }],
    ['x', { 'diagonal+': true, 'diagonal-': true }],
    ['x', { type: 'X-Sudoku' }],
    ['x', { rules: ['diagonal'] }],
    ['x', { diagonals: true, variant: 'standard' }],
    ['windoku', { windoku: true }],
    ['windoku-x', { hyper: true, diagonals: 'both' }],
    ['latin', { variant: 'latin' }],
    ['latin', { boxes: false }],
    ['latin-x', { variant: 'latin', diagonal: true }],
    ['jigsaw', { regions: BOXES.join('') }],
    ['jigsaw-x', { regions: BOXES.join(''), diagonal: true }],
    ['jigsaw-x', { regions: BOXES.join(''), rules: ['jigsaw', 'diagonal'] }],
    ['jigsaw-boxes', { regions: BOXES.join(''), boxes: true }],
  ])('are the variant %s: %j', (variant, members) => {
    expect(recordOf(members)).toMatchObject({ variant, notes: undefined });
  });

  it('that no variant has together are refused', () => {
    const { notes } = recordOf({ regions: BOXES.join(''), windoku: true });
    expect(notes?.error).toMatchObject({ code: 'unsupported_variant' });
  });

  it('that describe the puzzle are kept, in the order of the file', () => {
    const labels = { id: 7, author: 'A. Setter', tags: ['a', 'b'], rating: 7.1, level: 'hard' };
    const text = `${JSON.stringify({ ...labels, puzzle: CLASSIC_SOLUTION })}\n`;
    expect(readText(text).records[0].notes).toMatchObject({ id: '7' });
    expect(rewrite(text.repeat(6), 'same')).toBe(
      `${JSON.stringify({ solution: CLASSIC_SOLUTION, ...labels })}\n`.repeat(6),
    );
    // The fast path copies them from the bytes.
    const plain = { id: 'a', level: 3, solved: CLASSIC };
    const fast = `${JSON.stringify({ puzzle: CLASSIC_SOLUTION, ...plain })}\n`;
    expect(rewrite(fast.repeat(6), 'same')).toBe(
      `${JSON.stringify({ solution: CLASSIC_SOLUTION, id: 'a', level: 3 })}\n`.repeat(6),
    );
  });

  it.each([
    { id: { $oid: '5f' } },
    { _id: { $oid: '5f' }, created_at: { $date: 5 } },
    { id: [1, 2] },
    { date: { year: 2024 }, uuid: null },
    { cages: [{ value: 'author: A' }, { value: 'rules: Normal sudoku rules apply.', cells: [] }] },
    { cellSize: 64, successMessage: 'Done', highlightConflicts: true },
  ])('describe the puzzle if they are names, dates or settings, also as objects: %j', (members) => {
    expect(recordOf(members)).toMatchObject({ grid: CLASSIC, variant: 'standard' });
    expect(recordOf(members).notes?.warnings).toBeUndefined();
    expect(recordOf(members).notes?.error).toBeUndefined();
  });

  it('that are not known are labels with a warning if they are texts, numbers or null', () => {
    for (const value of ['x', 5, null]) {
      const text = `${JSON.stringify({ puzzle: CLASSIC_SOLUTION, unheard: value })}\n`.repeat(5);
      const { records } = readText(text);
      expect(records.map(({ notes }) => notes?.warnings)).toEqual(Array(5).fill(['unknown_member']));
      expect(
        rewrite(text, 'same').startsWith(
          `{"solution":"${CLASSIC_SOLUTION}","unheard":${JSON.stringify(value)}}\n`,
        ),
      ).toBe(true);
    }
  });

  it('may be spelled with capitals', () => {
    expect(readText(JSON.stringify({ Puzzle: CLASSIC, ID: 4 })).records[0]).toMatchObject({
      grid: CLASSIC,
      notes: { id: '4' },
    });
  });

  it('with two grids are refused, unless they are equal', () => {
    expect(recordOf({ board: CLASSIC }).notes).toBeUndefined();
    const { notes } = recordOf({ board: rowsOf(CLASSIC_SOLUTION) });
    expect(notes?.error?.message).toContain('two grids, "puzzle" and "board"');
  });

  it('with a solution that cannot be read have a warning', () => {
    expect(recordOf({ solution: 'none' }).notes?.warnings).toEqual(['expected_unreadable']);
    expect(recordOf({ solved: true }).notes?.warnings).toBeUndefined();
  });

  it.each([
    ['box', '2x3'],
    ['box', 'wide'],
    ['boxWidth', 'two'],
  ])('with a box that does not fit are refused: %s %s', (key, value) => {
    expect(recordOf({ [key]: value }).notes?.error?.code).toBe('bad_regions');
  });
});

describe('a puzzle and its solution in JSON', () => {
  const other = CLASSIC_SOLUTION.replaceAll(/[12]/g, (digit) => (digit === '1' ? '2' : '1'));

  it.each<[string, unknown]>([
    ['members of language models', { prompt: CLASSIC, completion: CLASSIC_SOLUTION }],
    ['input and output', { input: CLASSIC, output: CLASSIC_SOLUTION, rating: 3 }],
    ['other names', { clues: CLASSIC, full: CLASSIC_SOLUTION }],
    ['other names, the solution first', { full: CLASSIC_SOLUTION, clues: CLASSIC }],
    ['a solution with another name', { puzzle: CLASSIC, final: CLASSIC_SOLUTION }],
    ['names in other spellings', { Puzzle: CLASSIC, solution: CLASSIC_SOLUTION }],
    ['a grid with an answer', { 'unsolved-sudoku': rowsOf(CLASSIC), solution: rowsOf(CLASSIC_SOLUTION) }],
    ['a puzzle with another name', { sudoku_str: CLASSIC, solution: CLASSIC_SOLUTION }],
    ['a list of one solution', { puzzle: CLASSIC, solutions: [CLASSIC_SOLUTION] }],
    ['a grid in a list', { puzzle: CLASSIC, solutions: [rowsOf(CLASSIC_SOLUTION)] }],
    [
      'rows in a text',
      { puzzle: rowsOf(CLASSIC).join('\n'), solution: rowsOf(CLASSIC_SOLUTION).join('\r\n') },
    ],
    ['a list of both', [CLASSIC, CLASSIC_SOLUTION]],
  ])('are one record: %s', (_name, value) => {
    const each = JSON.stringify(value);
    for (const text of [`[${each},\n${each}]`, `{"all":[${each},\n${each}]}`]) {
      const { records } = readText(text);
      expect(records.map(({ grid }) => grid)).toEqual([CLASSIC, CLASSIC]);
      for (const { notes } of records) {
        expect(notes?.expected?.solution?.join('')).toBe(CLASSIC_SOLUTION);
        expect(notes?.error).toBeUndefined();
      }
    }
  });

  it('are refused if the puzzle is a name', () => {
    const { records } = readText(`{"${CLASSIC}":"${CLASSIC_SOLUTION}"}\n"${CLASSIC}"\n`);
    expect(records.map(({ notes }) => notes?.error?.found)).toEqual([
      'a puzzle as the name of a member',
      undefined,
    ]);
  });

  it('are two puzzles if one does not solve the other', () => {
    for (const value of [{ first: CLASSIC, second: other }, [CLASSIC, other], { a: CLASSIC, b: CLASSIC }]) {
      expect(readText(`[${JSON.stringify(value)}]`).records).toHaveLength(2);
    }
  });
});

it('a byte-order mark may precede JSON', () => {
  const object = JSON.stringify({ puzzle: CLASSIC });
  for (const text of [object, `${object}\n${object}`, `[${object}]`, JSON.stringify(rowsOf(CLASSIC))]) {
    const { records } = readText(text);
    for (const cuts of [[], [1], [2], [1, 2], [3]]) {
      expect(readText(`\ufeff${text}`, {}, cuts).records).toEqual(records);
    }
  }
});

describe('regions in JSON', () => {
  const cells = BOXES.flatMap((row, r) => [...row].map((region, c) => ({ region, place: [r, c] })));
  const lists = [...'abcdefghi'].map((own) =>
    cells.filter(({ region }) => region === own).map(({ place }) => place),
  );
  const plusOne = lists.map((list) => list.map(([r, c]) => [r + 1, c + 1]));
  const numbers = BOXES.map((row) => [...row].map((region) => region.charCodeAt(0) - 97));
  it.each<[string, unknown]>([
    ['a text', BOXES.join('')],
    ['rows of text', BOXES],
    ['rows with spaces', BOXES.map((row) => [...row].join(' '))],
    ['lines of text', BOXES.join('\n')],
    ['rows from 0', numbers],
    ['rows from 1', numbers.map((row) => row.map((number) => number + 1))],
    ['a list', numbers.flat()],
    ['cells from 0', lists],
    ['cells from 1', plusOne],
    ['names', plusOne.map((list) => list.map(([r, c]) => `R${r}C${c}`))],
    ['objects', plusOne.map((list) => ({ cells: list.map(([row, col]) => ({ row, col })) }))],
    ['numbers of cells', lists.map((list) => list.map(([r, c]) => r * 9 + c))],
  ])('are %s', (_name, regions) => {
    for (const key of ['regions', 'region_map', 'layout', 'map', 'jigsaw', 'boxes']) {
      const { records } = readText(JSON.stringify({ puzzle: CLASSIC, [key]: regions }));
      expect(records).toMatchObject([{ variant: 'jigsaw', grid: CLASSIC, notes: undefined }]);
    }
  });

  it.each<[string, unknown, string]>([
    ['a text that is too short', BOXES.join('').slice(1), '80'],
    ['a region that is too large', BOXES.join('').replace('b', 'a'), 'region a with 10'],
    ['a character', BOXES.join('').replace('b', '?'), '"?"'],
    ['a cell twice', [plusOne[0].with(0, [1, 2]), ...plusOne.slice(1)], 'r1c2 twice in region 1'],
    [
      'a cell of another region',
      [plusOne[0].with(0, [1, 4]), ...plusOne.slice(1)],
      'r1c4 in region 1 and in region 2',
    ],
    ['a missing cell', [plusOne[0].slice(1), ...plusOne.slice(1)], 'r1c1 in no region'],
    ['cells of two bases', lists.with(8, plusOne[8]), 'from 0 to 9'],
  ])('are refused with %s', (_name, regions, found) => {
    const { records } = readText(`${JSON.stringify({ puzzle: CLASSIC, regions })}\n"${CLASSIC}"`);
    expect(records[0].notes?.error?.code).toBe('bad_regions');
    expect(records[0].notes?.error?.message).toContain(found);
  });

  it('may be in several parts', () => {
    const swapped = BOXES.with(0, 'baaabbccc').join('');
    expect(readText(JSON.stringify({ puzzle: CLASSIC, regions: swapped })).records).toMatchObject([
      { variant: 'jigsaw', notes: { warnings: ['region_disconnected'] } },
    ]);
  });
});

describe('cells of puzzle editors', () => {
  const grid = rowsOf(CLASSIC).map((row) =>
    [...row].map((digit) => (digit === '.' ? {} : { value: Number(digit), given: true })),
  );
  const board = { size: 9, title: 'x', author: '', ruleset: 'Normal sudoku rules apply.', grid };
  const read = (object: object) => readText(`${JSON.stringify(object)}\n"${CLASSIC}"`).records[0];

  it('are givens', () => {
    expect(read(board)).toMatchObject({
      grid: CLASSIC.replaceAll('.', '0'),
      variant: 'standard',
      notes: { id: 'x' },
    });
    const values = grid.map((row) => row.map(({ value = undefined }: { value?: number }) => ({ value })));
    expect(read({ id: 'a', cells: values, cages: [], lines: [] })).toMatchObject({
      grid: CLASSIC.replaceAll('.', '0'),
    });
  });

  it('may state their places, in the order of the grid', () => {
    for (const base of [0, 1]) {
      const cells = [...CLASSIC].map((digit, at) => ({
        row: Math.floor(at / 9) + base,
        col: (at % 9) + base,
        value: digit === '.' ? null : Number(digit),
      }));
      expect(read({ cells })).toMatchObject({ grid: CLASSIC.replaceAll('.', '0') });
      expect(read({ cells: cells.toReversed() }).notes?.error).toMatchObject({
        code: 'bad_character',
        found: `a cell of row ${8 + base}, column ${8 + base} as number 1 of the list`,
      });
    }
  });

  it('may have a solver’s marks, which are no givens', () => {
    const entered = grid.with(0, grid[0].with(2, { value: 4, centerPencilMarks: [1, 4] } as object));
    expect(read({ ...board, grid: entered })).toMatchObject({
      grid: CLASSIC.replaceAll('.', '0'),
      notes: { warnings: ['entries_ignored'] },
    });
  });

  it('may name their regions, where these are not the boxes', () => {
    const moved = grid.map((row, r) =>
      row.map((cell, c) => (r === 0 && (c === 2 || c === 3) ? { ...cell, region: 3 - c } : cell)),
    );
    expect(read({ ...board, grid: moved })).toMatchObject({
      variant: 'jigsaw',
      notes: { warnings: ['region_disconnected'] },
    });
    const wrong = grid.with(0, grid[0].with(2, { region: 1 } as object));
    expect(read({ ...board, grid: wrong }).notes?.error?.code).toBe('bad_regions');
  });

  it('may have candidates that the setter left', () => {
    const marked = grid.with(0, grid[0].with(2, { givenPencilMarks: [1, 4] } as object));
    expect(read({ ...board, grid: marked }).variant).toBe('sukaku');
  });

  it('are solved with givens and candidates; marks in a cell with a digit mean nothing', async () => {
    const [first, second, third] = grid[0]!;
    const marked = [
      { ...first, givenPencilMarks: [1, 2] },
      second,
      { ...third, givenPencilMarks: [1, 4] },
      ...grid[0]!.slice(3),
    ];
    const { solutions, stats } = await solveText(JSON.stringify({ ...board, grid: grid.with(0, marked) }), {
      output: 'line',
    });
    expect(stats.puzzles.solved).toBe(1);
    expect(solutions).toContain(CLASSIC_SOLUTION);
    const link = await solveText('.~R1C1_5~R5C5_6_7~R9C9_9\n');
    expect(link.stats.puzzles.multiple).toBe(1);
  });

  it('are refused with other members', () => {
    const odd = grid.with(0, grid[0].with(2, { odd: true } as object));
    expect(read({ ...board, grid: odd }).notes?.error?.message).toContain('"odd"');
  });
});

describe('lists of cells in JSON', () => {
  const digits = [...CLASSIC].map((cell) => (cell === '.' ? 0 : Number(cell)));
  const zeros = CLASSIC.replaceAll('.', '0');
  it.each<[string, unknown, number]>([
    ['one', digits, 1],
    ['one of texts', [...CLASSIC], 1],
    ['several', [digits, digits, digits], 3],
    ['several of texts', [[...CLASSIC], [...CLASSIC]], 2],
    ['in objects', [{ puzzle: digits }, { puzzle: digits }], 2],
  ])('are puzzles: %s', (_name, value, count) => {
    for (const indent of [0, 2]) {
      const { records } = readText(JSON.stringify(value, undefined, indent));
      expect(records.map(({ grid }) => grid.replaceAll('.', '0'))).toEqual(Array(count).fill(zeros));
    }
  });

  const four = [...'1..4..2..3..4..1'].map((cell) => Number(cell === '.' ? 0 : cell));
  it.each([3, 15, 17, 40])('are %i puzzles of 4x4, not rows of a 16x16', (count) => {
    const { records } = readText(JSON.stringify(Array(count).fill(four)));
    expect(records.map(({ size }) => size)).toEqual(Array(count).fill(4));
  });

  it('are the rows of a 16x16 if there are 16', () => {
    expect(readText(JSON.stringify(Array(16).fill(four))).records.map(({ size }) => size)).toEqual([16]);
  });

  it('have the layout of their solutions', () => {
    expect(rewrite(JSON.stringify([...CLASSIC_SOLUTION].map(Number)), 'same')).toBe(
      `${JSON.stringify([...CLASSIC_SOLUTION].map(Number))}\n`,
    );
    expect(rewrite(JSON.stringify([...CLASSIC_SOLUTION]), 'same')).toBe(
      `${JSON.stringify([...CLASSIC_SOLUTION])}\n`,
    );
  });
});

it('integers that a double does not hold keep their digits', () => {
  const text = `{"id":12345678901234567890,"puzzle":"${CLASSIC}","seed": -9007199254740993,"score":1.5}\n`;
  const { records } = readText(text);
  expect(records[0].notes?.id).toBe('12345678901234567890');
  expect(String(records[0].notes?.labels)).toContain('"-9007199254740993"');
});
