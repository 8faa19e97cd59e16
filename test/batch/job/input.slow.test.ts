import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { collectBytes, plainBytes } from '../../../lib/batch/job/input.ts';
import { zlibUnpacking } from '../../../lib/node/unpacking.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';

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

test('the ratio of unpacked to compressed bytes is that of the whole file, in pieces of any size', async () => {
  const MIB = 1024 * 1024;
  // The first 70 MiB take a few kB, and are read before most of the rest.
  const random = new RandomSource(1);
  const noise = Buffer.from(Uint32Array.from({ length: MIB / 4 }, () => random.next() | 0x20202020).buffer);
  const packed = Buffer.concat([zstdCompressSync('\n'.repeat(70 * MIB)), zstdCompressSync(noise)]);
  async function* pieces() {
    for (let at = 0; at < packed.length; at += 512) yield packed.subarray(at, at + 512);
  }
  const progress = { storedBytes: 0, plainBytes: 0 };
  const limits = { storedBytes: packed.length };
  for await (const _ of plainBytes(pieces(), zlibUnpacking, progress, {}, limits));
  expect(progress.plainBytes).toBe(71 * MIB);
});
