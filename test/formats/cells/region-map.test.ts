import { describe, expect, it } from 'vitest';
import { type RegionFault, readRegionMap } from '../../../lib/formats/cells/regions.ts';

const codes = (map: string) => [...map].map((symbol) => symbol.charCodeAt(0));
const read = (map: string, size = 4) => readRegionMap(codes(map), map.length, size);

describe('a region map', () => {
  it('has its regions numbered in the order of their first cells, whatever their symbols', () => {
    const regions = Uint8Array.of(1, 1, 1, 2, 1, 3, 2, 2, 3, 3, 2, 4, 3, 4, 4, 4);
    for (const map of ['aaabacbbccbdcddd', '1112132233243444', '0001021122132333', 'DDDADBAABBACBCCC']) {
      expect(read(map)).toEqual({ regions, disconnected: undefined });
    }
  });

  it('may have a region in several parts, and the first such region is named', () => {
    expect(read('aaabbbabccccdddd')).toEqual({
      regions: Uint8Array.of(1, 1, 1, 2, 2, 2, 1, 2, 3, 3, 3, 3, 4, 4, 4, 4),
      disconnected: 2,
    });
    expect(read('1234341221434321')).toMatchObject({ disconnected: 1 });
  });

  it('may have numbers of several digits', () => {
    const map = Array.from({ length: 100 }, (_, cell) => 256 + 1 + Math.floor(cell / 10));
    expect(readRegionMap(map, 100, 10)).toMatchObject({ disconnected: undefined });
  });

  const faults: Array<[name: string, map: string, size: number, fault: RegionFault]> = [
    [
      'a cell of another region',
      'aaabacbbccbdcdda',
      4,
      {
        code: 'bad_regions',
        at: 15,
        region: 'a',
        found: 'region a with 5 cells (r4c4), region d with 3',
        expected: '4 regions of 4 cells',
      },
    ],
    [
      'a symbol too many',
      'aaabacbbccbdcdde',
      4,
      {
        code: 'bad_regions',
        at: 15,
        region: 'e',
        found: 'region e with 1 cell (r4c4), region d with 3',
        expected: '4 regions of 4 cells',
      },
    ],
    [
      'too few symbols',
      'aaaaaaaabbbbcccc',
      4,
      {
        code: 'bad_regions',
        at: 0,
        region: 'a',
        found: 'region a with 8 cells (r1c1)',
        expected: '4 regions of 4 cells',
      },
    ],
    [
      'a character that is no symbol',
      'aaabac?bccbdcddd',
      4,
      {
        code: 'bad_regions',
        at: 6,
        region: '?',
        found: '"?" at r2c3 of the region map',
        expected: 'a digit or a letter for each of 4 regions of 4 cells',
      },
    ],
    [
      'a cell too few',
      'aaabacbbccbdcdd',
      4,
      { code: 'bad_regions', at: 14, found: 'a region map of 15 characters', expected: '16' },
    ],
    [
      'a cell too many',
      'aaabacbbccbdcdddd',
      4,
      { code: 'bad_regions', at: 15, found: 'a region map of 17 characters', expected: '16' },
    ],
    [
      'no cells',
      '',
      4,
      { code: 'bad_regions', at: 0, found: 'a region map of 0 characters', expected: '16' },
    ],
  ];
  it.each(faults)('is none with %s', (_name, map, size, fault) => {
    expect(read(map, size)).toEqual(fault);
  });
});
