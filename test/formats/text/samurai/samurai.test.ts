import { describe, expect, it } from 'vitest';
import { OUTPUT_PROFILES } from '../../../../lib/formats/formats.ts';
import { BLOCK_CAPACITY, CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from '../../reading.ts';
import {
  rowsOfSamurai,
  SAMURAI,
  SAMURAI_LINES,
  SAMURAI_SOLUTION,
  SAMURAI_TEXTS,
} from '../../samurai-texts.ts';

const texts = Object.entries(SAMURAI_TEXTS).map(([name, write]) => ({ name, write, format: 'samurai' }));
const lines = Object.entries(SAMURAI_LINES).map(([name, write]) => ({
  name,
  write,
  format: name === 'cells alone' ? 'line' : 'samurai-line',
}));
const dotted = (grid: string) => grid.replace(/[0-]/g, '.');
/** All offsets at which a text may be cut, and more. */
const everyFifth = (text: string) => Array.from({ length: Math.floor(text.length / 5) }, (_, k) => k * 5 + 1);

describe.each([...texts, ...lines])('a samurai with $name', ({ write, format }) => {
  const text = write(SAMURAI);

  it('is read as its 369 cells', () => {
    const { records } = readText(text);
    expect(records).toMatchObject([{ format, variant: 'samurai', size: 9, notes: undefined }]);
    expect(dotted(records[0].grid)).toBe(SAMURAI);
  });

  it('is read the same among other puzzles, however the bytes are cut', () => {
    const file = `${CLASSIC}\n\n${text}\n${text}\n\n${rowsOf(CLASSIC).join('\n')}\n\n${text}`;
    const whole = readText(file);
    expect(whole.records.map(({ variant, notes }) => [variant, notes])).toEqual(
      ['standard', 'samurai', 'samurai', 'standard', 'samurai'].map((variant) => [variant, undefined]),
    );
    expect(readText(file, {}, everyFifth(file))).toEqual(whole);
  });

  it('is written as it was read', () => {
    expect(rewrite(write(SAMURAI_SOLUTION), 'same')).toBe(write(SAMURAI_SOLUTION));
  });

  it('is read in numbers larger than a block', () => {
    const count = BLOCK_CAPACITY * 3 + 1;
    const file = `${text}\n`.repeat(count);
    const { records } = readText(file);
    expect(records).toHaveLength(count);
    expect(new Set(records.map(({ grid }) => dotted(grid)))).toEqual(new Set([SAMURAI]));
    expect(readText(file, {}, [1000, 1001, 5000]).records).toEqual(records);
  });
});

describe('samurais', () => {
  it('may follow one another without a blank line', () => {
    const write = SAMURAI_TEXTS['dots everywhere'];
    const { records } = readText(write(SAMURAI) + write(SAMURAI_SOLUTION) + write(SAMURAI));
    expect(records.map(({ grid, line }) => [grid, line])).toEqual([
      [SAMURAI, 1],
      [SAMURAI_SOLUTION, 22],
      [SAMURAI, 43],
    ]);
  });

  it('may follow their number of rows and columns', () => {
    const { records } = readText(
      `21 21\n${SAMURAI_TEXTS['numbers, minus signs for blanks and gaps'](SAMURAI)}`,
    );
    expect(records).toMatchObject([{ variant: 'samurai', line: 2, lineEnd: 22, notes: undefined }]);
  });

  it('may have a name, on a line or above', () => {
    const line = SAMURAI_LINES['dots in the gaps'](SAMURAI).trimEnd();
    const { records } = readText(
      `${line} hard one\n\nPuzzle 7\n${SAMURAI_TEXTS['spaces in the gaps'](SAMURAI)}`,
    );
    expect(records.map(({ notes }) => notes?.id)).toEqual(['hard one', 'Puzzle 7']);
  });

  it('keep the expected result that follows them', () => {
    const { records } = readText(`${SAMURAI}:1:${SAMURAI_SOLUTION}\n`);
    expect(records[0].notes?.expected?.solution?.join('')).toBe(SAMURAI_SOLUTION);
  });

  it('are read in CSV, JSON and OpenSudoku as 369 characters', () => {
    const csv = `quizzes,solutions\n${SAMURAI},${SAMURAI_SOLUTION}\n`;
    const json = `{"puzzle":"${SAMURAI}","solution":"${SAMURAI_SOLUTION}"}\n`;
    const xml = `<opensudoku>\n<game data="${SAMURAI.replaceAll('.', '0')}" />\n</opensudoku>\n`;
    for (const text of [csv, json]) {
      const { records } = readText(text);
      expect(records).toMatchObject([{ variant: 'samurai', grid: SAMURAI }]);
      expect(records[0].notes?.expected?.solution?.join('')).toBe(SAMURAI_SOLUTION);
      expect(rewrite(text.replaceAll(SAMURAI, SAMURAI_SOLUTION), 'same')).toContain(SAMURAI_SOLUTION);
    }
    expect(readText(xml).records.map(({ grid }) => dotted(grid))).toEqual([SAMURAI]);
  });

  it.each(OUTPUT_PROFILES)('written in the profile %s are read again as the same grid', (profile) => {
    const written = rewrite(`${SAMURAI_SOLUTION}\n${CLASSIC_SOLUTION}\n${SAMURAI_SOLUTION}\n`, profile);
    const { records } = readText(written);
    expect(records.map(({ grid, notes }) => [grid, notes?.error])).toEqual(
      [SAMURAI_SOLUTION, CLASSIC_SOLUTION, SAMURAI_SOLUTION].map((grid) => [grid, undefined]),
    );
  });
});

describe('rows as wide as those of a samurai', () => {
  it('are rows of a square if the user asks for one', () => {
    const square = Array.from({ length: 18 }, () => '.'.repeat(18)).join('\n');
    expect(readText(square, { box: [3, 6] }).records).toMatchObject([{ size: 18, variant: 'standard' }]);
  });

  it('are cells of 9x9 puzzles if they fill them', () => {
    const numbers = [...CLASSIC.replaceAll('.', '0').repeat(6)];
    const text = Array.from({ length: 27 }, (_, k) => numbers.slice(k * 18, k * 18 + 18).join(' ')).join(
      '\n',
    );
    const { records } = readText(text);
    expect(records.map(({ format, grid }) => [format, dotted(grid)])).toEqual(
      Array(6).fill(['tokens', CLASSIC]),
    );
  });
});

describe('a damaged samurai', () => {
  const rows = rowsOfSamurai(SAMURAI, '.').map((row) => row.join(''));
  const damaged = (change: (rows: string[]) => void) => {
    const copy = [...rows];
    change(copy);
    return copy.join('\n');
  };
  it.each([
    {
      name: 'a row cut short',
      text: damaged((copy) => {
        copy[7] = copy[7].slice(0, 19);
      }),
      error: { code: 'bad_length', line: 8, column: 1, found: '19 characters', expected: '21 characters' },
    },
    {
      name: 'a row of another width',
      text: damaged((copy) => {
        copy[2] = copy[2].slice(0, 20);
      }),
      error: { code: 'bad_length', line: 3, expected: '18 or 21 characters' },
    },
    {
      name: 'a digit in a gap',
      text: damaged((copy) => {
        copy[16] = `${copy[16].slice(0, 10)}7${copy[16].slice(11)}`;
      }),
      error: { code: 'bad_character', line: 17, column: 11, found: '7' },
    },
    {
      name: 'a letter',
      text: damaged((copy) => {
        copy[20] = `q${copy[20].slice(1)}`;
      }),
      error: { code: 'bad_character', line: 21, column: 1, found: 'q' },
    },
    {
      name: 'a row too few',
      text: damaged((copy) => copy.splice(19, 1)),
      error: { code: 'row_count', found: '20 rows', expected: '21 rows' },
    },
    {
      name: 'a row too many',
      text: damaged((copy) => copy.push(copy[20])),
      error: { code: 'row_count', line: 22, found: '22 rows', expected: '21 rows' },
    },
    {
      name: 'a row and a word too many',
      text: damaged((copy) => copy.push(copy[20], 'word')),
      error: { code: 'row_count', line: 23, found: '23 rows', expected: '21 rows' },
    },
  ])('with $name is one error, and its neighbours are read', ({ text, error }) => {
    const whole = rows.join('\n');
    const file = `${text}\n\n${whole}\n\n${CLASSIC}\n`;
    const { records } = readText(file);
    expect(readText(file, {}, everyFifth(file)).records).toEqual(records);
    expect(records.map(({ variant, notes }) => (notes?.error === undefined ? variant : 'error'))).toEqual([
      'error',
      'samurai',
      'standard',
    ]);
    expect(records[0].notes?.error).toMatchObject(error);
  });

  it('affects no other puzzle, also without a blank line before the next one', () => {
    const cut = damaged((copy) => copy.splice(3, 1));
    const whole = rows.join('\n');
    const { records } = readText(`${cut}\n${whole}\n${whole}\n`);
    expect(records.map(({ grid, notes }) => notes?.error?.code ?? grid)).toEqual([
      'row_count',
      SAMURAI,
      SAMURAI,
    ]);
    const { records: two } = readText(`${cut}\n${whole}\n`);
    expect(two.map(({ grid, notes }) => notes?.error?.code ?? grid)).toEqual(['row_count', SAMURAI]);
  });

  it('on one line may have no digit in its gaps either', () => {
    const line = rows.join('');
    // The fourth row, its eleventh place.
    const { records } = readText(`${line.slice(0, 73)}5${line.slice(74)}\n${line}\n`);
    expect(records.map(({ grid, notes }) => notes?.error?.code ?? grid)).toEqual(['bad_character', SAMURAI]);
    expect(records[0].notes?.error).toMatchObject({ column: 74, found: '5' });
    expect(records[0].notes?.error?.message).toContain('row 4, column 11 of a samurai');
  });

  it('does not include text after a whole one', () => {
    const { records } = readText(`${rows.join('\n')}\nthat was it\n\n${rows.join('\n')}\n`);
    expect(records.map(({ grid, notes }) => notes?.error?.code ?? grid)).toEqual([
      SAMURAI,
      'bad_character',
      SAMURAI,
    ]);
  });

  it('that the end of the file cuts off is truncated', () => {
    const file = `${rows.join('\n')}\n\n${rows.slice(0, 18).join('\n')}\n`;
    const { records } = readText(file);
    expect(readText(file, {}, everyFifth(file)).records).toEqual(records);
    expect(records[1].notes?.error).toMatchObject({ code: 'truncated', line: 40, found: '18 rows' });
  });
});

describe('a samurai on a line after a similar one', () => {
  const line = SAMURAI_LINES['dots in the gaps'](SAMURAI).trimEnd();
  const zeros = SAMURAI_LINES['zeros for blanks, # in the gaps'](SAMURAI).trimEnd();
  // Three places outside all grids follow the ninth place of the first row.
  it.each<[string, string]>([
    ['has its own label', `${line} first`],
    ['has its own gaps', zeros],
    ['has no digit in a gap', `${line.slice(0, 10)}7${line.slice(11)}`],
    ['has its own symbols', line.replace(/[1-9]/, 'y')],
  ])('%s', (_name, other) => {
    const text = `${[line, line, other, line, other].join('\n')}\n`;
    const records = readText(text).records.map(({ line: at, grid, blank, notes }) => [
      at,
      grid,
      blank,
      notes,
    ]);
    const single = readText(text, {}, [], 1).records.map(({ line: at, grid, blank, notes }) => [
      at,
      grid,
      blank,
      notes,
    ]);
    const errors = (all: typeof records) =>
      all.map((each) => ((each[3] as { error?: unknown } | undefined)?.error === undefined ? each : each[3]));
    expect(errors(records)).toEqual(errors(single));
  });

  it('keeps its own gaps after a damaged one with the same gaps', () => {
    const damaged = zeros.replace(/[1-9]/, '#');
    const dots = zeros.replaceAll('#', '.');
    const written = rewrite(`${[dots, damaged, zeros].join('\n')}\n`, 'same');
    expect(written.trimEnd().split('\n').at(-1)).toBe(rewrite(`${zeros}\n`, 'same').trimEnd());
  });
});
