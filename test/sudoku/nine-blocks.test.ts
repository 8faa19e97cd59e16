import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nineBlocks } from '../../lib/sudoku/nine-blocks.ts';
import { propertyRuns } from '../support/depth.ts';

const blocks = nineBlocks()!;
const DOT = '.'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** Cells of many grids, any digits. */
const grids = fc
  .tuple(fc.integer({ min: 1, max: 700 }), fc.nat())
  .map(([count, seed]) => Uint8Array.from({ length: count * 81 }, (_, k) => ((k * 7919 + seed) >>> 3) % 10));

const textOf = (cells: Uint8Array, blank: string, end: string) =>
  Array.from({ length: cells.length / 81 }, (_, i) =>
    cells
      .subarray(i * 81, (i + 1) * 81)
      .join('')
      .replaceAll('0', blank)
      .concat(end),
  ).join('');

describe('blocks of 9x9 grids', () => {
  it('are read from lines with any blank and any line ends', () => {
    fc.assert(
      fc.property(
        grids,
        fc.constantFrom('.', '0', '*', '_'),
        fc.constantFrom('\n', '\r\n'),
        fc.nat({ max: 5 }),
        (cells, blank, end, at) => {
          const count = cells.length / 81;
          const lines = new TextEncoder().encode(`${'x'.repeat(at)}${textOf(cells, blank, end)}`);
          const found = new Uint8Array((count + 2) * 81).fill(99);
          const lineBytes = 81 + end.length;
          expect(blocks.read(lines, at, count, lineBytes, blank.charCodeAt(0), found, 1)).toBe(count);
          expect(found.subarray(81, (count + 1) * 81)).toEqual(cells);
          expect([found[80], found[(count + 1) * 81]]).toEqual([99, 99]);
        },
      ),
      { numRuns: propertyRuns(15) },
    );
  });

  it('are read up to the first line with any other byte', () => {
    const cells = new Uint8Array(3 * 81).fill(5);
    for (let place = 0; place < 82; place++) {
      for (const byte of [0, 10, 13, 32, 47, 58, 88, 127, 128, 174, 255, place < 81 ? ZERO : DOT]) {
        if (byte === 10 && place === 81) continue;
        const lines = new TextEncoder().encode(textOf(cells, '.', '\n'));
        lines[82 + place] = byte;
        const found = new Uint8Array(3 * 81);
        expect(blocks.read(lines, 0, 3, 82, DOT, found, 0), `byte ${byte} at ${place}`).toBe(1);
        expect(found.subarray(0, 81)).toEqual(cells.subarray(0, 81));
      }
    }
  });

  it.each([
    { name: 'CR alone', end: '\rx' },
    { name: 'LF and another byte', end: '\nx' },
    { name: 'another byte and LF', end: 'x\n' },
  ])('are not read from lines that end with $name', ({ end }) => {
    const lines = new TextEncoder().encode(textOf(new Uint8Array(81).fill(5), '.', end));
    expect(blocks.read(lines, 0, 1, 83, DOT, new Uint8Array(81), 0)).toBe(0);
  });

  it('are written as lines, in any consecutive symbols', () => {
    fc.assert(
      fc.property(grids, fc.constantFrom('0', '@'), fc.nat({ max: 5 }), (cells, blank, at) => {
        const count = cells.length / 81;
        const from = Math.min(at, count - 1);
        const lines = new Uint8Array(at + count * 82);
        blocks.write(cells, from, count, blank.charCodeAt(0), lines, at);
        const symbols = Array.from({ length: 10 }, (_, k) => String.fromCharCode(blank.charCodeAt(0) + k));
        const expected = textOf(cells.subarray(from * 81), '0', '\n').replace(
          /\d/g,
          (d) => symbols[Number(d)],
        );
        expect(new TextDecoder().decode(lines.subarray(at, at + (count - from) * 82))).toBe(expected);
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});
