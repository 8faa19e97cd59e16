import { crc32 } from 'node:zlib';
import {
  type ChecksumType,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from './test-server.ts';
import { BUCKET, TEST_CREDENTIALS } from './test-server-names.ts';

const FULL_PART = Buffer.alloc(5 * 2 ** 20, 'full part ');
const LAST_PART = Buffer.from('the last part');

async function uploadParts(ChecksumType: ChecksumType) {
  const { client } = await startTestServer();
  const at = { Bucket: BUCKET, Key: 'a' };
  const create = new CreateMultipartUploadCommand({ ...at, ChecksumAlgorithm: 'CRC32', ChecksumType });
  const { UploadId } = await client.send(create);
  const parts: CompletedPart[] = [];
  for (const [index, Body] of [FULL_PART, LAST_PART].entries()) {
    const PartNumber = index + 1;
    const { ETag, ChecksumCRC32 } = await client.send(
      new UploadPartCommand({ ...at, UploadId, PartNumber, Body }),
    );
    parts.push({ PartNumber, ETag, ChecksumCRC32 });
  }
  const complete = (Parts: CompletedPart[], more: Partial<CompleteMultipartUploadCommandInput> = {}) =>
    client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts }, ...more }));
  const head = () => client.send(new HeadObjectCommand({ ...at, ChecksumMode: 'ENABLED' }));
  return { parts, complete, head };
}

function crcOf(bytes: Buffer): string {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(crc32(bytes));
  return value.toString('base64');
}

test('a part with another checksum than the uploaded one is rejected', async () => {
  const { parts, complete } = await uploadParts('COMPOSITE');
  const changed = complete([parts[0], { ...parts[1], ChecksumCRC32: parts[0].ChecksumCRC32 }]);
  await expect(changed).rejects.toMatchObject({ name: 'InvalidPart' });
});

test('a composite checksum requires the checksum of every part', async () => {
  const { parts, complete } = await uploadParts('COMPOSITE');
  const without = complete([parts[0], { ...parts[1], ChecksumCRC32: undefined }]);
  await expect(without).rejects.toMatchObject({
    name: 'InvalidRequest',
    message: expect.stringContaining('part 2'),
  });
});

test('the checksum of the whole object is computed from those of its parts', async () => {
  const { parts, complete, head } = await uploadParts('FULL_OBJECT');
  await complete(parts.map((part) => ({ ...part, ChecksumCRC32: undefined })));
  const whole = crcOf(Buffer.concat([FULL_PART, LAST_PART]));
  expect(await head()).toMatchObject({ ChecksumCRC32: whole, ChecksumType: 'FULL_OBJECT' });
});

test('the checksum of the whole object is verified if the completion has it', async () => {
  const { parts, complete } = await uploadParts('FULL_OBJECT');
  const ChecksumType = 'FULL_OBJECT';
  await expect(complete(parts, { ChecksumCRC32: crcOf(LAST_PART), ChecksumType })).rejects.toMatchObject({
    name: 'BadDigest',
  });
  await complete(parts, { ChecksumCRC32: crcOf(Buffer.concat([FULL_PART, LAST_PART])), ChecksumType });
});

test.each([
  ['FULL_OBJECT', undefined],
  ['COMPOSITE', 'expected checksum Type: crc32, actual checksum Type: null'],
] as const)(
  'a part without a checksum in an upload whose checksum is %s: %s',
  async (ChecksumType, message) => {
    const { endpoint, client } = await startTestServer();
    const { region, ...credentials } = TEST_CREDENTIALS;
    const plain = new S3Client({
      endpoint,
      region,
      credentials,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    onTestFinished(() => plain.destroy());
    const at = { Bucket: BUCKET, Key: 'a' };
    const create = new CreateMultipartUploadCommand({ ...at, ChecksumAlgorithm: 'CRC32', ChecksumType });
    const { UploadId } = await client.send(create);
    const part = plain.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: LAST_PART }));
    if (message === undefined) expect((await part).ChecksumCRC32).toBe(crcOf(LAST_PART));
    else {
      await expect(part).rejects.toMatchObject({
        name: 'InvalidRequest',
        message: expect.stringContaining(message),
      });
    }
  },
);
