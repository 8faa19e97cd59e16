/** A file solved in shards gives the bytes of a file solved whole, at any cut. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../formats/reading.ts';
import { DEEP, propertyRuns } from '../../support/depth.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import {
  CUT_OFF,
  EASY,
  HARD,
  MIXED_FILE,
  MIXED_OPTIONS,
  SOLUTION,
  TWO_SOLUTIONS,
} from '../../support/puzzles.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';
import { zipOf } from '../../support/zip.ts';

const KEY = 'inbox/puzzles';
const rows = EASY.replaceAll(/.{9}/g, '$&\n');
/** Puzzles that take more and more guesses, as more of their givens are missing. */
const HARDER = [0, 1, 2, 3].map((k) =>
  HARD.replace(new RegExp(`(\\d\\D*){${k}}$`), (end) => end.replaceAll(/\d/g, '.')),
);
const lines = Array.from({ length: 40 }, (_, k) => (k % 5 === 3 ? TWO_SOLUTIONS : EASY));

/** Rows of cells between signs. */
const cells = (before: string, separator: string, after: string) =>
  rows.replaceAll(/^.+$/gm, (row) => `${before}${[...row].join(separator)}${after}`);
const groups = (line: string) => line.replaceAll(/.{9}(?=.)/g, '$&/');

/** Paragraphs that together are one record, at any cut. */
const WORDS = 'these words are no puzzle\n\nnor are those, after a blank line\n\n'.repeat(5);

type Options = Readonly<Record<string, string>>;

/** Files and options. */
const CASES: readonly (readonly [name: string, text: string, options?: Options])[] = [
  ['lines', `${lines.join('\n')}\n`],
  ['lines without a final line end', lines.join('\n')],
  [
    'lines with CR LF, a byte-order mark and umlauts',
    `\ufeff${lines.map((line) => `${line} süß`).join('\r\n')}\r\n`,
  ],
  ['one puzzle of each status', MIXED_FILE.repeat(4), { ...MIXED_OPTIONS, records: 'true' }],
  [
    'lines with comments in the middle',
    `${lines.join('\n')}\n${'# nothing here\n'.repeat(400)}${lines.join('\n')}\n`,
  ],
  [
    'many malformed lines',
    `${`${EASY}\n${CUT_OFF}\njunk\n${EASY}\n${EASY}\n\n${EASY.slice(1)}\n`.repeat(12)}`,
    { records: 'true' },
  ],
  [
    'comments everywhere: between lines, in grids, in skipped sections',
    `# first\n${`${EASY}\n; one\n  // two\n${EASY}\n`.repeat(6)}${rows.replaceAll('\n', '\n# row\n').repeat(3)}\n[State]\n${rows}\n# last`,
  ],
  ['a table with comments', `puzzle,solution\n${`# one\n${EASY},\n${EASY},\n// two\n`.repeat(12)}`],
  ['comments after an end', `${`${EASY}\n# one\n`.repeat(12)}end\n${`${EASY}\n# two\n`.repeat(12)}`],
  [
    'malformed lines, several in a row',
    `${EASY.slice(1)}\n${EASY}\n${EASY}\n${`${EASY}\n${EASY}1\n${EASY.slice(1)}\n${EASY.slice(0, 40)}\n%${EASY.slice(1)}\n${EASY}\n${EASY}\n`.repeat(10)}${EASY.slice(9)}`,
    { records: 'true' },
  ],
  [
    'blanks that are #, among comments',
    `${`#${EASY}\n${EASY.replaceAll('.', '#')}\n${TWO_SOLUTIONS.replaceAll('.', '#')}\n#7\n`.repeat(12)}`,
    { records: 'true' },
  ],
  [
    'digits from 0',
    `${lines.join('\n').replaceAll(/[1-9]/g, (digit) => String(Number(digit) - 1))}\n`,
    { records: 'true' },
  ],
  ['an end in the middle', `${`${EASY}\n`.repeat(12)}end\n${`${EASY}\n`.repeat(12)}`],
  [
    'full grids, whose blank is that of the last puzzle',
    `${EASY}\n${`${SOLUTION}\n`.repeat(30)}`,
    { records: 'true' },
  ],
  [
    'a header that names the next puzzle',
    `${EASY}\n${EASY}\nGrid 7\n${EASY}\n${EASY}\n`.repeat(10),
    { records: 'true' },
  ],
  [
    'expected results',
    `${EASY}:1\n${TWO_SOLUTIONS}:1\n${EASY}:1:${EASY.replaceAll('.', '1')}\n`.repeat(10),
    { records: 'true' },
  ],
  ['puzzles of different difficulty', `${`${HARD}\n`.repeat(3)}${HARDER.join('\n')}\n`.repeat(4)],
  [
    'a table',
    `id,puzzle,solution\n${lines.map((line, k) => `${k},${line},${k % 3 ? '' : SOLUTION}\n`).join('')}`,
  ],
  ['zeros after the end', `${lines.join('\n')}\n${'\0'.repeat(500)}`, { records: 'true' }],
  ['middle dots for blanks', `${lines.join('\n').replaceAll('.', '·')}\n`, { records: 'true' }],
  [
    'no-break spaces at the ends of lines',
    `${lines.map((line, k) => `${line}${k % 3 === 0 ? '\u00a0 süß' : ''}`).join('\r\n')}\r\n`,
    { records: 'true' },
  ],
  [
    'rows of full-width digits',
    `${rows.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))}\n`.repeat(20),
    { records: 'true' },
  ],
  ['rows', `${rows}\n`.repeat(20)],
  ['rows and lines, separated by blank lines', `${EASY}\n${EASY}\n\n${rows}\n${EASY}\n`.repeat(8)],
  ['pages of words between rows', `${rows}\n${WORDS}\n`.repeat(6), { records: 'true' }],
  ['pages of words between lines', `${EASY}\n${EASY}\n${WORDS}\n`.repeat(6), { records: 'true' }],
  ['tokens', fixture('hdu1426.txt').trimEnd().concat('\n\n').repeat(8)],
  [
    'fields under names of columns',
    `${Array.from({ length: 81 }, (_, k) => `c${k}`)}\n${lines.map((line) => `${[...line].join()}\n`).join('')}`,
    { records: 'true' },
  ],
  ['groups and numbered lines', lines.map((line, k) => `${k}. ${line}\n${groups(line)}\n`).join('')],
  ['cells in program code', `grid = [\n${cells('[', ', ', '],')}]\n\n${cells('"', '', '",')}\n`.repeat(8)],
  ['cells between tabs, with empty rows', `${cells('', '\t', '')}${'\t'.repeat(8)}\n`.repeat(12)],
  [
    'a JSON list',
    `[${Array(20)
      .fill(
        JSON.stringify(
          rows
            .trimEnd()
            .split('\n')
            .map((row) => [...row]),
        ),
      )
      .join(',\n')}]`,
  ],
  [
    'JSON in another object',
    `{"message":"ok","easy":[\n${lines.map((line, id) => JSON.stringify({ id, puzzle: line })).join(',\n')}],\n"hard":{"variant":"x","list":[${JSON.stringify(EASY)}]},"count":3}\n`,
    { records: 'true' },
  ],
  ['links', lines.map((line) => `https://example.com/?bd=${line}\n`).join(''), { records: 'true' }],
  ['lines written as grids', `${lines.join('\n')}\n`, { output: 'grid' }],
  ['lines with placeholders, for a judge', `${`${EASY}\n${CUT_OFF}\n`.repeat(10)}`, { output: 'hdu' }],
  [
    'lines without placeholders',
    `${`${CUT_OFF}\n${EASY}\n`.repeat(10)}`,
    { output: 'poj3076', strict: 'true' },
  ],
  [
    'a table with formulas, in safe output',
    `=id;puzzle;note\n${lines.map((line, k) => `${k % 3 === 0 ? '=' : ''}${k};${line};"-a, =b"\n`).join('')}@x;${CUT_OFF};y\n`,
    { output: 'csv', 'csv-safe': 'true' },
  ],
  ['lines written as tables', `${lines.join('\n')}\n`, { output: 'csv' }],
  [
    'a table with rows of every outcome, and of other lengths',
    `id,puzzle,status\n${`1,${EASY},x\n2,${CUT_OFF}\n3\n4,11${EASY.slice(2)},"a\nb"\n5,${TWO_SOLUTIONS},y,z\n`.repeat(5)}`,
  ],
  [
    'an enumeration of a table',
    `puzzle;answer\n${`${TWO_SOLUTIONS};\n${CUT_OFF};\n`.repeat(8)}`,
    { solutions: 'all' },
  ],
  ['an enumeration', `${`${TWO_SOLUTIONS}\n${EASY}\n`.repeat(10)}`, { solutions: 'all' }],
];

const outcome = (buckets: MemoryBuckets) => untimedOutcome(buckets, KEY);

async function whole(text: string | Uint8Array, options: Options) {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, KEY, text, options));
  return outcome(buckets);
}

const cases = CASES.map(([name, text, options = {}]) => ({ name, text, options }));

describe.each(cases)('$name', ({ text, options }) => {
  let expected: ReturnType<typeof outcome>;
  beforeAll(async () => {
    expected = await whole(text, options);
  });

  it.each(DEEP ? [70, 90, 300, 1000, 64 * 1024] : [90, 64 * 1024])(
    'in shards of %i bytes gives the same bytes',
    async (shardBytes) => {
      const buckets = new MemoryBuckets(64);
      const job = largeJob(upload(buckets, KEY, text, options), options);
      await runLarge(buckets, job, { shardBytes });
      expect(outcome(buckets)).toEqual(expected);
    },
  );
});

it('shards of any size, solved in any order and in any number of pieces, give the same bytes', async () => {
  const pieces = fc.array(
    fc.constantFrom(
      `${EASY}\n`,
      `${TWO_SOLUTIONS} label\n`,
      `${CUT_OFF}\n`,
      '# ü\n',
      '\n',
      'junk\n',
      `${rows}\n`,
      `${EASY}\r\n`,
    ),
    { minLength: 3, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(
      pieces,
      fc.integer({ min: 30, max: 3000 }),
      fc.nat(),
      fc.constantFrom(4000, 900_000),
      async (parts, shardBytes, seed, functionMs) => {
        const text = `${EASY}\n${parts.join('')}`;
        const buckets = new MemoryBuckets(64);
        const job = largeJob(upload(buckets, KEY, text, { records: 'true' }), { records: 'true' });
        const order = <Item>(items: Item[]) =>
          items
            .map((item, k) => [(k * 7919 + seed) % 101, item] as const)
            .sort(([a], [b]) => a - b)
            .map(([, item]) => item);
        await runLarge(buckets, job, { shardBytes, order, seed, functionMs });
        expect(outcome(buckets)).toEqual(await whole(text, { records: 'true' }));
      },
    ),
    { numRuns: propertyRuns(4) },
  );
});

const UMLAUTS = `${lines.map((line) => `${line} süß 🧩`).join('\r\n')}\r\n`;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

it.each<[name: string, stored: Uint8Array]>([
  ['gzip data', gzipSync(UMLAUTS)],
  ['Zstandard data', zstdCompressSync(UMLAUTS)],
  ['a ZIP archive', zipOf({ name: 'puzzles.txt', content: UMLAUTS, sizes: 'descriptor' })],
  ['UTF-16', utf16(`\ufeff${UMLAUTS}`)],
  ['UTF-16 with the high byte first', utf16(`\ufeff${UMLAUTS}`).swap16()],
  ['UTF-16 in a ZIP archive', zipOf({ name: 'puzzles.txt', content: utf16(`\ufeff${UMLAUTS}`) })],
])('%s is converted to plain text once, and solved in shards', async (_, stored) => {
  const options = { records: 'true' };
  const buckets = new MemoryBuckets(64);
  const steps = await runLarge(buckets, largeJob(upload(buckets, KEY, stored, options), options), {
    shardBytes: 500,
  });
  expect(steps.filter((step) => step.startsWith('solve')).length).toBeGreaterThan(3);
  expect(outcome(buckets)).toEqual(await whole(UMLAUTS, options));
  expect(outcome(buckets)).toEqual(await whole(stored, options));
});

it('a file of lines is counted and cut in ranges; a file whose lines depend on earlier lines is scanned', async () => {
  const stepsOf = async (text: string) => {
    const buckets = new MemoryBuckets(64);
    const steps = await runLarge(buckets, largeJob(upload(buckets, KEY, text)), { shardBytes: 500 });
    return {
      counts: steps.filter((step) => step.startsWith('count')).length,
      solves: steps.filter((step) => step.startsWith('solve')).length,
    };
  };
  expect(await stepsOf(`${lines.join('\n')}\n`)).toEqual({ counts: 7, solves: 7 });
  expect(await stepsOf(`${rows}\n`.repeat(20))).toEqual({ counts: 0, solves: 4 });
});
