/** What other S3 clients ask for: the AWS command line, boto3, rclone. */

import {
  type BucketCannedACL,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  type CreateBucketCommandInput,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsCommand,
  type ObjectCannedACL,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { expectError, requestOutcome, type Target } from '../target.ts';

const FULL_PART = Buffer.alloc(5 * 2 ** 20, 'full part ');

export function clientsSuite(target: () => Target): void {
  const put = async (name = 'a', Body = 'text') => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const object = { Bucket, Key: newPrefix() + name };
    const { ETag, VersionId } = await client.send(new PutObjectCommand({ ...object, Body }));
    return { client, object, Bucket, Key: object.Key, ETag: ETag!, VersionId };
  };
  listings(target);
  settings(put);
  tags(put);
  creations(target);
  conditionalDeletes(target, put);
  parts(target);
}

function listings(target: () => Target): void {
  describe('ListObjects', () => {
    const upload = async (names: readonly string[]) => {
      const { client, versionedBucket: Bucket, newPrefix } = target();
      const Prefix = newPrefix();
      for (const name of names) await client.send(new PutObjectCommand({ Bucket, Key: Prefix + name }));
      return { client, Bucket, Prefix };
    };

    test('lists keys with their owner, page by page from a marker', async () => {
      const { client, Bucket, Prefix } = await upload(['a', 'b', 'c d', 'é']);
      const first = await client.send(new ListObjectsCommand({ Bucket, Prefix, MaxKeys: 2 }));
      expect(first.Contents?.map(({ Key }) => Key)).toEqual([`${Prefix}a`, `${Prefix}b`]);
      expect(first.Contents?.[0]?.Owner?.ID).toMatch(/^[0-9a-f]{64}$/);
      expect(first).toMatchObject({ IsTruncated: true, Marker: '' });
      expect(first.NextMarker).toBeUndefined();
      const rest = await client.send(new ListObjectsCommand({ Bucket, Prefix, Marker: `${Prefix}b` }));
      expect(rest.Contents?.map(({ Key }) => Key)).toEqual([`${Prefix}c d`, `${Prefix}é`]);
      expect(rest.IsTruncated).toBe(false);
    });

    test('groups keys by a delimiter, and continues after a prefix', async () => {
      const { client, Bucket, Prefix } = await upload(['a/1', 'a/2', 'b', 'c/1', 'c/2']);
      const seen: (string | undefined)[] = [];
      let Marker: string | undefined;
      do {
        const input = { Bucket, Prefix, Delimiter: '/', MaxKeys: 1, Marker };
        const page = await client.send(new ListObjectsCommand(input));
        seen.push(...(page.CommonPrefixes ?? []).map(({ Prefix: prefix }) => prefix));
        seen.push(...(page.Contents ?? []).map(({ Key }) => Key));
        Marker = page.NextMarker;
      } while (Marker !== undefined);
      expect(seen).toEqual([`${Prefix}a/`, `${Prefix}b`, `${Prefix}c/`]);
    });
  });

  test('ListBuckets returns pages, and buckets with a prefix', async () => {
    const { client, versionedBucket, plainBucket, region } = target();
    const common = plainBucket.slice(0, plainBucket.indexOf('plain'));
    const seen: (string | undefined)[] = [];
    let ContinuationToken: string | undefined;
    do {
      const input = { Prefix: common, MaxBuckets: 1, ContinuationToken };
      const page = await client.send(new ListBucketsCommand(input));
      expect(page.Buckets?.length).toBeLessThanOrEqual(1);
      seen.push(...(page.Buckets ?? []).map(({ Name }) => Name));
      ContinuationToken = page.ContinuationToken;
    } while (ContinuationToken !== undefined);
    expect(seen).toEqual(expect.arrayContaining([plainBucket, versionedBucket]));
    const here = await client.send(new ListBucketsCommand({ Prefix: plainBucket, BucketRegion: region }));
    expect(here.Buckets).toMatchObject([{ Name: plainBucket, BucketRegion: region }]);
    await expectError(client.send(new ListBucketsCommand({ MaxBuckets: 0 })), '400 InvalidArgument');
    const invented = new ListBucketsCommand({ ContinuationToken: 'x' });
    await expectError(client.send(invented), '400 InvalidArgument');
  });

  test('ListMultipartUploads returns unfinished uploads by key, page by page', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Prefix = newPrefix();
    for (const name of ['b', 'a', 'c/1', 'c/2']) {
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key: Prefix + name }));
    }
    const seen: (string | undefined)[] = [];
    let markers: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    while (markers !== undefined) {
      const input = { Bucket, Prefix, MaxUploads: 1, ...markers };
      const page: ListMultipartUploadsCommandOutput = await client.send(
        new ListMultipartUploadsCommand(input),
      );
      seen.push(...(page.Uploads ?? []).map(({ Key }) => Key?.slice(Prefix.length)));
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      markers = page.IsTruncated ? { KeyMarker, UploadIdMarker } : undefined;
    }
    expect(seen).toEqual(['a', 'b', 'c/1', 'c/2']);
    const grouped = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, Delimiter: '/' }));
    expect(grouped.Uploads).toHaveLength(2);
    expect(grouped.CommonPrefixes).toEqual([{ Prefix: `${Prefix}c/` }]);
  });
}

type Put = (
  name?: string,
  body?: string,
) => Promise<{
  client: Target['client'];
  object: { Bucket: string; Key: string };
  Bucket: string;
  Key: string;
  ETag: string;
  VersionId: string | undefined;
}>;

function settings(put: Put): void {
  test('encryption with AES256 may be asked for, and every object has it', async () => {
    const { client, object } = await put();
    const ServerSideEncryption = 'AES256';
    const asked = await client.send(new PutObjectCommand({ ...object, Body: 'b', ServerSideEncryption }));
    expect(asked).toMatchObject({ ServerSideEncryption });
    expect(await client.send(new HeadObjectCommand(object))).toMatchObject({ ServerSideEncryption });
  });

  test.each(['bucket-owner-full-control'])('the ACL %s is accepted', async (ACL) => {
    const { client, object } = await put();
    await client.send(new PutObjectCommand({ ...object, Body: 'b', ACL: ACL as ObjectCannedACL }));
    expect(await objectText(client, object)).toBe('b');
  });

  test('an upload may have the ACL private, which rclone sends and every object has', async () => {
    const { client, object } = await put();
    const ACL = 'private';
    await client.send(new PutObjectCommand({ ...object, Body: 'b', ACL }));
    const CopySource = encodeURI(`${object.Bucket}/${object.Key}`);
    const copy = { ...object, Key: `${object.Key}-copy` };
    await client.send(new CopyObjectCommand({ ...copy, CopySource, ACL }));
    await client.send(new CreateMultipartUploadCommand({ ...object, ACL }));
    expect(await objectText(client, copy)).toBe('b');
  });

  test.each(['public-read', 'authenticated-read'] as const)('the ACL %s is 400', async (ACL) => {
    const { client, object } = await put();
    const error = '400 AccessControlListNotSupported';
    await expectError(client.send(new PutObjectCommand({ ...object, Body: 'b', ACL })), error);
    await expectError(client.send(new CreateMultipartUploadCommand({ ...object, ACL })), error);
    const CopySource = encodeURI(`${object.Bucket}/${object.Key}`);
    await expectError(client.send(new CopyObjectCommand({ ...object, CopySource, ACL })), error);
    expect(await objectText(client, object)).toBe('text');
  });

  test('an ACL that is empty, as rclone sends it, is none', async () => {
    const { client, object } = await put();
    const command = new PutObjectCommand({ ...object, Body: 'b' });
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { 'x-amz-acl': '' });
        return next(args);
      },
      { step: 'build' },
    );
    await client.send(command);
    expect(await objectText(client, object)).toBe('b');
  });

  test('an object has no headers that its writer did not send', async () => {
    const { client, object } = await put();
    const { ContentDisposition, ContentEncoding, CacheControl, Metadata } = await client.send(
      new HeadObjectCommand(object),
    );
    const none = [undefined, undefined, undefined, {}];
    expect([ContentDisposition, ContentEncoding, CacheControl, Metadata]).toEqual(none);
  });

  test('a requester may offer to pay', async () => {
    const { client, object } = await put();
    const RequestPayer = 'requester';
    await client.send(new PutObjectCommand({ ...object, Body: 'b', RequestPayer }));
    const { ContentLength } = await client.send(new HeadObjectCommand({ ...object, RequestPayer }));
    expect(ContentLength).toBe(1);
  });

  test.each([
    ['deflate, gzip', 'deflate, gzip'],
    ['gzip,aws-chunked', 'gzip'],
    ['aws-chunked, gzip', 'gzip'],
    ['aws-chunked', undefined],
  ])('the content encoding %s is stored as %s', async (ContentEncoding, stored) => {
    const { client, object } = await put();
    await client.send(new PutObjectCommand({ ...object, Body: 'b', ContentEncoding }));
    expect((await client.send(new HeadObjectCommand(object))).ContentEncoding).toBe(stored);
  });
}

function tags(put: Put): void {
  test('an object has no tags, which the AWS CLI asks before it copies in parts', async () => {
    const { client, object, VersionId } = await put();
    expect(await client.send(new GetObjectTaggingCommand(object))).toMatchObject({ TagSet: [], VersionId });
    const missing = { ...object, Key: `${object.Key}-missing` };
    await expectError(client.send(new GetObjectTaggingCommand(missing)), '404 NoSuchKey');
  });
}

function creations(target: () => Target): void {
  const createAndDelete = async (change: Partial<CreateBucketCommandInput>) => {
    const { client, plainBucket } = target();
    const Bucket = `${plainBucket}-new`;
    const outcome = await requestOutcome(client.send(new CreateBucketCommand({ Bucket, ...change })));
    if (outcome === 'accepted') await client.send(new DeleteBucketCommand({ Bucket }));
    return outcome;
  };

  test.each<Partial<CreateBucketCommandInput>>([
    { ACL: 'private' },
    { ACL: 'bucket-owner-full-control' as BucketCannedACL },
    { ObjectOwnership: 'BucketOwnerEnforced' },
  ])('a bucket may be created with %j, which it has anyway', async (change) => {
    expect(await createAndDelete(change)).toBe('accepted');
  });

  test.each<Partial<CreateBucketCommandInput>>([
    { ACL: 'public-read' },
    { GrantRead: 'uri="http://acs.amazonaws.com/groups/global/AllUsers"' },
  ])('a bucket cannot be created with %j', async (change) => {
    expect(await createAndDelete(change)).toBe('400 InvalidBucketAclWithObjectOwnership');
  });

  test('a bucket of the same owner is created again only in us-east-1', async () => {
    const { client, plainBucket: Bucket, region } = target();
    const outcome = await requestOutcome(client.send(new CreateBucketCommand({ Bucket })));
    expect(outcome).toBe(region === 'us-east-1' ? 'accepted' : '409 BucketAlreadyOwnedByYou');
  });
}

function conditionalDeletes(target: () => Target, put: Put): void {
  test('a delete may require an ETag', async () => {
    const { client, object, ETag } = await put();
    const other = '"00000000000000000000000000000000"';
    await expectError(
      client.send(new DeleteObjectCommand({ ...object, IfMatch: other })),
      '412 PreconditionFailed',
    );
    expect(await objectText(client, object)).toBe('text');
    await client.send(new DeleteObjectCommand({ ...object, IfMatch: ETag }));
    await expectError(client.send(new HeadObjectCommand(object)), '404 NotFound');
  });

  test('a delete may require that there is an object', async () => {
    const { client, object } = await put();
    await client.send(new DeleteObjectCommand({ ...object, IfMatch: '*' }));
    await expectError(client.send(new DeleteObjectCommand({ ...object, IfMatch: '*' })), '404 NoSuchKey');
  });

  test('DeleteObjects may require an ETag for each key', async () => {
    const first = await put('a');
    const second = await put('b', 'other');
    const { client, Bucket } = first;
    const Objects = [
      { Key: first.Key, ETag: second.ETag },
      { Key: second.Key, ETag: second.ETag },
    ];
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted?.map(({ Key }) => Key)).toEqual([second.Key]);
    expect(Errors).toMatchObject([{ Key: first.Key, Code: 'PreconditionFailed' }]);
    expect(await objectText(target().client, first.object)).toBe('text');
  });
}

function parts(target: () => Target): void {
  const uploadParts = async (ChecksumAlgorithm?: 'CRC32' | 'SHA256') => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const object = { Bucket, Key: `${newPrefix()}a` };
    const start = new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm });
    const { UploadId } = await client.send(start);
    const Parts: CompletedPart[] = [];
    for (const [index, Body] of [FULL_PART, Buffer.from('last')].entries()) {
      const PartNumber = index + 1;
      const part = { ...object, UploadId, PartNumber, Body, ChecksumAlgorithm };
      const { ETag, ChecksumCRC32, ChecksumSHA256 } = await client.send(new UploadPartCommand(part));
      const checksums = ChecksumAlgorithm === undefined ? {} : { ChecksumCRC32, ChecksumSHA256 };
      Parts.push({ ETag, PartNumber, ...checksums });
    }
    const input = { ...object, UploadId, MultipartUpload: { Parts } };
    const complete = (change = {}) =>
      client.send(new CompleteMultipartUploadCommand({ ...input, ...change }));
    return { client, object, complete, Parts };
  };

  test('an object is read part by part', async () => {
    const { client, object, complete } = await uploadParts();
    await complete();
    const last = await client.send(new GetObjectCommand({ ...object, PartNumber: 2 }));
    expect(await last.Body?.transformToString()).toBe('last');
    expect(last).toMatchObject({ PartsCount: 2, ContentLength: 4, $metadata: { httpStatusCode: 206 } });
    const head = await client.send(new HeadObjectCommand({ ...object, PartNumber: 1 }));
    expect(head).toMatchObject({ PartsCount: 2, ContentLength: FULL_PART.length });
    const beyond = client.send(new GetObjectCommand({ ...object, PartNumber: 3 }));
    await expectError(beyond, '416 InvalidPartNumber');
  });

  test.each(['CRC32', 'SHA256'] as const)('parts have their own %s', async (ChecksumAlgorithm) => {
    const { client, object, complete, Parts } = await uploadParts(ChecksumAlgorithm);
    await complete();
    const sums = Parts.map((part) => part[`Checksum${ChecksumAlgorithm}`]);
    expect(sums.every((sum) => sum !== undefined)).toBe(true);
    const named = { ...object, ChecksumMode: 'ENABLED' } as const;
    for (const [index, sum] of sums.entries()) {
      const head = await client.send(new HeadObjectCommand({ ...named, PartNumber: index + 1 }));
      const name = `Checksum${ChecksumAlgorithm}` as const;
      expect([head[name], head.ChecksumType]).toEqual([sum, 'COMPOSITE']);
    }
  });

  test('an object that was uploaded at once is its only part', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const object = { Bucket, Key: `${newPrefix()}a` };
    await client.send(new PutObjectCommand({ ...object, Body: 'text' }));
    const first = await client.send(new GetObjectCommand({ ...object, PartNumber: 1 }));
    expect(await first.Body?.transformToString()).toBe('text');
    expect(first.PartsCount).toBeUndefined();
    const second = client.send(new GetObjectCommand({ ...object, PartNumber: 2 }));
    await expectError(second, '416 InvalidPartNumber');
  });

  test('a repeated completion with the same parts succeeds, and makes no other version', async () => {
    const { client, object, complete, Parts } = await uploadParts();
    const first = await complete();
    const second = await complete();
    expect(second).toMatchObject({ ETag: first.ETag, VersionId: first.VersionId, Key: object.Key });
    const head = await client.send(new HeadObjectCommand(object));
    expect(head.VersionId).toBe(first.VersionId);
    const fewer = complete({ MultipartUpload: { Parts: Parts.slice(0, 1) } });
    await expectError(fewer, '404 NoSuchUpload');
  });
}
