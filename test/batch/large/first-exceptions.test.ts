import { describe, expect, it } from 'vitest';
import { workKeys } from '../../../lib/batch/large/keys.ts';
import { firstExceptions } from '../../../lib/batch/large/merge-records.ts';
import type { RecordsPart } from '../../../lib/batch/large/records.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

const KEYS = workKeys('job', 'attempt-a');

function partWith(shard: number, bytes: number): RecordsPart {
  const files = [{ name: 'exceptions.jsonl', bytes, sha256: '' }];
  return { shard, part: 0, attemptId: 'a', files } as Partial<RecordsPart> as RecordsPart;
}

/** @param bytes length of each line */
function lines(from: number, count: number, bytes = 100): string {
  return Array.from({ length: count }, (_, k) => {
    const line = JSON.stringify({ index: from + k, line: 1, lineEnd: 1, status: 'limit', id: '' });
    return `${line.replace('"id":""', `"id":"${'x'.repeat(Math.max(0, bytes - line.length - 1))}"`)}\n`;
  }).join('');
}

async function first(texts: readonly string[]) {
  const buckets = new MemoryBuckets();
  const parts = texts.map((text, shard) => {
    const part = partWith(shard, text.length);
    if (text !== '') buckets.write('results', KEYS.partFile(part, 'exceptions.jsonl'), text);
    return part;
  });
  const storage = { store: memoryStore(buckets), resultsBucket: 'results' };
  return (await firstExceptions(parts, KEYS, storage)).map(({ index }) => index);
}

const upTo = (last: number) => Array.from({ length: last }, (_, k) => k + 1);

describe('the first exceptions of parts', () => {
  it('come from as many parts as needed, and empty ones are skipped', async () => {
    const found = await first([lines(1, 2), '', lines(3, 1)]);
    expect(found).toEqual([1, 2, 3]);
  });

  it('are at most a hundred', async () => {
    const found = await first([lines(1, 60), lines(61, 60), lines(121, 500)]);
    expect(found).toEqual(upTo(100));
  });

  it('end before an incomplete line if a part is large', async () => {
    const found = await first([lines(1, 30, 40_000), lines(31, 5)]);
    expect(found).toEqual(upTo(26));
  });

  it('throw if a part is missing', async () => {
    const storage = { store: memoryStore(new MemoryBuckets()), resultsBucket: 'results' };
    await expect(firstExceptions([partWith(0, 10)], KEYS, storage)).rejects.toThrow(
      'exceptions.jsonl was deleted',
    );
  });
});
