import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { langford, queens } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { FakeClock } from '../../support/dependencies.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { jsonLines, readResultSet, statsOf } from '../../support/result-set.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/team/queens.dlx.gz';

describe('an uploaded exact-cover file', () => {
  it('has its solutions, its record and its statistics in its result set', async () => {
    const buckets = new MemoryBuckets();
    const body = gzipSync(knuthText(queens(6)));
    const uploaded = upload(buckets, KEY, body, { solutions: 'all', records: 'true' });
    expect(await deliver(buckets, uploaded)).toMatchObject({ kind: 'completed' });
    const resultSet = readResultSet(buckets, KEY);
    expect(resultSet.manifest.puzzles).toMatchObject({ total: 1, multiple: 1 });
    expect(resultSet.files['solutions.txt']!.match(/^# puzzle 1, solution \d$/gm)).toHaveLength(4);
    const record = { index: 1, format: 'dlx', status: 'multiple', solutions: 4, exact: true };
    expect(jsonLines(resultSet.files['exceptions.jsonl']!)).toMatchObject([record]);
    expect(jsonLines(resultSet.files['records.jsonl']!)).toMatchObject([record]);
    expect(statsOf(resultSet).exactCover).toMatchObject({ solutions: 4, options: 36 });
  });

  it('has the two cheapest solutions if its metadata requests two', async () => {
    const buckets = new MemoryBuckets();
    const key = 'inbox/costs.dlx';
    await deliver(buckets, upload(buckets, key, 'a\na |3\na |1\na |2\n', { solutions: '2' }));
    expect(readResultSet(buckets, key).files['solutions.txt']).toBe(
      '# puzzle 1, solution 1, cost 1\na |1\n\n# puzzle 1, solution 2, cost 2\na |2\n',
    );
  });

  it('is detected by its key if its content is ambiguous', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/a.xcc', 'A B\n'));
    expect(readResultSet(buckets, 'inbox/a.xcc').manifest.puzzles).toMatchObject({ total: 1, unsolvable: 1 });
  });

  it('is rejected with the option that does not apply to it', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, KEY, gzipSync(knuthText(queens(4))), { engine: 'bitboard' });
    expect(await deliver(buckets, uploaded)).toMatchObject({
      kind: 'rejected',
      error: { code: 'bad_option', options: [{ option: 'engine', found: 'bitboard' }] },
    });
  });

  it('that is too hard for one function is rejected at the deadline of the function', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, 'inbox/langford.dlx', knuthText(langford(14)), {
      'max-nodes': '999999999',
    });
    const dependencies = { clock: new FakeClock(30), remainingMs: () => 10_000 };
    expect(await deliver(buckets, uploaded, { dependencies })).toMatchObject({
      kind: 'rejected',
      error: { code: 'too_large' },
    });
  });
});
