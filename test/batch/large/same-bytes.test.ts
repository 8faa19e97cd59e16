/**
 * A file solved in shards gives the bytes of a file solved whole, in any order. Files of every format:
 * `test/formats/catalogue.test.ts`; from any container: `test/batch/jobs-ways.ts`.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../support/depth.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { CUT_OFF, EASY, TWO_SOLUTIONS } from '../../support/puzzles.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/puzzles';
const rows = EASY.replaceAll(/.{9}/g, '$&\n');
const lines = Array.from({ length: 40 }, (_, k) => (k % 5 === 3 ? TWO_SOLUTIONS : EASY));

type Options = Readonly<Record<string, string>>;

const outcome = (buckets: MemoryBuckets) => untimedOutcome(buckets, KEY);

async function whole(text: string | Uint8Array, options: Options) {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, KEY, text, options));
  return outcome(buckets);
}

it('shards of any size, solved in any order and in any number of parts, give the same bytes', async () => {
  const parts = fc.array(
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
      parts,
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
