import { expect, test } from 'vitest';
import { collectBytes, plainBytes } from '../../../lib/batch/job/input.ts';
import { zlibUnpacking } from '../../../lib/node/unpacking.ts';

test('a stored file that is rejected by its first bytes is closed', async () => {
  let closed = false;
  async function* archive() {
    try {
      yield new Uint8Array([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]);
      yield new Uint8Array(8);
    } finally {
      closed = true;
    }
  }
  const reading = collectBytes(plainBytes(archive(), zlibUnpacking, { storedBytes: 0, plainBytes: 0 }));
  await expect(reading).rejects.toThrow('a 7z archive');
  expect(closed).toBe(true);
});
