import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorruptInputError } from '../../lib/batch/ports.ts';
import { zlibUnpacking } from '../../lib/node/gunzip.ts';
import { MIXED_FILE } from '../support/puzzles.ts';
import { pieces } from '../support/run-job.ts';

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of stream) chunks.push(bytes);
  return Buffer.concat(chunks).toString();
}

const unpack = (packed: AsyncIterable<Uint8Array>) => textOf(zlibUnpacking.gunzip(packed));
const PACKED = gzipSync(MIXED_FILE);

describe('gzip data', () => {
  it('is decompressed from pieces of any sizes, including empty ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(PACKED.length), { maxLength: 8 }).map((cuts) => cuts.sort((a, b) => a - b)),
        async (cuts) => {
          expect(await unpack(pieces(PACKED, cuts))).toBe(MIXED_FILE);
        },
      ),
    );
  });

  it('of several members is decompressed in order', async () => {
    const members = Buffer.concat([gzipSync('one\n'), gzipSync(''), gzipSync('two\n')]);
    expect(await unpack(pieces(members))).toBe('one\ntwo\n');
  });

  it('is decompressed if the source reuses one array', async () => {
    const text = randomBytes(300_000).toString('hex');
    const packed = gzipSync(text);
    async function* reader() {
      const array = new Uint8Array(100_000);
      for (let at = 0; at < packed.length; at += array.length) {
        const some = packed.subarray(at, at + array.length);
        array.set(some);
        yield array.subarray(0, some.length);
      }
    }
    expect(await unpack(reader())).toBe(text);
  });

  it('of an empty file is empty', async () => {
    expect(await unpack(pieces(gzipSync('')))).toBe('');
  });

  const damaged = Uint8Array.from(PACKED);
  damaged[PACKED.length - 30]! ^= 0xff;
  const wrongChecksum = Uint8Array.from(PACKED);
  wrongChecksum[PACKED.length - 8]! ^= 0xff;
  for (const [name, bytes] of [
    ['cut off in its header', PACKED.subarray(0, 5)],
    ['cut off in its data', PACKED.subarray(0, 60)],
    ['cut off in its trailer', PACKED.subarray(0, -1)],
    ['damaged', damaged],
    ['of a wrong checksum', wrongChecksum],
    ['not gzip data', new TextEncoder().encode(MIXED_FILE)],
  ] as const) {
    it(`that is ${name} throws CorruptInputError`, async () => {
      const unpacked = unpack(pieces(bytes));
      await expect(unpacked).rejects.toThrow(CorruptInputError);
      await expect(unpacked).rejects.toThrow(/gzip data is damaged or cut off/);
    });
  }

  it('whose source fails throws the error of the source', async () => {
    const reset = new Error('connection reset');
    async function* failing(): AsyncIterable<Uint8Array> {
      yield PACKED.subarray(0, 60);
      throw reset;
    }
    await expect(unpack(failing())).rejects.toBe(reset);
  });

  it('releases its source if reading stops', async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const noise = gzipSync(randomBytes(100_000));
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield noise;
      } finally {
        release();
      }
    }
    for await (const bytes of zlibUnpacking.gunzip(endless())) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    await released;
  });
});
