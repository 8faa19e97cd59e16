/** Ranges of objects, and objects joined from ranges of others, on the embedded S3 with the real SDK. */
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { s3Store } from '../../lib/aws/s3-store.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { bytesOf } from '../support/collected.ts';
import { RESULTS_BUCKET as BUCKET } from '../support/dependencies.ts';
import { type EmbeddedS3, startEmbeddedS3 } from '../support/embedded-s3.ts';

const MIB = 1024 * 1024;
const TYPE = 'text/plain; charset=utf-8';

let server: EmbeddedS3;
let store: ObjectStore;

beforeAll(async () => {
  server = await startEmbeddedS3();
  store = s3Store(server.s3);
});
afterAll(() => server.stop());

/** Bytes without a short period. */
function numbered(length: number, seed: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, k) => (k * 31 + (k >> 8) * 7 + seed) & 255));
}

describe('a range of an object', () => {
  it('has its bytes', async () => {
    const whole = numbered(3000, 1);
    await store.put(BUCKET, 'range', whole, TYPE);
    expect(await bytesOf((await store.range(BUCKET, 'range', undefined, 100, 2000))!)).toEqual(
      whole.subarray(100, 2000),
    );
    expect(await bytesOf((await store.range(BUCKET, 'range', undefined, 2999, 3000))!)).toEqual(
      whole.subarray(2999),
    );
  });

  it('is undefined if there is no object', async () => {
    expect(await store.range(BUCKET, 'missing', undefined, 0, 10)).toBeUndefined();
  });

  it('is read from the requested version', async () => {
    const { VersionId } = await server.s3.putObject({ Bucket: BUCKET, Key: 'old', Body: 'first version' });
    await store.put(BUCKET, 'old', Buffer.from('second'), TYPE);
    expect((await bytesOf((await store.range(BUCKET, 'old', VersionId, 0, 5))!)).toString()).toBe('first');
  });
});

describe('an object joined from parts', () => {
  it('is the parts in order, copied and sent, if they are stored in any order', async () => {
    const first = numbered(7 * MIB, 2);
    const second = numbered(6 * MIB, 3);
    // Keys with characters that are encoded in URLs.
    await store.put(BUCKET, 'work/ü + %/first', first, TYPE);
    await store.put(BUCKET, 'work/ü + %/second', second, TYPE);
    const joinId = await store.beginJoin(BUCKET, 'joined', TYPE);
    const target = { bucket: BUCKET, key: 'joined', joinId };
    const from = (key: string, start: number, end: number) => ({ bucket: BUCKET, key, from: start, to: end });
    await store.joinPart(target, 3, Buffer.from('the end'));
    await store.joinPart(target, 2, from('work/ü + %/second', MIB, 6 * MIB));
    await store.joinPart(target, 1, from('work/ü + %/first', 0, 7 * MIB));
    await store.joinPart(target, 1, from('work/ü + %/first', 0, 7 * MIB));
    expect(await store.head(BUCKET, 'joined')).toBeUndefined();
    await store.completeJoin(target, 3);
    const object = await store.get(BUCKET, 'joined');
    const expected = Buffer.concat([first, second.subarray(MIB), Buffer.from('the end')]);
    expect((await bytesOf(object!.body)).equals(expected)).toBe(true);
    const { ContentType } = await server.s3.headObject({ Bucket: BUCKET, Key: 'joined' });
    expect(ContentType).toBe(TYPE);
  });

  it('declares its checksum at creation, and has that of each part in every request', async () => {
    const sent: [string, Record<string, unknown>][] = [];
    const sum = (bytes: Buffer) => {
      const value = Buffer.alloc(4);
      value.writeUInt32BE(crc32(bytes));
      return { ChecksumCRC32: value.toString('base64') };
    };
    server.s3.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          sent.push([commandName, { ...args.input }]);
          const answer = await next(args);
          // S3 lists the checksum of a part that it has copied; the local one does not.
          if ('Parts' in answer.output)
            answer.output.Parts = answer.output.Parts!.map((part) =>
              part.PartNumber === 1 ? { ...part, ...sum(numbered(5 * MIB, 4)) } : part,
            );
          return answer;
        },
      { step: 'initialize', name: 'record' },
    );
    onTestFinished(() => {
      server.s3.middlewareStack.remove('record');
    });
    await store.put(BUCKET, 'piece', numbered(5 * MIB, 4), TYPE);
    const joinId = await store.beginJoin(BUCKET, 'sums', TYPE);
    const target = { bucket: BUCKET, key: 'sums', joinId };
    await store.joinPart(target, 1, { bucket: BUCKET, key: 'piece', from: 0, to: 5 * MIB });
    await store.joinPart(target, 2, Buffer.from('the end'));
    await store.completeJoin(target, 2);
    const inputs = Object.fromEntries(sent) as Record<string, Record<string, unknown>>;
    expect(inputs.CreateMultipartUploadCommand).toMatchObject({
      ChecksumAlgorithm: 'CRC32',
      ChecksumType: 'FULL_OBJECT',
    });
    expect(inputs.UploadPartCommand).toMatchObject({ ChecksumAlgorithm: 'CRC32' });
    expect(inputs.CompleteMultipartUploadCommand!.MultipartUpload).toMatchObject({
      Parts: [sum(numbered(5 * MIB, 4)), sum(Buffer.from('the end'))],
    });
  });

  it('does not exist if a part is missing', async () => {
    const joinId = await store.beginJoin(BUCKET, 'broken', TYPE);
    const target = { bucket: BUCKET, key: 'broken', joinId };
    await store.joinPart(target, 1, Buffer.from('only'));
    await expect(store.completeJoin(target, 2)).rejects.toThrow('has 1 parts; expected 2');
    expect(await store.head(BUCKET, 'broken')).toBeUndefined();
  });

  it('cannot be completed twice', async () => {
    const joinId = await store.beginJoin(BUCKET, 'twice', TYPE);
    const target = { bucket: BUCKET, key: 'twice', joinId };
    await store.joinPart(target, 1, Buffer.from('x'));
    await store.completeJoin(target, 1);
    await expect(store.completeJoin(target, 1)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});
