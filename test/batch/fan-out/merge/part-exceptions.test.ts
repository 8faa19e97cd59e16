import { describe, expect, it } from 'vitest';
import { firstExceptions } from '../../../../lib/batch/fan-out/merge/part-exceptions.ts';
import { MemoryBuckets, memoryStore } from '../../../support/memory-store.ts';

/** @param bytes length of each line */
function lines(from: number, count: number, bytes = 100): string {
  return Array.from({ length: count }, (_, k) => {
    const line = JSON.stringify({ index: from + k, line: 1, lineEnd: 1, status: 'limit', id: '' });
    return `${line.replace('"id":""', `"id":"${'x'.repeat(Math.max(0, bytes - line.length - 1))}"`)}\n`;
  }).join('');
}

async function first(texts: readonly string[], total: number) {
  const buckets = new MemoryBuckets();
  const parts = texts.map((text, k) => {
    if (text !== '') buckets.write('results', `part-${k}`, text);
    return { key: `part-${k}`, bytes: text.length };
  });
  const sample = await firstExceptions(memoryStore(buckets), 'results', parts, total);
  return { indexes: sample.first.map(({ index }) => index), total: sample.total };
}

const upTo = (last: number) => Array.from({ length: last }, (_, k) => k + 1);

describe('the first exceptions of parts', () => {
  it('come from as many parts as needed, and empty ones are skipped', async () => {
    const found = await first([lines(1, 2), '', lines(3, 1)], 3);
    expect(found).toEqual({ indexes: [1, 2, 3], total: 3 });
  });

  it('are at most a hundred', async () => {
    const found = await first([lines(1, 60), lines(61, 60), lines(121, 500)], 620);
    expect(found).toEqual({ indexes: upTo(100), total: 620 });
  });

  it('end before an incomplete line if a part is large', async () => {
    const found = await first([lines(1, 30, 40_000), lines(31, 5)], 35);
    expect(found).toEqual({ indexes: upTo(26), total: 35 });
  });

  it('throw if a part is missing', async () => {
    const parts = [{ key: 'missing', bytes: 10 }];
    const store = memoryStore(new MemoryBuckets());
    await expect(firstExceptions(store, 'results', parts, 1)).rejects.toThrow('missing was deleted');
  });
});
