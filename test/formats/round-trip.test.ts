import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import { usualAlphabets } from '../../lib/formats/cells/alphabets.ts';
import {
  detectFormat,
  OUTPUT_PROFILES,
  type OutputProfile,
  openReader,
  openWriter,
} from '../../lib/formats/formats.ts';
import type { FormatHints } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { puzzleWriter, puzzleWriterProblem } from '../../lib/formats/writing/puzzle-writer.ts';
import { randomFullGrid } from '../../lib/sudoku/generator/full-grid.ts';
import { randomRegions } from '../../lib/sudoku/generator/random-regions.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { completed } from '../../lib/sudoku/generator/steps.ts';
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName, variantGeometry } from '../../lib/sudoku/geometry/variants.ts';
import { propertyRuns } from '../support/depth.ts';

interface Grids {
  readonly geometry: Geometry;
  /** One per puzzle. */
  readonly cells: readonly Uint8Array[];
  readonly solutions: readonly Uint8Array[];
}

interface Shape {
  readonly variant: VariantName;
  readonly size: number;
  readonly box?: readonly [rows: number, columns: number];
}

/** Shapes whose full grids are found quickly. */
const SHAPES: readonly Shape[] = [
  ...[4, 6, 8, 9, 10, 12, 15, 16, 20, 25, 36].map((size): Shape => ({ variant: 'standard', size })),
  { variant: 'standard', size: 6, box: [3, 2] },
  { variant: 'standard', size: 12, box: [2, 6] },
  { variant: 'standard', size: 8, box: [2, 4] },
  ...[4, 5, 7, 9, 11, 16].map((size): Shape => ({ variant: 'latin', size })),
  { variant: 'latin-x', size: 7 },
  ...[4, 9, 16].map((size): Shape => ({ variant: 'x', size })),
  ...[4, 9].map((size): Shape => ({ variant: 'windoku', size })),
  { variant: 'windoku-x', size: 9 },
  ...[5, 7, 9].map((size): Shape => ({ variant: 'jigsaw', size })),
  { variant: 'jigsaw-x', size: 9 },
  { variant: 'jigsaw-boxes', size: 9 },
  { variant: 'samurai', size: 9 },
];

/** Puzzles with about `share` percent of their cells given; the first map that has full grids. */
function gridsOf({ variant, size, box }: Shape, count: number, share: number, seed: number): Grids {
  const random = new RandomSource(seed);
  for (;;) {
    const regions = needsRegions(variant) ? randomRegions(size, random) : undefined;
    const geometry = variantGeometry({ variant, size, box, regions });
    const found = Array.from({ length: count }, () => completed(randomFullGrid(geometry, random, 50)));
    const solutions = found.filter((grid) => grid !== undefined);
    const cells = solutions.map((grid) => grid.map((digit) => (random.below(100) < share ? digit : 0)));
    if (solutions.length === count) return { geometry, cells, solutions };
  }
}

function written(profile: OutputProfile, { geometry, cells, solutions }: Grids, alphabet?: string): string {
  const out = new ByteBuffer();
  const writer = puzzleWriter(profile, alphabet);
  writer.begin(out);
  for (const [k, each] of cells.entries())
    writer.write(out, { geometry, cells: each, solution: solutions[k] });
  writer.end(out);
  return new TextDecoder().decode(out.take());
}

interface Read {
  readonly geometry: Geometry;
  readonly cells: number[];
}

/** The puzzles of a text; with `solved`, also the text that a job writes for these solutions. */
function read(
  text: string,
  hints: FormatHints,
  solved?: { readonly profile: OutputProfile; readonly solutions: readonly Uint8Array[] },
): { readonly puzzles: Read[]; readonly text: string } {
  const bytes = new TextEncoder().encode(text);
  const detection = detectFormat(bytes, true, hints);
  if (detection.kind !== 'puzzles') throw new Error(`${detection.kind}: ${JSON.stringify(detection)}`);
  const reader = openReader(detection, hints, { acquire: (layout) => new RecordBlock(layout, 3) });
  const writer = openWriter(solved?.profile ?? 'line', detection);
  const out = new ByteBuffer();
  const puzzles: Read[] = [];
  writer.begin(out);
  for (const block of [...reader.push(bytes), ...reader.end()]) {
    const { cellCount } = block.geometry;
    for (let i = 0; i < block.count; i++) {
      const error = block.notes.get(i)?.error;
      if (error !== undefined) throw new Error(error.message);
      const solution = solved?.solutions[puzzles.length];
      if (solution !== undefined) {
        writer.entry(out, { block, index: i, cells: solution, offset: 0 }, puzzles.length === 0);
      }
      const cells = Array.from(block.cells.subarray(i * cellCount, (i + 1) * cellCount));
      puzzles.push({ geometry: block.geometry, cells });
    }
  }
  writer.end(out);
  return { puzzles, text: new TextDecoder().decode(out.take()) };
}

const unitsOf = ({ units }: Geometry) => units.map((unit) => `${unit.kind} ${[...unit.cells].join()}`).sort();
const plain = (cells: Uint8Array) => Array.from(cells);

/** What a user specifies for files that do not name it. */
function hintsOf({ variant, box }: Shape, alphabet?: string): FormatHints {
  return { variant: variant === 'standard' || variant === 'jigsaw' ? undefined : variant, box, alphabet };
}

/** Hints for files of solutions: those of jigsaws have no map and are Latin squares. */
function solutionHints(of: Shape): FormatHints {
  return needsRegions(of.variant) ? { variant: 'latin' } : hintsOf(of);
}

/** The usual alphabets of a shape; rows of a samurai are recognised by their digits. */
function alphabetsOf({ variant, size }: Shape): string[] {
  return variant === 'samurai' ? ['1-9'] : usualAlphabets(size).map(({ name }) => name);
}

const shape = fc.constantFrom(...SHAPES);
const count = fc.integer({ min: 1, max: 4 });
const share = fc.integer({ min: 20, max: 100 });
const seed = fc.nat();

describe.each(OUTPUT_PROFILES.map((profile) => [profile]))('puzzles written as %s', (profile) => {
  const carries = ({ variant, size }: Shape, alphabet?: string) =>
    puzzleWriterProblem(profile, size, needsRegions(variant), alphabet) === undefined;

  it('are read again digit for digit, with any named alphabet', () => {
    fc.assert(
      fc.property(shape, count, share, seed, fc.nat(), (of, puzzles, given, from, pick) => {
        const alphabets = alphabetsOf(of);
        const alphabet = alphabets[pick % alphabets.length]!;
        fc.pre(carries(of, alphabet));
        const grids = gridsOf(of, puzzles, given, from);
        const again = read(written(profile, grids, alphabet), hintsOf(of, alphabet)).puzzles;
        expect(again.map(({ cells }) => cells)).toEqual(grids.cells.map(plain));
        for (const { geometry } of again) expect(unitsOf(geometry)).toEqual(unitsOf(grids.geometry));
      }),
      { numRuns: propertyRuns(6) },
    );
  });

  it('are read again without hints about their symbols', () => {
    fc.assert(
      fc.property(shape, count, seed, (of, puzzles, from) => {
        fc.pre(carries(of));
        const grids = gridsOf(of, puzzles, 70, from);
        const again = read(written(profile, grids), hintsOf(of)).puzzles;
        expect(again.map(({ cells }) => cells)).toEqual(grids.cells.map(plain));
      }),
      { numRuns: propertyRuns(6) },
    );
  });
});

describe.each(OUTPUT_PROFILES.map((profile) => [profile]))('solutions written as %s', (profile) => {
  it('are read again, for every profile of the puzzles', () => {
    fc.assert(
      fc.property(
        shape,
        count,
        share,
        seed,
        fc.constantFrom(...OUTPUT_PROFILES),
        (of, puzzles, given, from, input) => {
          fc.pre(puzzleWriterProblem(input, of.size, needsRegions(of.variant), undefined) === undefined);
          const grids = gridsOf(of, puzzles, given, from);
          const { solutions } = grids;
          const { text } = read(written(input, grids), hintsOf(of), { profile, solutions });
          const again = read(text, solutionHints(of)).puzzles;
          const expected = keepsPuzzles(profile, input) ? grids.cells : solutions;
          expect(again.map(({ cells }) => cells)).toEqual(expected.map(plain));
        },
      ),
      { numRuns: propertyRuns(6) },
    );
  });
});

/** Whether a file of solutions also contains the puzzles, so that reading it yields those. */
function keepsPuzzles(profile: OutputProfile, input: OutputProfile): boolean {
  return ['csv', 'jsonl'].includes(profile) || (profile === 'same' && input === 'csv');
}

describe('examples that the properties found', () => {
  const grids = (of: Shape) => gridsOf(of, 2, 90, 1);

  it.each([
    ['numbers of several digits in a string of JSON', 'jsonl', { variant: 'standard', size: 16 }, '1-16'],
    ['numbers from 0, one Latin square per line', 'line', { variant: 'latin', size: 11 }, '0-10'],
    [
      'an alphabet by its name, for a size that only the variant brings',
      'sdm',
      { variant: 'latin', size: 11 },
      '0-9A',
    ],
  ] as const)('%s', (_name, profile, of, alphabet) => {
    const made = gridsOf(of, 2, 100, 1);
    const again = read(written(profile, made, alphabet), hintsOf(of, alphabet)).puzzles;
    expect(again.map(({ cells }) => cells)).toEqual(made.cells.map(plain));
  });

  it.each([
    ['an ordinary puzzle', { variant: 'standard', size: 9 }, '{"solution":"'],
    [
      'another box',
      { variant: 'standard', size: 6, box: [3, 2] },
      '{"variant":"standard","box":"3x2","solution":"',
    ],
    ['another variant', { variant: 'x', size: 4 }, '{"variant":"x","box":"2x2","solution":"'],
    ['a jigsaw', { variant: 'jigsaw', size: 5 }, '{"variant":"jigsaw","regions":"'],
  ] as const)('solutions of JSON objects name the rules that are not usual: %s', (_name, of, start) => {
    const made = grids(of);
    const { solutions } = made;
    const { text } = read(written('jsonl', made), {}, { profile: 'same', solutions });
    expect(text.startsWith(start)).toBe(true);
    const again = read(text, {}).puzzles;
    expect(again.map(({ cells }) => cells)).toEqual(solutions.map(plain));
    for (const { geometry } of again) expect(unitsOf(geometry)).toEqual(unitsOf(made.geometry));
  });
});
