/**
 * The invariants of readers and writers, which each case of the catalogue keeps: cuts of the bytes, line ends, encodings, other
 * readers that take over, shards, solutions that are read again, damage. Threads and machines without WebAssembly:
 * `test/node/without-wasm.nightly.test.ts` and `test/batch/jobs-ways.ts`.
 *
 * `catalogue.test.ts` tries each invariant on a case of each layout, another one with another seed, or of one layout in three
 * if it solves files; `catalogue.slow.test.ts` on all, or on two of each layout; each night, all on all.
 */
import { isUtf8 } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../lib/batch/results/job-record.ts';
import { OUTPUT_PROFILES } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { DEEP, propertyRuns, runSeed } from '../support/depth.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { resultFiles, solveText } from '../support/run-job.ts';
import { untimedOutcome } from '../support/untimed-outcome.ts';
import { deliver, upload } from '../support/uploads.ts';
import { type CatalogueCase, catalogue, linesOf, recordLines } from './catalogue.ts';
import { applyDamage, DAMAGE_KINDS, type Damage } from './damage-bytes.ts';
import { readText } from './reading.ts';

/** Bytes of a file that is read byte by byte; larger ones are read in random chunks, but for deep runs. */
const BYTE_BY_BYTE = 500;
/** Cases of each layout that are read byte by byte, and that are solved, by `npm run test:slow`; others for each seed. */
const BYTE_BY_BYTE_PER_LAYOUT = 3;
const SOLVED_PER_LAYOUT = 2;
/** Readings in random chunks, and damages, of a case in `npm test`. */
const READINGS = 2;
const DAMAGES = 8;

interface Invariant {
  /** Whether a case of the invariant solves files, so that fewer are tried. @default false */
  readonly solves?: boolean;
  /** Cases of each layout that are tried by `npm run test:slow`, others for each seed. @default all, or those that are solved */
  readonly perLayout?: number;
  /** The cases for which it holds. @default all */
  readonly of?: (each: CatalogueCase) => boolean;
  /** @param isWhole whether it tries all that it has, and not a part */
  readonly check: (each: CatalogueCase, isWhole: boolean) => void | Promise<void>;
}

const text = ({ input }: CatalogueCase) => Buffer.from(input).toString('latin1');
/** Exact covers have no state between two problems, and other outputs. */
const hasPuzzles = ({ records }: CatalogueCase) => records[0]?.startsWith('{"line"') === true;
const hasOneLineEnd = (each: CatalogueCase) => hasPuzzles(each) && !text(each).includes('\r');
const isReadable = ({ records }: CatalogueCase) =>
  !records.some((line) => /"(error|rejected|empty)":/.test(line));
const reread = ({ hints }: CatalogueCase, bytes: string) =>
  recordLines(readText(Buffer.from(bytes, 'latin1'), hints));

/** Places where a file is cut, in ascending order: a list for each reading. */
function cutsOf({ input }: CatalogueCase): number[][] {
  const random = new RandomSource(runSeed() + input.length);
  return Array.from({ length: propertyRuns(READINGS) }, (_, k) =>
    Array.from({ length: 1 + 9 * k }, () => random.below(input.length + 1)).sort((a, b) => a - b),
  );
}

const INVARIANTS: Readonly<Record<string, Invariant>> = {
  'in chunks of any size': {
    check(each) {
      const { input, hints } = each;
      const whole = readText(input, hints);
      for (const cuts of cutsOf(each)) {
        expect(readText(input, hints, cuts), `cut at ${cuts}`).toEqual(whole);
      }
    },
  },
  'byte by byte': {
    perLayout: BYTE_BY_BYTE_PER_LAYOUT,
    of: ({ input }) => DEEP || input.length <= BYTE_BY_BYTE,
    check({ input, hints }) {
      const everywhere = Array.from({ length: input.length }, (_, at) => at);
      expect(readText(input, hints, everywhere)).toEqual(readText(input, hints));
    },
  },
  'in blocks of one record': {
    check: ({ input, hints, records }) => expect(recordLines(readText(input, hints, [], 1))).toEqual(records),
  },
  'with line ends CR LF and CR': {
    of: hasOneLineEnd,
    check(each) {
      expect(reread(each, text(each).replaceAll('\n', '\r\n'))).toEqual(each.records);
      expect(reread(each, text(each).replaceAll('\n', '\r'))).toEqual(each.records);
    },
  },
  'by readers that take over from each other': {
    of: hasPuzzles,
    check(each) {
      for (const cuts of cutsOf(each)) {
        const { records } = readText(each.input, each.hints, cuts, 3, true);
        expect(linesOf(records), `taken over at ${cuts}`).toEqual(each.records);
      }
    },
  },
  'in UTF-16 and compressed': {
    solves: true,
    of: ({ input }) => input.length < HEAD_BYTES && isUtf8(input),
    async check({ input, options }) {
      const whole = await resultFiles(input, options);
      const utf16 = Buffer.from(
        `\ufeff${Buffer.from(input)
          .toString()
          .replace(/^\ufeff/, '')}`,
        'utf16le',
      );
      const stored = input.length % 2 === 0 ? gzipSync(utf16) : utf16.swap16();
      expect(await resultFiles(stored, options)).toEqual(whole);
    },
  },
  'with any shard boundary, also within CR LF': {
    solves: true,
    of: (each) => hasPuzzles(each) && each.input.length < HEAD_BYTES,
    async check(each) {
      const options = { records: 'true', 'max-nodes': '2000', ...each.options };
      const ended = hasOneLineEnd(each) ? text(each).replaceAll('\n', '\r\n') : text(each);
      const bytes = new Uint8Array(Buffer.from(ended, 'latin1'));
      const whole = new MemoryBuckets();
      await deliver(whole, upload(whole, KEY, bytes, options));
      const random = new RandomSource(runSeed() + bytes.length);
      for (let run = 0; run < propertyRuns(1); run++) {
        const shardBytes = 40 + Math.floor(bytes.length * (0.15 + random.below(1000) / 2500));
        const buckets = new MemoryBuckets(64);
        await runLarge(buckets, largeJob(upload(buckets, KEY, bytes, options), options), { shardBytes });
        expect(untimedOutcome(buckets, KEY), `shards of ${shardBytes}`).toEqual(untimedOutcome(whole, KEY));
      }
    },
  },
  'from its solutions, in each output': {
    solves: true,
    of: (each) => hasPuzzles(each) && isReadable(each),
    async check({ input, options, records, name }, isWhole) {
      // Only one output keeps the maps.
      const hasMap = records.some((line) => line.includes('"map":'));
      const some = isWhole
        ? OUTPUT_PROFILES
        : (['same', OUTPUT_PROFILES[name.length % OUTPUT_PROFILES.length]!] as const);
      for (const output of hasMap ? (['jsonl'] as const) : some) {
        const given = { ...options, output, solutions: '1', records: 'true' };
        const first = await solveText(input, given);
        const [solutions] = Object.keys(first.files).filter((file) => file.startsWith('solutions.'));
        const again = await solveText(first.files[solutions!]!, given);
        const solutionsOf = (all: readonly JobRecord[]) => all.flatMap(({ solution = [] }) => solution);
        expect(solutionsOf(again.records), output).toEqual(solutionsOf(first.records));
      }
    },
  },
};

const KEY = 'inbox/puzzles';
const CASES = catalogue();
/** Cases of each layout on which `npm test` tries an invariant. */
const PER_LAYOUT = 1;
/** `npm test` solves files of one layout in so many. */
const SOLVED_LAYOUTS = 3;

/** What the readers of a case have in common: the formats and the errors of its records. */
function layoutOf({ records }: CatalogueCase): string {
  const names = records.join('\n').match(/"(?:format|variant|error|rejected)":"[^"]*"/g) ?? [];
  return [...new Set(names)].sort().join();
}

/** So many cases of each layout, others for each seed and `turn`; all in a deep run. */
function someOf(cases: readonly CatalogueCase[], turn: number, perLayout: number): readonly CatalogueCase[] {
  if (DEEP) return cases;
  const layouts = Map.groupBy(cases, layoutOf);
  return [...layouts.values()].flatMap((same) => {
    const first = (runSeed() + turn) % same.length;
    return [...same.slice(first), ...same.slice(0, first)].slice(0, perLayout);
  });
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom(...DAMAGE_KINDS),
  // A double of fast-check's is nearly always next to nothing: the damage would be at the front.
  at: fc.nat(1_000_000).map((millionths) => millionths / 1_000_000),
  length: fc.integer({ min: 1, max: 30 }),
  byte: fc.nat(255),
});

/** Whether each line of a file is a puzzle, and no line can become a comment. */
const hasPuzzlePerLine = ({ apart, records, input }: CatalogueCase) =>
  apart &&
  !input.includes(35) &&
  records.length === input.filter((byte) => byte === 10).length &&
  records[0]!.includes('"grid"');

/** Lines of records: neither blank nor a comment nor a lone integer, which may be a count; zeros at an end are dropped. */
function recordLineNumbers(bytes: Uint8Array): number[] {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll('\0', ' ')
    .split(/\r\n|\r|\n/);
  return lines.flatMap((line, at) => (/^[ \t\v\f]*(#|;|\/\/|\d{0,9}[ \t\v\f]*$)/.test(line) ? [] : [at + 1]));
}

/** @param isWhole whether more than one case of each layout is tried */
export function testCatalogue(isWhole: boolean): void {
  describe.each(Object.entries(INVARIANTS))(
    'a file is read the same %s',
    (invariant, {
      of = () => true,
      solves = false,
      perLayout = solves ? SOLVED_PER_LAYOUT : CASES.length,
      check,
    }) => {
      const cases = CASES.filter((each) => of(each) && each.exceptions[invariant] === undefined);
      const some = someOf(cases, invariant.length, isWhole ? perLayout : PER_LAYOUT);
      const isTried = (k: number) => isWhole || DEEP || !solves || k % SOLVED_LAYOUTS === 0;
      it.each(some.filter((_, k) => isTried(k)))('$name', (each) => check(each, DEEP));
    },
  );

  describe.each(
    someOf(
      CASES.filter(({ apart }) => apart),
      0,
      isWhole ? CASES.length : PER_LAYOUT,
    ),
  )('$name: one damage', ({ input, hints }) => {
    const whole = readText(input, hints).records;
    const lineOf = (end: number) => Buffer.from(input.subarray(0, end)).toString().split('\n').length;

    it('keeps every puzzle that is not next to it, and reads the same in any chunks', () => {
      fc.assert(
        fc.property(damage, fc.nat(input.length), (what, cut) => {
          const { damaged, from, to } = applyDamage(input, what);
          const { records } = readText(damaged, hints);
          const grids = records.filter(({ notes }) => notes?.error === undefined).map(({ grid }) => grid);
          // The damaged puzzle and its neighbours: by their lines in the whole file.
          const first = whole.findIndex(({ lineEnd }) => lineEnd >= lineOf(from) - 1);
          const last = whole.findLastIndex((record) => record.line <= lineOf(to));
          const before = whole.slice(0, Math.max(0, first - 1)).map(({ grid }) => grid);
          const after = first < 0 ? [] : whole.slice(Math.max(first + 3, last + 2)).map(({ grid }) => grid);
          expect(grids.slice(0, before.length)).toEqual(before);
          if (after.length > 0) expect(grids.slice(-after.length)).toEqual(after);
          expect(readText(damaged, hints, [Math.min(cut, damaged.length)]).records).toEqual(records);
        }),
        { numRuns: propertyRuns(DAMAGES) },
      );
    });
  });

  describe.each(someOf(CASES.filter(hasPuzzlePerLine), 1, isWhole ? CASES.length : PER_LAYOUT))(
    '$name: one damage',
    ({ input, hints }) => {
      it('leaves one record for each line', () => {
        fc.assert(
          fc.property(damage, (what) => {
            const { damaged } = applyDamage(input, what);
            const { records } = readText(damaged, hints);
            const read = records.filter(({ line, lineEnd }) => line === lineEnd).map(({ line }) => line);
            expect(records).toHaveLength(read.length);
            expect(read).toEqual(expect.arrayContaining(recordLineNumbers(damaged)));
            expect(read.length).toBeLessThanOrEqual(recordLineNumbers(damaged).length + 1);
          }),
          { numRuns: propertyRuns(DAMAGES) },
        );
      });
    },
  );
}

/** Every exception of a case is from an invariant that the case does not keep: one that holds is no exception. */
export function testExceptions(): void {
  const exceptions = CASES.flatMap((each) =>
    Object.keys(each.exceptions).map((invariant) => ({ name: each.name, invariant, each })),
  );
  it.each(exceptions)('$name does not keep: the same $invariant', async ({ invariant, each }) => {
    const { of = () => true, check } = INVARIANTS[invariant]!;
    expect(of(each)).toBe(true);
    await expect((async () => check(each, true))()).rejects.toThrow();
  });
}
