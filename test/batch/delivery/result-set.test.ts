import { describe, expect, it } from 'vitest';
import { fetchFile } from '../../../lib/batch/delivery/result-set.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

const KEY = 'results/inbox/a.txt/job/attempt/solutions.txt';
const CONTENT = '1234\n3412\n2143\n4321\n';

/** Fetches the file of a manifest whose stored bytes are these; returns what the writer received. */
async function fetched(stored: string | undefined): Promise<{ kept?: string; aborted: boolean }> {
  const buckets = new MemoryBuckets();
  if (stored !== undefined) buckets.write(RESULTS_BUCKET, KEY, stored, {});
  const hash = systemHashing.sha256();
  hash.update(new TextEncoder().encode(CONTENT));
  const file = { name: 'solutions.txt', key: KEY, bytes: CONTENT.length, sha256: hash.hex() };
  const outcome: { kept?: string; aborted: boolean } = { aborted: false };
  let text = '';
  const writer = {
    write: async (bytes: Uint8Array) => {
      text += new TextDecoder().decode(bytes);
    },
    close: async () => {
      outcome.kept = text;
    },
    abort: async () => {
      outcome.aborted = true;
    },
  };
  await fetchFile(
    { store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET },
    file as never,
    writer as never,
    systemHashing,
  ).catch((error: Error) => {
    if (outcome.kept !== undefined) throw error;
    outcome.aborted = true;
    expect(error.message).toMatch(/the manifest says|does not exist/);
  });
  return outcome;
}

describe('a file of a result set', () => {
  it('is kept if it is the one of the manifest', async () => {
    expect(await fetched(CONTENT)).toEqual({ kept: CONTENT, aborted: false });
  });

  it.each([
    ['with another byte', CONTENT.replace('2', '1')],
    ['cut off', CONTENT.slice(0, -1)],
    ['with more bytes', `${CONTENT}x`],
    ['that is empty', ''],
    ['that is missing', undefined],
  ])('is not kept: one %s', async (_what, stored) => {
    expect(await fetched(stored)).toEqual({ aborted: true });
  });
});
