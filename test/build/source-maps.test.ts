import { decode, encode } from '@jridgewell/sourcemap-codec';
import { expect, it } from 'vitest';
import { shrunk } from '../../bin/build/source-maps.ts';

it('a small source map has each line of the project once in turn, and nothing of packages', () => {
  const map = shrunk({
    version: 3,
    sources: ['../node_modules/zod/index.js', '../lib/a.ts', '../lib/unused.ts', '../lib/b.ts'],
    names: ['name'],
    mappings: encode([
      [
        [0, 1, 4, 0],
        [5, 1, 4, 7, 0],
        [9, 1, 5, 2],
        [12, 0, 1, 0],
        [15, 0, 2, 0],
        [20, 3, 5, 3],
        [22],
        [25, 1, 4, 0],
      ],
      [],
      [
        [0, 0, 9, 0],
        [3, 3, 0, 1],
      ],
    ]),
  });
  expect(map).toMatchObject({ version: 3, sources: ['../lib/a.ts', '../lib/b.ts'], names: [] });
  expect(decode(map.mappings)).toEqual([
    [[0, 0, 4, 0], [9, 0, 5, 0], [12], [20, 1, 5, 0], [22], [25, 0, 4, 0]],
    [],
    [[3, 1, 0, 0]],
  ]);
});
