/** Which columns of a table hold puzzles, solutions and region maps. */
import { describe, expect, it } from 'vitest';
import type { FormatHints } from '../../../lib/formats/reader.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from '../reading.ts';

const ZEROS = CLASSIC.replaceAll('.', '0');
const WRONG = `1${CLASSIC_SOLUTION.slice(1)}`;
const MAP = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);
const values = Uint8Array.from(CLASSIC_SOLUTION, Number);

/** The columns with a role, and for each record its line, its grid or error code, and what matters of its notes. */
function reading(text: string, hints: FormatHints = {}) {
  const { detection, records } = readText(text, hints);
  const { puzzle, solution, regions, id } = (
    detection.kind === 'puzzles' ? detection.settings.columns : {}
  ) as {
    [role: string]: number | undefined;
  };
  return {
    columns: { puzzle, solution, regions, id },
    lines: records.map(({ line }) => line),
    grids: records.map(({ grid, notes }) => notes?.error?.code ?? grid),
    expected: records.map(({ notes }) => notes?.expected?.solution),
  };
}

describe('the header of a table', () => {
  const names: ReadonlyArray<[first: string, second: string]> = [
    ['quizzes', 'solutions'],
    ['input', 'output'],
    ['initial', 'final'],
    ['sudoku_puzzle', 'sudoku_solution'],
    ['Q', 'A'],
    ['before', 'after'],
    ['Rätsel', 'Lösung'],
    ['题目', '答案'],
    ['0', '1'],
    ['"the puzzle, as a string"', '"its ""solution"""'],
  ];
  const separators = [',', ';', '\t'];
  it.each(names)('may have any names: %s, %s', (first, second) => {
    for (const separator of separators) {
      const row = [ZEROS, CLASSIC_SOLUTION].join(separator);
      const text = `${first}${separator}${second}\n${row}\n${row}\n`;
      const expected = {
        columns: { puzzle: 0, solution: 1 },
        lines: [2, 3],
        grids: [ZEROS, ZEROS],
        expected: [values, values],
      };
      expect(reading(text)).toEqual(expected);
      expect(reading(`sep=${separator}\r\n${text.replaceAll('\n', '\r\n')}`)).toEqual({
        ...expected,
        lines: [3, 4],
      });
    }
  });

  it('may be in any order, and names do not move the puzzle to a column without blanks', () => {
    for (const header of ['solution,puzzle', 'puzzle,solution', 'x,y']) {
      expect(reading(`${header}\n${CLASSIC_SOLUTION},${CLASSIC}\n`)).toMatchObject({
        columns: { puzzle: 1, solution: 0 },
        grids: [CLASSIC],
        expected: [values],
      });
    }
  });

  it('may number the columns, as pandas does, or be missing', () => {
    const rows = `0,${CLASSIC},${CLASSIC_SOLUTION}\n1,${CLASSIC},${CLASSIC_SOLUTION}\n`;
    expect(reading(`,0,1\n${rows}`)).toMatchObject({ columns: { puzzle: 1, solution: 2 }, lines: [2, 3] });
    expect(reading(rows)).toMatchObject({ columns: { puzzle: 1, solution: 2, id: 0 }, lines: [1, 2] });
  });

  it('may be above a single column', () => {
    expect(reading(`sudoku_puzzle\n${CLASSIC}\n${CLASSIC}\n`)).toMatchObject({ lines: [2, 3] });
    expect(reading(`Any words\n${CLASSIC}\n`, { fileName: 'x.csv' })).toMatchObject({ lines: [2] });
  });

  it('is not a first row with a damaged puzzle', () => {
    for (const damaged of [CLASSIC.slice(1), CLASSIC.slice(0, 12), '12', '']) {
      const text = `1,${damaged},${CLASSIC_SOLUTION}\n2,${CLASSIC},${CLASSIC_SOLUTION}\n`;
      expect(reading(text)).toMatchObject({
        columns: { puzzle: 1, solution: 2 },
        lines: [1, 2],
        grids: ['bad_length', CLASSIC],
      });
    }
  });

  it('is not a link, whatever is in it', () => {
    for (const link of ['https://f-puzzles.com/?load=N4IgzglgXgpiBcBOAN', 'f-puzzles.com/?load=N4Igzgl']) {
      expect(readText(`${link}\n${CLASSIC}\n${CLASSIC}\n`).records).toHaveLength(3);
      expect(readText(`${link}\n${CLASSIC}\n`, { fileName: 'x.csv' }).records).toHaveLength(2);
    }
  });

  it('may start with #', () => {
    expect(reading(`#,puzzle\n1,${CLASSIC}\n`)).toMatchObject({ lines: [2], grids: [CLASSIC] });
  });

  it('alone is a table without puzzles', () => {
    for (const header of ['puzzle,solution\n', 'input,output\n', 'sep=;\nQ;A\n']) {
      expect(readText(header)).toMatchObject({ detection: { kind: 'puzzles', format: 'csv' }, records: [] });
    }
  });
});

describe('the columns of a table', () => {
  it('of two puzzles are refused if no name decides', () => {
    const other = `1${CLASSIC.slice(1, 80)}.`;
    const { detection } = readText(`first,second\n${CLASSIC},${other}\n`);
    expect(detection).toMatchObject({ kind: 'unreadable', error: { code: 'ambiguous_columns' } });
    expect(detection).toMatchObject({
      error: { message: expect.stringMatching(/"first" and "second".*named puzzle/) },
    });
    expect(reading(`puzzle,progress\n${CLASSIC},${other}\n`)).toMatchObject({ columns: { puzzle: 0 } });
    expect(reading(`progress,puzzle\n${CLASSIC},${other}\n`)).toMatchObject({ columns: { puzzle: 1 } });
    expect(reading(`zeros,dots\n${ZEROS},${CLASSIC}\n`)).toMatchObject({ columns: { puzzle: 0 } });
  });

  it('of two solutions: a name decides, or the one that has the givens', () => {
    const row = `${CLASSIC},${WRONG},${CLASSIC_SOLUTION}\n`;
    expect(reading(`p,first,second\n${row}${row}`)).toMatchObject({ columns: { solution: 2 } });
    expect(reading(`p,solution,second\n${row}${row}`)).toMatchObject({ columns: { solution: 1 } });
    const { detection } = readText(`p,first,second\n${CLASSIC},${WRONG},${WRONG}\n`);
    expect(detection).toMatchObject({ error: { code: 'ambiguous_columns' } });
  });

  it('include a solution that contradicts the givens in every row', () => {
    expect(reading(`puzzle,solution\n${`${CLASSIC},${WRONG}\n`.repeat(3)}`)).toMatchObject({
      columns: { puzzle: 0, solution: 1 },
      expected: Array(3).fill(Uint8Array.from(WRONG, Number)),
    });
  });

  it('are not those of hashes and identifiers', () => {
    const uuid = '550e8400-e29b-41d4-a716-446655440000';
    expect(reading(`a,b,c\n${uuid},0123456789abcdef,${CLASSIC}\n`)).toMatchObject({ columns: { puzzle: 2 } });
  });

  it('hold grids of other sizes', () => {
    const four = ['1..4..2..3..4..1', '1234341221434321'];
    const eight = [`1${'.'.repeat(63)}`, '1234567856781234'.repeat(4)];
    for (const [puzzle, solution] of [four, eight]) {
      expect(reading(`in,out\n${puzzle},${solution}\n`)).toMatchObject({
        columns: { puzzle: 0, solution: 1 },
        grids: [puzzle],
      });
    }
  });

  it('are not decided by lines of another layout after the table', () => {
    const rows = '--A----C-----O-I\n'.repeat(16);
    expect(reading(`id,puzzle\n1,${CLASSIC}\n\n${rows}`)).toMatchObject({ columns: { puzzle: 1 } });
  });

  it('count damaged and short rows as one record each', () => {
    const text = `id,puzzle,solution\n1,${CLASSIC.slice(1)},${CLASSIC_SOLUTION}\n2,${CLASSIC},${CLASSIC_SOLUTION}\n3\n4,,${CLASSIC_SOLUTION}\n5,${CLASSIC},\n`;
    expect(reading(text)).toMatchObject({
      columns: { id: 0, puzzle: 1, solution: 2 },
      lines: [2, 3, 4, 5, 6],
      grids: ['bad_length', CLASSIC, 'bad_length', 'bad_length', CLASSIC],
    });
  });
});

describe('region maps in a table', () => {
  it.each(['regions', 'layout', 'map', 'jigsaw', 'anything'])(
    'are read from a column of maps: %s',
    (name) => {
      const text = `id,puzzle,${name}\n1,${CLASSIC},${MAP}\n2,${CLASSIC},${MAP.slice(1)}\n3,${CLASSIC},${MAP.replace('e', '?')}\n4,${CLASSIC},\n5,${CLASSIC},${[...MAP].join(' ')}\n`;
      expect(reading(text)).toMatchObject({
        columns: { puzzle: 1, regions: 2, id: 0 },
        grids: [CLASSIC, 'bad_regions', 'bad_regions', CLASSIC, CLASSIC],
      });
      const { records } = readText(text);
      expect(records.map(({ variant, notes }) => notes?.error?.column ?? variant)).toEqual([
        'jigsaw',
        164,
        115,
        'standard',
        'jigsaw',
      ]);
    },
  );

  it('are checked if all of them are wrong', () => {
    const { records } = readText(
      `puzzle,regions\n${CLASSIC},${MAP.slice(2)}\n${CLASSIC},${'?'.repeat(81)}\n`,
    );
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual(['bad_regions', 'bad_regions']);
  });

  it('may have a region in several parts, and any size', () => {
    const parts = `${MAP.slice(0, 3)}c${MAP.slice(4, 8)}b${MAP.slice(9)}`;
    expect(readText(`id,puzzle,regions\n1,${CLASSIC},${parts}\n`).records).toMatchObject([
      { variant: 'jigsaw', notes: { warnings: ['region_disconnected'] } },
    ]);
    const seven = `1${'.'.repeat(48)}`;
    const map = '1111111222222233333334444444555555566666667777777';
    expect(readText(`puzzle;map\n${seven};${map}\n`).records).toMatchObject([{ size: 7, variant: 'jigsaw' }]);
  });
});

describe('rules in a table', () => {
  const reading = (names: string, ...values: readonly string[]) =>
    readText(`puzzle,${names}\n${values.map((value) => `${CLASSIC},${value}\n`).join('')}`).records.map(
      ({ variant, notes }) => notes?.error?.code ?? variant,
    );
  const refused = 'unsupported_variant';

  it('are read if they are known, and refused by name otherwise', () => {
    expect(reading('variant', 'x', 'classic', '', 'killer', 'whatever')).toEqual([
      'x',
      'standard',
      'standard',
      refused,
      refused,
    ]);
    expect(reading('type', 'windoku', 'hard', '9x9', 'Killer Sudoku')).toEqual([
      'windoku',
      'standard',
      'standard',
      refused,
    ]);
    expect(reading('diagonal', 'true', 'false', '1')).toEqual(['x', 'standard', 'x']);
    expect(reading('cages', '', '[]', '0', '"[[1,2]]"', '3')).toEqual([
      'standard',
      'standard',
      'standard',
      refused,
      refused,
    ]);
    expect(reading('max', '17', '2.5')).toEqual(['standard', 'standard']);
    expect(reading('variant,antiknight', 'x,no', 'x,yes', 'x,')).toEqual(['x', refused, 'x']);
  });

  it('name the rule, the column and the known variants', () => {
    const { records } = readText(`puzzle,level,cages\n${CLASSIC},1,"[1]"\n`);
    expect(records[0].notes?.error).toMatchObject({
      code: refused,
      line: 2,
      column: 86,
      found: 'killer cages',
    });
    expect(records[0].notes?.error?.message).toMatch(/column 3 \(cages\): expected one of standard/);
  });

  it('apply to jigsaws', () => {
    const text = `puzzle,regions,variant\n${CLASSIC},${MAP},jigsaw\n${CLASSIC},${MAP},jigsaw-x\n${CLASSIC},,jigsaw\n${CLASSIC},${MAP},sudoku\n${CLASSIC},${MAP},x\n`;
    expect(readText(text).records.map(({ variant, notes }) => notes?.error?.code ?? variant)).toEqual([
      'jigsaw',
      'jigsaw-x',
      refused,
      'jigsaw',
      'bad_regions',
    ]);
  });
});

describe('quoted fields', () => {
  const grid = rowsOf(CLASSIC).join('\n');
  const text = `id,grid,level\n1,"${grid}",easy\n2,"${rowsOf(ZEROS).join('\r\n')}\n",hard\n3,${CLASSIC},"a note\non two lines"\n4,"a\nb",x\n5,"${CLASSIC}\n6,${CLASSIC},x\n`;

  it('may continue on the next lines: a grid, a note, and a quote that is not closed', () => {
    const whole = readText(text);
    expect(
      whole.records.map(({ line, lineEnd, grid, notes }) => [line, lineEnd, notes?.error?.code ?? grid]),
    ).toEqual([
      [2, 10, CLASSIC],
      [11, 20, ZEROS],
      [21, 22, CLASSIC],
      [23, 24, 'bad_length'],
      [25, 25, CLASSIC],
      [26, 26, CLASSIC],
    ]);
    expect(
      readText(
        text,
        {},
        Array.from({ length: text.length }, (_, at) => at),
      ),
    ).toEqual(whole);
  });

  it('are written again as they were, with the line that names the separator', () => {
    const table = `sep=;\nlevel;puzzle;answer\n"a;b";"${grid}";\n`;
    expect(rewrite(table, 'same')).toBe(
      `sep=;\nlevel;puzzle;answer;status;error\n"a;b";"${grid}";${CLASSIC};solved;\n`,
    );
    expect(rewrite(`a;puzzle\nx;${CLASSIC}\n`, 'same')).toBe(
      `a;puzzle;solution;status;error\nx;${CLASSIC};${CLASSIC};solved;\n`,
    );
    // A row with fewer fields than the header: the solution is in its column.
    expect(rewrite(`puzzle;a;b\n${CLASSIC};x\n`, 'same')).toBe(
      `puzzle;a;b;solution;status;error\n${CLASSIC};x;;${CLASSIC};solved;\n`,
    );
    const solved = `sep=;\npuzzle;solution\n"${grid}";${CLASSIC_SOLUTION}\n`;
    expect(rewrite(solved, 'same')).toBe(
      `sep=;\npuzzle;solution;status;error\n"${grid}";${CLASSIC};solved;\n`,
    );
  });
});
