import { describe, expect, it } from 'vitest';
import type { FormatHints } from '../../../../lib/formats/reader.ts';
import { VARIANT_NAMES, type VariantName } from '../../../../lib/sudoku/geometry/variants.ts';
import { CLASSIC, type Reading, readText, rowsOf } from '../../reading.ts';
import { SAMURAI } from '../../samurai-texts.ts';

/** The map of the ordinary boxes of a 9x9, and one of a 5x5. */
const BOXES = Array.from(
  { length: 81 },
  (_, cell) => 'abcdefghi'[Math.floor(cell / 27) * 3 + (Math.floor(cell / 3) % 3)],
).join('');
const FIVE = '1...2.......3.......4...5';
const FIVE_REGIONS = 'aaabbaabbbccccdcddddeeeee';
const SIX = '1....2....3....4....5....6.........5';

const drawn = rowsOf(CLASSIC)
  .map((row) => row.replace(/^(...)(...)(...)$/, '|$1|$2|$3|'))
  .join('\n');
const map = rowsOf(BOXES).join('\n');
const rows = rowsOf(CLASSIC).join('\n');

/** The same 9x9 in each layout; `whole` if such a file has nothing else. */
const layouts: ReadonlyArray<{ readonly layout: string; readonly text: string; readonly whole?: true }> = [
  { layout: 'a line', text: CLASSIC },
  { layout: 'a line with a label', text: `${CLASSIC} easy` },
  { layout: 'rows', text: rows },
  {
    layout: 'tokens',
    text: rowsOf(CLASSIC.replaceAll('.', '0'))
      .map((row) => [...row].join(' '))
      .join('\n'),
  },
  { layout: 'cells in any lines', text: [...CLASSIC.replaceAll('.', '0')].join('\n') },
  { layout: 'a drawing', text: drawn },
  { layout: 'a puzzle bank', text: `0000183b305c ${CLASSIC}  1.2` },
  { layout: 'an expected result', text: `${CLASSIC}:1` },
  { layout: 'CSV', text: `puzzle,level\n${CLASSIC},1`, whole: true },
  { layout: 'JSON', text: JSON.stringify(rowsOf(CLASSIC).map((row) => [...row])), whole: true },
  {
    layout: 'OpenSudoku',
    text: `<opensudoku><game data="${CLASSIC.replaceAll('.', '0')}"/></opensudoku>`,
    whole: true,
  },
];

const errorsOf = ({ records }: Reading) => records.map(({ notes }) => notes?.error);
const variantsOf = (text: string, hints: FormatHints = {}) =>
  readText(text, hints).records.map(({ variant, notes }) => notes?.error?.code ?? variant);

describe.each(layouts)('a 9x9 as $layout', ({ text, whole }) => {
  it.each<VariantName>(['latin', 'latin-x', 'x', 'windoku', 'windoku-x', 'standard'])(
    'is %s if the user says so',
    (variant) => {
      // More than one, so that the fast paths are tested too.
      const file = whole ? text : `${text}\n\n${text}\n\n${text}\n`;
      expect(new Set(variantsOf(file, { variant }))).toEqual(new Set([variant]));
    },
  );

  it.each<[VariantName, RegExp]>([
    ['jigsaw', /found a 9x9 puzzle: expected a map of its regions next to or below it, as jigsaw needs/],
    ['jigsaw-boxes', /expected a map of its regions/],
    ['samurai', /found a 9x9 puzzle: expected a whole samurai: 21 rows of 21, or its 369 cells on one line/],
  ])('is rejected as %s, with the reason', (variant, message) => {
    // Each grid affects no other: the puzzle after it is read.
    const other = variant === 'samurai' ? SAMURAI : `${CLASSIC}${BOXES}`;
    const { detection, records } = readText(whole ? text : `${text}\n\n${other}\n`, { variant });
    const error = detection.kind === 'unreadable' ? detection.error : records[0].notes?.error;
    expect(error).toMatchObject({ code: 'unsupported_variant' });
    expect(error?.message.replaceAll(/"| in a game/g, '')).toMatch(message);
    const read = records.filter(({ notes }) => notes?.error === undefined);
    expect(read.map((record) => record.variant)).toEqual(whole ? [] : [variant]);
  });
});

describe('the variant of the user', () => {
  it('rejects a file without any puzzle of it, and says why', () => {
    expect(readText(`${CLASSIC}\n${CLASSIC}\n`, { variant: 'jigsaw' }).detection).toMatchObject({
      kind: 'unreadable',
      error: {
        code: 'unsupported_variant',
        message: expect.stringContaining(
          'expected a map of its regions next to or below it, as jigsaw needs',
        ),
      },
    });
  });

  it('rejects only the puzzles that it does not fit, among lines of the fast path', () => {
    const jigsaw = `${CLASSIC}${BOXES}\n`;
    const text = `${jigsaw.repeat(5)}${`${CLASSIC}\n`.repeat(5)}${jigsaw}`;
    expect(variantsOf(text, { variant: 'jigsaw' })).toEqual([
      ...Array(5).fill('jigsaw'),
      ...Array(5).fill('unsupported_variant'),
      'jigsaw',
    ]);
  });

  it('does not fit every size: a 6x6 windoku is rejected, and a 4x4 one is not', () => {
    const { records } = readText(`${SIX}\n\n12......:\n\n${'.'.repeat(16)}\n`, { variant: 'windoku' });
    expect(records[0].notes?.error?.message).toMatch(
      /found a 6x6 puzzle: expected a size with square boxes \(4, 9, 16, 25, 36\), as windoku needs/,
    );
    expect(records.at(-1)).toMatchObject({ variant: 'windoku', size: 4 });
  });

  it('combines with the box of the user', () => {
    const of = (box: readonly [number, number]) => readText(SIX, { variant: 'x', box }).records[0];
    expect(of([3, 2])).toMatchObject({ variant: 'x', size: 6 });
  });

  it.each<{ size: number; variant: VariantName }>(
    [5, 7, 8, 10, 11, 13, 21].map((size) => ({ size, variant: 'latin' as const })),
  )('allows $size x $size, since no boxes are needed: $variant', ({ size, variant }) => {
    const row = [...Array(size).keys()].map((k) => k + 1).join(' ');
    const blank = Array(size).fill('0').join(' ');
    const text = [row, ...Array(size - 1).fill(blank)].join('\n');
    expect(readText(`${text}\n\n${text}\n`, { variant }).records).toMatchObject(
      Array(2).fill({ size, variant, notes: undefined }),
    );
  });

  it('distinguishes a 5x5 on a line from rows of a 25x25', () => {
    const lines = `${FIVE}\n${FIVE}\n`;
    expect(readText(lines, { variant: 'latin' }).records).toMatchObject(
      Array(2).fill({ size: 5, format: 'line' }),
    );
    const wide = Array.from({ length: 25 }, (_, k) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXY'.slice(k, k + 1).padEnd(25, '.'),
    );
    expect(readText(`${wide.join('\n')}\n`, { variant: 'latin' }).records).toMatchObject([
      { size: 25, format: 'rows', variant: 'latin' },
    ]);
    expect(variantsOf(lines)).not.toContain('standard');
  });
});

describe('the variant that the file names takes precedence over the user', () => {
  it.each<[name: string, text: string, variant: VariantName, expected: string]>([
    ['a map of regions', `${CLASSIC}${BOXES}`, 'x', 'jigsaw'],
    ['a samurai', SAMURAI, 'x', 'samurai'],
    ['a variant in JSON', `{"puzzle":"${CLASSIC}","variant":"windoku"}`, 'x', 'windoku'],
    ['a standard one in JSON', `{"puzzle":"${CLASSIC}","variant":"standard"}`, 'jigsaw', 'standard'],
  ])('%s', (_name, text, variant, expected) => {
    expect(variantsOf(text, { variant })).toEqual([expected]);
  });

  it.each<VariantName>(['jigsaw', 'jigsaw-x', 'jigsaw-boxes'])(
    'but a map of regions does not say whether there is more: %s is what the user says',
    (variant) => {
      expect(variantsOf(`${CLASSIC}${BOXES}`, { variant })).toEqual([variant]);
      expect(variantsOf(`${rows}\n\n${map}\n\n${rows}\n\n${map}\n`, { variant })).toEqual([variant, variant]);
    },
  );
});

describe('a map of regions', () => {
  it('below the only puzzle of a file is read if the user names a jigsaw', () => {
    expect(variantsOf(`${rows}\n${map}\n`, { variant: 'jigsaw' })).toEqual(['jigsaw']);
  });

  it.each([5, 7, 8])('may be of a size that has no usual boxes: %i', (size) => {
    const stripes = Array.from({ length: size * size }, (_, k) => 'abcdefgh'[Math.floor(k / size)]).join('');
    const { records } = readText(`${'.'.repeat(size * size)}${stripes}\n`);
    expect(records).toMatchObject([{ size, variant: 'jigsaw', format: 'jigsaw' }]);
  });

  it('of a 5x5 without boxes excludes boxes', () => {
    expect(variantsOf(`${FIVE}${FIVE_REGIONS}\n`)).toEqual(['jigsaw']);
    const [error] = errorsOf(
      readText(`${FIVE}${FIVE_REGIONS}\n${CLASSIC}${BOXES}\n`, { variant: 'jigsaw-boxes' }),
    );
    expect(error?.message).toMatch(
      /found a 5x5 puzzle: expected a shape for its boxes, as jigsaw-boxes needs/,
    );
  });

  it('does not affect the alphabet: letters for the regions of a 16x16 are not its digits', () => {
    const digits = '123456789ABCDEF';
    const puzzle = Array.from({ length: 16 }, (_, k) =>
      `${digits.slice(k, k + 1)}0`.slice(0, 1).padEnd(16, '0'),
    ).join('\n');
    const regions = Array.from({ length: 16 }, (_, k) => 'ABCDEFGHIJKLMNOP'[k].repeat(16)).join('\n');
    const { records } = readText(`${puzzle}\n\n${regions}\n\n${puzzle}\n\n${regions}\n`);
    expect(records).toMatchObject(Array(2).fill({ variant: 'jigsaw', alphabet: '1-9A-G', notes: undefined }));
  });
});

describe('a JSON object', () => {
  const object = (members: object) => readText(`${JSON.stringify({ puzzle: CLASSIC, ...members })}\n`);

  it.each(VARIANT_NAMES.filter((variant) => variant !== 'samurai'))('may name its variant: %s', (variant) => {
    const regions = variant.startsWith('jigsaw') ? BOXES : undefined;
    expect(object({ variant, regions }).records).toMatchObject([{ variant, notes: undefined }]);
  });

  it('may give the map of its regions as rows, and need not name the variant', () => {
    expect(object({ regions: rowsOf(BOXES) }).records).toMatchObject([{ variant: 'jigsaw' }]);
  });

  it('may give the shape of its boxes', () => {
    const six = (box: string) => readText(`${JSON.stringify({ puzzle: SIX, box })}\n`).records;
    expect(six('3x2')).toMatchObject([{ size: 6, variant: 'standard' }]);
  });

  it.each<[name: string, members: object, code: string, message: RegExp]>([
    [
      'an unknown variant',
      { variant: 'killer' },
      'unsupported_variant',
      /found variant "killer": expected one of standard, /,
    ],
    ['a jigsaw without a map', { variant: 'jigsaw' }, 'unsupported_variant', /expected a map of its regions/],
    [
      'an invalid map',
      { regions: CLASSIC },
      'bad_regions',
      /found "\." at r1c3 of the region map: expected a digit or a letter for each of 9 regions/,
    ],
    [
      'a map too short',
      { regions: 'aabb' },
      'bad_regions',
      /found a region map of 4 characters: expected 81/,
    ],
    ['a map for an X', { variant: 'x', regions: BOXES }, 'bad_regions', /expected none, as the variant is x/],
    [
      'a samurai of 81 cells',
      { variant: 'samurai' },
      'unsupported_variant',
      /expected a whole samurai: 21 rows/,
    ],
    [
      'a samurai that is called an X',
      { puzzle: SAMURAI, variant: 'x' },
      'unsupported_variant',
      /found 369 cells of x: expected cells of samurai/,
    ],
  ])('with %s is refused', (_name, members, code, message) => {
    const text = `${JSON.stringify({ puzzle: CLASSIC, ...members })}\n{"puzzle":"${CLASSIC}"}\n`;
    const [error, next] = errorsOf(readText(text));
    expect(error).toMatchObject({ code });
    expect(error?.message).toMatch(message);
    expect(next).toBeUndefined();
  });
});
