/** Whole jobs, which give the same result set as jobs in shards. The first byte of an input chooses the options. */
import { detectFormat } from '../../../lib/formats/formats.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { wellFormedFiles } from '../../formats/catalogue.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { jsonLines, readResultSet } from '../../support/result-set.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';
import { check, checkSame, digest, type Target } from '../target.ts';

const KEY = 'inbox/puzzles';
/** Options by the first byte, from 33; most bytes choose the first. */
const OPTIONS: readonly Readonly<Record<string, string>>[] = [
  {},
  { output: 'jsonl' },
  { output: 'csv' },
  { output: 'grid', strict: 'true' },
  { output: 'tokens', solutions: 'all' },
  { output: 'hdu', solutions: '1' },
  { output: 'poj3076' },
  { output: 'sdm', engine: 'bitmask' },
];
/** Of each byte of the file, in addition to files that every result set has. */
const MAX_BYTES_PER_BYTE = 1000;

export const jobs: Target = {
  name: 'jobs',
  seeds: () =>
    Object.values(wellFormedFiles()).map(
      (pieces, at) => `${String.fromCharCode(33 + (at % OPTIONS.length))}${pieces.slice(0, 3).join('')}`,
    ),
  tokens: [
    '#',
    '\n\n',
    '.........',
    '"',
    ',',
    '[',
    '{"puzzle":"',
    'end\n',
    '</opensudoku>',
    'junk\n',
    '# c\n',
    '|',
    '\r\n',
    '\r',
  ],
  maxBytes: 2000,
  maxWork: { base: 60_000_000, perByte: 60_000 },
  async run(input) {
    const text = new Uint8Array(input.subarray(1));
    const options = { records: 'true', 'max-nodes': '200', ...OPTIONS[(input[0] ?? 0) - 33] };
    const buckets = new MemoryBuckets();
    const { kind } = await deliver(buckets, upload(buckets, KEY, text, options));
    check(kind === 'completed' || kind === 'rejected', 'a job completes or is rejected', () => kind);
    if (kind !== 'completed') return;
    const whole = untimedOutcome(buckets, KEY);
    const records = jsonLines(readResultSet(buckets, KEY).files['records.jsonl'] ?? '');
    check(
      records.every(({ index }, at) => index === at + 1),
      'indexes increase by one',
    );
    const bytes = Object.values(whole).reduce<number>(
      (sum, file) => sum + JSON.stringify(file ?? null).length,
      0,
    );
    check(bytes <= 100_000 + MAX_BYTES_PER_BYTE * text.length, 'the result set is bounded', () => bytes);
    // Only puzzles are split.
    if (detectFormat(text, true, {}).kind !== 'puzzles') return;
    const random = new RandomSource(digest(input));
    const sharded = new MemoryBuckets(64);
    const job = largeJob(upload(sharded, KEY, text, options), options);
    await runLarge(sharded, job, { shardBytes: 70 + random.below(600), seed: random.below(1000) });
    checkSame(untimedOutcome(sharded, KEY), whole, 'shards give the same result set');
  },
};
