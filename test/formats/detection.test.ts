/** What is detected from the head of a file; the catalogue has whole files. */
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../lib/formats/formats.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, fixture, readText, rowsOf } from './reading.ts';

const poj = fixture('poj3076.txt');

describe('a detection', () => {
  it('survives JSON', () => {
    const detection = detectFormat(bytesOf(poj), true, {});
    expect(JSON.parse(JSON.stringify(detection))).toEqual(detection);
  });

  it('needs one whole puzzle in the head of a longer file', () => {
    const head = bytesOf(`${CLASSIC}\n${CLASSIC.slice(0, 40)}`);
    expect(detectFormat(head, false, {})).toMatchObject({ kind: 'puzzles' });
    expect(detectFormat(bytesOf(CLASSIC.slice(0, 40)), false, {})).toMatchObject({
      error: { code: 'no_puzzles' },
    });
  });

  // Of a longer file with many puzzles, only the front of the head is read.
  const manyLines = (puzzle: string) => `${puzzle}\n`.repeat(4000);

  it.each([
    ['may be', /[89]/g],
    ['would be', /9/g],
  ])('needs more of the head if 0 %s a digit in its front', (_, missing) => {
    const open = `${CLASSIC.slice(0, 78).replace(missing, '.').replaceAll('5', '0')}..1`;
    const { records } = readText(manyLines(open) + manyLines(CLASSIC).repeat(3));
    expect(records.filter(({ notes }) => notes?.error === undefined)).toHaveLength(16_000);
  });

  it('needs more of the head if its front lacks a sign, such as that above solutions', () => {
    const grids = [CLASSIC, CLASSIC_SOLUTION].map((grid) => rowsOf(grid).join('\n'));
    const { records } = readText(
      `${manyLines(CLASSIC)}\n${grids.join('\n---\n')}\n\n${manyLines(CLASSIC).repeat(3)}`,
    );
    expect(records).toHaveLength(16_001);
    expect(records[4000].notes?.expected).toBeDefined();
  });

  it('leaves the alphabet of a size that occurs below the head to its first puzzles', () => {
    const { records } = readText(manyLines(CLASSIC).repeat(4) + `\n${poj}\n`.repeat(3));
    const large = records.filter(({ size }) => size === 16);
    expect(large.map(({ alphabet, notes }) => [alphabet, notes?.error])).toEqual(
      large.map(() => ['A-P', undefined]),
    );
    expect(large.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a file of cells with arbitrary line breaks', () => {
  const cells = [...CLASSIC.replaceAll('.', '0')];
  const layouts: Array<[name: string, puzzle: string]> = [
    ['one puzzle per line', `${cells.join(' ')}\n`],
    ['one cell per line', `${cells.join('\n')}\n`],
  ];
  it.each(layouts)('is detected by its head and read completely: %s', (_name, puzzle) => {
    const { records } = readText(puzzle.repeat(7000));
    expect(records).toHaveLength(7000);
    expect(records.every(({ grid }) => grid === cells.join(''))).toBe(true);
  });
});
